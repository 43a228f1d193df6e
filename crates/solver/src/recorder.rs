//! Recording: every session of a solver as a replayable SMT-LIB file, our events as comments.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::Write;
use std::rc::Rc;

use foretell_kernel::{Answer, Cx, Event, EventSink, Halt, Solver};
use foretell_terms::print::{Names, quote};
use foretell_terms::{Func, FuncMap, Sort, SortKind, Term, TermStore};

/// Where a recording goes. Shared by the recorder and the event sink that comments it.
#[derive(Clone)]
pub struct Recording(Rc<RefCell<Box<dyn Write>>>);

impl Recording {
    /// A recording into a writer.
    pub fn new(writer: Box<dyn Write>) -> Recording {
        Recording(Rc::new(RefCell::new(writer)))
    }

    fn line(&self, text: &str) {
        // A recording that cannot be written must not change the run.
        let _ = writeln!(self.0.borrow_mut(), "{text}");
    }

    /// Hands on what was written: the query that comes next may be the last thing this process does.
    fn flush(&self) {
        let _ = self.0.borrow_mut().flush();
    }
}

impl EventSink for Recording {
    fn emit(&self, event: Event<'_>) {
        if !matches!(event, Event::Query(..) | Event::Asked(_)) {
            self.line(&format!("; {}", format!("{event:?}").replace('\n', " ")));
        }
    }
}

/// A solver that writes down what it is asked.
pub struct Recorder<S> {
    inner: S,
    recording: Recording,
    declared: FuncMap<usize>,
    /// Sorts that were looked at: what they need is declared.
    sorts: BTreeSet<Sort>,
    /// The declarations of datatypes that were written.
    datas: BTreeSet<String>,
    /// Number of declarations when each open level was opened.
    levels: Vec<usize>,
}

struct NumberedNames;

impl Names for NumberedNames {
    fn name(&self, terms: &TermStore, func: Func) -> String {
        quote(&format!("{}#{}", terms.name(func), func.index()))
    }
}

impl<S: Solver> Recorder<S> {
    /// Records the sessions of a solver.
    pub fn new(inner: S, recording: Recording) -> Recorder<S> {
        recording.line("(set-option :global-declarations true)");
        Recorder {
            inner,
            recording,
            declared: FuncMap::default(),
            sorts: BTreeSet::new(),
            datas: BTreeSet::new(),
            levels: Vec::new(),
        }
    }

    fn declare(&mut self, terms: &TermStore, roots: &[Term]) {
        for var in terms.subterms(roots) {
            let Some(func) = terms.func(var) else {
                continue;
            };
            let known = self.declared.len();
            if self.declared.insert(func, known).is_some() {
                continue;
            }
            let decl = terms.decl(func);
            self.declare_sorts(
                terms,
                decl.args.iter().copied().chain([decl.sort]).collect(),
            );
            let args: Vec<String> = decl.args.iter().map(|&s| terms.print_sort(s)).collect();
            let name = NumberedNames.name(terms, func);
            self.recording.line(&format!(
                "(declare-fun {name} ({}) {})",
                args.join(" "),
                terms.print_sort(decl.sort)
            ));
        }
    }
}

impl<S> Recorder<S> {
    fn declare_sorts(&mut self, terms: &TermStore, mut open: Vec<Sort>) {
        while let Some(sort) = open.pop() {
            if !self.sorts.insert(sort) {
                continue;
            }
            match terms.kind(sort) {
                SortKind::Uninterpreted(name) => {
                    self.recording
                        .line(&format!("(declare-sort {} 0)", quote(name)));
                }
                SortKind::Data(_) => {
                    for command in terms.print_data_declarations(&[sort]) {
                        if self.datas.insert(command.clone()) {
                            self.recording.line(&command);
                        }
                    }
                }
                SortKind::Array { indices, element } => {
                    open.extend(indices.iter().chain([element]))
                }
                _ => {}
            }
        }
    }
}

impl<S: Solver> Solver for Recorder<S> {
    fn assert(&mut self, terms: &TermStore, formula: Term) -> Result<(), Halt> {
        self.declare(terms, &[formula]);
        self.recording.line(&format!(
            "(assert {})",
            terms.print_with(formula, &NumberedNames)
        ));
        self.inner.assert(terms, formula)
    }

    fn push(&mut self) {
        self.recording.line("(push 1)");
        self.levels.push(self.declared.len());
        self.inner.push();
    }

    fn pop(&mut self) {
        self.recording.line("(pop 1)");
        self.levels.pop();
        self.inner.pop();
    }

    fn check<'s>(&'s mut self, assumptions: &[Term], cx: &Cx<'_>) -> Result<Answer<'s>, Halt> {
        self.declare(cx.terms, assumptions);
        let printed: Vec<String> = assumptions
            .iter()
            .map(|&a| cx.terms.print_with(a, &NumberedNames))
            .collect();
        // Assumptions need not be literals here, so they are replayed as assertions of a level.
        self.recording.line("(push 1)");
        for text in &printed {
            self.recording.line(&format!("(assert {text})"));
        }
        self.recording.line("(check-sat)\n(pop 1)");
        self.recording.flush();
        let answer = self.inner.check(assumptions, cx)?;
        let word = match &answer {
            Answer::Sat(_) => "sat",
            Answer::Unsat(_) => "unsat",
            Answer::Unknown(_) => "unknown",
        };
        self.recording.line(&format!("; answered {word}"));
        Ok(answer)
    }

    fn reset(&mut self) {
        self.recording.line("(reset-assertions)");
        self.levels.clear();
        self.inner.reset();
    }
}
