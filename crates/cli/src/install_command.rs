//! `foretell completions` and `foretell man`: what an installation puts beside the executable, made from
//! the definitions of the command line and from the tables of settings.

use std::collections::BTreeSet;
use std::path::Path;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use foretell_driver::{Portfolio, registry};

use crate::arguments::Arguments;
use crate::exit::Exit;
use crate::options_command;
use crate::streams::{answer_or_notice, notice};

/// Prints completions for a shell.
pub(crate) fn completions(shell: Shell) -> Exit {
    let mut text = Vec::new();
    let mut command = match Names::of_tables() {
        Ok(names) => names.known_to(Arguments::command()),
        Err(error) => return done(Err(error)),
    };
    clap_complete::generate(shell, &mut command, "foretell", &mut text);
    done(answer_or_notice(&String::from_utf8_lossy(&text)))
}

/// What can be said behind `--engine` and `--set`. The command line itself takes more: lists of engines, names
/// of a portfolio file, values.
struct Names {
    engines: Vec<PossibleValue>,
    settings: Vec<PossibleValue>,
}

impl Names {
    fn of_tables() -> Result<Names, String> {
        let portfolio = Portfolio::built_in().map_err(|e| e.to_string())?;
        let known = registry::ENGINES.iter().map(|e| e.name.to_owned());
        let schedules = portfolio.schedules().map(|(name, ..)| name.to_owned());
        let configurations = portfolio.configurations().map(|c| c.name.clone());
        let engines: BTreeSet<String> = known.chain(schedules).chain(configurations).collect();
        let options = registry::tables();
        let options = options.iter().flat_map(|table| table.options);
        // The definitions of a command line live as long as the process.
        let value = |name: String| PossibleValue::new(&*name.leak());
        let setting = |name: &str, doc: &'static str| value(format!("{name}=")).help(line(doc));
        Ok(Names {
            engines: engines.into_iter().map(value).collect(),
            settings: options.map(|o| setting(o.name, o.doc)).collect(),
        })
    }

    /// The command and all commands below it, with the names that their options have.
    fn known_to(&self, mut command: Command) -> Command {
        for (id, values) in [("engine", &self.engines), ("settings", &self.settings)] {
            if command.get_arguments().any(|a| a.get_id() == id) {
                let parser = PossibleValuesParser::new(values.clone());
                command = command.mut_arg(id, |argument| argument.value_parser(parser));
            }
        }
        command.mut_subcommands(|part| self.known_to(part))
    }
}

/// The first line of a description.
fn line(doc: &'static str) -> &'static str {
    doc.trim().lines().next().unwrap_or_default()
}

/// Writes the manual pages into a folder.
pub(crate) fn manual(folder: &Path) -> Exit {
    let mut command = Arguments::command();
    command.build();
    let settings = match options_command::text() {
        Ok(text) => text,
        Err(error) => return done(Err(error)),
    };
    let visible = command.get_subcommands().filter(|c| !c.is_hide_set());
    let mut pages = vec![("foretell".to_owned(), page(&command, Some(&settings)))];
    for part in visible.filter(|c| c.get_name() != "help") {
        let name = format!("foretell-{}", part.get_name());
        pages.push((name, page(part, None)));
    }
    done(
        pages
            .into_iter()
            .try_for_each(|(name, text)| write(folder, &name, &text?)),
    )
}

/// One page; the main one ends with the engines and settings.
fn page(command: &Command, settings: Option<&str>) -> Result<Vec<u8>, String> {
    let mut text = Vec::new();
    let man = Man::new(command.clone()).manual("Foretell");
    man.render(&mut text).map_err(|e| e.to_string())?;
    if let Some(settings) = settings {
        text.extend_from_slice(b".SH \"ENGINES AND SETTINGS\"\n.nf\n");
        for line in settings.lines() {
            // A line that begins with a dot or a quote would be a request; a backslash an escape.
            text.extend_from_slice(b"\\&");
            text.extend_from_slice(line.replace('\\', "\\e").as_bytes());
            text.push(b'\n');
        }
        text.extend_from_slice(b".fi\n");
    }
    Ok(text)
}

fn write(folder: &Path, name: &str, text: &[u8]) -> Result<(), String> {
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(folder.join(format!("{name}.1")), text))
        .map_err(|e| format!("cannot write into {}: {e}", folder.display()))
}

fn done(outcome: Result<(), String>) -> Exit {
    match outcome {
        Ok(()) => Exit::Safe,
        Err(error) => {
            notice(&format!("error: {error}"));
            Exit::Internal
        }
    }
}
