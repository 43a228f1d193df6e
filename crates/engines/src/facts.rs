//! All facts, one by one: proves and refutes clauses of which only few facts can be derived.
//!
//! Bottom-up evaluation of Datalog (semi-naive, as in Abiteboul, Hull and Vianu, "Foundations of
//! Databases", 1995, §13.1), with constraints in the place of tables.
//!
//! ```text
//! check(S)                                              // fn check
//!   for each clause without premises: instances(it, no premises)
//!   for each fact f in the order of discovery           // fn consequences
//!     for each clause c and premise i of f's predicate, and each choice of facts that are not
//!     younger than f for the other premises (older than f for those before i):
//!       instances(c, these premises)
//!   return Safe(P ↦ ⋁ facts of P)
//!
//! instances(c, premises)                                // fn instances
//!   bind the variables of the premises; evaluate constraint and head
//!   where that is not enough, the solver lists what the rest can be
//!   a query whose constraint holds: return Unsafe(derivation)
//! ```
//!
//! A recursive function that is called with few different arguments has few facts however many calls
//! there are: `fib(25)` makes 242,785 calls and 26 facts for each place in its body.
//! Limits: gives up, early, when a clause leaves too many choices or there are too many facts; numbers
//! and truth values only.

use foretell_kernel::{
    Answer, Cx, Engine, Halt, Peers, Reason, Solver, SolverConfig, Unsupported, Verdict,
};
use foretell_systems::{Atom, ChcProof, ChcSystem, ClauseId, Derivation, DerivationStep, Pred};
use foretell_terms::eval::Assignment;
use foretell_terms::{Sort, Substitution, Term, TermStore, Value};
use indexmap::{IndexMap, IndexSet};

foretell_kernel::options! {
    /// Options of the enumeration of facts.
    pub struct FactsOptions("facts") {
        /// The most facts before the engine gives up.
        max_facts: usize = 3_000, 1..=1_000_000;
        /// The most facts that one clause may give for the same premises.
        max_choices: usize = 100, 1..=1_000_000;
        /// The most combinations of premises before the engine gives up.
        max_combinations: usize = 2_000_000, 1..=1_000_000_000;
    }
}

/// Enumeration of all facts.
#[derive(Default)]
pub struct Facts {
    options: FactsOptions,
}

impl Facts {
    /// The engine with these options.
    pub fn new(options: FactsOptions) -> Facts {
        Facts { options }
    }
}

impl Engine<ChcSystem> for Facts {
    fn name(&self) -> &'static str {
        "facts"
    }

    fn accepts(&self, system: &ChcSystem, cx: &Cx<'_>) -> Result<(), Unsupported> {
        let plain = |p: &Term| matches!(cx.terms.sort(*p), Sort::INT | Sort::BOOL);
        if !system.preds.iter().all(|p| p.params.iter().all(plain)) {
            return Err(Unsupported("other than numbers and truth values".into()));
        }
        let formulas = system.formulas();
        if !cx.terms.functions(&formulas).is_empty() {
            return Err(Unsupported("functions of the background theory".into()));
        }
        if formulas.iter().any(|&f| cx.terms.has_quantifier(f)) {
            return Err(Unsupported("quantified constraints".into()));
        }
        Ok(())
    }

    fn check(
        &mut self,
        system: &ChcSystem,
        _peers: &dyn Peers<ChcSystem>,
        cx: &Cx<'_>,
    ) -> Result<Verdict<ChcSystem>, Halt> {
        let solver = cx
            .oracles
            .solver(&SolverConfig::new("facts").quantifier_free());
        let mut search = Search {
            system,
            cx,
            options: &self.options,
            uses: uses(system),
            facts: Vec::new(),
            known: IndexSet::new(),
            of: IndexMap::new(),
            combinations: 0,
            solver,
        };
        match search.run()? {
            Found::All => Ok(Verdict::Safe(search.proof())),
            Found::Query(last) => Ok(Verdict::Unsafe(search.derivation(last))),
            Found::GivenUp(reason) => Ok(Verdict::Unknown(reason)),
        }
    }
}

/// For each predicate, the premises it is.
fn uses(system: &ChcSystem) -> IndexMap<Pred, Vec<(ClauseId, usize)>> {
    let mut uses: IndexMap<Pred, Vec<(ClauseId, usize)>> = IndexMap::new();
    for id in system.clause_ids() {
        for (i, atom) in system.clause(id).body.iter().enumerate() {
            uses.entry(atom.pred).or_default().push((id, i));
        }
    }
    uses
}

/// How a search, or a part of it, ended.
enum Found {
    /// There is nothing more to derive.
    All,
    /// A query has an instance.
    Query(Step),
    /// There may be more.
    GivenUp(Reason),
}

/// An instance of a clause.
#[derive(Clone)]
struct Step {
    clause: ClauseId,
    values: Assignment,
    premises: Vec<usize>,
}

/// A derived atom without variables.
struct Fact {
    pred: Pred,
    values: Vec<Value>,
    step: Step,
}

struct Search<'a> {
    system: &'a ChcSystem,
    cx: &'a Cx<'a>,
    options: &'a FactsOptions,
    uses: IndexMap<Pred, Vec<(ClauseId, usize)>>,
    facts: Vec<Fact>,
    known: IndexSet<(Pred, Vec<Value>)>,
    /// The facts of each predicate, oldest first.
    of: IndexMap<Pred, Vec<usize>>,
    combinations: usize,
    solver: Box<dyn Solver>,
}

impl Search<'_> {
    fn terms(&self) -> &TermStore {
        self.cx.terms
    }

    fn run(&mut self) -> Result<Found, Halt> {
        for id in self.system.clause_ids() {
            if self.system.clause(id).is_fact() {
                match self.instances(id, &[])? {
                    Found::All => {}
                    other => return Ok(other),
                }
            }
        }
        let mut next = 0;
        while next < self.facts.len() {
            self.cx.budget.check()?;
            match self.consequences(next)? {
                Found::All => next += 1,
                other => return Ok(other),
            }
        }
        Ok(Found::All)
    }

    /// Everything that one more fact makes possible.
    fn consequences(&mut self, fact: usize) -> Result<Found, Halt> {
        let uses = self.uses.get(&self.facts[fact].pred).cloned();
        for (id, place) in uses.unwrap_or_default() {
            let mut chosen = vec![fact; self.system.clause(id).body.len()];
            match self.combine(id, (place, fact), 0, &mut chosen)? {
                Found::All => {}
                other => return Ok(other),
            }
        }
        Ok(Found::All)
    }

    /// Chooses facts for the premises from a position on.
    fn combine(
        &mut self,
        id: ClauseId,
        fixed: (usize, usize),
        position: usize,
        chosen: &mut [usize],
    ) -> Result<Found, Halt> {
        if position == chosen.len() {
            self.combinations += 1;
            if self.combinations > self.options.max_combinations {
                let words = "too many combinations of facts".to_owned();
                return Ok(Found::GivenUp(Reason::Exhausted(words)));
            }
            return self.instances(id, chosen);
        }
        if position == fixed.0 {
            chosen[position] = fixed.1;
            return self.combine(id, fixed, position + 1, chosen);
        }
        let pred = self.system.clause(id).body[position].pred;
        let newest = if position < fixed.0 {
            fixed.1
        } else {
            fixed.1 + 1
        };
        let candidates = self.of.get(&pred).cloned().unwrap_or_default();
        for fact in candidates.into_iter().take_while(|&f| f < newest) {
            chosen[position] = fact;
            match self.combine(id, fixed, position + 1, chosen)? {
                Found::All => {}
                other => return Ok(other),
            }
        }
        Ok(Found::All)
    }

    /// The values that premises give to the variables of a clause, and what else they demand.
    fn bound(&self, id: ClauseId, premises: &[usize]) -> Option<(Assignment, Vec<Term>)> {
        let terms = self.terms();
        let mut values = Assignment::new();
        let mut demands = Vec::new();
        for (atom, &fact) in self.system.clause(id).body.iter().zip(premises) {
            for (&arg, value) in atom.args.iter().zip(&self.facts[fact].values) {
                match terms.eval(arg, &values) {
                    Ok(found) if found != *value => return None,
                    Ok(_) => {}
                    Err(_) if terms.as_var(arg).is_some() => values.insert(arg, value.clone()),
                    Err(_) => {
                        let constant = terms.value_term(value, terms.sort(arg))?;
                        demands.push(terms.eq(arg, constant));
                    }
                }
            }
        }
        Some((values, demands))
    }

    fn instances(&mut self, id: ClauseId, premises: &[usize]) -> Result<Found, Halt> {
        let Some((mut values, demands)) = self.bound(id, premises) else {
            return Ok(Found::All);
        };
        let terms = self.cx.terms;
        let clause = self.system.clause(id);
        let holds = terms.eval_bool(clause.constraint, &values);
        if holds == Ok(false) {
            return Ok(Found::All);
        }
        let head: Option<Vec<Value>> = clause.head.as_ref().and_then(|head| {
            let args = head.args.iter().map(|&a| terms.eval(a, &values).ok());
            args.collect()
        });
        let settled = clause.head.is_none() || head.is_some();
        if holds == Ok(true) && demands.is_empty() && settled {
            // What has no value yet may have any.
            for &var in &clause.vars {
                if values.get(var).is_none() {
                    values.insert(var, terms.default_value(terms.sort(var)));
                }
            }
            let step = Step {
                clause: id,
                values,
                premises: premises.to_vec(),
            };
            return Ok(self.take(step, head));
        }
        self.choices(id, premises, &values, demands)
    }

    /// The instances of a clause whose premises leave something open, listed by the solver.
    fn choices(
        &mut self,
        id: ClauseId,
        premises: &[usize],
        values: &Assignment,
        demands: Vec<Term>,
    ) -> Result<Found, Halt> {
        let terms = self.cx.terms;
        let clause = self.system.clause(id);
        let constants = clause.vars.iter().filter_map(|&var| {
            let value = values.get(var)?;
            Some((var, terms.value_term(value, terms.sort(var))?))
        });
        let mut map = Substitution::from_pairs(constants);
        let mut rest = vec![map.apply(terms, clause.constraint)];
        rest.extend(demands.into_iter().map(|d| map.apply(terms, d)));
        let head: Option<Atom> = clause.head.as_ref().map(|h| h.mapped(&mut map, terms));
        self.solver.push();
        let found = self.listed(id, premises, values, (terms.and(rest), head));
        self.solver.pop();
        found
    }

    fn listed(
        &mut self,
        id: ClauseId,
        premises: &[usize],
        values: &Assignment,
        (rest, head): (Term, Option<Atom>),
    ) -> Result<Found, Halt> {
        let (cx, terms) = (self.cx, self.cx.terms);
        self.solver.assert(terms, rest)?;
        for _ in 0..=self.options.max_choices {
            let mut step = Step {
                clause: id,
                values: values.clone(),
                premises: premises.to_vec(),
            };
            let missing =
                || Halt::Solver("the model has a value that cannot be represented".into());
            let args = match self.solver.check(&[], cx)? {
                Answer::Unsat(_) => return Ok(Found::All),
                Answer::Unknown(words) => {
                    return Ok(Found::GivenUp(Reason::SolverUnknown(words)));
                }
                Answer::Sat(model) => {
                    for &var in &self.system.clause(id).vars {
                        if step.values.get(var).is_none() {
                            let value = model.value(terms, var).ok_or_else(missing)?;
                            step.values.insert(var, value);
                        }
                    }
                    let args = head.iter().flat_map(|h| &h.args);
                    let args = args.map(|&a| terms.eval(a, &step.values).ok());
                    args.collect::<Option<Vec<Value>>>().ok_or_else(missing)?
                }
            };
            let Some(head) = &head else {
                return Ok(self.take(step, None));
            };
            let differs = head.args.iter().zip(&args).map(|(&a, value)| {
                let constant = terms.value_term(value, terms.sort(a));
                constant.map_or(terms.bool(false), |c| terms.not(terms.eq(a, c)))
            });
            let other = terms.or(differs.collect::<Vec<_>>());
            match self.take(step, Some(args)) {
                Found::All => {}
                end => return Ok(end),
            }
            self.solver.assert(terms, other)?;
        }
        let words = "a clause gives too many facts".to_owned();
        Ok(Found::GivenUp(Reason::Exhausted(words)))
    }

    /// Takes a new instance: a fact, or the end if it is a query.
    fn take(&mut self, step: Step, args: Option<Vec<Value>>) -> Found {
        let head = self.system.clause(step.clause).head.as_ref();
        let (Some(head), Some(values)) = (head, args) else {
            return Found::Query(step);
        };
        let pred = head.pred;
        if !self.known.insert((pred, values.clone())) {
            return Found::All;
        }
        if self.facts.len() >= self.options.max_facts {
            return Found::GivenUp(Reason::Exhausted("there are too many facts".to_owned()));
        }
        self.of.entry(pred).or_default().push(self.facts.len());
        self.facts.push(Fact { pred, values, step });
        Found::All
    }

    /// Every predicate holds exactly where a fact says so.
    fn proof(&self) -> ChcProof {
        let terms = self.terms();
        let formula = |pred: Pred| {
            let params = &self.system.pred(pred).params;
            let facts = self.of.get(&pred).into_iter().flatten();
            let ways = facts.map(|&fact| {
                let pairs = params.iter().zip(&self.facts[fact].values);
                let equations = pairs.filter_map(|(&param, value)| {
                    let constant = terms.value_term(value, terms.sort(param))?;
                    Some(terms.eq(param, constant))
                });
                terms.and(equations.collect::<Vec<_>>())
            });
            terms.or(ways.collect::<Vec<_>>())
        };
        ChcProof {
            formulas: self.system.pred_ids().map(formula).collect(),
            witness: None,
        }
    }

    /// The steps that a query needs, premises first.
    fn derivation(&self, last: Step) -> Derivation {
        // A premise is older than what uses it, so their order is an order of the derivation.
        let mut needed: IndexSet<usize> = IndexSet::new();
        let mut work = last.premises.clone();
        while let Some(fact) = work.pop() {
            if needed.insert(fact) {
                work.extend(&self.facts[fact].step.premises);
            }
        }
        needed.sort_unstable();
        let finished = |step: &Step| DerivationStep {
            clause: step.clause,
            values: step.values.clone(),
            premises: step
                .premises
                .iter()
                .filter_map(|p| needed.get_index_of(p))
                .collect(),
        };
        let mut steps: Vec<DerivationStep> = needed
            .iter()
            .map(|&fact| finished(&self.facts[fact].step))
            .collect();
        steps.push(finished(&last));
        Derivation {
            steps,
            functions: Assignment::new(),
        }
    }
}
