//! Which arrays are counted from which base.
//!
//! ```text
//! classes   arrays that are arguments at linked positions, or meet in an equation or a choice
//! bases     integer arguments at linked positions
//! A from B  every predicate with an array of A has one argument of B;
//!           all of them in a clause are the same term b;
//!           every access to A has an index  b + …,  or a variable of the clause alone with an equation  i = b + …
//!           no argument is measured by b: neither  i < b  nor  b − i  occurs
//!           no constant array of the sort of A is written: it has the same cell everywhere only before that
//! ```
//!
//! The last line tells a pointer from a length. Counting from a length is as sound, and makes bounds of loops
//! and indices strangers to each other.

use foretell_systems::{Atom, ChcSystem, Clause, Pred};
use foretell_terms::number::Rational;
use foretell_terms::{Op, Sort, Term, TermMap, TermSet, TermStore};
use indexmap::{IndexMap, IndexSet};

use super::{ClausePlan, Plan};

/// The bases that were found; `None` when there are none.
pub(super) fn choose(system: &ChcSystem, terms: &TermStore) -> Option<Plan> {
    if system.formulas().iter().any(|&f| terms.has_quantifier(f)) {
        return None;
    }
    let classes = Classes::new(system, terms);
    let mut plan = Plan {
        preds: vec![TermMap::default(); system.preds.len()],
        clauses: system
            .clauses
            .iter()
            .map(|_| ClausePlan::default())
            .collect(),
    };
    for arrays in classes.arrays.values() {
        let found = classes.bases.values().find_map(|base| {
            let positions = positions(arrays, base)?;
            let clauses = system.clauses.iter().enumerate();
            let parts = clauses.map(|(c, clause)| {
                let vars = classes.vars.iter().filter(|(at, _)| at.0 == c);
                let vars = vars.filter(|(_, class)| arrays.contains(&class.0));
                let own: TermSet = vars.map(|(at, _)| at.1).collect();
                counted(clause, &own, &positions, terms)
            });
            let parts: Vec<Counted> = parts.collect::<Option<_>>()?;
            let accesses: usize = parts.iter().map(|p| p.accesses).sum();
            (accesses > 0).then_some((positions, parts))
        });
        let Some((positions, parts)) = found else {
            continue;
        };
        for (&(pred, k), &b) in &positions {
            let params = &system.pred(pred).params;
            plan.preds[pred.index()].insert(params[k], params[b]);
        }
        for (clause, part) in plan.clauses.iter_mut().zip(parts) {
            clause.arrays.extend(part.plan.arrays);
            for (index, base) in part.plan.indices {
                // A variable that counts from two bases is moved by the first.
                clause.indices.entry(index).or_insert(base);
            }
        }
    }
    plan.preds.iter().any(|p| !p.is_empty()).then_some(plan)
}

/// An argument of a predicate.
type Position = (Pred, usize);

/// For each array argument the argument that is its base; `None` when it has none, or several.
fn positions(
    arrays: &IndexSet<Position>,
    base: &IndexSet<Position>,
) -> Option<IndexMap<Position, usize>> {
    let of = |&(pred, k): &Position| {
        let mut own = base.iter().filter(|(p, _)| *p == pred);
        let (_, first) = own.next()?;
        own.next().is_none().then_some(((pred, k), *first))
    };
    arrays.iter().map(of).collect()
}

/// What a class is in one clause.
struct Counted {
    plan: ClausePlan,
    /// How often it is read or written.
    accesses: usize,
}

/// The arrays of a class in a clause, counted from the base at these positions; `None` when that cannot be.
fn counted(
    clause: &Clause,
    own: &TermSet,
    positions: &IndexMap<Position, usize>,
    terms: &TermStore,
) -> Option<Counted> {
    let atoms: Vec<&Atom> = clause.body.iter().chain(&clause.head).collect();
    let of = |atom: &&Atom| {
        let mine = positions.iter().find(|((pred, _), _)| *pred == atom.pred);
        mine.map(|(_, &b)| atom.args[b])
    };
    let bases: TermSet = atoms.iter().filter_map(of).collect();
    let mut counted = Counted {
        plan: ClausePlan::default(),
        accesses: 0,
    };
    let mut bases = bases.into_iter();
    let Some(base) = bases.next() else {
        return own.is_empty().then_some(counted);
    };
    if bases.next().is_some() {
        return None;
    }
    counted.plan.arrays = own.iter().map(|&a| (a, base)).collect();
    let args: Vec<Term> = atoms.iter().flat_map(|a| a.args.iter().copied()).collect();
    let bound: TermSet = terms.free_vars(&args).into_iter().collect();
    let mut roots = args;
    roots.push(clause.constraint);
    let all = terms.subterms(&roots);
    let sorts = arrays_of(&atoms, positions, terms);
    let writes = |&t: &Term| sorts.contains(&terms.sort(t)) && writes_constant(terms, t);
    if all.iter().any(writes) {
        return None;
    }
    for &term in &all {
        let parts = terms.args(term);
        let compares = matches!(terms.op(term), Op::Eq | Op::Le);
        if compares
            && terms.sort(parts[0]) == Sort::INT
            && measures(terms, terms.sub(parts[0], parts[1]), base, &bound)
        {
            return None;
        }
        let reads = matches!(terms.op(term), Op::Select | Op::Store);
        let mine = |a: &Term| own.contains(a);
        if !reads || !leaves(terms, parts[0])?.iter().any(mine) {
            continue;
        }
        counted.accesses += 1;
        let index = parts[1];
        if coefficient(terms, index, base) == Some(1) && !measures(terms, index, base, &bound) {
            continue;
        }
        let is_local = terms.as_var(index).is_some() && !bound.contains(&index);
        if !is_local || !all.iter().any(|&e| defines(terms, e, index, base)) {
            return None;
        }
        counted.plan.indices.insert(index, base);
    }
    Some(counted)
}

/// The sorts of the arguments that are arrays of a class.
fn arrays_of(
    atoms: &[&Atom],
    positions: &IndexMap<Position, usize>,
    terms: &TermStore,
) -> Vec<Sort> {
    let all = atoms.iter().flat_map(|atom| {
        let own = positions.keys().filter(|(pred, _)| *pred == atom.pred);
        own.map(|&(_, k)| terms.sort(atom.args[k]))
    });
    all.collect()
}

/// Whether a term writes into what may be a constant array.
fn writes_constant(terms: &TermStore, term: Term) -> bool {
    if !matches!(terms.op(term), Op::Store) {
        return false;
    }
    let mut work = vec![terms.args(term)[0]];
    while let Some(array) = work.pop() {
        let parts = terms.args(array);
        match terms.op(array) {
            Op::ConstArray => return true,
            Op::Store => work.push(parts[0]),
            Op::Ite => work.extend([parts[1], parts[2]]),
            _ => {}
        }
    }
    false
}

/// The factor of a term in a sum, if it is 1, 0 or -1.
fn coefficient(terms: &TermStore, sum: Term, of: Term) -> Option<i64> {
    let form = terms.linear(sum);
    let factor = form.terms.into_iter().find(|(t, _)| *t == of);
    let factor = factor.map_or(Rational::ZERO, |(_, c)| c);
    [1, 0, -1]
        .into_iter()
        .find(|&k| factor == Rational::from(k))
}

/// Whether a sum has a base and some other argument with opposite signs.
fn measures(terms: &TermStore, sum: Term, base: Term, arguments: &TermSet) -> bool {
    let form = terms.linear(sum);
    let Some((_, own)) = form.terms.iter().find(|(t, _)| *t == base) else {
        return false;
    };
    let opposed = |c: &Rational| (*c > Rational::ZERO) != (*own > Rational::ZERO);
    let mut others = form.terms.iter().filter(|(t, _)| arguments.contains(t));
    others.any(|(_, c)| opposed(c))
}

/// Whether an equation makes one variable a base plus something.
fn defines(terms: &TermStore, equation: Term, index: Term, base: Term) -> bool {
    let &[left, right] = terms.args(equation) else {
        return false;
    };
    if !matches!(terms.op(equation), Op::Eq) || terms.sort(left) != Sort::INT {
        return false;
    }
    let form = terms.sub(left, right);
    let (i, b) = (
        coefficient(terms, form, index),
        coefficient(terms, form, base),
    );
    matches!((i, b), (Some(1), Some(-1)) | (Some(-1), Some(1)))
}

/// The variables that an array term is made of; `None` when it is something else.
fn leaves(terms: &TermStore, array: Term) -> Option<Vec<Term>> {
    let (mut found, mut work) = (Vec::new(), vec![array]);
    while let Some(term) = work.pop() {
        let parts = terms.args(term);
        match terms.op(term) {
            Op::App(_) if parts.is_empty() => found.push(term),
            Op::Store => work.push(parts[0]),
            Op::Ite => work.extend([parts[1], parts[2]]),
            Op::ConstArray => {}
            _ => return None,
        }
    }
    Some(found)
}

/// Linked positions of predicates, and the array variables of clauses.
struct Classes {
    /// Array positions by class.
    arrays: IndexMap<usize, IndexSet<Position>>,
    /// Integer positions by class.
    bases: IndexMap<usize, IndexSet<Position>>,
    /// Array variables of clauses, with a position of their class.
    vars: IndexMap<(usize, Term), (Position, usize)>,
}

impl Classes {
    fn new(system: &ChcSystem, terms: &TermStore) -> Classes {
        let mut links = Links::default();
        for (c, clause) in system.clauses.iter().enumerate() {
            links.read(c, clause, terms);
        }
        let mut classes = Classes {
            arrays: IndexMap::new(),
            bases: IndexMap::new(),
            vars: IndexMap::new(),
        };
        let mut firsts: IndexMap<usize, Position> = IndexMap::new();
        let nodes: Vec<Node> = links.nodes.iter().copied().collect();
        for (id, node) in nodes.iter().enumerate() {
            let root = links.root(id);
            if let Node::At(pred, k) = *node {
                firsts.entry(root).or_insert((pred, k));
                let sort = terms.sort(system.pred(pred).params[k]);
                let list = match sort == Sort::INT {
                    true => &mut classes.bases,
                    false => &mut classes.arrays,
                };
                list.entry(root).or_default().insert((pred, k));
            }
        }
        for (id, node) in nodes.iter().enumerate() {
            let root = links.root(id);
            if let (Node::Var(c, var), Some(&first)) = (*node, firsts.get(&root)) {
                classes.vars.insert((c, var), (first, root));
            }
        }
        classes
            .arrays
            .retain(|root, _| !links.refused.contains(root));
        classes
    }
}

/// What is linked: a position, or a variable of a clause.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Node {
    At(Pred, usize),
    Var(usize, Term),
}

#[derive(Default)]
struct Links {
    nodes: IndexSet<Node>,
    parent: Vec<usize>,
    refused: IndexSet<usize>,
}

impl Links {
    fn id(&mut self, node: Node) -> usize {
        let (id, new) = self.nodes.insert_full(node);
        if new {
            self.parent.push(id);
        }
        id
    }

    fn root(&self, mut id: usize) -> usize {
        while self.parent[id] != id {
            id = self.parent[id];
        }
        id
    }

    fn join(&mut self, a: Node, b: Node) {
        let (a, b) = (self.id(a), self.id(b));
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b)] = a.min(b);
        if self.refused.contains(&a.max(b)) {
            self.refused.insert(a.min(b));
        }
    }

    fn read(&mut self, c: usize, clause: &Clause, terms: &TermStore) {
        for atom in clause.body.iter().chain(&clause.head) {
            for (k, &arg) in atom.args.iter().enumerate() {
                let here = Node::At(atom.pred, k);
                if terms.sort(arg) == Sort::INT {
                    self.id(here);
                    if terms.as_var(arg).is_some() {
                        self.join(here, Node::Var(c, arg));
                    }
                } else if is_plain_array(terms, arg) {
                    let id = self.id(here);
                    match leaves(terms, arg) {
                        Some(vars) => vars.iter().for_each(|&v| self.join(here, Node::Var(c, v))),
                        None => {
                            let root = self.root(id);
                            self.refused.insert(root);
                        }
                    }
                }
            }
        }
        for term in terms.subterms(&[clause.constraint]) {
            let parts = terms.args(term);
            let meets = matches!(terms.op(term), Op::Eq) && is_plain_array(terms, parts[0]);
            if meets || is_plain_array(terms, term) {
                let roots = if meets { parts } else { &[term][..] };
                let vars = roots.iter().filter_map(|&t| leaves(terms, t)).flatten();
                let vars: Vec<Term> = vars.collect();
                for pair in vars.windows(2) {
                    self.join(Node::Var(c, pair[0]), Node::Var(c, pair[1]));
                }
            }
        }
    }
}

/// Whether a term is an array with one index, an integer.
fn is_plain_array(terms: &TermStore, term: Term) -> bool {
    let parts = terms.array_parts(terms.sort(term));
    parts.is_some_and(|(indices, _)| *indices == [Sort::INT])
}
