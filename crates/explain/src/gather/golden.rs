//! Golden pages: what a person reads about fixed certificates of the examples and of files of the corpus.
//!
//! The certificates are in `tests/pages` (`.cert`, and `.model` where a model was checked beside one), so
//! that a page changes only when the page is changed, whatever engines find today. `UPDATE_EXPECT=1` writes
//! the pages anew. Times and versions are not in them. For C programs there are the lines of a path
//! (`.path`: line, statement, values) or the invariants of loops (`.loops`: line, invariant).
//! `examples/conversation.txt` is no input of `check` and has no page.

use std::path::{Path, PathBuf};

use expect_test::expect_file;
use foretell_certify::cex::is_counterexample;
use foretell_driver::program::{Confirmation, Line, LoopNote, Proved};
use foretell_driver::protocol::Model;
use foretell_driver::worker::input::read_input;
use foretell_driver::{Ask, Error};
use foretell_systems::Property;
use foretell_terms::TermStore;
use foretell_testkit::corpus::root;

use super::{About, graph, of_refusal, program, safe, trace};
use crate::model::{Input, Proof, Question, Report, SCHEMA, Tool, Verdict};
use crate::record::Record;

/// The files, and which property.
const FILES: [(&str, Option<u64>); 28] = [
    ("examples/array_init.smt2", None),
    ("examples/bug.smt2", None),
    ("examples/counter.vmt", None),
    ("examples/memory.vmt", None),
    ("examples/recursion.smt2", None),
    ("examples/two_properties.vmt", Some(0)),
    ("examples/two_properties.vmt", Some(1)),
    ("examples/z3_rules.smt2", None),
    ("corpus/chc/safe/array_init.smt2", None),
    ("corpus/chc/safe/array_bool_elements.smt2", None),
    ("corpus/chc/safe/bool_toggle.smt2", None),
    ("corpus/chc/safe/bv8_saturating.smt2", None),
    ("corpus/chc/safe/data_pair.smt2", None),
    ("corpus/chc/safe/lia_counter_up.smt2", None),
    ("corpus/chc/safe/lia_nested_loops.smt2", None),
    ("corpus/chc/safe/lia_one_query.smt2", None),
    ("corpus/chc/unsafe/array_init_short.smt2", None),
    ("corpus/chc/unsafe/array_equality.smt2", None),
    ("corpus/chc/unsafe/bv8_wraps.smt2", None),
    ("corpus/chc/unsafe/data_list.smt2", None),
    ("corpus/chc/unsafe/lia_counter_reaches.smt2", None),
    ("corpus/vmt/safe/array_memory.vmt", None),
    ("corpus/vmt/safe/bool_mutex.vmt", None),
    ("corpus/vmt/safe/kind_2.vmt", None),
    ("corpus/vmt/unsafe/array_stale_read.vmt", None),
    ("corpus/vmt/unsafe/counter_hits.vmt", None),
    ("corpus/vmt/unsafe/input_not_frozen.vmt", None),
    ("corpus/vmt/unsafe/uninterpreted.vmt", None),
];

/// The name of a golden page without its end.
fn stem(file: &str, property: Option<u64>) -> PathBuf {
    let name = file.replace(['/', '.'], "_");
    let number = property.map_or_else(String::new, |n| format!("_{n}"));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages");
    folder.join(format!("{name}{number}"))
}

fn report(file: &str, property: Option<u64>) -> Report {
    let read = |end: &str| std::fs::read_to_string(stem(file, property).with_extension(end));
    let certificate = read("cert").unwrap_or_else(|e| panic!("{file}: {e}"));
    let model = read("model").ok().map(|text| Model {
        text,
        checked: true,
        infix: Vec::new(),
    });
    let bytes = std::fs::read(root().join(file)).unwrap();
    let ask = property.map_or_else(Ask::default, |n| Ask::One(Property::Number(n)));
    let terms = TermStore::new();
    let input = read_input(&bytes, &ask, &terms).unwrap_or_else(|_| panic!("{file}"));
    let mut question = Question::default();
    if is_counterexample(&certificate) {
        question.verdict = Verdict::Unsafe;
        question.trace = Some(trace::trace(&certificate, &bytes, ask));
    } else {
        question.verdict = Verdict::Safe;
        let proof = safe::proof(&certificate, model.as_ref(), Some((&input, &terms)), None);
        checked_texts(file, &proof);
        question.proof = Some(proof);
    }
    Report {
        schema: SCHEMA.to_owned(),
        input: Input {
            path: file.to_owned(),
            ..Input::default()
        },
        verdict: question.verdict,
        graph: graph(&input, &terms),
        questions: vec![question],
        ..Report::default()
    }
}

/// Whatever is called checked is a part of what was checked, byte for byte.
fn checked_texts(file: &str, proof: &Proof) {
    let model = proof.model.as_deref().unwrap_or_default();
    let parts = proof.parts.iter().chain(&proof.inner).map(|p| &p.text);
    let mut n_texts = 0;
    for text in parts.chain(proof.auxiliaries.iter().map(|a| &a.text)) {
        let known = proof.certificate.contains(text) || model.contains(text);
        assert!(known && !text.is_empty(), "{file}: {text}");
        n_texts += 1;
    }
    assert!(n_texts > 0, "{file}");
}

/// What a person reads: the text between the tags, a line for each line of the page that has some.
fn words(report: &Report) -> String {
    let page = crate::page(report);
    let (_, body) = page.split_once("<header").unwrap();
    let (body, _) = body.split_once("<footer").unwrap_or((body, ""));
    let mut text = String::new();
    for piece in format!("<header{body}").split('<').skip(1) {
        let (tag, words) = piece.split_once('>').unwrap_or((piece, ""));
        let apart = ["/td", "/th", "/dt", "/dd", "/button", "/summary", "/span"];
        if apart.contains(&tag) {
            text.push(' ');
        }
        if ["/h2", "/h3", "/li", "/p"].contains(&tag) {
            text.push('\n');
        }
        text.push_str(words);
    }
    let certificates = report.questions.iter().map(|q| match (&q.proof, &q.trace) {
        (Some(proof), _) => &proof.certificate,
        (_, Some(trace)) => &trace.certificate,
        _ => &q.name,
    });
    let mut text = ["lt <", "gt >", "quot \"", "#39 '", "amp &"]
        .iter()
        .filter_map(|pair| pair.split_once(' '))
        .fold(text, |text, (name, c)| {
            text.replace(&format!("&{name};"), c)
        });
    for certificate in certificates.filter(|c| !c.is_empty()) {
        text = text.replace(certificate.as_str(), "(the certificate)");
    }
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn pages_read_as_they_should() {
    for (file, property) in FILES {
        let text = words(&report(file, property));
        expect_file![stem(file, property).with_extension("txt")].assert_eq(&text);
    }
}

/// The fields of each line of a text about a program, of which the first is a line of its source.
fn fields(file: &str, end: &str) -> Option<Vec<(u32, Vec<String>)>> {
    let text = std::fs::read_to_string(stem(file, None).with_extension(end)).ok()?;
    let one = |line: &str| {
        let mut all = line.split('\t').map(str::to_owned);
        let number = all.next().unwrap().parse().unwrap();
        (number, all.collect())
    };
    Some(text.lines().map(one).collect())
}

fn program_question(file: &str, source: &[&str]) -> Question {
    if let Some(loops) = fields(file, "loops") {
        let note = |(line, invariants): (u32, Vec<String>)| LoopNote {
            offset: 0,
            line,
            invariants,
            assigns: None,
        };
        let found = Proved {
            certificate: Some("(define-fun loop () Bool true)\n".to_owned()),
            acsl: loops.into_iter().map(note).collect(),
            ..Proved::default()
        };
        return Question {
            verdict: Verdict::Safe,
            proof: Some(program::proved(&found)),
            ..Question::default()
        };
    }
    let path = fields(file, "path").unwrap_or_else(|| panic!("{file}"));
    let line = |(line, mut rest): (u32, Vec<String>)| Line {
        line,
        depth: 0,
        values: rest.pop().unwrap(),
        statement: rest.pop().unwrap(),
    };
    let path: Vec<Line> = path.into_iter().map(line).collect();
    Question {
        verdict: Verdict::Unsafe,
        checks: vec![program::confirmed(Confirmation::Executed)],
        trace: Some(program::trace(&path, source)),
        ..Question::default()
    }
}

#[test]
fn pages_about_programs_read_as_they_should() {
    for file in ["examples/average.c", "examples/zero.c"] {
        let source = std::fs::read_to_string(root().join(file)).unwrap();
        let source: Vec<&str> = source.lines().collect();
        let question = program_question(file, &source);
        let report = Report {
            verdict: question.verdict,
            questions: vec![question],
            ..Report::default()
        };
        expect_file![stem(file, None).with_extension("txt")].assert_eq(&words(&report));
    }
}

/// What is no input of a check has a page that says so.
#[test]
fn pages_about_refused_inputs_read_as_they_should() {
    for file in [
        "examples/interpolate.smt2",
        "corpus/chc/error/unknown_symbol.smt2",
    ] {
        let bytes = std::fs::read(root().join(file)).unwrap();
        let Err(refusal) = read_input(&bytes, &Ask::default(), &TermStore::new()) else {
            panic!("{file} was read");
        };
        let about = About {
            path: file.to_owned(),
            bytes: &bytes,
            tool: Tool::default(),
            record: &Record::default(),
        };
        let text = words(&of_refusal(&about, &Error::Refused(refusal)));
        expect_file![stem(file, None).with_extension("txt")].assert_eq(&text);
    }
}

/// Each example that `check` reads has a golden page.
#[test]
fn no_example_is_forgotten() {
    for entry in std::fs::read_dir(root().join("examples")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let file = format!("examples/{name}");
        let known = FILES.iter().any(|(known, _)| *known == file);
        let page = stem(&file, None).with_extension("txt");
        assert!(
            known || page.exists() || name == "conversation.txt",
            "{file}"
        );
    }
}
