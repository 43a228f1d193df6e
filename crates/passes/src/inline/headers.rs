//! Loop headers, and the order in which the other predicates are eliminated.

use foretell_systems::{ChcSystem, Pred};
use indexmap::IndexSet;

/// All predicates that are no loop header; each after those of them that occur in its definitions.
pub(crate) fn elimination_order(system: &ChcSystem) -> Vec<Pred> {
    let mut search = Search::new(system);
    let facts = system
        .clauses
        .iter()
        .filter(|c| c.is_fact())
        .filter_map(|c| c.head.as_ref());
    for root in facts.map(|h| h.pred).chain(system.pred_ids()) {
        search.visit(root);
    }
    let Search {
        mut finished,
        is_header,
        ..
    } = search;
    // Reverse finishing order is a topological order of the graph without back edges.
    finished.reverse();
    finished
        .into_iter()
        .filter(|p| !is_header[p.index()])
        .collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Open,
    Done,
}

/// A depth-first search along clauses, from body to head.
struct Search {
    successors: Vec<IndexSet<Pred>>,
    marks: Vec<Mark>,
    is_header: Vec<bool>,
    finished: Vec<Pred>,
}

impl Search {
    fn new(system: &ChcSystem) -> Search {
        let n = system.preds.len();
        let mut successors = vec![IndexSet::new(); n];
        for clause in &system.clauses {
            for (atom, head) in clause
                .body
                .iter()
                .flat_map(|a| clause.head.iter().map(move |h| (a, h)))
            {
                successors[atom.pred.index()].insert(head.pred);
            }
        }
        Search {
            successors,
            marks: vec![Mark::New; n],
            is_header: vec![false; n],
            finished: Vec::new(),
        }
    }

    fn visit(&mut self, root: Pred) {
        if self.marks[root.index()] != Mark::New {
            return;
        }
        self.marks[root.index()] = Mark::Open;
        let mut path = vec![(root, 0)];
        while let Some((pred, next)) = path.last_mut() {
            let Some(&successor) = self.successors[pred.index()].get_index(*next) else {
                self.marks[pred.index()] = Mark::Done;
                self.finished.push(*pred);
                path.pop();
                continue;
            };
            *next += 1;
            match self.marks[successor.index()] {
                Mark::New => {
                    self.marks[successor.index()] = Mark::Open;
                    path.push((successor, 0));
                }
                Mark::Open => self.is_header[successor.index()] = true,
                Mark::Done => {}
            }
        }
    }
}
