//! How large a report may become: texts and lists are cut, with a note.

use crate::model::{Part, Proof, Question, Report, Trace};

/// The most bytes of a page.
pub(crate) const MOST_BYTES: usize = 8 << 20;

/// How much is kept: everything is halved as often as it takes.
#[derive(Clone, Copy, Debug, Default)]
struct Scale(u32);

impl Scale {
    /// Half of it; `None` when nothing is left to be halved.
    fn smaller(self) -> Option<Scale> {
        (self.0 < 12).then_some(Scale(self.0 + 1))
    }

    fn of(self, most: usize) -> usize {
        (most >> self.0).max(4)
    }
}

/// A text made of a report, cut as often as it takes to be small enough.
pub(crate) fn within(report: &Report, write: impl Fn(&Report) -> String) -> String {
    let mut scale = Scale::default();
    loop {
        let text = write(&bounded(report, scale));
        match scale.smaller() {
            Some(smaller) if text.len() > MOST_BYTES => scale = smaller,
            _ => return text,
        }
    }
}

/// The report with its texts and lists cut to what a page may hold.
fn bounded(report: &Report, scale: Scale) -> Report {
    let mut short = report.clone();
    let mut cuts = Cuts {
        scale,
        words: Vec::new(),
    };
    cuts.text(&mut short.input.path, 1000, "the path");
    let command = short.tool.command.iter_mut();
    command.for_each(|word| cuts.text(word, 1000, "the command line"));
    cuts.list(&mut short.runs, 300, "runs of engines");
    for run in &mut short.runs {
        cuts.thin(&mut run.samples, 300);
        cuts.thin(&mut run.events, 200);
        for deed in &mut run.events {
            let texts = deed.formula.iter_mut();
            texts.for_each(|text| cuts.text(text, 1000, "lemmas"));
        }
        cuts.text(&mut run.end, 2000, "reasons of engines");
    }
    cuts.list(&mut short.told, 400, "formulas told");
    for told in &mut short.told {
        cuts.text(&mut told.formula, 2000, "formulas told");
    }
    if let Some(graph) = &mut short.graph {
        cuts.list(&mut graph.edges, 2000, "clauses of the graph");
        let mut names = graph.nodes.iter_mut();
        names
            .by_ref()
            .for_each(|name| cuts.text(name, 200, "names"));
    }
    if let Some(learned) = &mut short.learned {
        cuts.text(&mut learned.definitions, 400_000, "the partial model");
        cuts.parts(&mut learned.parts);
    }
    if let Some(back) = &mut short.returning {
        let texts = back.formula.iter_mut();
        texts.for_each(|text| cuts.text(text, 4000, "the obligation that came back"));
    }
    cuts.list(&mut short.input.warnings, 50, "warnings");
    if let Some(refusal) = &mut short.refusal {
        cuts.list(&mut refusal.findings, 100, "findings");
    }
    cuts.questions(&mut short.questions);
    short.cuts.extend(cuts.words);
    short
}

/// What was cut.
struct Cuts {
    scale: Scale,
    words: Vec<String>,
}

impl Cuts {
    fn note(&mut self, words: String) {
        if !self.words.contains(&words) {
            self.words.push(words);
        }
    }

    fn text(&mut self, text: &mut String, most: usize, what: &str) {
        let most = self.scale.of(most);
        if let Some((at, _)) = text.char_indices().nth(most) {
            text.truncate(at);
            text.push('…');
            self.note(format!("Long texts are cut where you see “…”: {what}."));
        }
    }

    fn list<T>(&mut self, list: &mut Vec<T>, most: usize, what: &str) {
        let most = self.scale.of(most);
        if list.len() > most {
            self.note(format!(
                "Only the first {most} of {} {what} are here.",
                list.len()
            ));
            list.truncate(most);
        }
    }

    /// Keeps one in so many.
    fn thin<T>(&mut self, list: &mut Vec<T>, most: usize) {
        let every = list.len().div_ceil(self.scale.of(most)).max(1);
        let mut number = 0;
        list.retain(|_| {
            number += 1;
            (number - 1) % every == 0
        });
    }

    fn questions(&mut self, list: &mut Vec<Question>) {
        self.list(list, 200, "properties");
        for question in list {
            self.text(&mut question.name, 200, "names");
            for check in &mut question.checks {
                self.list(&mut check.obligations, 600, "obligations");
                let all = check.obligations.iter_mut();
                all.for_each(|o| self.text(&mut o.what, 1000, "obligations"));
            }
            question
                .proof
                .iter_mut()
                .for_each(|proof| self.proof(proof));
            question
                .trace
                .iter_mut()
                .for_each(|trace| self.trace(trace));
        }
    }

    fn proof(&mut self, proof: &mut Proof) {
        self.text(&mut proof.certificate, 1_000_000, "the certificate");
        let model = proof.model.iter_mut();
        model.for_each(|m| self.text(m, 500_000, "the model"));
        self.parts(&mut proof.parts);
        self.parts(&mut proof.inner);
        self.list(&mut proof.auxiliaries, 100, "auxiliary variables");
        for auxiliary in &mut proof.auxiliaries {
            self.text(&mut auxiliary.text, 20_000, "auxiliary variables");
            let words = auxiliary.words.iter_mut();
            words.for_each(|w| self.text(w, 2000, "auxiliary variables"));
        }
        // Half of it would say that nobody needs what the other half needs.
        if self.scale.0 > 0 && proof.needs.take().is_some() {
            self.note("What needs which conjunct is left out.".to_owned());
        }
        self.list(&mut proof.story, 200, "words of the engine");
        let story = proof.story.iter_mut();
        story.for_each(|w| self.text(w, 2000, "words of the engine"));
    }

    fn parts(&mut self, parts: &mut Vec<Part>) {
        self.list(parts, 200, "predicates");
        for part in parts {
            self.text(&mut part.name, 500, "names");
            self.list(&mut part.params, 200, "parameters");
            let params = part.params.iter_mut();
            params.for_each(|p| self.text(&mut p.name, 200, "names"));
            self.list(&mut part.conjuncts, 200, "conjuncts");
            let conjuncts = part.conjuncts.iter_mut();
            conjuncts.for_each(|c| self.text(c, 2000, "conjuncts"));
            self.text(&mut part.text, 50_000, "checked texts");
        }
    }

    /// The first and the last steps.
    fn trace(&mut self, trace: &mut Trace) {
        self.text(&mut trace.certificate, 1_000_000, "the counterexample");
        self.text(&mut trace.cause, 2000, "the cause");
        let most = self.scale.of(200);
        if trace.steps.len() > most {
            let (first, last) = (most / 2, trace.steps.len() - (most - most / 2));
            self.note(format!(
                "Only {most} of {} steps are here.",
                trace.steps.len()
            ));
            trace.steps.drain(first..last);
        }
        self.list(&mut trace.listing, 400, "source lines");
        for step in &mut trace.steps {
            self.text(&mut step.title, 2000, "facts");
            step.source
                .iter_mut()
                .for_each(|s| self.text(s, 2000, "source lines"));
            self.list(&mut step.values, 100, "variables of a step");
            for row in &mut step.values {
                self.text(&mut row.name, 200, "names");
                self.text(&mut row.value, 1000, "values");
                for cell in &mut row.cells {
                    self.text(&mut cell.at, 200, "values");
                    self.text(&mut cell.value, 200, "values");
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::MOST_BYTES;
    use crate::model::{Part, Proof, Question, Report, Row, SCHEMA, Step, Told, Trace, Verdict};

    fn huge() -> Report {
        let step = |number: usize| Step {
            number,
            title: "<&>".repeat(50),
            values: vec![Row {
                value: "<".repeat(3000),
                ..Row::default()
            }],
            ..Step::default()
        };
        let part = Part {
            conjuncts: vec!["<".repeat(5000); 300],
            text: "é".repeat(100_000),
            ..Part::default()
        };
        let question = Question {
            verdict: Verdict::Unsafe,
            proof: Some(Proof {
                certificate: "<".repeat(1_200_000),
                parts: vec![part; 6],
                ..Proof::default()
            }),
            trace: Some(Trace {
                steps: (0..3000).map(step).collect(),
                n_steps: 3000,
                ..Trace::default()
            }),
            ..Question::default()
        };
        let told = Told {
            formula: "\"".repeat(10_000),
            ..Told::default()
        };
        Report {
            schema: SCHEMA.to_owned(),
            questions: vec![question],
            told: vec![told; 420],
            ..Report::default()
        }
    }

    #[test]
    fn whatever_the_run_was_the_page_is_small_and_says_what_is_missing() {
        let report = huge();
        let page = crate::page(&report);
        assert!(page.len() <= MOST_BYTES, "{}", page.len());
        assert!(page.contains("What this page leaves out") && page.contains("of 3000 steps"));
        let text = crate::json(&report);
        assert!(text.len() <= MOST_BYTES, "{}", text.len());
        let again = crate::read(text.as_bytes()).unwrap();
        let trace = again.questions[0].trace.as_ref().unwrap();
        assert_eq!(
            (trace.n_steps, trace.steps.last().unwrap().number),
            (3000, 2999)
        );
        let (first, second) = (
            crate::json(&again),
            crate::json(&crate::read(text.as_bytes()).unwrap()),
        );
        assert_eq!(first, second);
    }

    #[test]
    fn what_is_no_report_is_refused() {
        assert!(crate::read(b"{").is_err());
        assert!(crate::read(b"{\"schema\": \"foretell-report-0\"}").is_err());
        let bare = format!("{{\"schema\": \"{SCHEMA}\", \"new\": 1}}");
        let report = crate::read(bare.as_bytes()).unwrap();
        assert!(crate::page(&report).contains("Neither a proof nor a counterexample"));
    }
}
