//! The interpolator: filter, refute, extract, check, and fall back.
//!
//! ```text
//! groups -> core (oracle) -> refutation (ours) -> interpolants -> check (oracle)
//!                               | gave up, or check failed
//!                               v
//!                            fallback: lemmas on demand, cut by cut -> check (oracle)
//! ```
//! Nothing leaves unchecked; what cannot be checked is `Unknown`.

use crate::border::symbols::Vocabulary;
use crate::data::locality::Shape;
use crate::finish::cubes::Fallback;
use crate::finish::filter::{self, Core};
use crate::finish::polish::{self, Constants};
use crate::finish::verify::{Check, Claim};
use crate::finish::words;
use crate::options::InterpolateOptions;
use crate::query::{self, Found, Session, Settings};
use crate::reuse::Lemmas;
use crate::world::Labelling;
use foretell_kernel::{
    Cx, Halt, Interpolation, Interpolator, PartTree, Phase, Reason, SolverConfig, Strength,
    Unsupported, Work,
};
use foretell_terms::{Term, TermStore};
/// Counters over the life of an interpolator.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Stats {
    /// Queries.
    pub queries: u64,
    /// Answers read off a proof.
    pub proofs: u64,
    /// Answers of the fallback.
    pub fallbacks: u64,
    /// Answers that failed their check and were not returned.
    pub rejected: u64,
    /// Queries without an answer although the groups are unsatisfiable together.
    pub failures: u64,
    /// Conflicts of the searches for a proof.
    pub conflicts: u64,
    /// Instances of theory lemmas of earlier queries that were given to a search.
    pub recalled: u64,
    /// Those among them that the proof found uses.
    pub useful: u64,
}

/// An interpolator with a proof-producing solver of its own.
///
/// Sequence and tree interpolants over equality with uninterpreted functions, linear arithmetic
/// over integers and reals, their combination, bit-vectors by bits, and arrays where no quantifier
/// is needed; operators beyond are treated as uninterpreted functions. Every answer is checked by a
/// solver of `cx.oracles` before it is returned.
#[derive(Clone, Debug, Default)]
pub struct Itp {
    options: InterpolateOptions,
    strength: Strength,
    stats: Stats,
    lemmas: Lemmas,
}

impl Itp {
    /// An interpolator of this strength.
    pub fn new(strength: Strength, options: InterpolateOptions) -> Itp {
        Itp {
            options,
            strength,
            stats: Stats::default(),
            lemmas: Lemmas::new(),
        }
    }

    /// The same interpolator with a store of theory lemmas that others may share.
    #[must_use]
    pub fn with_lemmas(mut self, lemmas: &Lemmas) -> Itp {
        self.lemmas = lemmas.clone();
        self
    }

    /// The counters so far.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    fn vocabulary(&self) -> Vocabulary {
        if self.options.rigid_functions {
            Vocabulary::RigidFunctions
        } else {
            Vocabulary::Strict
        }
    }

    fn solver_config(&self) -> SolverConfig {
        SolverConfig::new("interpolate").with_limit(Work::of_millis(self.options.query_ms))
    }

    fn settings(&self, labelling: Labelling) -> Settings {
        let mut s = Settings::new(labelling);
        s.vocabulary = self.vocabulary();
        s.limits.conflicts = self.options.conflicts;
        s.limits.rounds = self.options.rounds;
        s.limits.ints.cuts = self.options.cuts;
        s.limits.ints.depth = self.options.depth;
        s.lemmas = self.options.lemmas as usize;
        s
    }

    fn session(&self, labelling: Labelling) -> Session {
        Session::new(self.settings(labelling), self.lemmas.clone())
    }

    fn count(&mut self, session: &Session) {
        let effort = session.effort.get();
        self.stats.conflicts += effort.conflicts;
        self.stats.recalled += effort.recalled;
        self.stats.useful += effort.useful;
    }

    fn solve(&mut self, parts: &[Term], shape: &Shape, cx: &Cx<'_>) -> Result<Interpolation, Halt> {
        self.stats.queries += 1;
        if let Some(feature) = parts.iter().find_map(|p| unsupported(cx.terms, *p)) {
            return Ok(refuse(feature));
        }
        let groups: Vec<Vec<Term>> = parts.iter().map(|p| cx.terms.conjuncts(*p)).collect();
        let mut config = self.solver_config();
        config.minimal_cores = self.options.minimal_cores;
        let groups = match filter::core(&groups, &config, cx)? {
            Core::Sat(Some(model)) => return Ok(Interpolation::Satisfiable(model)),
            Core::Sat(None) => {
                let words = "satisfiable, without a model".to_string();
                return Ok(Interpolation::Unknown(Reason::SolverUnknown(words)));
            }
            Core::Unsat(groups) => groups,
            Core::Unknown => groups,
        };
        let found = if self.options.fallback_only {
            Found::Limit
        } else {
            self.attempt(&groups, shape, cx)?
        };
        let why = match found {
            Found::Interpolants(itps) => match self.accept(parts, shape, itps, cx)? {
                Ok(itps) => {
                    self.stats.proofs += 1;
                    return Ok(Interpolation::Interpolants(itps));
                }
                Err(why) => why,
            },
            Found::Saturated => Reason::Exhausted("the refuter found no rule to apply".into()),
            Found::Limit => Reason::Exhausted("the refuter reached its limits".into()),
            Found::Stopped => Reason::Stopped(foretell_kernel::StopReason::Time),
            Found::Unsupported(feature) => return Ok(refuse(feature)),
        };
        cx.budget.check()?;
        if let Some(itps) = self.fall_back(&groups, shape, cx)?
            && let Ok(itps) = self.accept(parts, shape, itps, cx)?
        {
            self.stats.fallbacks += 1;
            return Ok(Interpolation::Interpolants(itps));
        }
        self.stats.failures += 1;
        Ok(Interpolation::Unknown(why))
    }

    /// Refutes the groups, in the order and with the labelling of the strength.
    fn attempt(&mut self, groups: &[Vec<Term>], shape: &Shape, cx: &Cx<'_>) -> Result<Found, Halt> {
        let slice = cx.budget.slice(Work::of_millis(self.options.attempt_ms));
        let mut stop = || slice.check().is_err();
        // The dual system lacks the tree property; on a path it is the reversed order, negated.
        let dual = self.strength == Strength::Weak && shape.is_sequence();
        let symmetric = self.strength == Strength::Symmetric;
        let session = self.session(if symmetric {
            Labelling::Symmetric
        } else {
            Labelling::McMillan
        });
        let found = if dual {
            let reversed: Vec<Vec<Term>> = groups.iter().rev().cloned().collect();
            match query::run(cx.terms, &reversed, shape, &session, &mut stop) {
                Found::Interpolants(itps) => {
                    Found::Interpolants(itps.into_iter().rev().map(|i| cx.terms.not(i)).collect())
                }
                other => other,
            }
        } else {
            query::run(cx.terms, groups, shape, &session, &mut stop)
        };
        self.count(&session);
        if found == Found::Stopped {
            cx.budget.check()?;
        }
        Ok(found)
    }

    /// Lemmas on demand over the groups of the core.
    fn fall_back(
        &mut self,
        groups: &[Vec<Term>],
        shape: &Shape,
        cx: &Cx<'_>,
    ) -> Result<Option<Vec<Term>>, Halt> {
        let parts: Vec<Term> = groups
            .iter()
            .map(|g| cx.terms.and(g.iter().copied()))
            .collect();
        let session = self.session(Labelling::McMillan);
        let (config, cubes) = (self.solver_config(), self.options.fallback as usize);
        let answer = Fallback {
            parts: &parts,
            shape,
            session: &session,
            config,
            cubes,
        }
        .run(cx);
        self.count(&session);
        answer
    }

    /// Checks an answer against the original groups, and polishes it.
    fn accept(
        &mut self,
        parts: &[Term],
        shape: &Shape,
        mut itps: Vec<Term>,
        cx: &Cx<'_>,
    ) -> Result<Result<Vec<Term>, Reason>, Halt> {
        let claim = Claim {
            parts,
            shape,
            itps: &itps,
            vocabulary: self.vocabulary(),
        };
        match claim.check(&self.solver_config(), cx)? {
            Check::Valid => {
                let queries = self.options.polish as usize * itps.len();
                let constants = if self.options.settle {
                    Constants::Settled
                } else {
                    Constants::Kept
                };
                // A halt ends the polishing, not the answer.
                if self.options.words
                    && let Err(halt) = words::lift(parts, shape, &mut itps, cx)
                {
                    return if matches!(halt, Halt::Stopped(_)) {
                        Ok(Ok(itps))
                    } else {
                        Err(halt)
                    };
                }
                match polish::polish(parts, shape, &mut itps, queries, constants, cx) {
                    Ok(()) | Err(Halt::Stopped(_)) => Ok(Ok(itps)),
                    Err(halt) => Err(halt),
                }
            }
            Check::Invalid(node) => {
                self.stats.rejected += 1;
                Ok(Err(Reason::Certificate(format!(
                    "interpolant fails at {node}"
                ))))
            }
            Check::Unknown(words) => Ok(Err(Reason::SolverUnknown(words))),
        }
    }
}

fn refuse(feature: &str) -> Interpolation {
    Interpolation::Unknown(Reason::Unsupported(Unsupported(feature.to_string())))
}

/// A feature that no part of this crate handles.
fn unsupported(store: &TermStore, part: Term) -> Option<&'static str> {
    store.has_quantifier(part).then_some("quantifier")
}

impl Interpolator for Itp {
    fn sequence(&mut self, parts: &[Term], cx: &Cx<'_>) -> Result<Interpolation, Halt> {
        if parts.is_empty() {
            return Ok(refuse("no part to interpolate"));
        }
        cx.during(Phase::Interpolate, || {
            self.solve(parts, &Shape::sequence(parts.len()), cx)
        })
    }

    fn tree(&mut self, tree: &PartTree, cx: &Cx<'_>) -> Result<Interpolation, Halt> {
        let n = tree.parts.len();
        let fits = |(i, p): (usize, &Option<usize>)| match p {
            Some(p) => *p > i && *p < n && i + 1 < n,
            None => i + 1 == n,
        };
        if n == 0 || tree.parents.len() != n || !tree.parents.iter().enumerate().all(fits) {
            return Ok(refuse(
                "a tree that is not in post-order with the root last",
            ));
        }
        cx.during(Phase::Interpolate, || {
            self.solve(&tree.parts, &Shape::tree(tree.parents.clone()), cx)
        })
    }
}
