//! An inductive invariant of the transition system as an interpretation of the predicates.

use foretell_systems::chc::{ChcAuxiliary, ChcWitness};
use foretell_systems::{Atom, Auxiliary, ChcProof, ClauseId, Invariant, Pred, StateVar};
use foretell_terms::{Substitution, Term, TermStore};

use super::SingleLoopLift;
use crate::program::{Location, Slot};
use foretell_formulas::{Quantifier, close};

/// The formulas, closed over parameters and auxiliary variables, and the witness behind them.
pub(super) fn lift(this: &SingleLoopLift, proof: &Invariant, terms: &TermStore) -> ChcProof {
    let preds = this.clauses().pred_ids();
    let located: Vec<Term> = preds
        .map(|p| this.located(p, proof.formula, terms))
        .collect();
    let formulas = located
        .iter()
        .map(|&f| quantify(this, proof, f, terms))
        .collect();
    let auxiliary = |v: &Term| {
        this.program().params.contains(v) || proof.auxiliaries.iter().any(|a| a.var() == *v)
    };
    let closed = terms.free_vars(&located).iter().all(|v| !auxiliary(v));
    let witness = if closed {
        None
    } else {
        witness(this, proof, located, terms)
    };
    ChcProof { formulas, witness }
}

/// `∀π. ∀/∃ auxiliaries in order. formula`.
fn quantify(this: &SingleLoopLift, proof: &Invariant, formula: Term, terms: &TermStore) -> Term {
    let mut closed = formula;
    for auxiliary in proof.auxiliaries.iter().rev() {
        let quantifier = match auxiliary {
            Auxiliary::Prophecy { .. } => Quantifier::Forall,
            Auxiliary::History { .. } => Quantifier::Exists,
        };
        closed = close(terms, quantifier, &[auxiliary.var()], closed);
    }
    close(terms, Quantifier::Forall, &this.program().params, closed)
}

/// The quantifier-free witness: parameters are prophecy variables, introduced first.
///
/// `None` when an instance would need a constant of a sort that has none.
fn witness(
    this: &SingleLoopLift,
    proof: &Invariant,
    invariants: Vec<Term>,
    terms: &TermStore,
) -> Option<ChcWitness> {
    let mut auxiliaries = Vec::new();
    for &param in &this.program().params {
        let target = |id: ClauseId| {
            let Some(goal) = this.program().goals.iter().find(|g| g.clause == id) else {
                return Some(None);
            };
            let own = goal
                .values
                .iter()
                .find(|&&(_, symbol)| symbol == param)
                .map(|&(var, _)| var);
            own.or_else(|| constant(terms, param)).map(Some)
        };
        let targets = this
            .clauses()
            .clause_ids()
            .map(target)
            .collect::<Option<Vec<_>>>()?;
        auxiliaries.push(ChcAuxiliary::Prophecy {
            var: param,
            targets,
        });
    }
    for auxiliary in &proof.auxiliaries {
        auxiliaries.push(translate(this, auxiliary, terms)?);
    }
    Some(ChcWitness {
        auxiliaries,
        invariants,
    })
}

/// A constant of the sort of a symbol.
fn constant(terms: &TermStore, symbol: Term) -> Option<Term> {
    let sort = terms.sort(symbol);
    terms.value_term(&terms.default_value(sort), sort)
}

/// An auxiliary variable of the transition system, clause by clause.
fn translate(
    this: &SingleLoopLift,
    auxiliary: &Auxiliary,
    terms: &TermStore,
) -> Option<ChcAuxiliary> {
    let ids = this.clauses().clause_ids();
    match *auxiliary {
        Auxiliary::Prophecy { var, target } => {
            let instance = |id: ClauseId| {
                let is_query = this.clauses().clause(id).is_query();
                is_query.then(|| this.over_clause(id, terms).apply(terms, target))
            };
            Some(ChcAuxiliary::Prophecy {
                var,
                targets: ids.map(instance).collect(),
            })
        }
        Auxiliary::History {
            var, init, update, ..
        } => {
            let value = |id: ClauseId| {
                let clause = this.clauses().clause(id);
                let head = clause.head.as_ref()?;
                if this.program().starts.iter().any(|s| s.clause == id) {
                    let mut map = Substitution::new();
                    this.enter(
                        this.program().location(head.pred),
                        &head.args,
                        Symbol::Current,
                        &mut map,
                        terms,
                    );
                    return Some(map.apply(terms, init));
                }
                let mut map = this.over_clause(id, terms);
                if clause.is_fact() {
                    // The step leaves the entry, where the variable has its initial value.
                    map.insert(var, this.over_clause(id, terms).apply(terms, init));
                }
                Some(map.apply(terms, update))
            };
            Some(ChcAuxiliary::History {
                var,
                updates: ids.map(value).collect(),
            })
        }
    }
}

/// Which symbol of a state variable is replaced.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Symbol {
    Current,
    Next,
}

impl SingleLoopLift {
    /// A formula about states at the location of a predicate, over the predicate's parameters.
    pub(super) fn located(&self, pred: Pred, formula: Term, terms: &TermStore) -> Term {
        let mut map = Substitution::new();
        let (at, params) = (
            self.program().location(pred),
            &self.clauses().pred(pred).params,
        );
        self.enter(at, params, Symbol::Current, &mut map, terms);
        map.apply(terms, formula)
    }

    /// Puts the arguments at a location into the map: slots to arguments, dead slots to defaults.
    fn enter(
        &self,
        at: Location,
        args: &[Term],
        symbol: Symbol,
        map: &mut Substitution,
        terms: &TermStore,
    ) {
        let pick = |v: StateVar| {
            if symbol == Symbol::Current {
                v.cur
            } else {
                v.next
            }
        };
        let program = self.program();
        if let Some(var) = self.location() {
            map.insert(pick(var), terms.int(at.0));
        }
        for i in program.dead(at) {
            map.insert(pick(program.vars[i]), program.defaults[i]);
        }
        for (&slot, &arg) in program.places[at.index()].args.iter().zip(args) {
            match slot {
                Slot::State(i) => map.insert(pick(program.vars[i]), arg),
                Slot::Rigid(param) => map.insert(param, arg),
            }
        }
    }

    /// The symbols of the step of a clause in terms of the clause's variables. Inputs of other rules
    /// do not matter and become constants where there are some.
    fn over_clause(&self, id: ClauseId, terms: &TermStore) -> Substitution {
        let (clause, program) = (self.clauses().clause(id), self.program());
        let mut map = Substitution::new();
        for rule in &program.rules {
            for &input in &rule.inputs {
                let own = rule
                    .values
                    .iter()
                    .find(|&&(_, s)| s == input && rule.clause == id);
                if let Some(value) = own.map(|&(var, _)| var).or_else(|| constant(terms, input)) {
                    map.insert(input, value);
                }
            }
        }
        let place = |atom: &Atom| (program.location(atom.pred), atom.args.clone());
        let ends = [
            (clause.body.first(), Symbol::Current),
            (clause.head.as_ref(), Symbol::Next),
        ];
        for (atom, symbol) in ends {
            match (atom.map(place), program.entry()) {
                (Some((at, args)), _) => self.enter(at, &args, symbol, &mut map, terms),
                (None, Some(entry)) if symbol == Symbol::Current => {
                    self.enter(entry, &[], symbol, &mut map, terms);
                }
                _ => {}
            }
        }
        map
    }
}
