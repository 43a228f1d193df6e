//! An order of the points in which the rounds of a loop come before what follows the loop.
//!
//! A weak topological order (F. Bourdoncle, *Efficient chaotic iteration strategies with widenings*,
//! 1993), computed by taking components apart:
//!
//! ```text
//! order(points):
//!   for each strongly connected component of the points, sources first
//!     one point without a way to itself → it is next
//!     several → the one that is met first from the entry is next, then order(the others)
//! ```
//!
//! Whoever always goes on with the first waiting point in this order makes all rounds of a loop before
//! he goes on behind it, and finds all ways into a point together. Deviation: components come from two
//! searches over the points that are left (Kosaraju), with a stack of their own instead of recursion.

use indexmap::IndexSet;

use super::{PointId, Program};

/// For each point, its place in the order; `None` where nothing leads to from the entry.
pub fn places(program: &Program, entry: PointId) -> Vec<Option<usize>> {
    let graph = Graph::new(program);
    let reached = graph.reached(entry);
    let mut places = vec![None; program.points.len()];
    let mut next = 0;
    let mut work = vec![reached.iter().copied().collect::<Vec<usize>>()];
    while let Some(points) = work.pop() {
        if let [only] = points[..] {
            // A way from a point to itself is a round of its own.
            places[only] = Some(next);
            next += 1;
            continue;
        }
        let components = graph.components(&points, &reached);
        if let [_] = components[..] {
            // The others follow the head.
            let (head, others) = (points[0], points[1..].to_vec());
            work.extend((!others.is_empty()).then_some(others));
            work.push(vec![head]);
            continue;
        }
        work.extend(components.into_iter().rev());
    }
    places
}

struct Graph {
    out: Vec<Vec<usize>>,
    back: Vec<Vec<usize>>,
}

impl Graph {
    fn new(program: &Program) -> Graph {
        let n = program.points.len();
        let mut graph = Graph {
            out: vec![Vec::new(); n],
            back: vec![Vec::new(); n],
        };
        for edge in &program.edges {
            graph.out[edge.from.index()].push(edge.to.index());
            graph.back[edge.to.index()].push(edge.from.index());
        }
        graph
    }

    /// What can be reached from a point, as it is met.
    fn reached(&self, entry: PointId) -> IndexSet<usize> {
        let mut met = IndexSet::new();
        let mut work = vec![entry.index()];
        while let Some(point) = work.pop() {
            if met.insert(point) {
                work.extend(self.out[point].iter().rev());
            }
        }
        met
    }

    /// The strongly connected components of some points, sources first; the points of each as they
    /// are met from the entry.
    fn components(&self, points: &[usize], met: &IndexSet<usize>) -> Vec<Vec<usize>> {
        let inside: IndexSet<usize> = points.iter().copied().collect();
        let mut left = self.finished(&inside);
        let mut taken: IndexSet<usize> = IndexSet::new();
        let mut components = Vec::new();
        while let Some(last) = left.pop() {
            let mut component = Vec::new();
            let mut work = vec![last];
            while let Some(point) = work.pop() {
                if inside.contains(&point) && taken.insert(point) {
                    component.push(point);
                    work.extend(&self.back[point]);
                }
            }
            component.sort_by_key(|p| met.get_index_of(p));
            components.extend((!component.is_empty()).then_some(component));
        }
        components
    }

    /// The points in the order in which a depth-first search is done with them.
    fn finished(&self, inside: &IndexSet<usize>) -> Vec<usize> {
        let mut seen: IndexSet<usize> = IndexSet::new();
        let mut done = Vec::new();
        for &start in inside {
            if !seen.insert(start) {
                continue;
            }
            let mut stack = vec![(start, 0)];
            while let Some((point, tried)) = stack.pop() {
                let Some(&to) = self.out[point].get(tried) else {
                    done.push(point);
                    continue;
                };
                stack.push((point, tried + 1));
                if inside.contains(&to) && seen.insert(to) {
                    stack.push((to, 0));
                }
            }
        }
        done
    }
}

#[cfg(test)]
mod tests {
    use super::places;
    use crate::program::{PointId, PointKind};
    use crate::text::NoFiles;
    use crate::{Settings, read};

    #[test]
    fn what_is_inside_a_loop_comes_before_what_is_behind_it() {
        let text = "int main() {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < i; j++) { if (j == 1) break; }
  }
  for (int k = 0; k < 3; k++) ;
  return 0;
}
";
        let program = read("x.c", text.as_bytes(), &NoFiles, &Settings::default()).expect("C");
        let places = places(&program, program.functions[0].entry);
        let heads: Vec<usize> = (0..program.points.len())
            .filter(|&p| program.points[p].kind == PointKind::LoopHead)
            .collect();
        assert_eq!(heads.len(), 3);
        let place = |p: usize| places[p].expect("reached");
        let line = |p: usize| program.source.line(program.point(PointId::new(p)).span);
        let mut in_order = heads.clone();
        in_order.sort_by_key(|&p| place(p));
        let lines: Vec<u32> = in_order.iter().map(|&p| line(p)).collect();
        assert_eq!(lines, [2, 3, 5]);
        // Every edge goes forward, or back to a head.
        for edge in &program.edges {
            let (Some(from), Some(to)) = (places[edge.from.index()], places[edge.to.index()])
            else {
                continue;
            };
            assert!(from < to || heads.contains(&edge.to.index()));
        }
        let mut used: Vec<usize> = places.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        assert_eq!(
            used.len(),
            places.iter().flatten().count(),
            "one place each"
        );
    }
}
