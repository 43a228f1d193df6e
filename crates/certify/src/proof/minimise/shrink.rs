//! Delta debugging: as few items of a list as pass (Zeller and Hildebrandt 2002).

/// Leaves out parts of a list while the rest passes, at most `trials` times asking.
pub(crate) fn shrink<T: Clone>(
    items: Vec<T>,
    trials: usize,
    passes: &mut dyn FnMut(&[T]) -> bool,
) -> Vec<T> {
    let mut kept = items;
    let mut left = trials;
    let mut block = kept.len().div_ceil(2);
    while block > 0 {
        let mut from = 0;
        while from < kept.len() {
            if left == 0 {
                return kept;
            }
            left -= 1;
            let to = (from + block).min(kept.len());
            let rest: Vec<T> = kept[..from].iter().chain(&kept[to..]).cloned().collect();
            if passes(&rest) {
                kept = rest;
            } else {
                from = to;
            }
        }
        block /= 2;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::shrink;

    #[test]
    fn what_is_needed_stays() {
        let mut asked = 0;
        let kept = shrink((0..64).collect(), usize::MAX, &mut |rest: &[i32]| {
            asked += 1;
            [3, 17, 60].iter().all(|n| rest.contains(n))
        });
        assert_eq!(kept, [3, 17, 60]);
        assert!(asked < 64, "blocks are tried before single items");
        assert_eq!(shrink(vec![1, 2], 0, &mut |_| true), [1, 2]);
        assert_eq!(shrink(vec![1, 2, 3], 99, &mut |_| true), Vec::<i32>::new());
    }
}
