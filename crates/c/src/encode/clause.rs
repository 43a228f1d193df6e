//! One clause under construction: operations are executed symbolically.

use foretell_systems::{Atom, Clause};
use foretell_terms::{Substitution, Term, TermSet, TermStore};
use indexmap::IndexMap;

use super::ints::{Ints, Reader};
use super::{Ranges, sort_of};
use crate::program::{Expr, InputId, IntType, Op, Program, Quantifier, VarId, VarType};

/// The state of a clause: what variables are worth, and what is assumed so far.
#[derive(Clone)]
pub(super) struct Draft<'a> {
    pub(super) terms: &'a TermStore,
    pub(super) program: &'a Program,
    pub(super) ranges: Ranges,
    pub(super) now: IndexMap<VarId, Term>,
    pub(super) body: Vec<Atom>,
    pub(super) constraint: Vec<Term>,
    pub(super) inputs: Vec<(InputId, Term)>,
    ranged: TermSet,
}

impl Reader for Draft<'_> {
    fn var(&mut self, var: VarId) -> Term {
        if let Some(term) = self.now.get(&var) {
            return *term;
        }
        // Not live and not written: only an assignment that nobody reads can ask.
        let term = self.fresh(var);
        self.now.insert(var, term);
        term
    }

    fn read(&mut self, term: Term, ty: IntType) {
        let computed = self.terms.as_var(term).is_none()
            && !matches!(self.terms.op(term), foretell_terms::Op::Select);
        if computed
            || ty == IntType::EXACT
            || (ty.signed && self.ranges == Ranges::Unsigned)
            || !self.ranged.insert(term)
        {
            return;
        }
        let ints = Ints {
            terms: self.terms,
            program: self.program,
        };
        let range = ints.in_range(term, ty);
        self.constraint.push(range);
    }
}

impl<'a> Draft<'a> {
    pub(super) fn new(terms: &'a TermStore, program: &'a Program, ranges: Ranges) -> Draft<'a> {
        Draft {
            terms,
            program,
            ranges,
            now: IndexMap::new(),
            body: Vec::new(),
            constraint: Vec::new(),
            inputs: Vec::new(),
            ranged: TermSet::default(),
        }
    }

    /// Ranges that were assumed may be assumed again: they are not among the conditions any more.
    pub(super) fn forget_ranges(&mut self) {
        self.ranged.clear();
    }

    /// A new clause variable for a variable of the program.
    pub(super) fn fresh(&self, var: VarId) -> Term {
        let var = self.program.var(var);
        self.terms.new_var(&var.name, sort_of(self.terms, var.ty))
    }

    /// A new clause variable for an input; its name says which one, also in the printed text.
    fn input(&self, var: VarId, site: InputId) -> Term {
        let name = format!("in!{}!{}", site.index(), self.inputs.len());
        self.terms
            .new_var(&name, sort_of(self.terms, self.program.var(var).ty))
    }

    pub(super) fn number(&mut self, e: &Expr) -> Term {
        Ints {
            terms: self.terms,
            program: self.program,
        }
        .number(e, self)
    }

    pub(super) fn truth(&mut self, e: &Expr) -> Term {
        Ints {
            terms: self.terms,
            program: self.program,
        }
        .truth(e, self)
    }

    /// What a check says, and its negation. A universal goal is negated by an instance: its bound
    /// variables become variables of the query. It is not assumed afterwards, which only weakens what
    /// follows.
    pub(super) fn goal(&mut self, e: &Expr) -> (Option<Term>, Term) {
        if let Expr::Quantified(Quantifier::Forall, vars, body) = e {
            for var in vars {
                let fresh = self.fresh(*var);
                self.now.insert(*var, fresh);
            }
            let (_, fails) = self.goal(body);
            return (None, fails);
        }
        let holds = self.truth(e);
        let whole = !self.terms.has_quantifier(holds);
        (whole.then_some(holds), self.terms.not(holds))
    }

    /// Executes an operation other than a check or a call.
    pub(super) fn step(&mut self, op: &Op) {
        match op {
            Op::Assume(e) => {
                let holds = self.truth(e);
                self.constraint.push(holds);
            }
            Op::Assign(var, e) => {
                let value = self.number(e);
                self.now.insert(*var, value);
            }
            Op::Store(var, indices, e) => {
                let value = self.number(e);
                let at: Vec<Term> = indices.iter().map(|i| self.number(i)).collect();
                let array = self.var(*var);
                let stored = self.stored(array, &at, value);
                self.now.insert(*var, stored);
            }
            Op::Fill(var, value) => {
                let sort = sort_of(self.terms, self.program.var(*var).ty);
                let ints = Ints {
                    terms: self.terms,
                    program: self.program,
                };
                let array = ints.constant_array(sort, *value);
                self.now.insert(*var, array);
            }
            Op::Copy(to, from) => {
                let value = self.var(*from);
                self.now.insert(*to, value);
            }
            Op::Input(var, site) => {
                let value = self.input(*var, *site);
                self.inputs.push((*site, value));
                self.now.insert(*var, value);
                if let VarType::Int(ty) = self.program.var(*var).ty {
                    self.read(value, ty);
                }
            }
            Op::Check(_) | Op::Call { .. } => {}
        }
    }

    fn stored(&self, array: Term, at: &[Term], value: Term) -> Term {
        match at {
            [] => value,
            [first, rest @ ..] => {
                let row = self.terms.select(array, &[*first]);
                let inner = if rest.is_empty() {
                    value
                } else {
                    self.stored(row, rest, value)
                };
                self.terms.store(array, &[*first], inner)
            }
        }
    }

    /// The clause with this head and one more constraint, in variables of its own.
    pub(super) fn finish(
        &self,
        head: Option<Atom>,
        extra: Option<Term>,
        line: u32,
    ) -> (Clause, Vec<(InputId, Term)>) {
        let terms = self.terms;
        let constraint = terms.and(
            self.constraint
                .iter()
                .copied()
                .chain(extra)
                .collect::<Vec<_>>(),
        );
        let atoms = self.body.iter().chain(&head);
        let roots: Vec<Term> = atoms
            .flat_map(|a| a.args.iter().copied())
            .chain([constraint])
            .collect();
        let vars = terms.free_vars(&roots);
        let clause = Clause {
            vars,
            body: self.body.clone(),
            constraint,
            head,
            line,
        };
        let renamed = clause.renamed(terms);
        let pairs = clause
            .vars
            .iter()
            .copied()
            .zip(renamed.vars.iter().copied());
        let mut map = Substitution::from_pairs(pairs);
        let inputs = self
            .inputs
            .iter()
            .map(|(site, v)| (*site, map.apply(terms, *v)))
            .collect();
        (renamed, inputs)
    }
}
