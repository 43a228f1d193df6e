//! The one set of oracles for tests: Z3 in process, our own interpolation, and scripts for a Z3 process
//! that is kept ([`Scripts`]).

use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use foretell_interpolate::{InterpolateOptions, Itp};
use foretell_kernel::{Halt, Interpolator, Oracles, ScriptAnswer, Solver, SolverConfig, Strength};
use foretell_solver::{FaultPlan, ScriptProcess, Z3Oracles};

use crate::scripts::{Keeping, Scripts};

/// Z3 for queries and scripts, and the product's interpolator.
pub struct Backends {
    /// Z3 in process, with a seed and faults.
    pub z3: Z3Oracles,
    /// The options of the interpolator.
    pub interpolation: InterpolateOptions,
    /// The process that reads scripts.
    pub scripts: Rc<Scripts>,
}

thread_local! {
    /// The process of this thread, which is one test: it ends with it.
    static SCRIPTS: Rc<Scripts> = Rc::new(Scripts::new(&z3(), Keeping::Plain));
}

impl Default for Backends {
    fn default() -> Backends {
        Backends::over(&scripts())
    }
}

impl Backends {
    /// Oracles over a script process that outlives them.
    pub fn over(scripts: &Rc<Scripts>) -> Backends {
        Backends {
            z3: Z3Oracles::default(),
            interpolation: InterpolateOptions::default(),
            scripts: Rc::clone(scripts),
        }
    }

    /// Oracles whose solver fails now and then.
    pub fn faulty(plan: FaultPlan) -> Backends {
        let mut backends = Backends::default();
        backends.z3.faults = Some(plan);
        backends
    }
}

/// The script process of this thread.
pub fn scripts() -> Rc<Scripts> {
    SCRIPTS.with(Rc::clone)
}

/// The pinned Z3 executable.
pub fn z3() -> PathBuf {
    let here = || crate::corpus::root().join(".z3/bin/z3");
    std::env::var_os("FORETELL_Z3").map_or_else(here, PathBuf::from)
}

impl Oracles for Backends {
    fn solver(&self, config: &SolverConfig) -> Box<dyn Solver> {
        self.z3.solver(config)
    }

    fn interpolator(&self, strength: Strength) -> Box<dyn Interpolator> {
        Box::new(Itp::new(strength, self.interpolation.clone()))
    }

    fn script(&self, script: &str, limit: Duration) -> Result<Vec<ScriptAnswer>, Halt> {
        self.scripts.run(script, limit)
    }

    fn horn(&self, text: &str, parameters: &[String], limit: Duration) -> Result<String, Halt> {
        ScriptProcess::z3(z3()).output(parameters, text, limit)
    }
}
