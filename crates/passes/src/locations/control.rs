//! Which arguments say where control is.
//!
//! ```text
//! Boolean arguments       all of them
//! numeric, word arguments classes of positions that one variable links; a class may be control when its
//!                         variables are only compared with each other and with numerals, and copied
//! choose                  explore each class alone: few values, few edges, some edge that is no loop
//!                         fewest edges per place first, add a class while the whole stays as sparse
//! ```
//!
//! The condition on the text keeps counters and data out without asking the solver; variables that move
//! together (several processes in one round) cost no further places.

use foretell_kernel::{Cx, Halt, Work};
use foretell_systems::{Atom, ChcSystem, Clause, Pred};
use foretell_terms::{Op, Sort, SortKind, Term, TermSet, TermStore};

use super::explore::{Edge, explore};

/// Where there are more predicates than this, control is in them already.
const MOST_PREDICATES: usize = 24;
/// Booleans beyond this number are taken for data.
const MOST_BITS: usize = 12;
/// More classes than this are not looked at.
const MOST_CLASSES: usize = 24;
/// One class has no more places than this for each predicate.
const MOST_VALUES: usize = 16;
/// The choice takes no more work than this.
const LIMIT: Work = Work::of_millis(2500);
/// Chosen classes together have no more places than this.
const MOST_PLACES: usize = 128;

/// The positions, for each predicate, of the arguments that say where control is.
#[derive(Clone)]
pub(super) struct Control(Vec<Vec<usize>>);

impl Control {
    /// All Boolean arguments; `None` when there are none, or so many that they are data.
    pub(super) fn bits(system: &ChcSystem, terms: &TermStore) -> Option<Control> {
        let of = |params: &[Term]| {
            (0..params.len())
                .filter(|&k| terms.sort(params[k]) == Sort::BOOL)
                .collect::<Vec<_>>()
        };
        let bits: Vec<_> = system.preds.iter().map(|p| of(&p.params)).collect();
        let any = bits.iter().any(|b| !b.is_empty());
        (any && bits.iter().all(|b| b.len() <= MOST_BITS)).then_some(Control(bits))
    }

    /// The numeric arguments that are control; `None` when there are none.
    pub(super) fn numbers(system: &ChcSystem, cx: &Cx<'_>) -> Result<Option<Control>, Halt> {
        if system.preds.len() > MOST_PREDICATES {
            return Ok(None);
        }
        let found = cx.within(LIMIT, |cx| Control::choose(system, cx))?;
        Ok(found.flatten())
    }

    fn choose(system: &ChcSystem, cx: &Cx<'_>) -> Result<Option<Control>, Halt> {
        let mut found = Vec::new();
        for class in classes(system, cx.terms).into_iter().take(MOST_CLASSES) {
            let most = MOST_VALUES * system.preds.len();
            if let Some(edges) = explore(system, &class, most, cx)?
                && let Some(places) = moving(&edges)
                && edges.len() <= sparse(places)
            {
                found.push((edges.len() * 1000 / places, places, class));
            }
        }
        found.sort_by_key(|&(density, places, _)| (density, std::cmp::Reverse(places)));
        let mut chosen: Option<Control> = None;
        for (_, _, class) in found {
            let Some(before) = &chosen else {
                chosen = Some(class);
                continue;
            };
            let both = before.with(&class);
            let edges = explore(system, &both, MOST_PLACES, cx)?;
            if edges.is_some_and(|e| moving(&e).is_some_and(|places| e.len() <= sparse(places))) {
                chosen = Some(both);
            }
        }
        Ok(chosen)
    }

    fn with(&self, other: &Control) -> Control {
        let both = self.0.iter().zip(&other.0).map(|(a, b)| {
            let mut all = [a.as_slice(), b.as_slice()].concat();
            all.sort_unstable();
            all
        });
        Control(both.collect())
    }

    /// The control arguments of an atom, or parameters of its predicate.
    pub(super) fn of(&self, pred: Pred, args: &[Term]) -> Vec<Term> {
        self.0[pred.index()].iter().map(|&k| args[k]).collect()
    }

    /// The other ones.
    pub(super) fn rest(&self, pred: Pred, args: &[Term]) -> Vec<Term> {
        let control = &self.0[pred.index()];
        (0..args.len())
            .filter(|k| !control.contains(k))
            .map(|k| args[k])
            .collect()
    }
}

/// So many edges between places are still control.
fn sparse(places: usize) -> usize {
    places * 5 / 2 + 1
}

/// The number of places, if some edge leads from one to another.
fn moving(edges: &[Edge]) -> Option<usize> {
    let places: indexmap::IndexSet<_> = edges.iter().filter_map(|e| e.to.as_ref()).collect();
    let moves = |e: &Edge| {
        let ends = e.from.as_ref().zip(e.to.as_ref());
        ends.is_some_and(|(from, to)| from.pred == to.pred && from != to)
    };
    edges.iter().any(moves).then_some(places.len())
}

/// The classes of numeric positions that the text allows to be control.
fn classes(system: &ChcSystem, terms: &TermStore) -> Vec<Control> {
    let mut links = Links::new(system);
    for clause in &system.clauses {
        links.join_clause(clause, terms);
    }
    let mut all: indexmap::IndexMap<usize, Vec<(Pred, usize)>> = indexmap::IndexMap::new();
    for pred in system.pred_ids() {
        for k in 0..system.pred(pred).params.len() {
            all.entry(links.root(links.id(pred, k)))
                .or_default()
                .push((pred, k));
        }
    }
    let may_be = |class: &Vec<(Pred, usize)>| {
        let (pred, k) = class[0];
        is_number(terms, system.pred(pred).params[k])
            && system.clauses.iter().all(|c| is_plain(c, class, terms))
    };
    let as_control = |class: Vec<(Pred, usize)>| {
        let mut positions = vec![Vec::new(); system.preds.len()];
        for (pred, k) in class {
            positions[pred.index()].push(k);
        }
        Control(positions)
    };
    all.into_values().filter(may_be).map(as_control).collect()
}

fn is_number(terms: &TermStore, term: Term) -> bool {
    matches!(
        terms.kind(terms.sort(term)),
        SortKind::Int | SortKind::Real | SortKind::BitVec(_)
    )
}

/// Whether the variables that a class has in a clause are only compared with each other and with
/// numerals, and copied.
fn is_plain(clause: &Clause, class: &[(Pred, usize)], terms: &TermStore) -> bool {
    let atoms: Vec<&Atom> = clause.body.iter().chain(&clause.head).collect();
    let own = |atom: &&Atom| {
        let of = class.iter().filter(|(pred, _)| *pred == atom.pred);
        of.map(|&(_, k)| atom.args[k]).collect::<Vec<_>>()
    };
    let args: Vec<Term> = atoms.iter().flat_map(own).collect();
    let vars: TermSet = terms.free_vars(&args).into_iter().collect();
    let mut roots = vec![clause.constraint];
    roots.extend(atoms.iter().flat_map(|a| a.args.iter().copied()));
    // Terms that are numerals or variables of the class, chosen between by conditions of any kind; the
    // second set has those in which a variable of the class is.
    let (mut simple, mut touched) = (TermSet::default(), TermSet::default());
    for term in terms.subterms(&roots) {
        let parts = terms.args(term);
        let choice = matches!(terms.op(term), Op::Ite) && is_number(terms, term);
        if choice && parts[1..].iter().all(|p| simple.contains(p)) {
            simple.insert(term);
            if parts[1..].iter().any(|p| touched.contains(p)) {
                touched.insert(term);
            }
        } else if vars.contains(&term) {
            simple.insert(term);
            touched.insert(term);
        } else if terms.is_numeral(term) {
            simple.insert(term);
        } else if parts.iter().any(|p| touched.contains(p)) {
            let compares = matches!(terms.op(term), Op::Eq | Op::Le);
            if !compares || !parts.iter().all(|p| simple.contains(p)) {
                return false;
            }
        }
    }
    args.iter().all(|a| simple.contains(a))
}

/// Positions of arguments, those that share a variable in one class.
struct Links {
    first: Vec<usize>,
    parent: Vec<usize>,
}

impl Links {
    fn new(system: &ChcSystem) -> Links {
        let mut first = Vec::new();
        let mut all = 0;
        for pred in &system.preds {
            first.push(all);
            all += pred.params.len();
        }
        Links {
            first,
            parent: (0..all).collect(),
        }
    }

    fn id(&self, pred: Pred, k: usize) -> usize {
        self.first[pred.index()] + k
    }

    fn root(&self, mut id: usize) -> usize {
        while self.parent[id] != id {
            id = self.parent[id];
        }
        id
    }

    fn join_clause(&mut self, clause: &Clause, terms: &TermStore) {
        let mut seen: indexmap::IndexMap<Term, usize> = indexmap::IndexMap::new();
        for atom in clause.body.iter().chain(&clause.head) {
            for (k, &arg) in atom.args.iter().enumerate() {
                if !is_number(terms, arg) {
                    continue;
                }
                let id = self.id(atom.pred, k);
                for var in terms.free_vars(&[arg]) {
                    let other = *seen.entry(var).or_insert(id);
                    let (a, b) = (self.root(id), self.root(other));
                    self.parent[a.max(b)] = a.min(b);
                }
            }
        }
    }
}
