//! Evaluation with labelled unknowns.
//!
//! A part of a value is known, unknown with a label, or open (nothing can be said: a quantifier, a
//! division by zero). Labels are numbers: those of places, and one for every term over unknowns, so that
//! equal computations give equal labels. Two parts are equal for sure when they are the same; a label
//! against anything else is undecided.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use foretell_terms::eval::Assignment;
use foretell_terms::{Op, Sort, SortKind, Term, TermMap, TermStore, Value};
use indexmap::IndexSet;

use super::{MOST_NODES, Spot};

/// A value of which not everything need be known.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Part {
    /// A scalar, or anything that is looked at as a whole.
    Known(Value),
    /// Any value, the same wherever this label is.
    Unknown(usize),
    /// An array.
    Array(Box<PartArray>),
    /// Nothing can be said.
    Open,
}

/// An array of parts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct PartArray {
    pub(crate) cells: BTreeMap<Vec<Value>, Part>,
    pub(crate) rest: Part,
    domain: Domain,
}

/// Whether there is always an index that is not spelled out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Domain {
    Infinite,
    PerhapsFinite,
}

impl Part {
    const TRUE: Part = Part::Known(Value::Bool(true));

    /// A value of a sort, all of it known.
    pub(crate) fn of(terms: &TermStore, sort: Sort, value: &Value) -> Part {
        match (value, terms.kind(sort)) {
            (Value::Array(array), SortKind::Array { indices, element }) => {
                let inner = |value: &Value| Part::of(terms, *element, value);
                let cells = array.entries().map(|(at, v)| (at.clone(), inner(v)));
                Part::Array(Box::new(PartArray {
                    cells: cells.collect(),
                    rest: inner(array.default_value()),
                    domain: domain(terms, indices),
                }))
            }
            _ => Part::Known(value.clone()),
        }
    }

    /// Replaces a spot by an unknown.
    pub(crate) fn forget(&mut self, spot: &Spot, label: usize) {
        match (self, spot) {
            (Part::Array(array), Spot::Rest) => array.rest = Part::Unknown(label),
            (Part::Array(array), Spot::Cell(at)) => {
                array.cells.insert(at.clone(), Part::Unknown(label));
            }
            (part, _) => *part = Part::Unknown(label),
        }
    }

    /// The value, when all of it is known.
    pub(crate) fn value(&self, terms: &TermStore, sort: Sort) -> Option<Value> {
        match self {
            Part::Known(value) => Some(value.clone()),
            Part::Unknown(_) | Part::Open => None,
            Part::Array(array) => {
                let (_, element) = terms.array_parts(sort)?;
                let rest = array.rest.value(terms, element)?;
                let mut all = terms.constant_array_value(sort, rest)?;
                for (at, cell) in &array.cells {
                    all.store(at.clone(), cell.value(terms, element)?);
                }
                Some(Value::Array(all))
            }
        }
    }

    /// Whether two parts are equal, as far as that is certain.
    pub(crate) fn equals(&self, other: &Part) -> Option<bool> {
        match (self, other) {
            (Part::Known(a), Part::Known(b)) => Some(a == b),
            (Part::Unknown(a), Part::Unknown(b)) if a == b => Some(true),
            (Part::Array(a), Part::Array(b)) => a.equals(b),
            _ => None,
        }
    }
}

impl PartArray {
    pub(crate) fn at(&self, index: &[Value]) -> &Part {
        self.cells.get(index).unwrap_or(&self.rest)
    }

    fn equals(&self, other: &PartArray) -> Option<bool> {
        let spelled = self.cells.keys().chain(other.cells.keys());
        let mut all = Some(true);
        for index in spelled {
            match self.at(index).equals(other.at(index)) {
                Some(false) => return Some(false),
                None => all = None,
                Some(true) => {}
            }
        }
        match (self.rest.equals(&other.rest), self.domain) {
            (Some(true), _) => all,
            (Some(false), Domain::Infinite) => Some(false),
            _ => None,
        }
    }
}

fn domain(terms: &TermStore, indices: &[Sort]) -> Domain {
    let endless = |&sort: &Sort| matches!(terms.kind(sort), SortKind::Int | SortKind::Real);
    match indices.iter().any(endless) {
        true => Domain::Infinite,
        false => Domain::PerhapsFinite,
    }
}

/// A computation over unknowns.
type Computed = (Op, Vec<Part>, Sort);

/// Evaluates terms over parts.
pub(crate) struct Player<'t> {
    terms: &'t TermStore,
    /// How many labels places have; labels of computations come after them.
    n_places: usize,
    computed: RefCell<IndexSet<Computed>>,
    /// For each operator that was met: the same over variables of its own.
    shapes: RefCell<TermMap<(Term, Vec<Term>)>>,
    nodes: Cell<usize>,
}

impl<'t> Player<'t> {
    pub(crate) fn new(terms: &'t TermStore, n_places: usize) -> Player<'t> {
        Player {
            terms,
            n_places,
            computed: RefCell::default(),
            shapes: RefCell::default(),
            nodes: Cell::new(0),
        }
    }

    pub(crate) fn terms(&self) -> &'t TermStore {
        self.terms
    }

    /// The label of a place.
    pub(crate) fn label(&self, place: usize) -> usize {
        place
    }

    /// Counts work that is no evaluation.
    pub(crate) fn charge(&self, nodes: usize) {
        self.nodes.set(self.nodes.get() + nodes);
    }

    /// Whether no more may be spent.
    pub(crate) fn is_over(&self) -> bool {
        self.nodes.get() > MOST_NODES
    }

    /// The parts of the roots and of everything below them.
    pub(crate) fn all(
        &self,
        roots: &[Term],
        values: &TermMap<Part>,
        functions: &Assignment,
    ) -> TermMap<Part> {
        let mut results: TermMap<Part> = TermMap::default();
        for term in self.terms.subterms(roots) {
            self.nodes.set(self.nodes.get() + 1);
            let part = match values.get(&term) {
                Some(part) => part.clone(),
                None => self.step(term, &results, functions),
            };
            results.insert(term, part);
        }
        results
    }

    /// Whether a formula has this truth value for sure.
    pub(crate) fn is(&self, formula: Term, truth: &Value, all: &TermMap<Part>) -> bool {
        matches!(all.get(&formula), Some(Part::Known(value)) if value == truth)
    }

    fn step(&self, term: Term, results: &TermMap<Part>, functions: &Assignment) -> Part {
        let node = self.terms.node(term);
        if matches!(node.op, Op::Forall | Op::Exists) {
            return Part::Open;
        }
        let part = |t: &Term| results.get(t).cloned().unwrap_or(Part::Open);
        let args: Vec<Part> = node.args.iter().map(part).collect();
        match (&node.op, args.as_slice()) {
            (Op::And, _) => self.connective(term, args, &Value::Bool(false)),
            (Op::Or, _) => self.connective(term, args, &Value::Bool(true)),
            (Op::Ite, [Part::Known(Value::Bool(true)), chosen, _])
            | (Op::Ite, [Part::Known(Value::Bool(false)), _, chosen]) => chosen.clone(),
            (Op::Ite, [_, a, b]) if a == b => a.clone(),
            _ if args.contains(&Part::Open) => Part::Open,
            (Op::Eq, [a, b]) => match a.equals(b) {
                Some(truth) => Part::Known(Value::Bool(truth)),
                None => self.computed(term, args),
            },
            (Op::Select, [Part::Array(array), at @ ..]) => match scalars(at) {
                Some(at) => array.at(&at).clone(),
                None => self.computed(term, args),
            },
            (Op::Store, [Part::Array(array), at @ .., value]) => match scalars(at) {
                Some(at) => {
                    let mut array = array.clone();
                    array.cells.insert(at, value.clone());
                    Part::Array(array)
                }
                None => self.computed(term, args),
            },
            (Op::ConstArray, [rest]) => self.constant(node.sort, rest.clone()),
            (Op::App(_), []) => Part::Open,
            (Op::App(func), _) => match scalars(&args) {
                Some(at) => {
                    let table = functions.functions.get(func);
                    let value = table.and_then(|t| t.entries.get(&at).or(t.default.as_ref()));
                    value.map_or(Part::Open, |v| Part::of(self.terms, node.sort, v))
                }
                None => self.computed(term, args),
            },
            _ => self.strict(term, args),
        }
    }

    fn constant(&self, sort: Sort, rest: Part) -> Part {
        let Some((indices, _)) = self.terms.array_parts(sort) else {
            return Part::Open;
        };
        Part::Array(Box::new(PartArray {
            cells: BTreeMap::new(),
            rest,
            domain: domain(self.terms, indices),
        }))
    }

    /// `absorbing` among the arguments decides; otherwise every argument must be known.
    fn connective(&self, term: Term, args: Vec<Part>, absorbing: &Value) -> Part {
        let is = |part: &Part| matches!(part, Part::Known(value) if value == absorbing);
        if args.iter().any(is) {
            return Part::Known(absorbing.clone());
        }
        if args.contains(&Part::Open) {
            return Part::Open;
        }
        if args.iter().all(|a| matches!(a, Part::Known(_))) {
            return Part::Known(Value::Bool(*absorbing == Value::Bool(false)));
        }
        // What is true in a conjunction adds nothing.
        let open = |part: &Part| !matches!(part, Part::Known(_));
        let mut open: Vec<Part> = args.into_iter().filter(open).collect();
        match (open.pop(), open.is_empty()) {
            (Some(one), true) => one,
            (Some(last), false) => {
                open.push(last);
                self.computed(term, open)
            }
            (None, _) => Part::TRUE,
        }
    }

    /// Operators that need all their arguments.
    fn strict(&self, term: Term, args: Vec<Part>) -> Part {
        let node = self.terms.node(term);
        let sorts = node.args.iter().map(|&a| self.terms.sort(a));
        let values = args.iter().zip(sorts);
        let values: Option<Vec<Value>> = values.map(|(p, s)| p.value(self.terms, s)).collect();
        let Some(values) = values else {
            return self.computed(term, args);
        };
        let (shape, vars) = self.shape(term);
        let mut assignment = Assignment::new();
        for (var, value) in vars.into_iter().zip(values) {
            assignment.insert(var, value);
        }
        let result = self.terms.eval(shape, &assignment);
        result.map_or(Part::Open, |v| Part::of(self.terms, node.sort, &v))
    }

    /// The operator of a term over variables of its own.
    fn shape(&self, term: Term) -> (Term, Vec<Term>) {
        if let Some(known) = self.shapes.borrow().get(&term) {
            return known.clone();
        }
        let node = self.terms.node(term);
        let fresh = |&a: &Term| self.terms.fresh("part", self.terms.sort(a));
        let vars: Vec<Term> = node.args.iter().map(fresh).collect();
        let shape = match vars.is_empty() {
            true => term,
            false => self.terms.rebuild(&node.op, &vars, node.sort),
        };
        self.shapes.borrow_mut().insert(term, (shape, vars.clone()));
        (shape, vars)
    }

    /// The unknown that an operator makes of unknowns: the same for the same arguments.
    fn computed(&self, term: Term, args: Vec<Part>) -> Part {
        let node = self.terms.node(term);
        let new = (node.op.clone(), args, node.sort);
        let (number, _) = self.computed.borrow_mut().insert_full(new);
        Part::Unknown(self.n_places + number)
    }
}

/// The values of parts that are all known scalars.
fn scalars(parts: &[Part]) -> Option<Vec<Value>> {
    let value = |part: &Part| match part {
        Part::Known(value) => Some(value.clone()),
        _ => None,
    };
    parts.iter().map(value).collect()
}
