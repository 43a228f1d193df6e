//! What the words of a text tell about it before it is read: which schedule fits (portfolio.rs).
//!
//! Only the order of engines depends on it, never an answer. So it may be rough, and must be quick: a
//! clause counts as one with several premises when declared names are applied more than twice in it,
//! which is two premises and a head, or a disjunction of premises; a goal with two premises is missed.

use std::collections::BTreeSet;

use memchr::memmem;

/// What a text may be like. In the order in which schedules are looked up by it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Feature {
    /// It declares datatypes.
    Datatypes,
    /// It has no arrays.
    NoArrays,
    /// It has bit-vectors.
    Words,
    /// It has real numbers.
    Reals,
    /// A clause has several premises.
    NonLinear,
}

impl Feature {
    /// All of them.
    pub(crate) const ALL: [Feature; 5] = [
        Feature::Datatypes,
        Feature::NoArrays,
        Feature::Words,
        Feature::Reals,
        Feature::NonLinear,
    ];

    /// Whether a text is like that.
    pub(crate) fn is_of(self, text: &[u8]) -> bool {
        let has = |word: &[u8]| memmem::find(text, word).is_some();
        match self {
            Feature::Datatypes => has(b"declare-datatype"),
            Feature::NoArrays => !has(b"Array"),
            Feature::Words => has(b"BitVec"),
            Feature::Reals => has(b" Real") || has(b"(Real"),
            Feature::NonLinear => joins_premises(&text[..text.len().min(LOOKED_AT)]),
        }
    }
}

/// So much of a text is looked at: what the first clauses are like, the others are too.
const LOOKED_AT: usize = 256 << 10;

/// Whether declared names are applied more than twice in one command.
fn joins_premises(text: &[u8]) -> bool {
    let mut declared: BTreeSet<&[u8]> = BTreeSet::new();
    let (mut depth, mut applied) = (0_u32, 0);
    let mut before: &[u8] = b"";
    for word in Words(text) {
        match word {
            b"(" => {
                applied = if depth == 0 { 0 } else { applied };
                depth += 1;
            }
            b")" => depth = depth.saturating_sub(1),
            name if before == b"(" && depth > 1 && declared.contains(bare(name)) => {
                applied += 1;
                if applied > 2 {
                    return true;
                }
            }
            name if depth == 1 && matches!(before, b"declare-fun" | b"declare-rel") => {
                declared.insert(bare(name));
            }
            _ => {}
        }
        before = word;
    }
    false
}

/// A name without the bars that may stand around it.
fn bare(name: &[u8]) -> &[u8] {
    let inner = name.strip_prefix(b"|").and_then(|n| n.strip_suffix(b"|"));
    inner.unwrap_or(name)
}

/// The parentheses and words of a text, without comments.
struct Words<'t>(&'t [u8]);

impl<'t> Iterator for Words<'t> {
    type Item = &'t [u8];

    fn next(&mut self) -> Option<&'t [u8]> {
        loop {
            self.0 = self.0.trim_ascii_start();
            let end = match self.0.first()? {
                b';' => {
                    let end = self.0.iter().position(|&b| b == b'\n');
                    self.0 = &self.0[end.unwrap_or(self.0.len())..];
                    continue;
                }
                b'(' | b')' => 1,
                quote @ (b'|' | b'"') => {
                    let end = self.0[1..].iter().position(|b| b == quote);
                    end.map_or(self.0.len(), |end| end + 2)
                }
                _ => {
                    let ends = |b: &u8| b.is_ascii_whitespace() || b"();|\"".contains(b);
                    self.0.iter().position(ends).unwrap_or(self.0.len())
                }
            };
            let (word, rest) = self.0.split_at(end);
            self.0 = rest;
            return Some(word);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_with_several_premises_are_seen() {
        let text = |clause: &str| {
            format!(
                "; (p x) (p y) (p z)\n(set-info :source |(p x) (p y) (p z)|)\n\
                 (declare-fun p (Int) Bool)\n(declare-fun |q r| (Int) Bool)\n(assert {clause})\n"
            )
        };
        let joins = |clause: &str| Feature::NonLinear.is_of(text(clause).as_bytes());
        assert!(joins("(forall ((x Int)) (=> (and (p x) (p 1)) (p 2)))"));
        assert!(joins(
            "(forall ((x Int)) (=> (and (p x) (|q r| 1)) (|p| 2)))"
        ));
        assert!(!joins(
            "(forall ((x Int)) (=> (and (p x) (f x) (f 1)) (p 2)))"
        ));
        // Names, not applications; and the count begins anew with every command.
        assert!(!joins(
            "(forall ((p Int)) (=> (= p p p p) (p 2)))) (assert (p 1)"
        ));
        assert!(!joins("(p 1)) (assert (p 2)) (assert (p 3)"));
        for hostile in [
            "",
            "(",
            ")))(((",
            "|",
            "\"",
            "(declare-fun",
            ";",
            "(assert |",
        ] {
            assert!(!Feature::NonLinear.is_of(hostile.as_bytes()), "{hostile}");
        }
    }

    #[test]
    fn only_the_beginning_is_looked_at() {
        let mut text = b"(declare-fun p (Int) Bool)".to_vec();
        text.resize(LOOKED_AT, b' ');
        text.extend_from_slice(b"(assert (=> (and (p 0) (p 1)) (p 2)))");
        assert!(!Feature::NonLinear.is_of(&text));
    }
}
