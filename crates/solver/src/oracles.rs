//! The oracles of this crate: Z3 for queries and for scripts, no interpolation.

use std::path::PathBuf;
use std::time::Duration;

use foretell_kernel::{
    Cx, Halt, Interpolation, Interpolator, Oracles, PartTree, Reason, ScriptAnswer, Solver,
    SolverConfig, Strength, Unsupported,
};
use foretell_terms::Term;

use crate::faulty::{FaultPlan, Faulty};
use crate::script::ScriptProcess;
use crate::z3::Z3Solver;

/// Z3 for everything it can do.
#[derive(Default)]
pub struct Z3Oracles {
    /// The process that reads scripts; without one, scripts cannot be run.
    pub scripts: Option<ScriptProcess>,
    /// Faults to inject.
    pub faults: Option<FaultPlan>,
    /// The seed of the solvers.
    pub seed: u32,
}

impl Z3Oracles {
    /// Oracles whose scripts are read by this Z3 executable.
    pub fn new(z3: Option<PathBuf>) -> Z3Oracles {
        Z3Oracles {
            scripts: z3.map(ScriptProcess::z3),
            ..Z3Oracles::default()
        }
    }
}

impl Oracles for Z3Oracles {
    fn solver(&self, config: &SolverConfig) -> Box<dyn Solver> {
        let mut config = config.clone();
        config.seed = config.seed.wrapping_add(self.seed);
        let z3 = Z3Solver::new(&config);
        match &self.faults {
            Some(plan) => Box::new(Faulty::new(z3, plan.clone())),
            None => Box::new(z3),
        }
    }

    fn interpolator(&self, _strength: Strength) -> Box<dyn Interpolator> {
        Box::new(NoInterpolator)
    }

    fn script(&self, script: &str, limit: Duration) -> Result<Vec<ScriptAnswer>, Halt> {
        match &self.scripts {
            Some(process) => process.run(script, limit),
            None => Err(Halt::Solver("no solver executable is configured".into())),
        }
    }

    fn horn(&self, text: &str, parameters: &[String], limit: Duration) -> Result<String, Halt> {
        match &self.scripts {
            Some(process) => process.output(parameters, text, limit),
            None => Err(Halt::Solver("no solver executable is configured".into())),
        }
    }
}

/// Answers that it cannot.
struct NoInterpolator;

impl Interpolator for NoInterpolator {
    fn sequence(&mut self, _parts: &[Term], _cx: &Cx<'_>) -> Result<Interpolation, Halt> {
        Ok(Interpolation::Unknown(Reason::Unsupported(Unsupported(
            "interpolation".into(),
        ))))
    }

    fn tree(&mut self, _tree: &PartTree, _cx: &Cx<'_>) -> Result<Interpolation, Halt> {
        Ok(Interpolation::Unknown(Reason::Unsupported(Unsupported(
            "interpolation".into(),
        ))))
    }
}
