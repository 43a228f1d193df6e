//! Linear clauses as a control-flow automaton over shared state symbols.
//!
//! ```text
//! loop(a, 0, n)  ⇐ n > 0                                  start at loop: i = 0 ∧ n > 0
//! loop(store(a, i, 0), i + 1, n) ⇐ loop(a, i, n) ∧ i < n  rule loop → loop: i < n ∧ a' = a[i := 0] ∧ i' = i + 1
//! false ⇐ loop(a, i, n) ∧ i ≥ n ∧ a[z] ≠ 0               goal at loop: i ≥ n ∧ a[z] ≠ 0       (z rigid)
//! ```
//!
//! * One location per predicate, and an `entry` location if some fact has variables that its head
//!   does not determine, or if some query has no body atom; such facts are rules from `entry` with
//!   their variables as inputs. All other facts are *starts*: formulas over the state.
//! * One state variable per class of aligned arguments, a rigid parameter if the class is frozen.
//! * A state variable that is no argument at a location is *dead* there and has a fixed default
//!   value: never havocked, and the formula of a predicate is the invariant with that value put in.
//!   A sort without a constant gets its default from one more rigid parameter.
//! * A variable of a rule that the body atom does not bind is the next value of a state variable if
//!   it is an argument of the head, and an input of that rule alone otherwise; variables of a query
//!   are rigid parameters of that query alone ([`crate::herbrand`]).
//!
//! No symbol of a clause is reused: every symbol of the program has a name of its own.

use std::collections::BTreeSet;

use foretell_kernel::{Cx, Halt, Unsupported};
use foretell_systems::{Atom, ChcSystem, Clause, ClauseId, Pred, StateVar};
use foretell_terms::{Sort, Substitution, Term, TermMap, TermStore};

use crate::alignment::{Alignment, unique_name};
use crate::frozen::frozen_classes;
use crate::herbrand::herbrandize;
use foretell_formulas::base_name;

/// The name of the location variable.
pub(crate) const LOCATION: &str = "loc";
/// The name of its next value.
pub(crate) const LOCATION_NEXT: &str = "loc'";

/// A location of a program: an index into [`LinearProgram::places`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Location(pub u32);

impl Location {
    /// The position in the list of places.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A location and where its predicate's arguments are kept.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The name of the predicate, or `entry`.
    pub(crate) name: String,
    /// The predicate; `None` for the entry.
    pub(crate) pred: Option<Pred>,
    /// For each argument, the state variable (by index) or rigid parameter that holds it.
    pub(crate) args: Vec<Slot>,
}

/// What holds an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Slot {
    /// The state variable of this index in [`LinearProgram::vars`].
    State(usize),
    /// A rigid parameter.
    Rigid(Term),
}

/// A fact that describes initial states.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    /// The fact.
    pub(crate) clause: ClauseId,
    /// Where it leads.
    pub(crate) at: Location,
    /// The states it derives, over state variables (dead ones included) and parameters.
    pub(crate) states: Term,
    /// The clause's variables in terms of the program's symbols.
    pub(crate) values: Vec<(Term, Term)>,
}

/// A clause from location to location.
#[derive(Clone, Debug)]
pub(crate) struct ProgramRule {
    /// The clause.
    pub(crate) clause: ClauseId,
    /// Where it starts.
    pub(crate) from: Location,
    /// Where it ends.
    pub(crate) to: Location,
    /// Its steps over current and next state, inputs and parameters; no location symbol.
    pub(crate) relation: Term,
    /// Its own inputs.
    pub(crate) inputs: Vec<Term>,
    /// The clause's variables in terms of the program's symbols.
    pub(crate) values: Vec<(Term, Term)>,
}

/// A query.
#[derive(Clone, Debug)]
pub(crate) struct Goal {
    /// The clause.
    pub(crate) clause: ClauseId,
    /// Where it is asked.
    pub(crate) at: Location,
    /// When it is violated, over the state variables and parameters.
    pub(crate) guard: Term,
    /// Its own rigid parameters.
    pub(crate) params: Vec<Term>,
    /// The clause's variables in terms of the program's symbols.
    pub(crate) values: Vec<(Term, Term)>,
}

/// A control-flow automaton.
#[derive(Clone, Debug)]
pub(crate) struct LinearProgram {
    /// The state variables, without the location.
    pub(crate) vars: Vec<StateVar>,
    /// The default value of each state variable where it is dead.
    pub(crate) defaults: Vec<Term>,
    /// All rigid parameters: frozen arguments, then defaults, then those of the goals.
    pub(crate) params: Vec<Term>,
    /// The locations; predicates in their order, then the entry if there is one.
    pub(crate) places: Vec<Place>,
    /// The facts that describe initial states.
    pub(crate) starts: Vec<Start>,
    /// The rules.
    pub(crate) rules: Vec<ProgramRule>,
    /// The queries.
    pub(crate) goals: Vec<Goal>,
}

impl LinearProgram {
    /// The program of a linear system.
    pub(crate) fn new(system: &ChcSystem, cx: &Cx<'_>) -> Result<LinearProgram, Halt> {
        if !system.is_linear() {
            return Err(Halt::Unsupported(Unsupported("non-linear clauses".into())));
        }
        let mut builder = Builder::new(system, cx.terms);
        for id in system.clause_ids() {
            cx.budget.check()?;
            builder.add(id);
        }
        Ok(builder.program)
    }

    /// The entry location, if there is one.
    pub(crate) fn entry(&self) -> Option<Location> {
        self.locations()
            .find(|l| self.places[l.index()].pred.is_none())
    }

    /// The location of a predicate.
    pub(crate) fn location(&self, pred: Pred) -> Location {
        Location(pred.0)
    }

    /// All locations in order.
    pub(crate) fn locations(&self) -> impl Iterator<Item = Location> + use<> {
        (0..u32::try_from(self.places.len()).expect("invariant: fewer than 2^32 places"))
            .map(Location)
    }

    /// The current symbol that holds an argument.
    pub(crate) fn current(&self, slot: Slot) -> Term {
        match slot {
            Slot::State(i) => self.vars[i].cur,
            Slot::Rigid(param) => param,
        }
    }

    /// The state variables that are no argument at a location.
    pub(crate) fn dead(&self, at: Location) -> Vec<usize> {
        let args = &self.places[at.index()].args;
        (0..self.vars.len())
            .filter(|&i| !args.contains(&Slot::State(i)))
            .collect()
    }
}

/// Makes symbols with names of their own.
pub(crate) struct Symbols(BTreeSet<String>);

impl Symbols {
    /// No symbols yet; the names of the location variable are taken.
    fn new() -> Symbols {
        Symbols([LOCATION, LOCATION_NEXT].map(String::from).into())
    }

    /// A symbol named after `like`.
    pub(crate) fn make(&mut self, like: &str, sort: Sort, terms: &TermStore) -> Term {
        let name = unique_name(base_name(like), &mut self.0);
        terms.new_var(&name, sort)
    }

    /// A state variable named after `like`.
    pub(crate) fn state_var(&mut self, like: &str, sort: Sort, terms: &TermStore) -> StateVar {
        let cur = self.make(like, sort, terms);
        let next = self.make(&format!("{}'", terms.var_name(cur)), sort, terms);
        StateVar { cur, next }
    }
}

/// The variables of one clause in terms of the program's symbols.
#[derive(Default)]
pub(crate) struct Binding {
    pairs: TermMap<Term>,
    /// Arguments that are no variable of their own, with the symbol they are equal to.
    equal: Vec<(Term, Term)>,
    map: Substitution,
}

impl Binding {
    fn set(&mut self, var: Term, symbol: Term) {
        self.pairs.insert(var, symbol);
        self.map.insert(var, symbol);
    }

    /// Names an argument by a symbol if it is a variable not named yet; tells whether it did.
    fn names(&mut self, arg: Term, symbol: Term, terms: &TermStore) -> bool {
        let is_new = terms.as_var(arg).is_some() && !self.pairs.contains_key(&arg);
        if is_new {
            self.set(arg, symbol);
        }
        is_new
    }

    /// `symbol = arg`, by naming where that is possible.
    fn equate(&mut self, symbol: Term, arg: Term, terms: &TermStore) {
        if !self.names(arg, symbol, terms) {
            self.equal.push((symbol, arg));
        }
    }

    /// Names the remaining variables of the clause; returns the new symbols.
    pub(crate) fn bind_rest(
        &mut self,
        clause: &Clause,
        symbols: &mut Symbols,
        terms: &TermStore,
    ) -> Vec<Term> {
        let mut made = Vec::new();
        for &var in clause
            .vars
            .iter()
            .filter(|v| !self.pairs.contains_key(*v))
            .collect::<Vec<_>>()
        {
            let symbol = symbols.make(terms.var_name(var), terms.sort(var), terms);
            self.set(var, symbol);
            made.push(symbol);
        }
        made
    }

    /// The equations of arguments that are no variables of their own.
    pub(crate) fn equations(&mut self, terms: &TermStore) -> Vec<Term> {
        let equal = self.equal.clone();
        equal
            .into_iter()
            .map(|(symbol, arg)| terms.eq(symbol, self.apply(terms, arg)))
            .collect()
    }

    /// A term of the clause over the program's symbols.
    pub(crate) fn apply(&mut self, terms: &TermStore, term: Term) -> Term {
        self.map.apply(terms, term)
    }

    fn into_values(self) -> Vec<(Term, Term)> {
        self.pairs.into_iter().collect()
    }
}

/// Makes a program clause by clause.
struct Builder<'a> {
    system: &'a ChcSystem,
    terms: &'a TermStore,
    symbols: Symbols,
    program: LinearProgram,
}

impl<'a> Builder<'a> {
    fn new(system: &'a ChcSystem, terms: &'a TermStore) -> Builder<'a> {
        let alignment = Alignment::new(system, terms);
        let frozen = frozen_classes(system, &alignment);
        let mut symbols = Symbols::new();
        let (mut vars, mut params, mut slots) = (Vec::new(), Vec::new(), Vec::new());
        for (class, &frozen) in alignment.classes.iter().zip(&frozen) {
            slots.push(if frozen {
                params.push(symbols.make(&class.name, class.sort, terms));
                Slot::Rigid(params[params.len() - 1])
            } else {
                vars.push(symbols.state_var(&class.name, class.sort, terms));
                Slot::State(vars.len() - 1)
            });
        }
        let place = |pred: Pred| Place {
            name: system.name(terms, pred).to_string(),
            pred: Some(pred),
            args: (0..system.pred(pred).params.len())
                .map(|k| slots[alignment.class(pred, k)])
                .collect(),
        };
        let mut places: Vec<Place> = system.pred_ids().map(place).collect();
        if system
            .clauses
            .iter()
            .any(|c| c.is_fact() && !is_start(c, terms))
            || places.is_empty()
        {
            places.push(Place {
                name: "entry".into(),
                pred: None,
                args: Vec::new(),
            });
        }
        let defaults = default_values(&vars, &mut params, &mut symbols, terms);
        let program = LinearProgram {
            vars,
            defaults,
            params,
            places,
            starts: Vec::new(),
            rules: Vec::new(),
            goals: Vec::new(),
        };
        Builder {
            system,
            terms,
            symbols,
            program,
        }
    }

    fn add(&mut self, id: ClauseId) {
        let clause = self.system.clause(id);
        match (clause.body.first(), &clause.head) {
            (None, Some(head)) if is_start(clause, self.terms) => self.add_start(id, head),
            (body, Some(head)) => self.add_rule(id, body, head),
            (body, None) => self.add_goal(id, body),
        }
    }

    fn add_start(&mut self, id: ClauseId, head: &Atom) {
        let (clause, terms) = (self.system.clause(id), self.terms);
        let mut binding = Binding::default();
        self.bind_atom(head, &mut binding);
        let mut conjuncts = binding.equations(terms);
        conjuncts.push(binding.apply(terms, clause.constraint));
        let at = self.program.location(head.pred);
        for i in self.program.dead(at) {
            conjuncts.push(terms.eq(self.program.vars[i].cur, self.program.defaults[i]));
        }
        let values = binding.into_values();
        self.program.starts.push(Start {
            clause: id,
            at,
            states: terms.and(conjuncts),
            values,
        });
    }

    fn add_rule(&mut self, id: ClauseId, body: Option<&Atom>, head: &Atom) {
        let (clause, terms) = (self.system.clause(id), self.terms);
        let mut binding = Binding::default();
        match body {
            Some(atom) => self.bind_atom(atom, &mut binding),
            None => self.bind_rigid(head, &mut binding),
        }
        let to = self.program.location(head.pred);
        let mut computed = Vec::new();
        for (&slot, &arg) in self.program.places[to.index()].args.iter().zip(&head.args) {
            if let Slot::State(i) = slot
                && !binding.names(arg, self.program.vars[i].next, terms)
            {
                computed.push((self.program.vars[i].next, arg));
            }
        }
        let inputs = binding.bind_rest(clause, &mut self.symbols, terms);
        let mut conjuncts = vec![binding.apply(terms, clause.constraint)];
        conjuncts.extend(binding.equations(terms));
        conjuncts.extend(
            computed
                .into_iter()
                .map(|(next, arg)| terms.eq(next, binding.apply(terms, arg))),
        );
        for i in self.program.dead(to) {
            conjuncts.push(terms.eq(self.program.vars[i].next, self.program.defaults[i]));
        }
        let from = self.origin(body);
        let relation = terms.and(conjuncts);
        let values = binding.into_values();
        self.program.rules.push(ProgramRule {
            clause: id,
            from,
            to,
            relation,
            inputs,
            values,
        });
    }

    fn add_goal(&mut self, id: ClauseId, body: Option<&Atom>) {
        let clause = self.system.clause(id);
        let mut binding = Binding::default();
        if let Some(atom) = body {
            self.bind_atom(atom, &mut binding);
        }
        let goal = herbrandize(clause, &mut binding, &mut self.symbols, self.terms);
        self.program.params.extend(&goal.params);
        let at = self.origin(body);
        let values = binding.into_values();
        self.program.goals.push(Goal {
            clause: id,
            at,
            guard: goal.guard,
            params: goal.params,
            values,
        });
    }

    fn origin(&self, body: Option<&Atom>) -> Location {
        let entry = || {
            self.program
                .entry()
                .expect("invariant: who needs an entry has one")
        };
        body.map_or_else(entry, |atom| self.program.location(atom.pred))
    }

    /// Names the arguments of an atom by the symbols that hold them.
    fn bind_atom(&self, atom: &Atom, binding: &mut Binding) {
        let slots = &self.program.places[self.program.location(atom.pred).index()].args;
        for (&slot, &arg) in slots.iter().zip(&atom.args) {
            binding.equate(self.program.current(slot), arg, self.terms);
        }
    }

    /// Names the rigid arguments only.
    fn bind_rigid(&self, atom: &Atom, binding: &mut Binding) {
        let slots = &self.program.places[self.program.location(atom.pred).index()].args;
        for (&slot, &arg) in slots.iter().zip(&atom.args) {
            if let Slot::Rigid(param) = slot {
                binding.equate(param, arg, self.terms);
            }
        }
    }
}

/// Whether a fact describes states without further variables: each variable is an argument.
fn is_start(fact: &Clause, terms: &TermStore) -> bool {
    let Some(head) = &fact.head else { return false };
    debug_assert!(fact.vars.iter().all(|&v| terms.as_var(v).is_some()));
    fact.vars.iter().all(|v| head.args.contains(v))
}

/// A default for every state variable; sorts without constants get a rigid parameter each.
fn default_values(
    vars: &[StateVar],
    params: &mut Vec<Term>,
    symbols: &mut Symbols,
    terms: &TermStore,
) -> Vec<Term> {
    let mut made: Vec<(Sort, Term)> = Vec::new();
    let mut default = |sort: Sort| {
        if let Some(constant) = terms.value_term(&terms.default_value(sort), sort) {
            return constant;
        }
        if let Some(&(_, param)) = made.iter().find(|(s, _)| *s == sort) {
            return param;
        }
        let param = symbols.make("default", sort, terms);
        made.push((sort, param));
        params.push(param);
        param
    };
    vars.iter().map(|v| default(terms.sort(v.cur))).collect()
}
