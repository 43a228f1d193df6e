//! A path of rules as formulas over copies of the parameters it passes.
//!
//! ```text
//! fact(s_1) ∧ rule(s_1, s_2) ∧ … ∧ query(s_n)                        satisfiable: a derivation
//! sequence interpolants of these parts                               I_i over s_i: predicates of location i
//! fact(s_1) ∧ ⋀ rule(t_i, s_{i+1}) ∧ query(t_n) ∧ ⋀ p(s_i) ↔ p(t_i)   the abstract path (section 2.3)
//! ```

use foretell_kernel::{Answer, Cx, Halt, Model, Solver, SolverConfig};
use foretell_systems::{ChcSystem, ClauseId, Derivation, DerivationStep, Pred};
use foretell_terms::eval::Assignment;
use foretell_terms::{Substitution, Term};

/// Whether a step begins where the one before ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Steps {
    /// It does.
    Joined,
    /// Only predicates link them.
    Apart,
}

/// A location between two rules of a path.
pub(super) struct Place {
    pub(super) pred: Pred,
    /// The parameters as the rule before leaves them.
    entered: Vec<Term>,
    /// The parameters as the rule after finds them.
    left: Vec<Term>,
}

/// A path.
pub(super) struct Chain {
    steps: Vec<Step>,
    /// One less than steps.
    pub(super) places: Vec<Place>,
    /// One per step, over the copies and the step's own variables.
    pub(super) parts: Vec<Term>,
}

struct Step {
    clause: ClauseId,
    /// The clause's variables and their copies.
    vars: Vec<(Term, Term)>,
}

/// What a path of rules is.
pub(super) enum Nature {
    /// A derivation of `false`.
    Real(Derivation),
    /// No derivation takes these rules.
    Spurious,
    /// The solver's words.
    Undecided(String),
}

impl Chain {
    /// The path of these rules: a fact, rules from the head before, a query.
    pub(super) fn new(system: &ChcSystem, rules: &[usize], steps: Steps, cx: &Cx<'_>) -> Chain {
        let terms = cx.terms;
        let copies = |pred: Pred| -> Vec<Term> {
            let params = system.pred(pred).params.iter();
            params
                .map(|&p| terms.fresh(terms.var_name(p), terms.sort(p)))
                .collect()
        };
        let mut chain = Chain {
            steps: Vec::new(),
            places: Vec::new(),
            parts: Vec::new(),
        };
        for &rule in rules {
            let id = ClauseId(u32::try_from(rule).expect("invariant: fewer than 2^32 clauses"));
            let clause = system.clause(id);
            let copy = clause.renamed(terms);
            let mut parts = vec![copy.constraint];
            let before = chain.places.last().map(|p| p.left.as_slice());
            let args = copy.body.iter().flat_map(|a| &a.args);
            let pairs = args.zip(before.unwrap_or_default());
            parts.extend(pairs.map(|(&a, &b)| terms.eq(a, b)));
            if let Some(head) = &copy.head {
                let entered = copies(head.pred);
                let left = match steps {
                    Steps::Joined => entered.clone(),
                    Steps::Apart => copies(head.pred),
                };
                let pairs = head.args.iter().zip(&entered);
                parts.extend(pairs.map(|(&a, &b)| terms.eq(a, b)));
                let pred = head.pred;
                chain.places.push(Place {
                    pred,
                    entered,
                    left,
                });
            }
            chain.parts.push(terms.and(parts));
            chain.steps.push(Step {
                clause: id,
                vars: clause.vars.iter().copied().zip(copy.vars).collect(),
            });
        }
        chain
    }

    /// Whether the path is a derivation.
    pub(super) fn nature(&self, config: &SolverConfig, cx: &Cx<'_>) -> Result<Nature, Halt> {
        let mut solver = cx.oracles.solver(config);
        self.assert(solver.as_mut(), cx)?;
        Ok(match solver.check(&[], cx)? {
            Answer::Sat(model) => match self.read(model.as_ref(), cx) {
                Some(derivation) => Nature::Real(derivation),
                None => Nature::Undecided("a model without values".into()),
            },
            Answer::Unsat(_) => Nature::Spurious,
            Answer::Unknown(words) => Nature::Undecided(words),
        })
    }

    /// Asserts the parts.
    pub(super) fn assert(&self, solver: &mut dyn Solver, cx: &Cx<'_>) -> Result<(), Halt> {
        for &part in &self.parts {
            solver.assert(cx.terms, part)?;
        }
        Ok(())
    }

    fn read(&self, model: &dyn Model, cx: &Cx<'_>) -> Option<Derivation> {
        let mut derivation = Derivation::default();
        for (number, step) in self.steps.iter().enumerate() {
            let mut values = Assignment::new();
            for &(var, copy) in &step.vars {
                values.insert(var, model.value(cx.terms, copy)?);
            }
            derivation.steps.push(DerivationStep {
                clause: step.clause,
                values,
                premises: number.checked_sub(1).into_iter().collect(),
            });
        }
        Some(derivation)
    }

    /// A formula over what a place's parameters are when it is entered, over the parameters.
    pub(super) fn untimed(
        &self,
        system: &ChcSystem,
        place: &Place,
        formula: Term,
        cx: &Cx<'_>,
    ) -> Term {
        let params = system.pred(place.pred).params.iter().copied();
        cx.terms
            .substitute(formula, place.entered.iter().copied().zip(params))
    }

    /// `atom` has the same value on entering and on leaving each place of its location.
    pub(super) fn link(&self, system: &ChcSystem, pred: Pred, atom: Term, cx: &Cx<'_>) -> Term {
        let params = &system.pred(pred).params;
        let at = |copies: &[Term]| {
            let pairs = params.iter().copied().zip(copies.iter().copied());
            Substitution::from_pairs(pairs).apply(cx.terms, atom)
        };
        let here = self.places.iter().filter(|p| p.pred == pred);
        let links = here.map(|p| cx.terms.eq(at(&p.entered), at(&p.left)));
        cx.terms.and(links.collect::<Vec<Term>>())
    }
}
