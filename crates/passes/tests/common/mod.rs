//! Contexts and the ladder for the tests.

#![allow(dead_code)]

use foretell_certify::{
    CertifyOptions, CheckReport, OriginalClauses, check_proof, replay_derivation,
};
use foretell_engines::ic3ia::Ic3ia;
use foretell_engines::{Bmc, BmcOptions, Unfold, UnfoldOptions};
use foretell_frontends::{Format, Problem};
use foretell_kernel::{Alone, Budget, Cx, Engine, Halt, NullSink, Rng, Verdict};
use foretell_passes::{PassOptions, Reduced, simplify, to_transition_system};
use foretell_solver::Z3Oracles;
use foretell_systems::{ChcProof, ChcSystem, Derivation};
use foretell_terms::TermStore;

/// Runs something in a context over given terms whose scripts are read by the pinned Z3.
pub(crate) fn with_budget<T>(
    terms: &TermStore,
    budget: &Budget,
    run: impl FnOnce(&Cx<'_>) -> T,
) -> T {
    let oracles = Z3Oracles::new(std::env::var_os("FORETELL_Z3").map(Into::into));
    let rng = Rng::new(0);
    run(&Cx {
        terms,
        events: &NullSink,
        budget,
        oracles: &oracles,
        rng: &rng,
    })
}

/// Reads a clause system.
pub(crate) fn read(text: &str, terms: &TermStore) -> Option<ChcSystem> {
    let format = foretell_frontends::detect(text);
    match foretell_frontends::read_as(format, text, terms)
        .ok()?
        .problem
    {
        Problem::Chc(system) if format == Format::Horn || format == Format::Z3Rules => Some(system),
        _ => None,
    }
}

/// What the engines below the passes found, carried back to the top.
#[derive(Debug)]
pub(crate) enum Lifted {
    /// A proof.
    Safe(ChcProof),
    /// A derivation.
    Unsafe(Derivation),
    /// Nothing.
    Unknown,
}

/// Looks for a derivation and then for a proof, below all passes.
pub(crate) fn solve(
    system: &ChcSystem,
    options: &PassOptions,
    bound: u32,
    cx: &Cx<'_>,
) -> Result<Lifted, Halt> {
    let reduced = simplify(system, options, cx)?;
    reduced
        .problem
        .validate(cx.terms)
        .expect("passes keep the invariants of systems");
    if !reduced.problem.is_linear() {
        let mut unfold = Unfold::new(UnfoldOptions {
            max_height: bound,
            ..UnfoldOptions::default()
        });
        let verdict = unfold.check(&reduced.problem, &Alone, cx);
        return lift(&reduced, verdict?, cx);
    }
    let below = to_transition_system(reduced, options, cx)?;
    below
        .problem
        .validate(cx.terms)
        .expect("the translation keeps the invariants of systems");
    let mut bmc = Bmc::new(BmcOptions {
        max_bound: bound,
        ..BmcOptions::default()
    });
    match bmc.check(&below.problem, &Alone, cx)? {
        Verdict::Unknown(_) => lift(
            &below,
            Ic3ia::default().check(&below.problem, &Alone, cx)?,
            cx,
        ),
        verdict => lift(&below, verdict, cx),
    }
}

fn lift<P>(below: &Reduced<ChcSystem, P>, verdict: Verdict<P>, cx: &Cx<'_>) -> Result<Lifted, Halt>
where
    P: foretell_kernel::Problem,
{
    Ok(match verdict {
        Verdict::Safe(proof) => Lifted::Safe(below.lift.proof(proof, cx)?),
        Verdict::Unsafe(cex) => Lifted::Unsafe(below.lift.cex(cex, cx)?),
        Verdict::Unknown(_) => Lifted::Unknown,
    })
}

/// Checks a lifted witness on the original text; `None` when there is none.
pub(crate) fn certify(
    text: &str,
    system: &ChcSystem,
    lifted: &Lifted,
    cx: &Cx<'_>,
) -> Option<CheckReport> {
    match lifted {
        Lifted::Safe(proof) => {
            let original = OriginalClauses::new(text, system);
            Some(check_proof(&original, proof, &CertifyOptions::default(), cx).report)
        }
        Lifted::Unsafe(derivation) => Some(replay_derivation(cx.terms, system, derivation)),
        Lifted::Unknown => None,
    }
}
