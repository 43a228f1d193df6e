//! A clause as a computation: which of its variables follow from which.
//!
//! ```text
//! bind(pattern, value)          a variable: it is the value; C(p): the value is made by C, and each p its field;
//!                               something known: an equation
//! run                           until nothing new is known
//!   equations                   bind what is not known to what is
//!   atoms of functions          bind the result to the function at its arguments
//!   formulas that are known     conditions
//! ```

use foretell_systems::{Atom, Pred};
use foretell_terms::{Func, Op, Term, TermMap, TermStore};
use indexmap::IndexMap;

/// How a result comes from arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Value {
    /// By a function that is defined by recursion.
    Of(Func),
    /// Whether the first two are equal.
    Same,
    /// Whether the first two differ.
    Different,
}

/// A predicate as a function of some of its arguments.
#[derive(Clone, Debug)]
pub(super) struct Function {
    /// How it computes.
    pub(super) value: Value,
    /// Positions of its arguments; recursion is over the first.
    pub(super) inputs: Vec<usize>,
    /// The position of its result; without one the function says whether the predicate holds.
    pub(super) output: Option<usize>,
}

impl Function {
    /// What the predicate says about arguments.
    pub(super) fn meaning(&self, args: &[Term], terms: &TermStore) -> Term {
        let inputs: Vec<Term> = self.inputs.iter().map(|&i| args[i]).collect();
        let value = self.at(&inputs, terms);
        match self.output {
            Some(output) => terms.eq(args[output], value),
            None => value,
        }
    }

    /// The result for arguments.
    pub(super) fn at(&self, inputs: &[Term], terms: &TermStore) -> Term {
        match self.value {
            Value::Of(func) => terms.app(func, inputs),
            Value::Same => terms.eq(inputs[0], inputs[1]),
            Value::Different => terms.not(terms.eq(inputs[0], inputs[1])),
        }
    }
}

/// The predicates that are functions.
pub(super) type Functions = IndexMap<Pred, Function>;

/// A computation.
pub(super) struct Walk<'a> {
    terms: &'a TermStore,
    functions: &'a Functions,
    /// The values of variables, and of the patterns they occur in.
    known: TermMap<Term>,
    /// What must hold.
    pub(super) conditions: Vec<Term>,
    /// Equations that wait.
    equations: Vec<(Term, Term)>,
    formulas: Vec<Term>,
    pub(super) atoms: Vec<Atom>,
}

impl<'a> Walk<'a> {
    /// Nothing is known yet.
    pub(super) fn new(
        terms: &'a TermStore,
        functions: &'a Functions,
        formula: Term,
        atoms: Vec<Atom>,
    ) -> Walk<'a> {
        Walk {
            terms,
            functions,
            known: TermMap::default(),
            conditions: Vec::new(),
            equations: Vec::new(),
            formulas: terms.conjuncts(formula),
            atoms,
        }
    }

    /// Whether nothing waits.
    pub(super) fn is_complete(&self) -> bool {
        self.equations.is_empty() && self.formulas.is_empty() && self.atoms.is_empty()
    }

    /// The value of a term, if it is known.
    pub(super) fn value(&self, term: Term) -> Option<Term> {
        if let Some(&value) = self.known.get(&term) {
            return Some(value);
        }
        let terms = self.terms;
        if terms.as_var(term).is_some() || terms.has_quantifier(term) {
            return None;
        }
        let node = terms.node(term);
        let args: Option<Vec<Term>> = node.args.iter().map(|&a| self.value(a)).collect();
        Some(terms.rebuild(&node.op, &args?, node.sort))
    }

    /// A term is a value.
    pub(super) fn bind(&mut self, pattern: Term, value: Term) {
        let terms = self.terms;
        let mut work = vec![(pattern, value)];
        while let Some((pattern, value)) = work.pop() {
            if let Some(own) = self.value(pattern) {
                self.conditions.push(terms.eq(own, value));
                continue;
            }
            let node = terms.node(pattern);
            match &node.op {
                Op::App(_) if node.args.is_empty() => {
                    self.known.insert(pattern, value);
                }
                Op::Construct(constructor) => {
                    self.conditions.push(terms.is(*constructor, value));
                    self.known.insert(pattern, value);
                    let fields = terms.selectors(*constructor).zip(node.args.iter());
                    work.extend(fields.map(|(s, &arg)| (arg, terms.field(s, value))));
                }
                Op::Not => work.push((node.args[0], terms.not(value))),
                Op::Add => match self.summand(&node.args, value) {
                    Some(rest) => work.push(rest),
                    None => self.equations.push((pattern, value)),
                },
                _ => self.equations.push((pattern, value)),
            }
        }
    }

    /// The one summand that is not known, with its value.
    fn summand(&self, args: &[Term], sum: Term) -> Option<(Term, Term)> {
        let values: Vec<Option<Term>> = args.iter().map(|&a| self.value(a)).collect();
        let mut open = args.iter().zip(&values).filter(|(_, v)| v.is_none());
        let (&one, _) = open.next()?;
        if open.next().is_some() || self.terms.as_var(one).is_none() {
            return None;
        }
        let others: Vec<Term> = values.into_iter().flatten().collect();
        Some((one, self.terms.sub(sum, self.terms.add(&others))))
    }

    /// Goes on until nothing new is known.
    pub(super) fn run(&mut self) {
        loop {
            let before = (self.known.len(), self.waiting());
            for (pattern, value) in std::mem::take(&mut self.equations) {
                self.bind(pattern, value);
            }
            for formula in std::mem::take(&mut self.formulas) {
                self.formula(formula);
            }
            for atom in std::mem::take(&mut self.atoms) {
                self.atom(atom);
            }
            if before == (self.known.len(), self.waiting()) {
                return;
            }
        }
    }

    /// The formulas and patterns that wait.
    pub(super) fn waiting_terms(&self) -> Vec<Term> {
        let patterns = self.equations.iter().map(|e| e.0);
        patterns.chain(self.formulas.iter().copied()).collect()
    }

    fn waiting(&self) -> usize {
        self.equations.len() + self.formulas.len() + self.atoms.len()
    }

    fn formula(&mut self, formula: Term) {
        let terms = self.terms;
        if let Some(value) = self.value(formula) {
            self.conditions.push(value);
            return;
        }
        let args = terms.args(formula);
        match terms.op(formula) {
            Op::App(_) if args.is_empty() => self.bind(formula, terms.tt()),
            Op::Not if terms.as_var(args[0]).is_some() => self.bind(args[0], terms.ff()),
            Op::Eq => match (self.value(args[0]), self.value(args[1])) {
                (Some(value), _) => self.bind(args[1], value),
                (None, Some(value)) => self.bind(args[0], value),
                (None, None) => self.formulas.push(formula),
            },
            _ => self.formulas.push(formula),
        }
    }

    fn atom(&mut self, atom: Atom) {
        let inputs = self.functions.get(&atom.pred).and_then(|function| {
            let inputs = function.inputs.iter().map(|&i| self.value(atom.args[i]));
            Some((function, inputs.collect::<Option<Vec<Term>>>()?))
        });
        let Some((function, inputs)) = inputs else {
            self.atoms.push(atom);
            return;
        };
        let value = function.at(&inputs, self.terms);
        match function.output {
            Some(output) => self.bind(atom.args[output], value),
            None => self.conditions.push(value),
        }
    }
}
