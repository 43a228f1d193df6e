//! Symbolic transition systems ⟨X, I, T, P⟩.

use foretell_kernel::{Halt, Problem};
use foretell_terms::eval::Assignment;
use foretell_terms::{Substitution, Term, TermStore};

use crate::auxiliary::Auxiliary;

/// A state variable: its current and its next value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StateVar {
    /// The symbol of the current value.
    pub cur: Term,
    /// The symbol of the next value.
    pub next: Term,
}

/// Explicit control: a state variable whose value is the location.
#[derive(Clone, Debug)]
pub struct Control {
    /// The current value of the location variable, of sort Int; it ranges over `0 … names.len()-1`.
    pub var: Term,
    /// A name for each location, in the user's vocabulary.
    pub names: Vec<String>,
}

/// A symbolic transition system.
///
/// Invariants: `init` and `property` mention current values and parameters only; `trans` mentions
/// current and next values, inputs and parameters; symbols are pairwise different.
#[derive(Clone, Debug)]
pub struct TransitionSystem {
    /// The state variables.
    pub vars: Vec<StateVar>,
    /// Values chosen anew in every step, constrained by `trans` only.
    pub inputs: Vec<Term>,
    /// Rigid symbols: one value for the whole run, constrained by any of the formulas.
    pub params: Vec<Term>,
    /// The initial states.
    pub init: Term,
    /// The transition relation; it need not be total.
    pub trans: Term,
    /// What must hold in every reachable state.
    pub property: Term,
    /// Advice for engines.
    pub guide: Guide,
    /// What was changed since the system was made.
    changes: Vec<Change>,
}

/// Advice for engines: none of it changes which states are reachable or bad.
#[derive(Clone, Debug, Default)]
pub struct Guide {
    /// The location variable, if the system has one.
    pub control: Option<Control>,
    /// Formulas over current values that whoever made the system believes to matter for a proof; they
    /// mean nothing.
    pub hints: Vec<Term>,
    /// Rigid symbols that stand for any value.
    ///
    /// Invariant: whether a state is initial and whether a step is one depends on none of them but
    /// through the property, so that what is proved for one value is proved for all.
    pub arbitrary: Vec<Arbitrary>,
}

impl Guide {
    /// The same advice in other words; what has none is left out.
    fn map(&self, f: &mut dyn FnMut(Term) -> Result<Term, Halt>) -> Guide {
        let Guide {
            control,
            hints,
            arbitrary,
        } = self;
        Guide {
            control: control.as_ref().and_then(|c| {
                let names = c.names.clone();
                f(c.var).ok().map(|var| Control { var, names })
            }),
            hints: hints.iter().filter_map(|&h| f(h).ok()).collect(),
            arbitrary: arbitrary.iter().filter_map(|a| a.map(f).ok()).collect(),
        }
    }
}

/// Rigid symbols that stand for any value, and other values of theirs that a step makes interesting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arbitrary {
    /// The symbols, and the state variables and parameters whose meaning depends on them.
    pub symbols: Vec<Term>,
    /// Instances: what holds of a state for all values of the symbols holds, in every step that leaves
    /// the state, with these terms for the symbols.
    pub instances: Vec<Vec<(Term, Term)>>,
    /// For each instance, that the symbols have these values in a step.
    pub aims: Vec<Term>,
}

impl Arbitrary {
    fn map(&self, f: &mut dyn FnMut(Term) -> Result<Term, Halt>) -> Result<Arbitrary, Halt> {
        let mut instances = Vec::with_capacity(self.instances.len());
        for instance in &self.instances {
            let pairs = instance.iter().map(|&(z, t)| Ok((f(z)?, f(t)?)));
            instances.push(pairs.collect::<Result<_, Halt>>()?);
        }
        Ok(Arbitrary {
            symbols: all(&self.symbols, f)?,
            instances,
            aims: all(&self.aims, f)?,
        })
    }
}

fn all(list: &[Term], f: &mut dyn FnMut(Term) -> Result<Term, Halt>) -> Result<Vec<Term>, Halt> {
    list.iter().map(|&t| f(t)).collect()
}

/// How often a system was changed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Revision(pub usize);

/// A monotone change. None of them enlarges the reachable set over the old variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// A state variable was added.
    AddedVar(StateVar),
    /// A parameter was added.
    AddedParam(Term),
    /// The initial states were restricted by this conjunct.
    StrengthenedInit(Term),
    /// The transition relation was restricted by this conjunct.
    StrengthenedTrans(Term),
    /// The property was replaced by this weaker one.
    WeakenedProperty(Term),
}

impl TransitionSystem {
    /// A system without control variable.
    pub fn new(vars: Vec<StateVar>, init: Term, trans: Term, property: Term) -> TransitionSystem {
        TransitionSystem {
            vars,
            inputs: Vec::new(),
            params: Vec::new(),
            init,
            trans,
            property,
            guide: Guide::default(),
            changes: Vec::new(),
        }
    }

    /// The system with `f` applied to each symbol and each formula: the same system in other words.
    /// It has no changes. Advice that has no other words is left out.
    ///
    /// # Errors
    /// Those of `f`.
    pub fn map(
        &self,
        f: &mut dyn FnMut(Term) -> Result<Term, Halt>,
    ) -> Result<TransitionSystem, Halt> {
        let mut vars = Vec::with_capacity(self.vars.len());
        for var in &self.vars {
            let (cur, next) = (f(var.cur)?, f(var.next)?);
            vars.push(StateVar { cur, next });
        }
        Ok(TransitionSystem {
            vars,
            init: f(self.init)?,
            trans: f(self.trans)?,
            property: f(self.property)?,
            inputs: all(&self.inputs, f)?,
            params: all(&self.params, f)?,
            guide: self.guide.map(f),
            changes: Vec::new(),
        })
    }

    /// Whether a formula is about current values and parameters only.
    pub fn is_about(&self, terms: &TermStore, formula: Term) -> bool {
        let own = |v: &Term| self.vars.iter().any(|s| s.cur == *v) || self.params.contains(v);
        terms.free_vars(&[formula]).iter().all(own)
    }

    /// The term over next values. Parameters stay; inputs must not occur.
    pub fn next(&self, terms: &TermStore, term: Term) -> Term {
        self.priming().apply(terms, term)
    }

    /// The substitution of next for current values.
    pub fn priming(&self) -> Substitution {
        Substitution::from_pairs(self.vars.iter().map(|v| (v.cur, v.next)))
    }

    /// The current values of all state variables.
    pub fn current(&self) -> Vec<Term> {
        self.vars.iter().map(|v| v.cur).collect()
    }

    /// Adds a state variable.
    pub fn add_var(&mut self, var: StateVar) {
        self.vars.push(var);
        self.changes.push(Change::AddedVar(var));
    }

    /// Adds a rigid parameter.
    pub fn add_param(&mut self, param: Term) {
        self.params.push(param);
        self.changes.push(Change::AddedParam(param));
    }

    /// Restricts the initial states.
    pub fn strengthen_init(&mut self, terms: &TermStore, conjunct: Term) {
        self.init = terms.and2(self.init, conjunct);
        self.changes.push(Change::StrengthenedInit(conjunct));
    }

    /// Restricts the transition relation.
    pub fn strengthen_trans(&mut self, terms: &TermStore, conjunct: Term) {
        self.trans = terms.and2(self.trans, conjunct);
        self.changes.push(Change::StrengthenedTrans(conjunct));
    }

    /// Replaces the property by a weaker one.
    pub fn weaken_property(&mut self, property: Term) {
        self.property = property;
        self.changes.push(Change::WeakenedProperty(property));
    }

    /// Forgets what was changed: for an engine that keeps what it learnt this is another system.
    pub fn renew(&mut self) {
        self.changes.clear();
    }

    /// The current revision.
    pub fn revision(&self) -> Revision {
        Revision(self.changes.len())
    }

    /// What was changed after a revision.
    pub fn changes_since(&self, seen: Revision) -> &[Change] {
        &self.changes[seen.0.min(self.changes.len())..]
    }

    /// Checks the invariants of the data; the words say which one is broken.
    pub fn validate(&self, terms: &TermStore) -> Result<(), String> {
        let mut known = foretell_terms::TermSet::default();
        for symbol in self
            .vars
            .iter()
            .flat_map(|v| [v.cur, v.next])
            .chain(self.inputs.clone())
            .chain(self.params.clone())
        {
            if terms.as_var(symbol).is_none() || !known.insert(symbol) {
                return Err(format!("{} is no symbol of its own", terms.print(symbol)));
            }
        }
        for var in &self.vars {
            if terms.sort(var.cur) != terms.sort(var.next) {
                return Err(format!("{} changes its sort", terms.var_name(var.cur)));
            }
        }
        let state: foretell_terms::TermSet = self
            .current()
            .into_iter()
            .chain(self.params.clone())
            .collect();
        for (what, formula) in [("init", self.init), ("property", self.property)] {
            if let Some(v) = terms
                .free_vars(&[formula])
                .into_iter()
                .find(|v| !state.contains(v))
            {
                return Err(format!("{what} mentions {}", terms.var_name(v)));
            }
        }
        match terms
            .free_vars(&[self.trans])
            .into_iter()
            .find(|v| !known.contains(v))
        {
            Some(v) => Err(format!("trans mentions {}", terms.var_name(v))),
            None => Ok(()),
        }
    }
}

/// A proof of safety: a k-inductive formula, possibly over auxiliary variables.
///
/// Contract for `k = 1` without auxiliaries: `I ⇒ F`, `F ∧ T ⇒ F'`, `F ⇒ P`. For larger `k`: `F`
/// holds in the first `k` states of every run, and `k` consecutive `F`-states are followed by
/// `F`-states only. With auxiliaries (`k = 1`): see [`crate::auxiliary`].
#[derive(Clone, Debug)]
pub struct Invariant {
    /// The formula over state variables, parameters and auxiliary variables.
    pub formula: Term,
    /// The induction depth, at least 1.
    pub k: u32,
    /// Auxiliary variables in order of introduction; empty for a plain invariant.
    pub auxiliaries: Vec<Auxiliary>,
}

impl Invariant {
    /// A plain inductive invariant.
    pub fn inductive(formula: Term) -> Invariant {
        Invariant {
            formula,
            k: 1,
            auxiliaries: Vec::new(),
        }
    }

    /// The proof with `f` applied to the formula and to what defines the auxiliary variables.
    ///
    /// # Errors
    /// Those of `f`.
    pub fn map(&self, f: &mut dyn FnMut(Term) -> Result<Term, Halt>) -> Result<Invariant, Halt> {
        let auxiliaries = self.auxiliaries.iter().map(|a| a.map(f));
        let auxiliaries = auxiliaries.collect::<Result<_, Halt>>()?;
        Ok(Invariant {
            formula: f(self.formula)?,
            k: self.k,
            auxiliaries,
        })
    }
}

/// A run that ends in a state violating the property.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Values of parameters and of declared functions.
    pub rigid: Assignment,
    /// The states in order; the first is initial, the last violates the property.
    pub steps: Vec<TraceStep>,
}

/// One state of a run, and the inputs of the step that leaves it.
#[derive(Clone, Debug, Default)]
pub struct TraceStep {
    /// Values of the current state symbols.
    pub state: Assignment,
    /// Values of the inputs of the following step; empty in the last state.
    pub inputs: Assignment,
}

impl Problem for TransitionSystem {
    type Proof = Invariant;
    type Cex = Trace;
    /// A formula over current values and parameters.
    type Fact = Term;
}
