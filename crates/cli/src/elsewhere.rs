//! Workers on other machines: from the command line to the library.

use std::path::PathBuf;

use clap::Args;
use foretell_lib::check::Elsewhere;

/// Workers on other machines.
#[derive(Args, Debug)]
#[command(next_help_heading = "Other machines")]
pub(crate) struct ElsewhereArguments {
    /// A command that runs what follows it on another machine and connects standard input and output, such
    /// as 'srun -Q -N1 -n1 --overlap' or 'ssh host'. What comes from there is checked here.
    #[arg(long, value_name = "COMMAND", requires = "remote_jobs")]
    launch: Option<String>,
    /// How many engines run there at once, besides those of `--jobs` here.
    #[arg(long, value_name = "N", requires = "launch", value_parser = clap::value_parser!(u16).range(1..=4096))]
    remote_jobs: Option<u16>,
    /// The executable there, if its path is another one; it must be the same build.
    #[arg(long, value_name = "PATH", requires = "launch")]
    remote_program: Option<PathBuf>,
}

impl ElsewhereArguments {
    /// What the library is told.
    ///
    /// # Errors
    /// When the command cannot be split into words, or has none.
    pub(crate) fn described(&self) -> Result<Option<Elsewhere>, String> {
        let (Some(line), Some(jobs)) = (&self.launch, self.remote_jobs) else {
            return Ok(None);
        };
        let launcher = foretell_process::split_words(line)?;
        if launcher.is_empty() {
            return Err("--launch: the command is empty".to_owned());
        }
        Ok(Some(Elsewhere {
            launcher,
            program: self.remote_program.clone(),
            jobs: usize::from(jobs),
        }))
    }
}
