//! A program whose loops end after a known number of rounds, executed at once: its clauses have no loop.
//!
//! Bounded symbolic execution with merging, as in E. Clarke, D. Kroening, F. Lerda, *A tool for checking
//! ANSI-C programs*, 2004, without a bound: either every way ends by itself, or there is no result.
//!
//! ```text
//! waiting ← the entry, with nothing known
//! while a point waits: take the first one in the order of `program::order`
//!   its ways ← merged into one (`merge.rs`); not possible → no result
//!   each edge: execute its operations; a check of the group that may fail: when it does
//!     a condition is false by the numbers alone → this way is not gone
//!   too many edges → no result
//! clauses: ⇒ entry;  entry ∧ (a check fails on some way) ⇒ false, for each check
//! ```
//!
//! A loop whose condition is known in every round ends here by itself; one whose condition is not, never
//! does. Recursion gives no result. The clauses say the same as those of `system.rs`: there is a way to a
//! violation or there is none; formulas of loops do not come out of them.

use std::collections::BTreeMap;

use foretell_systems::{Atom, ChcSystem};
use foretell_terms::{Term, TermStore};
use indexmap::IndexMap;

use super::clause::Draft;
use super::merge::merged;
use super::system::assumed;
use super::{ClauseKind, EncodeOptions, Encoded, PredKind};
use crate::program::order::places;
use crate::program::{CheckId, Edge, InputId, Op, PointId, PointKind, Program, VarId};

/// Edges that are gone at most.
const MOST: usize = 3_000;

/// What happens on all ways through a program.
pub struct Explored {
    /// When each check of the group fails.
    pub failures: IndexMap<CheckId, Term>,
    /// The end of the program, if it can be reached.
    pub end: Option<Ending>,
    /// The inputs, in the order in which an execution takes them.
    pub inputs: Vec<(InputId, Term)>,
}

/// What is known at the end of a program.
pub struct Ending {
    /// What holds there.
    pub condition: Vec<Term>,
    /// What variables are worth.
    pub values: IndexMap<VarId, Term>,
}

/// The clauses of a program with loops that end after a known number of rounds; `None` for others.
pub fn straight(program: &Program, options: EncodeOptions, terms: &TermStore) -> Option<Encoded> {
    let loops = |p: &crate::program::Point| p.kind == PointKind::LoopHead;
    if !program.points.iter().any(loops) {
        return None;
    }
    let explored = explore(program, options, terms)?;
    let mut out = Encoded {
        system: ChcSystem::default(),
        preds: Vec::new(),
        clauses: Vec::new(),
        options,
    };
    let function = &program.functions[0];
    let pred = out.system.add_pred(terms, &function.name, &[]);
    let entry = Atom {
        pred,
        args: Vec::new(),
    };
    out.preds
        .push((PredKind::Point(function.entry), Vec::new()));
    let start = Draft::new(terms, program, options.ranges);
    let line = program.source.line(function.span);
    let (clause, inputs) = start.finish(Some(entry.clone()), None, line);
    out.system.clauses.push(clause);
    out.clauses.push((ClauseKind::Enter, inputs));
    for (check, fails) in explored.failures {
        let mut draft = start.clone();
        draft.body.push(entry.clone());
        let read = terms.free_vars(&[fails]);
        let taken = explored.inputs.iter().filter(|(_, t)| read.contains(t));
        draft.inputs = taken.copied().collect();
        let line = program.source.line(program.check(check).span);
        let (clause, inputs) = draft.finish(None, Some(fails), line);
        out.system.clauses.push(clause);
        out.clauses.push((ClauseKind::Query(check), inputs));
    }
    Some(out)
}

/// Goes all ways through a program; `None` where they do not end by themselves.
pub fn explore(program: &Program, options: EncodeOptions, terms: &TermStore) -> Option<Explored> {
    let entry = program.functions[0].entry;
    let mut out: Vec<Vec<&Edge>> = vec![Vec::new(); program.points.len()];
    for edge in &program.edges {
        out[edge.from.index()].push(edge);
    }
    let mut walk = Walk {
        program,
        options,
        terms,
        places: places(program, entry),
        waiting: BTreeMap::new(),
        failures: IndexMap::new(),
        inputs: Vec::new(),
    };
    walk.wait(entry, Draft::new(terms, program, options.ranges));
    let (mut gone, mut end) = (0, None);
    while let Some((_, (point, drafts))) = walk.waiting.pop_first() {
        let draft = merged(drafts)?;
        if point == program.functions[0].exit {
            end = Some(Ending {
                condition: draft.constraint,
                values: draft.now,
            });
            continue;
        }
        gone += out[point.index()].len();
        if gone > MOST {
            return None;
        }
        for edge in &out[point.index()] {
            walk.edge(draft.clone(), edge)?;
        }
    }
    let some = |(check, ways): (CheckId, Vec<Term>)| (check, terms.or(ways));
    Some(Explored {
        failures: walk.failures.into_iter().map(some).collect(),
        end,
        inputs: walk.inputs,
    })
}

struct Walk<'a> {
    program: &'a Program,
    options: EncodeOptions,
    terms: &'a TermStore,
    places: Vec<Option<usize>>,
    /// By their place in the order.
    waiting: BTreeMap<usize, (PointId, Vec<Draft<'a>>)>,
    failures: IndexMap<CheckId, Vec<Term>>,
    inputs: Vec<(InputId, Term)>,
}

impl<'a> Walk<'a> {
    fn wait(&mut self, point: PointId, draft: Draft<'a>) {
        if let Some(place) = self.places[point.index()] {
            let (_, list) = self
                .waiting
                .entry(place)
                .or_insert_with(|| (point, Vec::new()));
            list.push(draft);
        }
    }

    /// Goes along an edge; `None` where it calls a function.
    fn edge(&mut self, mut draft: Draft<'a>, edge: &Edge) -> Option<()> {
        for (op, _) in &edge.ops {
            let known = draft.constraint.len();
            match op {
                Op::Call { .. } => return None,
                Op::Check(id) => self.check(&mut draft, *id),
                other => {
                    // All ways count their inputs together, so their names are in order.
                    std::mem::swap(&mut draft.inputs, &mut self.inputs);
                    draft.step(other);
                    std::mem::swap(&mut draft.inputs, &mut self.inputs);
                }
            }
            if !self.is_open(&mut draft, known) {
                return Some(());
            }
        }
        self.wait(edge.to, draft);
        Some(())
    }

    fn check(&mut self, draft: &mut Draft<'a>, id: CheckId) {
        let check = self.program.check(id);
        let (holds, fails) = draft.goal(&check.holds);
        if check.kind.group() == self.options.group {
            let way = draft.constraint.iter().copied().chain([fails]);
            let way = self.terms.and(way.collect::<Vec<_>>());
            if !self.terms.is_false(way) {
                self.failures.entry(id).or_default().push(way);
            }
        }
        if let Some(holds) = holds.filter(|_| assumed(self.options, check.kind)) {
            draft.constraint.push(holds);
        }
    }

    /// Whether a way can be gone with the conditions that are new on it; those that say nothing new go.
    fn is_open(&self, draft: &mut Draft<'a>, known: usize) -> bool {
        for condition in draft.constraint.split_off(known) {
            let opposite = self.terms.not(condition);
            if self.terms.is_false(condition) || draft.constraint.contains(&opposite) {
                return false;
            }
            if !self.terms.is_true(condition) && !draft.constraint.contains(&condition) {
                draft.constraint.push(condition);
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use foretell_terms::TermStore;

    use super::{explore, straight};
    use crate::encode::{EncodeOptions, Ranges};
    use crate::program::{Group, Program};
    use crate::text::NoFiles;
    use crate::{Settings, read};

    const OPTIONS: EncodeOptions = EncodeOptions {
        group: Group::Assert,
        ranges: Ranges::Unsigned,
    };

    fn program(text: &str) -> Program {
        read("x.c", text.as_bytes(), &NoFiles, &Settings::default()).expect("C")
    }

    /// How many checks may fail, as far as the numbers alone tell.
    fn open(text: &str) -> Option<usize> {
        let terms = TermStore::new();
        explore(&program(text), OPTIONS, &terms).map(|e| e.failures.len())
    }

    #[test]
    fn sums_of_cells_in_another_order_are_the_same_number() {
        let text = "int __VERIFIER_nondet_int(void);
int f(int a[4]) { int s = 0; for (int i = 0; i < 4; i++) { if (a[i] % 2) s++; else s--; } return s; }
int main(void) {
  int a[4];
  for (int i = 0; i < 4; i++) a[i] = __VERIFIER_nondet_int();
  int x = f(a), t = a[0];
  for (int i = 0; i < 3; i++) a[i] = a[i + 1];
  a[3] = t;
  int y = f(a);
  __VERIFIER_assert(x == y);
  __VERIFIER_assert(x != 1);
}
";
        assert_eq!(open(text), Some(1), "only the second may fail");
        let terms = TermStore::new();
        let clauses = straight(&program(text), OPTIONS, &terms).expect("straight");
        assert_eq!(clauses.system.clauses.len(), 2);
        assert_eq!(clauses.clauses[1].1.len(), 4, "four inputs");
    }

    #[test]
    fn a_loop_whose_end_is_not_known_has_no_result() {
        let endless = "int main(void) { int i = 0; while (1) { i++; __VERIFIER_assert(i); } }";
        assert_eq!(open(endless), None);
        let unknown = "int __VERIFIER_nondet_int(void);
int main(void) { int n = __VERIFIER_nondet_int(); for (int i = 0; i < n; i++) ; __VERIFIER_assert(n); }";
        assert_eq!(open(unknown), None);
        let recursive = "int f(int n) { return n ? f(n - 1) : 0; }
int main(void) { for (int i = 0; i < 3; i++) ; __VERIFIER_assert(f(3) == 0); }";
        assert_eq!(open(recursive), None);
    }

    #[test]
    fn leaving_a_loop_in_the_middle_is_kept_apart() {
        let text = "int __VERIFIER_nondet_int(void);
int main(void) {
  int i, last = -1;
  for (i = 0; i < 3; i++) { if (__VERIFIER_nondet_int()) break; last = i; }
  __VERIFIER_assert(last == i - 1);
  __VERIFIER_assert(i < 3);
}
";
        let terms = TermStore::new();
        let explored = explore(&program(text), OPTIONS, &terms).expect("ends");
        assert_eq!(explored.inputs.len(), 4, "and the variable without a value");
        assert!(explored.failures.len() <= 2 && !explored.failures.is_empty());
        assert!(explored.end.is_some());
    }
}
