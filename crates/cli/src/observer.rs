//! Draws what happens during a check: answers, progress, incidents.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use foretell_driver::Counterexample;
use foretell_driver::worker::statistics::Statistics;
use foretell_driver::{
    Format, Happening, Incident, Observer, Outcome, Reading, Selection, Settled,
};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use crate::answer::{Lines, label, model, property_line, word};
use crate::arguments::{CheckArguments, OutputFormat, ProgressMode, PropertyArgument};
use crate::counterexample;
use crate::diagnostics;
use crate::exit::Exit;
use crate::files;
use crate::json;
use crate::progress::{self, Running};
use crate::reproducers;
use crate::streams::{answer_or_notice, notice};
use crate::vcd;

/// So many warnings about the input are shown unless more is asked for.
const MOST_WARNINGS: usize = 5;
/// Progress as events comes at most this often.
const EVENT_EVERY: Duration = Duration::from_secs(1);
/// Progress as lines comes at most this often.
const LINE_EVERY: Duration = Duration::from_secs(2);

/// The observer of the command line.
pub(crate) struct Screen<'a> {
    arguments: &'a CheckArguments,
    file: &'a Path,
    bytes: &'a [u8],
    progress: Progress,
    running: Running,
    side_files: SideFiles,
    /// Answers that wait for those to the queries before them.
    waiting: BTreeMap<u64, String>,
    /// The query whose answer is printed next.
    next: u64,
    /// When each configuration's progress was last an event.
    told: BTreeMap<String, Instant>,
}

/// What became of the files beside the answer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SideFiles {
    /// All that were asked for were written.
    Written,
    /// One could not be written.
    Lost,
}

impl SideFiles {
    /// The exit code, unless something was lost: the answer stands, but the command failed.
    pub(crate) fn unless_lost(self, exit: Exit) -> Exit {
        match self {
            SideFiles::Written => exit,
            SideFiles::Lost => Exit::Internal,
        }
    }
}

/// How progress is shown.
enum Progress {
    Off,
    Bar(ProgressBar),
    Lines(Instant),
}

impl<'a> Screen<'a> {
    fn selection(&self) -> &Selection {
        let chosen = self.arguments.property.as_ref();
        chosen
            .and_then(PropertyArgument::selection)
            .unwrap_or(&Selection::Natural)
    }

    pub(crate) fn new(
        arguments: &'a CheckArguments,
        file: &'a Path,
        bytes: &'a [u8],
    ) -> Screen<'a> {
        let chatter = &arguments.output.chatter;
        let quiet = chatter.quiet || arguments.output.chc_comp;
        let progress = match chatter.progress {
            _ if quiet => Progress::Off,
            ProgressMode::Auto if io::stderr().is_terminal() => Progress::Bar(bar()),
            ProgressMode::Line => Progress::Lines(Instant::now()),
            ProgressMode::Auto | ProgressMode::Off => Progress::Off,
        };
        Screen {
            arguments,
            file,
            bytes,
            progress,
            running: Running::default(),
            side_files: SideFiles::Written,
            waiting: BTreeMap::new(),
            next: 0,
            told: BTreeMap::new(),
        }
    }

    fn lines(&self, reading: Option<&Reading>) -> Lines {
        reading.map_or(Lines::One, |reading| Lines::of(self.selection(), reading))
    }

    /// What can be printed now, when answers come in the order of their questions.
    fn in_order(&mut self, settled: &Settled, text: String) -> String {
        let Some(number) = settled.property else {
            return text;
        };
        self.waiting.insert(number, text);
        let mut ready = String::new();
        while let Some(text) = self.waiting.remove(&self.next) {
            ready += &text;
            self.next += 1;
        }
        ready
    }

    /// Which of several questions a counterexample answers.
    fn tell_violated(&self, reading: Option<&Reading>, settled: &Settled) {
        let several = reading.is_some_and(|r| r.questions.len() > 1);
        if let Outcome::Unsafe { violated, .. } = &settled.outcome
            && several
            && settled.property.is_none()
            && !self.is_quiet()
        {
            for &number in violated {
                self.say(&format!("{} is violated", label(reading, number)));
            }
        }
    }

    pub(crate) fn side_files(&self) -> SideFiles {
        self.side_files
    }

    /// Removes the progress line.
    pub(crate) fn end_progress(&mut self) {
        if let Progress::Bar(bar) = &self.progress {
            bar.finish_and_clear();
        }
        self.progress = Progress::Off;
    }

    /// Whether standard output is a stream of events.
    fn streams(&self) -> bool {
        self.arguments.output.format == OutputFormat::Jsonl
    }

    /// How far a run is, at most once a second for each.
    fn progress_event(&mut self, configuration: &str, statistics: &Statistics) {
        let told = self.told.get(configuration);
        if told.is_some_and(|at| at.elapsed() < EVENT_EVERY) {
            return;
        }
        self.told.insert(configuration.to_owned(), Instant::now());
        let value = json!({ "configuration": configuration, "statistics": statistics });
        let _ = answer_or_notice(&json::event("progress", value));
    }

    fn is_quiet(&self) -> bool {
        self.arguments.output.chatter.quiet || self.arguments.output.chc_comp
    }

    /// How much is said on standard error: nothing more than usual, a line per event, a line per frame.
    fn verbosity(&self) -> u8 {
        match self.is_quiet() {
            true => 0,
            false => self.arguments.output.chatter.verbose,
        }
    }

    fn say(&self, text: &str) {
        match &self.progress {
            Progress::Bar(bar) => bar.suspend(|| notice(text)),
            _ => notice(text),
        }
    }

    /// Everything that was asked for in files.
    fn write_files(&self, reading: Option<&Reading>, settled: &Settled) -> Result<(), String> {
        let output = &self.arguments.output;
        let target = |path: &Option<PathBuf>| {
            let path = path.as_deref().filter(|p| *p != Path::new("-"))?;
            Some(
                match settled
                    .property
                    .filter(|_| self.lines(reading) != Lines::One)
                {
                    Some(number) => numbered(path, number),
                    None => path.to_owned(),
                },
            )
        };
        if let (Some(path), Some(text)) =
            (target(&output.certificate), settled.outcome.certificate())
        {
            files::write(&path, text.as_bytes())?;
        }
        if let (Some(path), Some(text)) =
            (target(&self.arguments.program.encoding), &settled.encoding)
        {
            files::write(&path, text.as_bytes())?;
        }
        if let (Some(path), Some(text)) = (target(&output.model), definitions(&settled.outcome)) {
            files::write(&path, text.as_bytes())?;
        }
        if let (Some(path), Outcome::Unsafe { .. }) = (target(&output.cex), &settled.outcome) {
            write_counterexample(&path, &settled.outcome)?;
        }
        Ok(())
    }

    /// The verdict line and what was asked for on standard output.
    fn text(&self, reading: Option<&Reading>, settled: &Settled) -> String {
        let output = &self.arguments.output;
        let format = reading.map_or(Format::Horn, |r| r.format);
        if output.chc_comp {
            let mut text = format!("{}\n", format.word(settled.outcome.verdict()));
            text += &definitions(&settled.outcome).unwrap_or_default();
            return text;
        }
        let mut text = match self.lines(reading) {
            Lines::Labelled => property_line(reading, settled),
            Lines::One | Lines::InOrder => format!("{}\n", word(format, &settled.outcome)),
        };
        let asked = |path: &Option<PathBuf>| path.as_deref() == Some(Path::new("-"));
        if asked(&output.model) || (output.model.is_none() && reading.is_some_and(|r| r.asks_model))
        {
            text += &definitions(&settled.outcome).unwrap_or_default();
        }
        if asked(&output.certificate) {
            text += settled.outcome.certificate().unwrap_or_default();
        }
        if asked(&output.cex) {
            text += &shown(&settled.outcome).unwrap_or_default();
        }
        text
    }
}

/// A table, or for names that end in `.vcd` the dump of a run.
fn write_counterexample(path: &Path, outcome: &Outcome) -> Result<(), String> {
    let is_dump = path.extension().is_some_and(|end| end == "vcd");
    if let Some(Counterexample::Run { states, .. }) = outcome.counterexample().filter(|_| is_dump) {
        let bytes = vcd::dump(&states).map_err(|e| e.to_string())?;
        return files::write(path, &bytes);
    }
    if is_dump {
        let name = path.display();
        notice(&format!(
            "warning: clauses have derivations, not runs: {name} is a table, no value change dump"
        ));
    }
    files::write(path, shown(outcome).unwrap_or_default().as_bytes())
}

impl Observer for Screen<'_> {
    fn read(&mut self, reading: &Reading) {
        if self.streams() {
            let _ = answer_or_notice(&json::read_event(self.file, self.bytes, reading));
        }
        if self.is_quiet() {
            return;
        }
        let all = self.arguments.output.chatter.verbose > 0;
        let most = if all { usize::MAX } else { MOST_WARNINGS };
        let shown = &reading.warnings[..reading.warnings.len().min(most)];
        diagnostics::print(self.file, self.bytes, shown);
        let rest = reading.warnings.len() - shown.len();
        if rest > 0 {
            self.say(&format!("{rest} more warnings; -v shows them"));
        }
    }

    fn progress(&mut self, configuration: &str, statistics: &Statistics) {
        if self.streams() {
            self.progress_event(configuration, statistics);
        }
        if let Some(frame) = self.running.moved(configuration, statistics)
            && self.verbosity() > 1
        {
            self.say(&format!("{configuration}: {frame}"));
        }
        match &mut self.progress {
            Progress::Off => {}
            Progress::Bar(bar) => bar.set_message(self.running.line()),
            Progress::Lines(last) if last.elapsed() >= LINE_EVERY => {
                *last = Instant::now();
                notice(&self.running.line());
            }
            Progress::Lines(_) => {}
        }
    }

    fn happened(&mut self, configuration: &str, what: &Happening) {
        if let Happening::Ended(_) | Happening::Suspended = what {
            self.running.ended(configuration);
        }
        if self.verbosity() > 0 {
            self.say(&format!("{configuration}: {}", progress::words(what)));
        }
    }

    fn settled(&mut self, reading: Option<&Reading>, settled: &Settled) -> Result<(), String> {
        self.tell_violated(reading, settled);
        if let Outcome::Safe {
            model: Some(model), ..
        } = &settled.outcome
            && !model.checked
            && !self.is_quiet()
        {
            self.say(
                "warning: the certificate was checked, but the model made from it was not decided",
            );
        }
        match self.arguments.output.format {
            OutputFormat::Json | OutputFormat::Sarif => {}
            OutputFormat::Jsonl => {
                let value = json::settled(settled, reading);
                answer_or_notice(&json::event("property", value))?;
            }
            OutputFormat::Text => {
                let mut text = self.text(reading, settled);
                if self.lines(reading) == Lines::InOrder {
                    text = self.in_order(settled, text);
                }
                match &self.progress {
                    Progress::Bar(bar) => bar.suspend(|| answer_or_notice(&text)),
                    _ => answer_or_notice(&text),
                }?;
            }
        }
        // After the answer, which stands whatever becomes of the files.
        if let Err(error) = self.write_files(reading, settled) {
            self.side_files = SideFiles::Lost;
            self.say(&format!("error: {error}"));
        }
        Ok(())
    }

    fn incident(&mut self, incident: &Incident) {
        let saved = reproducers::save(self.arguments.expert.reproducers.as_deref(), incident);
        if self.is_quiet() {
            return;
        }
        let place = match saved {
            Ok(folder) => format!("saved in {}", folder.display()),
            Err(error) => error,
        };
        self.say(&format!("warning: {} ({place})", incident.what));
    }
}

/// A counterexample for people; as it was checked when it cannot be shown otherwise.
fn shown(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Unsafe { certificate, .. } => Some(
            outcome
                .counterexample()
                .map_or_else(|| certificate.clone(), |cex| counterexample::table(&cex)),
        ),
        Outcome::Safe { .. } | Outcome::Unknown { .. } => None,
    }
}

/// The model of clauses; the invariant of a transition system.
fn definitions(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Safe { model: Some(m), .. } => Some(model(&m.text)),
        Outcome::Safe {
            certificate,
            model: None,
        } => Some(certificate.clone()),
        _ => None,
    }
}

/// `name.ext` for property 3 is `name.3.ext`.
fn numbered(path: &Path, number: u64) -> PathBuf {
    let extension = path
        .extension()
        .map(|e| format!(".{}", e.to_string_lossy()))
        .unwrap_or_default();
    path.with_extension(format!("{number}{extension}"))
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("foretell: {elapsed} {wide_msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}
