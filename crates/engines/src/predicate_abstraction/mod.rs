//! Predicate abstraction of backward reachability, refined for quantified array assertions.
//!
//! Paper: Seghir, Podelski, Wies, "Abstraction refinement for quantified array assertions", SAS 2009.
//! The variables of a query (`z` in `… ∧ a[z] ≠ 0 ⇒ false`) are **ghosts**: they never change. The
//! engine computes a backward invariant ψ, a set of states and ghosts that contains all bad ones, is
//! closed under `pre` and meets no initial state:
//!
//! ```text
//! unsafe ≤ ψ        pre(ψ) ≤ ψ        ψ ≤ nonInit
//!
//! check(S)                                                            // fn check
//!   P ← extract0(unsafe), by location
//!   loop
//!     ψ ← lfp(pre#_P, unsafe)                                         // reach.rs
//!       pre#(s) = ⋁ over the cases c of pre(s): ⋀ { p ∈ P | c ⇒ p }   // cases.rs, cartesian.rs
//!     ψ meets no initial state:  return Safe(F_l = ∀ ghosts. ¬ψ_l)
//!     a path from an initial state through ψ to the query             // path.rs
//!       it is real: return Unsafe
//!       else P ← P ∪ extract1(pre of its feasible suffixes)           // extract.rs
//! extract1 = extract0 ∘ saturate
//!   saturate(φ) = φ ∧ { s < t, s > t | s ≠ t in a disjunction of disequalities entailed by φ }
//! ```
//!
//! The practical optimisations of the paper's section 6 are all here: disjunctions up to a fixed
//! length (`disjunction`), only pairs of index terms of the same array, shorter disjunctions first and
//! no longer one that contains an entailed one.
//!
//! Deviations. (1) Predicates belong to locations, and paths, not whole iterates, are refined, as the
//! paper's own tool does; after a refinement the states at locations with new predicates and those
//! found from them are computed again, the others stay (`reuse`, lazy abstraction). (2) A case of `pre(s)` is also covered by a state of ψ whose ghosts are
//! other index terms: ghosts are existentially quantified at each location, so `c ⇒ s[k := i]` is as
//! good as `c ⇒ s`. Without it selection sort needs facts about unboundedly many cells: its error
//! states for a fixed `k` include those where a later cell will be swapped into `k`. (3) Scalar facts
//! that hold in all reachable states (`crate::houdini`) are assumed throughout and become part
//! of the certificate (`facts`). (4) States are widened by samples of reachable states (`samples`,
//! samples.rs); a widening that a spurious path went through is not made again. (5) A path whose
//! prefix became covered meanwhile is cut, not refined (`cuts`). (6) Predicates are first taken from the
//! conjuncts that refute the path (`core_first`); before that, a concrete run along the path shows where
//! the abstraction of a case holds in a reachable state and the case does not, and the atoms that tell
//! them apart are added (`learn`, cartesian.rs). (7) Equations of a ghost with another term are split
//! wherever an atom comes from (`split_equations`). Without these options and without saturation
//! (`disjunction=0`) array initialisation diverges, as the paper says.
//!
//! Limits: linear clauses only; a variable that a rule reads from nowhere is never part of a
//! predicate; index terms are compared over integers and bit-vectors.

mod cartesian;
mod cases;
mod extract;
mod path;
mod reach;
mod samples;
#[cfg(test)]
mod tests;

use foretell_formulas::arrays::is_array;
use foretell_formulas::{Quantifier, close_as};
use foretell_kernel::{Alone, Cx, Engine, Event, Halt, Peers, Reason, Unsupported, Verdict, Work};
use foretell_systems::{ChcProof, ChcSystem};
use foretell_terms::{Term, TermSet};

use crate::houdini::scalar_facts;
use crate::program::Program;
use crate::unfold::{Unfold, UnfoldOptions};
use cartesian::{Cartesian, Growth, Learnt};
use extract::{Extraction, Part};
use path::Path;
use reach::{Kept, Leaf, Reach, State, Statement};

foretell_kernel::options! {
    /// Options of predicate abstraction.
    pub struct PredicateAbstractionOptions("predicate_abstraction") {
        /// Whether clauses without an array are refused.
        arrays_only: bool = false;
        /// The longest disjunction of index disequalities that is looked for.
        disjunction: usize = 2, 0..=8;
        /// The most queries one saturation may take.
        saturation_queries: usize = 300, 0..=1_000_000;
        /// Whether scalar facts about all reachable states are found first.
        facts: bool = true;
        /// Whether a state may be covered at other index terms than its ghosts.
        instantiate: bool = true;
        /// Whether states are made weaker as long as they exclude samples of reachable states.
        samples: bool = true;
        /// Whether a path whose beginning other states cover by now is cut instead of refined.
        cuts: bool = true;
        /// Whether a run along a path shows which atoms tell a case from its abstraction.
        learn: bool = true;
        /// Whether equations of ghosts are split into `<` and `>` wherever they come from, not only
        /// where a disequality is entailed.
        split_equations: bool = true;
        /// Whether predicates are first taken from the conjuncts that refute a path.
        core_first: bool = true;
        /// Whether states that do not depend on locations with new predicates are kept.
        reuse: bool = false;
        /// The most predicates per location.
        max_predicates: usize = 400, 0..=100_000;
        /// Milliseconds one query may take.
        query_ms: u64 = 2000, 0..=3_600_000;
    }
}

/// The engine.
#[derive(Default)]
pub struct PredicateAbstraction {
    options: PredicateAbstractionOptions,
}

impl PredicateAbstraction {
    /// The engine with these options.
    pub fn new(options: PredicateAbstractionOptions) -> PredicateAbstraction {
        PredicateAbstraction { options }
    }
}

/// The most scalar facts that are tried per predicate.
const MOST_FACTS: usize = 1500;

/// What every part of the engine reads.
struct Setting<'s> {
    program: &'s Program<'s>,
    statements: Vec<Statement>,
    /// The variables of the queries.
    ghosts: TermSet,
    /// A formula that holds in all reachable states, by predicate.
    facts: Vec<Term>,
    options: &'s PredicateAbstractionOptions,
}

impl Engine<ChcSystem> for PredicateAbstraction {
    fn name(&self) -> &'static str {
        "predicate_abstraction"
    }

    fn accepts(&self, system: &ChcSystem, cx: &Cx<'_>) -> Result<(), Unsupported> {
        let mut params = system.preds.iter().flat_map(|p| &p.params);
        if self.options.arrays_only && !params.any(|&p| is_array(cx.terms, p)) {
            return Err(Unsupported("clauses without arrays".into()));
        }
        if system.is_linear() {
            Ok(())
        } else {
            Err(Unsupported("non-linear clauses".into()))
        }
    }

    fn check(
        &mut self,
        system: &ChcSystem,
        _peers: &dyn Peers<ChcSystem>,
        cx: &Cx<'_>,
    ) -> Result<Verdict<ChcSystem>, Halt> {
        if let Some(verdict) = bare_queries(system, cx)? {
            return Ok(verdict);
        }
        let program = Program::new(system, cx.terms);
        let setting = self.setting(&program, cx)?;
        let limit = Work::of_millis(self.options.query_ms);
        let mut domain = Cartesian::new(&setting, limit, cx)?;
        for statement in setting.statements.iter().filter(|s| s.to.is_none()) {
            if let Some(from) = statement.from {
                domain.extend(
                    &setting,
                    from,
                    extract::extract0(&setting, from, &[statement.guard], cx),
                    cx,
                )?;
            }
        }
        let mut reach = Reach::new(&setting);
        loop {
            cx.budget.check()?;
            let Some(leaf) = reach.fixpoint(&mut domain, cx)? else {
                return Ok(Verdict::Safe(setting.proof(reach.live(), cx)));
            };
            match self.round(&setting, &reach, &leaf, &mut domain, cx)? {
                Round::Again(from) => reach.again(from, domain.take_grown()),
                Round::Decided(verdict) => return Ok(verdict),
            }
        }
    }
}

/// What a path to an initial state led to.
enum Round {
    /// The fixpoint is computed again.
    Again(Kept),
    Decided(Verdict<ChcSystem>),
}

impl PredicateAbstraction {
    /// Looks at a path to an initial state.
    fn round(
        &self,
        setting: &Setting<'_>,
        reach: &Reach<'_>,
        leaf: &Leaf,
        domain: &mut Cartesian,
        cx: &Cx<'_>,
    ) -> Result<Round, Halt> {
        let way = reach.way(leaf.state);
        let mut learnt = Learnt::Nothing;
        if self.options.learn {
            let (formulas, values) = reach.start(leaf, cx);
            learnt = domain.learn(setting, (&formulas, &values), &way, cx)?;
        }
        if learnt == Learnt::Widening {
            return Ok(Round::Again(Kept::Nothing));
        }
        let full = way
            .iter()
            .filter(|s| s.full != s.literals)
            .map(|s| (s.pred, s.full.clone()));
        let widened = domain.keep_exact(full.collect());
        let path = Path::new(setting, leaf.fact, &reach.path(leaf.state), cx);
        match self.refine(setting, &path, learnt, domain, cx)? {
            Refined::New => cx.events.emit(Event::Refined),
            Refined::Stuck(_) if learnt == Learnt::Predicates => cx.events.emit(Event::Refined),
            Refined::Stuck(_) if widened == Growth::Some => {}
            Refined::Real(verdict) | Refined::Stuck(verdict) => {
                return Ok(Round::Decided(verdict));
            }
        }
        Ok(Round::Again(
            if self.options.reuse && widened == Growth::None {
                Kept::OtherLocations
            } else {
                Kept::Nothing
            },
        ))
    }
}

/// The verdict, where a query without body atoms decides it: such a query has no state to go back from.
fn bare_queries(system: &ChcSystem, cx: &Cx<'_>) -> Result<Option<Verdict<ChcSystem>>, Halt> {
    if !system.clauses.iter().any(|c| c.is_query() && c.is_fact()) {
        return Ok(None);
    }
    let options = UnfoldOptions {
        max_height: 1,
        patience: 1,
        ..UnfoldOptions::default()
    };
    match Unfold::new(options).check(system, &Alone, cx)? {
        Verdict::Unknown(Reason::BoundReached(_) | Reason::Exhausted(_)) => Ok(None),
        decided => Ok(Some(decided)),
    }
}

/// What became of a path.
enum Refined {
    /// There are new predicates.
    New,
    /// It is a counterexample.
    Real(Verdict<ChcSystem>),
    /// It is neither refuted by new predicates nor real.
    Stuck(Verdict<ChcSystem>),
}

impl PredicateAbstraction {
    fn setting<'s>(&'s self, program: &'s Program<'s>, cx: &Cx<'_>) -> Result<Setting<'s>, Halt> {
        let limit = Work::of_millis(self.options.query_ms);
        let facts = if self.options.facts {
            scalar_facts(program, MOST_FACTS, limit, cx)?
        } else {
            vec![cx.terms.tt(); program.system.preds.len()]
        };
        let ghosts = program
            .queries()
            .flat_map(|q| q.locals.iter().copied())
            .collect();
        let statements = reach::statements(program, cx.terms);
        Ok(Setting {
            program,
            statements,
            ghosts,
            facts,
            options: &self.options,
        })
    }

    /// Refines along a path: shorter disjunctions first.
    fn refine(
        &self,
        setting: &Setting<'_>,
        path: &Path<'_>,
        learnt: Learnt,
        domain: &mut Cartesian,
        cx: &Cx<'_>,
    ) -> Result<Refined, Halt> {
        let suffixes = match path.feasible(domain.limit, cx)? {
            path::Feasibility::Real(derivation) => {
                return Ok(Refined::Real(Verdict::Unsafe(derivation)));
            }
            path::Feasibility::Undecided(words) => {
                return Ok(Refined::Stuck(Verdict::Unknown(Reason::SolverUnknown(
                    words,
                ))));
            }
            path::Feasibility::Spurious(suffixes) => suffixes,
        };
        let longest = self.options.disjunction;
        let single = longest.min(1);
        let plan = match learnt {
            Learnt::Predicates => vec![(Part::Nothing, single), (Part::Nothing, longest)],
            _ if !self.options.core_first => vec![(Part::Whole, single), (Part::Whole, longest)],
            _ => vec![
                (Part::Core, single),
                (Part::Core, longest),
                (Part::Whole, longest),
            ],
        };
        for (part, length) in plan {
            let extraction = Extraction {
                setting,
                length,
                limit: domain.limit,
            };
            let mut growth = Growth::None;
            for suffix in &suffixes {
                let new = extraction.extract1(suffix, part, cx)?;
                growth |= domain.extend(setting, suffix.pred, new, cx)?;
            }
            if growth == Growth::Some {
                return Ok(Refined::New);
            }
        }
        Ok(Refined::Stuck(Verdict::Unknown(Reason::NoNewPredicate)))
    }
}

impl Setting<'_> {
    /// `F_p = facts_p ∧ ∀ ghosts. ⋀ ¬state`.
    fn proof(&self, states: Vec<&State>, cx: &Cx<'_>) -> ChcProof {
        let terms = cx.terms;
        let mut ghosts: Vec<Term> = self.ghosts.iter().copied().collect();
        ghosts.sort_unstable();
        let close = |state: &State| {
            let body = terms.not(terms.and(state.literals.iter().copied()));
            close_as(terms, "k", Quantifier::Forall, &ghosts, body)
        };
        let formula = |p: foretell_systems::Pred| {
            let own = states.iter().filter(|s| s.pred == p).map(|s| close(s));
            terms.and([self.facts[p.index()]].into_iter().chain(own))
        };
        ChcProof {
            formulas: self.program.system.pred_ids().map(formula).collect(),
            witness: None,
        }
    }
}
