//! Runs on concrete states: finds counterexamples that are deep and easy to come by.
//!
//! Random simulation, as in Dwyer, Elbaum, Person, Purandare, "Parallel randomized state-space
//! search", ICSE 2007, with values chosen for what a clause leaves open.
//!
//! ```text
//! check(S)                                                    // fn check
//!   for depth = 256, 1024, …, and many times the last one
//!     the run that is not over goes on, rules taken least often first; else it starts anew
//!     another one starts anew, rules in random order
//!     each up to depth:                                       // fn extend
//!       state ← an instance of a clause without premises
//!       for each query on the state's predicate: an instance? return Unsafe(the run)
//!       for the rules on it: an instance? state ← what it derives
//!       none: back by one step, after some tries by 2, 4, …, until the run gets further; else it is over
//!
//! instance(c, state)                                          // fn instance
//!   bind the variables of the premise; evaluate
//!   what is open takes values from a pool, some tries: 0, ±1, numerals of the clause and their
//!   neighbours, arrays of these, values of the state; else the solver finds values for what is left,
//!   and what it was not asked about takes values from the pool
//! ```
//!
//! Limits: linear clauses without quantifiers and functions; proves nothing.

mod moves;

use foretell_kernel::{
    Answer, Cx, Engine, Halt, Peers, Reason, Solver, SolverConfig, Unsupported, Verdict, Work,
};
use foretell_systems::{ChcSystem, ClauseId, Derivation, DerivationStep, Pred};
use foretell_terms::eval::Assignment;
use foretell_terms::{Integer, Sort, Substitution, Term, Value};

use self::moves::{Move, prepared};

foretell_kernel::options! {
    /// Options of the simulation.
    pub struct SimulateOptions("simulate") {
        /// The length of the first runs.
        first_depth: usize = 256, 1..=1_000_000;
        /// The length of the last runs.
        max_depth: usize = 1_000_000, 1..=100_000_000;
        /// How many runs of that length there are for each order of rules.
        last_runs: usize = 100, 1..=1_000_000;
        /// How often values are guessed before the solver is asked.
        tries: usize = 6, 0..=1_000;
    }
}

/// How much longer the next runs are.
const GROWTH: usize = 4;

/// After how many dead ends without progress a run is given up.
const MAX_ENDS: usize = 64;

/// How often it goes back by so many steps before it goes back by twice as many.
const TRIES_BACK: usize = 8;

/// How many cells of an array differ from the others at most, and how far from 0 they are.
const MAX_CELLS: usize = 8;

/// What one question may take.
const QUESTION: Work = Work::of_millis(200);

/// Simulation on concrete states.
#[derive(Default)]
pub struct Simulate {
    options: SimulateOptions,
}

impl Simulate {
    /// The engine with these options.
    pub fn new(options: SimulateOptions) -> Simulate {
        Simulate { options }
    }
}

impl Engine<ChcSystem> for Simulate {
    fn name(&self) -> &'static str {
        "simulate"
    }

    fn accepts(&self, system: &ChcSystem, cx: &Cx<'_>) -> Result<(), Unsupported> {
        let formulas = system.formulas();
        if !system.is_linear() {
            return Err(Unsupported("non-linear clauses".into()));
        }
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
        let SimulateOptions {
            first_depth,
            max_depth,
            last_runs,
            ..
        } = self.options;
        let mut simulation = Simulation::new(system, &self.options, cx);
        let mut kept = Run::default();
        let grown = std::iter::successors(Some(first_depth), |&d| Some(d.saturating_mul(GROWTH)));
        let last = std::iter::repeat_n(max_depth, last_runs);
        for depth in grown.take_while(|&d| d < max_depth).chain(last) {
            let mut other = Run::default();
            for (run, order) in [(&mut kept, Order::Seldom), (&mut other, Order::Random)] {
                match simulation.extend(run, depth, order)? {
                    End::Violated => {
                        let steps = std::mem::take(&mut run.steps);
                        return Ok(Verdict::Unsafe(derivation(steps)));
                    }
                    End::Over => *run = Run::default(),
                    End::Depth => {}
                }
            }
        }
        let words = format!("no run of {max_depth} steps violates the goal");
        Ok(Verdict::Unknown(Reason::Exhausted(words)))
    }
}

/// A derived atom without variables.
struct State {
    pred: Pred,
    values: Vec<Value>,
}

/// A clause with values for its variables, and what it derives.
struct Instance {
    clause: ClauseId,
    values: Assignment,
    /// `None` for a query.
    derived: Option<State>,
}

/// Instances, each of which derives what the next one needs.
#[derive(Default)]
struct Run {
    steps: Vec<Instance>,
    /// How long it was at most, and how many dead ends there were since then.
    longest: usize,
    ends: usize,
}

/// How a run ended.
enum End {
    /// With a query.
    Violated,
    /// Without a way on.
    Over,
    /// It is as long as it was meant to be.
    Depth,
}

/// Which of several rules comes first.
#[derive(Clone, Copy)]
enum Order {
    Random,
    /// The one that was taken least often.
    Seldom,
}

struct Simulation<'a> {
    system: &'a ChcSystem,
    options: &'a SimulateOptions,
    cx: &'a Cx<'a>,
    moves: Vec<Move>,
    /// The clauses without premises, and the queries and rules on each predicate.
    starts: Vec<usize>,
    queries: Vec<Vec<usize>>,
    rules: Vec<Vec<usize>>,
    solver: Box<dyn Solver>,
}

impl<'a> Simulation<'a> {
    fn new(system: &'a ChcSystem, options: &'a SimulateOptions, cx: &'a Cx<'a>) -> Simulation<'a> {
        let config = SolverConfig::new("simulate").quantifier_free();
        let mut simulation = Simulation {
            system,
            options,
            cx,
            moves: system
                .clause_ids()
                .map(|id| prepared(system, id, cx))
                .collect(),
            starts: Vec::new(),
            queries: vec![Vec::new(); system.preds.len()],
            rules: vec![Vec::new(); system.preds.len()],
            solver: cx.oracles.solver(&config.with_limit(QUESTION)),
        };
        for (i, clause) in system.clauses.iter().enumerate() {
            let place = match (clause.body.first(), &clause.head) {
                (None, _) => &mut simulation.starts,
                (Some(atom), None) => &mut simulation.queries[atom.pred.index()],
                (Some(atom), Some(_)) => &mut simulation.rules[atom.pred.index()],
            };
            place.push(i);
        }
        simulation
    }

    /// Makes a run longer.
    fn extend(&mut self, run: &mut Run, depth: usize, order: Order) -> Result<End, Halt> {
        if run.steps.is_empty() {
            let starts = self.starts.clone();
            run.steps.extend(self.first(&starts, None, order)?);
        }
        while run.steps.len() < depth {
            self.cx.budget.check()?;
            let Some(last) = run.steps.last() else {
                return Ok(End::Over);
            };
            let Some(state) = &last.derived else {
                return Ok(End::Violated);
            };
            let queries = self.queries[state.pred.index()].clone();
            let mut next = self.first(&queries, Some(state), order)?;
            if next.is_none() {
                let rules = self.rules[state.pred.index()].clone();
                next = self.first(&rules, Some(state), order)?;
            }
            if let Some(instance) = next {
                run.steps.push(instance);
                continue;
            }
            let length = run.steps.len();
            run.ends = match length > run.longest {
                true => 1,
                false => run.ends + 1,
            };
            run.longest = run.longest.max(length);
            let back = 1 << (run.ends / TRIES_BACK);
            if run.ends > MAX_ENDS || back >= length {
                return Ok(End::Over);
            }
            run.steps.truncate(length - back);
        }
        let is_violated = run.steps.last().is_some_and(|last| last.derived.is_none());
        Ok(match is_violated {
            true => End::Violated,
            false => End::Depth,
        })
    }

    /// The first of these clauses that has an instance.
    fn first(
        &mut self,
        of: &[usize],
        state: Option<&State>,
        order: Order,
    ) -> Result<Option<Instance>, Halt> {
        let key = |i: usize| match order {
            Order::Random => (0, self.cx.rng.next_u64()),
            Order::Seldom => (self.moves[i].taken, self.cx.rng.next_u64()),
        };
        let mut keyed: Vec<((u32, u64), usize)> = of.iter().map(|&i| (key(i), i)).collect();
        keyed.sort_unstable();
        for (_, i) in keyed {
            if let Some(instance) = self.instance(i, state)? {
                self.moves[i].taken += 1;
                return Ok(Some(instance));
            }
        }
        Ok(None)
    }

    /// An instance of a clause in a state.
    fn instance(&mut self, at: usize, state: Option<&State>) -> Result<Option<Instance>, Halt> {
        let (terms, clause) = (self.cx.terms, &self.system.clauses[at]);
        let mut values = Assignment::with_room(clause.vars.len());
        let mut demands = Vec::new();
        let args = clause.body.iter().flat_map(|atom| atom.args.iter());
        for (&arg, value) in args.zip(state.iter().flat_map(|s| &s.values)) {
            let is_bound = values.get(arg).is_some();
            if !is_bound && terms.as_var(arg).is_some() {
                values.insert(arg, value.clone());
                continue;
            }
            match terms.eval(arg, &values) {
                Ok(found) if found != *value => return Ok(None),
                Ok(_) => {}
                Err(_) => match terms.value_term(value, terms.sort(arg)) {
                    Some(constant) => demands.push(terms.eq(arg, constant)),
                    None => return Ok(None),
                },
            }
        }
        let holds = self.holds(at, &values);
        if holds == Some(false) {
            return Ok(None);
        }
        if demands.is_empty() {
            if self.moves[at].open.is_empty() {
                return Ok(match holds {
                    Some(true) => self.derived(at, values),
                    _ => None,
                });
            }
            for _ in 0..self.options.tries {
                let guess = self.guess(at, &values, state);
                if let Some(instance) = self.completed(at, guess) {
                    return Ok(Some(instance));
                }
            }
        }
        demands.push(clause.constraint);
        let found = self.ask(values, &demands)?;
        let found = found.map(|values| self.guess(at, &values, state));
        Ok(found.and_then(|values| self.completed(at, values)))
    }

    /// Whether the constraint holds; `None` when the values do not tell.
    fn holds(&self, at: usize, values: &Assignment) -> Option<bool> {
        let mut all = Some(true);
        for conjunct in &self.moves[at].holds {
            match conjunct.first(self.cx.terms, values) {
                Ok(Value::Bool(true)) => {}
                Ok(Value::Bool(false)) => return Some(false),
                _ => all = None,
            }
        }
        all
    }

    /// The instance of these values, if the constraint holds.
    fn completed(&self, at: usize, values: Assignment) -> Option<Instance> {
        match self.holds(at, &values) {
            Some(true) => self.derived(at, values),
            _ => None,
        }
    }

    /// The instance of these values, of which the constraint holds.
    fn derived(&self, at: usize, values: Assignment) -> Option<Instance> {
        let (clause, step) = (&self.system.clauses[at], &self.moves[at]);
        let derived = match &clause.head {
            None => None,
            Some(head) => {
                let args = step.derives.eval(self.cx.terms, &values).into_iter();
                Some(State {
                    pred: head.pred,
                    values: args.map(Result::ok).collect::<Option<Vec<Value>>>()?,
                })
            }
        };
        Some(Instance {
            clause: step.clause,
            values,
            derived,
        })
    }

    /// Values for what is open, from the pool.
    fn guess(&self, at: usize, values: &Assignment, state: Option<&State>) -> Assignment {
        let (cx, step) = (self.cx, &self.moves[at]);
        let mut guess = values.clone();
        for &var in &step.open {
            if values.get(var).is_some() {
                continue;
            }
            let sort = cx.terms.sort(var);
            let known = state.iter().flat_map(|s| &s.values);
            let sorts = self.system.clauses[at].body.iter().flat_map(|a| &a.args);
            let same = known
                .zip(sorts)
                .filter(|(_, arg)| cx.terms.sort(**arg) == sort);
            let mut pool: Vec<Value> = same.map(|(value, _)| value.clone()).collect();
            match cx.terms.array_parts(sort) {
                Some(_) => pool.extend(array(cx, &step.numbers, sort)),
                None => pool.extend(step.numbers.iter().filter_map(|n| number(cx, n, sort))),
            }
            if sort == Sort::BOOL {
                pool.extend([Value::Bool(false), Value::Bool(true)]);
            }
            pool.push(cx.terms.default_value(sort));
            let pick = usize::try_from(cx.rng.below(pool.len() as u64)).unwrap_or(0);
            guess.insert(var, pool.swap_remove(pick));
        }
        guess
    }

    /// Values from the solver for what is demanded.
    fn ask(
        &mut self,
        mut values: Assignment,
        demands: &[Term],
    ) -> Result<Option<Assignment>, Halt> {
        let terms = self.cx.terms;
        let constants = values
            .values
            .iter()
            .filter_map(|(&var, value)| Some((var, terms.value_term(value, terms.sort(var))?)));
        let mut map = Substitution::from_pairs(constants.collect::<Vec<_>>());
        let rest = terms.and(demands.iter().map(|&d| map.apply(terms, d)));
        if terms.is_false(rest) {
            return Ok(None);
        }
        self.solver.push();
        self.solver.assert(terms, rest)?;
        let mut found = false;
        if let Answer::Sat(model) = self.solver.check(&[], self.cx)? {
            found = true;
            for var in terms.free_vars(&[rest]) {
                match model.value(terms, var) {
                    Some(value) => values.insert(var, value),
                    None => found = false,
                }
            }
        }
        self.solver.pop();
        Ok(found.then_some(values))
    }
}

/// An array of one of these numbers, but for some cells near its beginning.
fn array(cx: &Cx<'_>, numbers: &[Integer], sort: Sort) -> Option<Value> {
    let below = |n: usize| usize::try_from(cx.rng.below(n as u64)).unwrap_or(0);
    let (indices, element) = cx.terms.array_parts(sort)?;
    let one = || match cx.terms.array_parts(element) {
        Some(_) => array(cx, numbers, element),
        None => number(cx, numbers.get(below(numbers.len()))?, element),
    };
    let mut array = cx.terms.constant_array_value(sort, one()?)?;
    for _ in 0..below(MAX_CELLS + 1) {
        let at = |&sort: &Sort| number(cx, &Integer::from(below(MAX_CELLS)), sort);
        let at: Option<Vec<Value>> = indices.iter().map(at).collect();
        array.store(at?, one()?);
    }
    Some(Value::Array(array))
}

/// A number as a value of a sort, if it is one.
fn number(cx: &Cx<'_>, n: &Integer, sort: Sort) -> Option<Value> {
    if sort == Sort::INT {
        return Some(Value::Int(n.clone()));
    }
    if sort == Sort::REAL {
        return Some(Value::real(foretell_terms::number::rational(n)));
    }
    let width = cx.terms.width(sort)?;
    let numeral = cx.terms.bv(n.clone(), width);
    Some(Value::BitVec(width, cx.terms.as_bv(numeral)?.clone()))
}

/// A run as a derivation.
fn derivation(run: Vec<Instance>) -> Derivation {
    let steps = run.into_iter().enumerate();
    let steps = steps.map(|(i, instance)| DerivationStep {
        clause: instance.clause,
        values: instance.values,
        premises: i.checked_sub(1).into_iter().collect(),
    });
    Derivation {
        steps: steps.collect(),
        functions: Assignment::new(),
    }
}

#[cfg(test)]
mod tests;
