//! Which arguments of different predicates are the same program variable.
//!
//! ```text
//! head(a, 0, n)  ⇐ …
//! body(a, n, i)  ⇐ head(a, i, n) ∧ i < n        classes: {head.0, body.0} {head.1, body.2} {head.2, body.1}
//! head(store(a, i, 1), i + 1, n) ⇐ body(a, n, i)
//! ```
//!
//! Classes are found by data flow, not by position or by name: a union-find over *copy* edges (the
//! same variable in body and head), then *step* edges (a head argument computed from the variable:
//! `i + 1`, `store(a, …)`), then equal names. An edge is refused when it would put two arguments of
//! one predicate, or two sorts, into one class. The result is a heuristic only: any partition with
//! that property makes the translation to a transition system correct.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use foretell_systems::{ChcSystem, Pred};
use foretell_terms::{Op, Sort, Term, TermStore};
use indexmap::IndexMap;

/// A class of argument positions.
#[derive(Clone, Debug)]
pub(crate) struct Class {
    /// The common sort.
    pub(crate) sort: Sort,
    /// A name in the user's vocabulary, different for each class.
    pub(crate) name: String,
    /// The argument positions, at most one for each predicate.
    pub(crate) members: Vec<(Pred, usize)>,
}

/// A partition of all argument positions of a system.
#[derive(Clone, Debug)]
pub(crate) struct Alignment {
    /// The classes.
    pub(crate) classes: Vec<Class>,
    /// `class_of[pred][position]` is an index into `classes`.
    class_of: Vec<Vec<usize>>,
}

impl Alignment {
    /// Aligns the arguments of a system.
    pub(crate) fn new(system: &ChcSystem, terms: &TermStore) -> Alignment {
        let positions = Positions::new(system);
        let names = position_names(system, terms, &positions);
        let mut partition = Partition::new(system, terms, &positions);
        for (_, (a, b)) in ranked_edges(system, terms, &positions, &names) {
            partition.union(a, b);
        }
        partition.into_alignment(&positions, &names)
    }

    /// The class of an argument position.
    pub(crate) fn class(&self, pred: Pred, position: usize) -> usize {
        self.class_of[pred.index()][position]
    }

    /// The position of a predicate's argument in a class, if it has one.
    pub(crate) fn position(&self, class: usize, pred: Pred) -> Option<usize> {
        self.classes[class]
            .members
            .iter()
            .find(|(p, _)| *p == pred)
            .map(|&(_, position)| position)
    }
}

/// All argument positions, numbered consecutively.
struct Positions {
    offsets: Vec<usize>,
    all: Vec<(Pred, usize)>,
}

impl Positions {
    fn new(system: &ChcSystem) -> Positions {
        let (mut offsets, mut all) = (Vec::new(), Vec::new());
        for pred in system.pred_ids() {
            offsets.push(all.len());
            all.extend((0..system.pred(pred).params.len()).map(|k| (pred, k)));
        }
        Positions { offsets, all }
    }

    fn id(&self, pred: Pred, position: usize) -> usize {
        self.offsets[pred.index()] + position
    }
}

/// The name of the first variable written at each position, bodies before heads.
fn position_names(system: &ChcSystem, terms: &TermStore, positions: &Positions) -> Vec<String> {
    let mut names: Vec<Option<String>> = vec![None; positions.all.len()];
    let bodies = system.clauses.iter().flat_map(|c| &c.body);
    let heads = system.clauses.iter().filter_map(|c| c.head.as_ref());
    for atom in bodies.chain(heads) {
        for (k, &arg) in atom.args.iter().enumerate() {
            let name = &mut names[positions.id(atom.pred, k)];
            if name.is_none() && terms.as_var(arg).is_some() {
                *name = Some(foretell_formulas::base_name(terms.var_name(arg)).to_string());
            }
        }
    }
    let nameless = |i: usize| {
        let (pred, k) = positions.all[i];
        format!("{}.{k}", system.name(terms, pred))
    };
    names
        .into_iter()
        .enumerate()
        .map(|(i, name)| name.unwrap_or_else(|| nameless(i)))
        .collect()
}

/// Evidence for an edge; more is better, in the order of the fields.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Evidence {
    copies: usize,
    same_name: bool,
    steps: usize,
}

type Edge = (usize, usize);

fn ranked_edges(
    system: &ChcSystem,
    terms: &TermStore,
    positions: &Positions,
    names: &[String],
) -> Vec<(Evidence, Edge)> {
    let mut edges: IndexMap<Edge, Evidence> = IndexMap::new();
    for clause in &system.clauses {
        for (atom, head) in clause
            .body
            .iter()
            .flat_map(|a| clause.head.iter().map(move |h| (a, h)))
        {
            if atom.pred == head.pred {
                continue;
            }
            for (k, &from) in atom
                .args
                .iter()
                .enumerate()
                .filter(|&(_, &t)| terms.as_var(t).is_some())
            {
                for (l, &to) in head.args.iter().enumerate() {
                    let (a, b) = (positions.id(atom.pred, k), positions.id(head.pred, l));
                    let (copied, stepped) = (from == to, is_step(terms, from, to));
                    if copied || stepped {
                        let evidence = edges.entry((a.min(b), a.max(b))).or_default();
                        evidence.copies += usize::from(copied);
                        evidence.steps += usize::from(stepped);
                    }
                }
            }
        }
    }
    let mut last_of_name: IndexMap<&str, usize> = IndexMap::new();
    for (i, name) in names.iter().enumerate() {
        if let Some(before) = last_of_name.insert(name, i) {
            edges.entry((before, i)).or_default();
        }
    }
    let mut ranked: Vec<(Evidence, Edge)> = edges
        .into_iter()
        .map(|((a, b), evidence)| {
            (
                Evidence {
                    same_name: names[a] == names[b],
                    ..evidence
                },
                (a, b),
            )
        })
        .collect();
    ranked.sort_by_key(|&(evidence, edge)| (Reverse(evidence), edge));
    ranked
}

/// Whether a term is the next value of a variable: a sum with it, or a chain of stores on it.
fn is_step(terms: &TermStore, var: Term, term: Term) -> bool {
    let mut base = term;
    while matches!(terms.op(base), Op::Store) {
        base = terms.args(base)[0];
    }
    term != var && (base == var || (*terms.op(term) == Op::Add && terms.args(term).contains(&var)))
}

/// A union-find that keeps the predicates of each class.
struct Partition {
    parents: Vec<usize>,
    sorts: Vec<Sort>,
    preds: Vec<BTreeSet<Pred>>,
}

impl Partition {
    fn new(system: &ChcSystem, terms: &TermStore, positions: &Positions) -> Partition {
        let sort = |&(pred, k): &(Pred, usize)| terms.sort(system.pred(pred).params[k]);
        Partition {
            parents: (0..positions.all.len()).collect(),
            sorts: positions.all.iter().map(sort).collect(),
            preds: positions
                .all
                .iter()
                .map(|&(pred, _)| BTreeSet::from([pred]))
                .collect(),
        }
    }

    fn find(&mut self, mut i: usize) -> usize {
        while self.parents[i] != i {
            self.parents[i] = self.parents[self.parents[i]];
            i = self.parents[i];
        }
        i
    }

    fn union(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b || self.sorts[a] != self.sorts[b] || !self.preds[a].is_disjoint(&self.preds[b]) {
            return;
        }
        let (root, child) = (a.min(b), a.max(b));
        self.parents[child] = root;
        let moved = std::mem::take(&mut self.preds[child]);
        self.preds[root].extend(moved);
    }

    fn into_alignment(mut self, positions: &Positions, names: &[String]) -> Alignment {
        let mut classes: IndexMap<usize, Class> = IndexMap::new();
        let mut class_of: Vec<Vec<usize>> = vec![Vec::new(); positions.offsets.len()];
        let mut taken: BTreeSet<String> = BTreeSet::new();
        for (i, &(pred, position)) in positions.all.iter().enumerate() {
            let root = self.find(i);
            if !classes.contains_key(&root) {
                let name = unique_name(&names[root], &mut taken);
                classes.insert(
                    root,
                    Class {
                        sort: self.sorts[root],
                        name,
                        members: Vec::new(),
                    },
                );
            }
            let class = classes
                .get_index_of(&root)
                .expect("invariant: the class was just made");
            classes[class].members.push((pred, position));
            class_of[pred.index()].push(class);
        }
        Alignment {
            classes: classes.into_values().collect(),
            class_of,
        }
    }
}

/// The name, or the name with the first number that makes it new.
pub(crate) fn unique_name(name: &str, taken: &mut BTreeSet<String>) -> String {
    let mut candidate = name.to_string();
    let mut number = 2;
    while !taken.insert(candidate.clone()) {
        candidate = format!("{name}.{number}");
        number += 1;
    }
    candidate
}

#[cfg(test)]
mod tests;
