//! Metamorphic relations: changes of a problem that must not change its answer.
//!
//! Renaming (to symbols that need quotes, are reserved, or look like ours), reordering, duplicating,
//! adding what nobody uses, and conjoining what always holds.

use foretell_kernel::Rng;
use foretell_systems::{Atom, ChcSystem, Clause, Pred, StateVar, TransitionSystem};
use foretell_terms::Substitution;
use foretell_terms::{Sort, Term, TermStore};

/// Names that upset a printer or collide with generated ones.
const ODD_NAMES: &[&str] = &[
    "a b",
    "true!",
    "let",
    "assert",
    "x'",
    "p!0",
    "π",
    ".def0",
    ".1",
    "@x",
    "Int",
    "pc",
    "v!1",
    "select",
    "(",
    "0x",
    "-",
    "_",
    "as",
    "h!0",
    "par",
    "x.next",
    ";",
    "\"",
    "A0",
    "query",
    "lambda",
    "exists",
    "check-sat",
    "rule",
    "!",
];

/// A relation between a problem and a changed one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// Other names for predicates and variables.
    Rename,
    /// Another order of clauses, predicates, arguments, variables.
    Reorder,
    /// A clause or a property twice.
    Duplicate,
    /// A predicate or a variable that decides nothing.
    Unused,
    /// A condition that always holds.
    Tautology,
}

impl Relation {
    /// All of them.
    pub const ALL: [Relation; 5] = [
        Relation::Rename,
        Relation::Reorder,
        Relation::Duplicate,
        Relation::Unused,
        Relation::Tautology,
    ];

    /// The name in ledgers.
    pub fn name(self) -> &'static str {
        match self {
            Relation::Rename => "rename",
            Relation::Reorder => "reorder",
            Relation::Duplicate => "duplicate",
            Relation::Unused => "unused",
            Relation::Tautology => "tautology",
        }
    }

    /// The changed clauses.
    pub fn clauses(self, terms: &TermStore, system: &ChcSystem, rng: &Rng) -> ChcSystem {
        let mut changed = system.clone();
        match self {
            Relation::Rename => rename_clauses(terms, &mut changed, rng),
            Relation::Reorder => reorder_clauses(terms, &mut changed, rng),
            Relation::Duplicate => {
                let copy = changed.clauses[index(rng, changed.clauses.len())].renamed(terms);
                changed
                    .clauses
                    .insert(index(rng, changed.clauses.len()), copy);
            }
            Relation::Unused => add_predicate(terms, &mut changed),
            Relation::Tautology => {
                let place = index(rng, changed.clauses.len());
                let clause = &mut changed.clauses[place];
                clause.constraint =
                    terms.and2(clause.constraint, tautology(terms, &clause.vars, rng));
            }
        }
        changed
    }

    /// The changed transition system.
    pub fn system(
        self,
        terms: &TermStore,
        system: &TransitionSystem,
        rng: &Rng,
    ) -> TransitionSystem {
        let mut changed = system.clone();
        match self {
            Relation::Rename => return rename_system(terms, system, rng),
            Relation::Reorder => shuffle(&mut changed.vars, rng),
            Relation::Duplicate => {
                changed.trans = terms.or2(changed.trans, implied_copy(terms, system))
            }
            Relation::Unused => {
                let cur = terms.fresh("unused", Sort::INT);
                let next = terms.fresh("unused.next", Sort::INT);
                changed.vars.push(StateVar { cur, next });
                changed.trans =
                    terms.and2(changed.trans, terms.eq(next, terms.add2(cur, terms.int(1))));
            }
            Relation::Tautology => {
                let always = tautology(terms, &system.current(), rng);
                changed.trans = terms.and2(changed.trans, always);
                changed.property = terms.and2(changed.property, always);
            }
        }
        changed
    }
}

fn index(rng: &Rng, n: usize) -> usize {
    usize::try_from(rng.below(n as u64)).unwrap_or(0)
}

fn shuffle<T>(list: &mut [T], rng: &Rng) {
    for i in (1..list.len()).rev() {
        list.swap(i, index(rng, i + 1));
    }
}

/// The transitions again with a further condition: they add nothing.
fn implied_copy(terms: &TermStore, system: &TransitionSystem) -> Term {
    terms.and2(system.trans, system.property)
}

/// Something that always holds, about one of the variables where there is one.
fn tautology(terms: &TermStore, vars: &[Term], rng: &Rng) -> Term {
    let ints: Vec<Term> = vars
        .iter()
        .copied()
        .filter(|&v| terms.sort(v) == Sort::INT)
        .collect();
    if ints.is_empty() {
        return vars.first().map_or_else(|| terms.tt(), |&v| terms.eq(v, v));
    }
    let (x, y) = (ints[index(rng, ints.len())], ints[index(rng, ints.len())]);
    match rng.below(3) {
        0 => terms.or2(terms.le(x, y), terms.le(y, terms.add2(x, terms.int(1)))),
        1 => terms.lt(terms.modulo(x, terms.int(5)), terms.int(5)),
        _ => terms.eq(
            terms.add2(
                terms.mul(&[terms.int(2), terms.idiv(x, terms.int(2))]),
                terms.modulo(x, terms.int(2)),
            ),
            x,
        ),
    }
}

/// Odd names, each once.
struct Names<'r> {
    rng: &'r Rng,
    n: usize,
}

impl Names<'_> {
    fn next(&mut self) -> String {
        self.n += 1;
        let odd = ODD_NAMES[index(self.rng, ODD_NAMES.len())];
        if self.rng.below(2) == 0 && self.n < ODD_NAMES.len() {
            // As it is, where nothing else can have taken it.
            ODD_NAMES[self.n].to_owned()
        } else {
            format!("{odd}{}", self.n)
        }
    }
}

fn rename_clauses(terms: &TermStore, system: &mut ChcSystem, rng: &Rng) {
    let mut names = Names { rng, n: 0 };
    let mut renamed = ChcSystem::default();
    for pred in &system.preds {
        let sorts: Vec<Sort> = pred.params.iter().map(|&p| terms.sort(p)).collect();
        renamed.add_pred(terms, &names.next(), &sorts);
    }
    for clause in &system.clauses {
        let to: Vec<Term> = clause
            .vars
            .iter()
            .map(|&v| terms.new_var(&names.next(), terms.sort(v)))
            .collect();
        let map = Substitution::from_pairs(clause.vars.iter().copied().zip(to.iter().copied()));
        renamed.clauses.push(substituted(terms, clause, map, to));
    }
    *system = renamed;
}

fn substituted(
    terms: &TermStore,
    clause: &Clause,
    mut map: Substitution,
    vars: Vec<Term>,
) -> Clause {
    clause.mapped(vars, &mut map, terms)
}

fn rename_system(terms: &TermStore, system: &TransitionSystem, rng: &Rng) -> TransitionSystem {
    let mut names = Names { rng, n: 0 };
    let mut fresh = |t: Term| terms.new_var(&names.next(), terms.sort(t));
    let vars: Vec<StateVar> = system
        .vars
        .iter()
        .map(|v| StateVar {
            cur: fresh(v.cur),
            next: fresh(v.next),
        })
        .collect();
    let inputs: Vec<Term> = system.inputs.iter().map(|&t| fresh(t)).collect();
    let params: Vec<Term> = system.params.iter().map(|&t| fresh(t)).collect();
    let from = system
        .vars
        .iter()
        .flat_map(|v| [v.cur, v.next])
        .chain(system.inputs.iter().copied());
    let to = vars
        .iter()
        .flat_map(|v| [v.cur, v.next])
        .chain(inputs.iter().copied());
    let rigid = system.params.iter().copied().zip(params.iter().copied());
    let mut map = Substitution::from_pairs(from.zip(to).chain(rigid));
    let mut apply = |t: Term| map.apply(terms, t);
    let (init, trans, property) = (
        apply(system.init),
        apply(system.trans),
        apply(system.property),
    );
    let mut renamed = TransitionSystem::new(vars, init, trans, property);
    (renamed.inputs, renamed.params) = (inputs, params);
    renamed
}

/// Other orders of clauses, predicates, body atoms and the arguments of one predicate.
fn reorder_clauses(terms: &TermStore, system: &mut ChcSystem, rng: &Rng) {
    shuffle(&mut system.clauses, rng);
    let mut order: Vec<usize> = (0..system.preds.len()).collect();
    shuffle(&mut order, rng);
    let turned = Pred(u32::try_from(index(rng, order.len())).unwrap_or(0));
    let mut reordered = ChcSystem::default();
    for &old in &order {
        let pred = &system.preds[old];
        let mut sorts: Vec<Sort> = pred.params.iter().map(|&p| terms.sort(p)).collect();
        if old == turned.index() {
            sorts.reverse();
        }
        reordered.add_pred(terms, terms.name(pred.func), &sorts);
    }
    let place = |pred: Pred| {
        let new = order
            .iter()
            .position(|&old| old == pred.index())
            .unwrap_or(0);
        Pred(u32::try_from(new).unwrap_or(0))
    };
    let atom = |a: &Atom| {
        let mut args = a.args.clone();
        if a.pred == turned {
            args.reverse();
        }
        Atom {
            pred: place(a.pred),
            args,
        }
    };
    for clause in &system.clauses {
        let mut body: Vec<Atom> = clause.body.iter().map(atom).collect();
        shuffle(&mut body, rng);
        reordered.clauses.push(Clause {
            body,
            head: clause.head.as_ref().map(atom),
            ..clause.clone()
        });
    }
    *system = reordered;
}

/// A predicate with a fact and a loop, which no other clause mentions.
fn add_predicate(terms: &TermStore, system: &mut ChcSystem) {
    let pred = system.add_pred(terms, "unused!", &[Sort::INT]);
    let x = terms.fresh("u", Sort::INT);
    let at = |t: Term| {
        Some(Atom {
            pred,
            args: vec![t],
        })
    };
    let body = vec![Atom {
        pred,
        args: vec![x],
    }];
    let fact = Clause {
        vars: vec![],
        body: vec![],
        constraint: terms.tt(),
        head: at(terms.int(0)),
        line: 0,
    };
    let step = terms.add2(x, terms.int(1));
    let loop_ = Clause {
        vars: vec![x],
        body,
        constraint: terms.tt(),
        head: at(step),
        line: 0,
    };
    system.clauses.extend([fact, loop_]);
}
