//! Options of the engine.

use foretell_kernel::options;

options! {
    /// Options of lazy annotation.
    pub struct LazyAnnotationOptions("lazy_annotation") {
        /// The greatest height of derivations to look for.
        max_bound: u32 = u32::MAX, 0..=u32::MAX;
        /// How the rules are unwound: 0 by height, where a lemma holds at all lower heights too; 1 as a graph, whose nodes have annotations of their own and are covered by earlier ones (CAV 2014, section 2).
        unwinding: u32 = 0, 0..=1;
        /// What is decided of a rule that is resolved with (CAV 2014, section 4, decision space): 0 nothing, 1 literals that imply its constraint, 2 the truth of all its atoms.
        decisions: u32 = 1, 0..=2;
        /// Whether each rule has an interpolant of its own, and their disjunction is learnt (CAV 2014, figure 1), instead of one interpolant for the disjunction of the rules.
        per_rule: bool = false;
        /// Whether disjuncts of learnt clauses are dropped (CAV 2014, section 4, interpolant generalization).
        generalize: bool = true;
        /// Implicants of the prefix to sample when an interpolant is no set of short clauses (CAV 2014, section 4); 0 samples none.
        samples: u32 = 0, 0..=10_000;
        /// The most derivable states of a predicate that are kept and used again, instead of deriving the same calls anew; 0 keeps none.
        reached: u32 = 1_000, 0..=1_000_000;
        /// Whether subgoals and rules are chosen by their relevance (CAV 2014, section 4, resolution heuristic), instead of the last subgoal and the rule of the model.
        scores: bool = false;
        /// Whether a conflict takes back all steps that it does not depend on (CAV 2014, section 4, back-jumping).
        backjump: bool = true;
        /// Whether a conflict also takes back the goals before it that the annotation refutes by now, found by bisection; not where derivable states are kept and rules have several body atoms.
        sweep: bool = true;
        /// Milliseconds one query of that bisection may take; a goal it is not decided for stays.
        sweep_ms: u64 = 30, 0..=3_600_000;
        /// Whether a new lemma is raised at once as far as it holds.
        push: bool = true;
        /// Whether lemmas of a predicate are raised when the search comes back to it (CAV 2014, section 4, eager propagation).
        eager: bool = false;
        /// Whether all open facts of a goal are refuted together, by tree interpolants, where that is possible.
        tree: bool = false;
        /// Whether interpolants are weak rather than strong.
        weak: bool = false;
        /// Where conflicts are learnt from projected states: 0 where there is no interpolant, 1 also where it is no set of short clauses, 2 everywhere.
        states: u32 = 0, 0..=2;
        /// Whether conflicts over truth values and constants are learnt without interpolation.
        direct: bool = true;
        /// Whether the greatest inductive subset of the lemmas is looked for after each bound (CAV 2010).
        houdini: bool = true;
        /// Whether what others say is tried as lemmas, from the lowest level on.
        lemmas: bool = false;
        /// After how many new lemmas others are told of them while a bound is searched; 0 tells them after it only.
        tell_every: usize = 0, 0..=1_000_000;
        /// Projected states that a conflict may take before the search goes on with the goal before it.
        cubes: u32 = 1, 1..=10_000;
        /// Milliseconds one solver query may take before it counts as undecided.
        query_ms: u64 = 10_000, 0..=3_600_000;
        /// Milliseconds one interpolation may take before it counts as failed.
        interpolation_ms: u64 = 5_000, 0..=3_600_000;
    }
}

/// What is decided of a rule that is resolved with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Decisions {
    None,
    /// Literals that imply its constraint.
    Implicants,
    /// The truth of all its atoms.
    Minterms,
}

/// How the rules are unwound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unwinding {
    /// A lemma of a height holds at all lower ones.
    Height,
    /// Each predicate at each depth has an annotation of its own.
    Graph,
}

impl LazyAnnotationOptions {
    pub(super) fn unwound(&self) -> Unwinding {
        match self.unwinding {
            0 => Unwinding::Height,
            _ => Unwinding::Graph,
        }
    }

    pub(super) fn decided(&self) -> Decisions {
        match self.decisions {
            0 => Decisions::None,
            1 => Decisions::Implicants,
            _ => Decisions::Minterms,
        }
    }
}
