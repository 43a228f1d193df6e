//! Tests of the parts that need no process.

mod schedules;

use std::time::Duration;

use foretell_frontends::Format;
use foretell_kernel::{Event, EventSink, Phase, VerdictKind};

use crate::check::schedule::{Schedule, Stage, Turn};
use crate::portfolio::Portfolio;
use crate::protocol::{Common, Job, Message, Outcome, Refusal};
use crate::registry::{self, Prepared, tables};
use crate::worker::statistics::{Counter, Statistics};

/// The machine of a worker whose supervisor is on it: never asked.
fn nowhere() -> crate::worker::Home {
    crate::worker::Home {
        tools: crate::protocol::Tools::default,
        build: |_| String::new(),
    }
}

#[test]
fn the_built_in_portfolio_names_what_exists() {
    let mut portfolio = Portfolio::built_in().unwrap();
    // Adding to it looks at all steps; settings are those of configurations.
    portfolio.extend("").unwrap();
    for configuration in portfolio.configurations() {
        registry::settings(&configuration.settings).unwrap();
    }
    let steps = portfolio.steps("auto", 2).unwrap();
    assert!(steps.len() >= 2);
    assert!(steps.iter().any(|s| s.configuration.engine == "bmc"));
    assert_eq!(portfolio.steps("kinduction,bmc", 2).unwrap().len(), 2);
    assert!(
        portfolio
            .steps("nobody", 2)
            .unwrap_err()
            .to_string()
            .contains("auto")
    );
}

#[test]
fn a_user_adds_to_a_portfolio() {
    let mut portfolio = Portfolio::built_in().unwrap();
    let text = r#"
        [[configuration]]
        name = "deep"
        engine = "bmc"
        settings = ["bmc.patience=9"]
        [[schedule]]
        name = "mine"
        steps = ["deep 250ms then 3s", "kinduction after 30ms", "bmc 2s after 1s"]
    "#;
    portfolio.extend(text).unwrap();
    let steps = portfolio.steps("mine", 2).unwrap();
    assert_eq!(steps[0].slice, Some(Duration::from_millis(250)));
    assert_eq!(steps[0].then, Some(Duration::from_secs(3)));
    assert_eq!(steps[2].then, None);
    assert_eq!(steps[0].configuration.settings, ["bmc.patience=9"]);
    let waits: Vec<u128> = steps.iter().map(|s| s.after.as_millis()).collect();
    assert_eq!(waits, [0, 30, 1000]);
    assert_eq!(steps[2].slice, Some(Duration::from_secs(2)));
    for wrong in [
        "[[configuration]]\nname = \"x\"\nengine = \"y\"",
        "[[configuration]]\nname = \"x\"\nengine = \"bmc\"\nsettings = [\"bmc.no=1\"]",
        "[[schedule]]\nname = \"x\"\nsteps = [\"y\"]",
        "[[schedule]]\nname = \"x\"\nsteps = [\"bmc soon\"]",
        "[[schedule]]\nname = \"x\"\nsteps = [\"bmc after all\"]",
        "[[schedule]]\nname = \"x\"\nsteps = [\"bmc then 3s\"]",
        "[[schedule]]\nname = \"x\"\nsteps = [\"bmc 1s then\"]",
        "no toml",
    ] {
        assert!(portfolio.extend(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn settings_must_name_options_and_values() {
    let check = |text: &str| {
        registry::settings(&[text.to_owned()])
            .map(drop)
            .map_err(|e| e.to_string())
    };
    assert_eq!(check("bmc.max_bound=3"), Ok(()));
    assert_eq!(check("certify.seconds=2.5"), Ok(()));
    for (wrong, words) in [
        ("bmc.max_bound", "write group.option=value"),
        ("max_bound=3", "write group.option=value"),
        ("bmc.depth=3", "there is no option `bmc.depth`"),
        ("nobody.depth=3", "there is no option `nobody.depth`"),
        ("bmc.max_bound=-1", "`-1` is not a value of `bmc.max_bound`"),
        ("ic3ia.ctg_max=65", "(0 to 64)"),
        ("certify.seconds=NaN", "(0.001 to 86400.0)"),
    ] {
        assert!(check(wrong).unwrap_err().contains(words), "{wrong}");
    }
    let bound = |texts: &[&str]| {
        let texts: Vec<String> = texts.iter().map(|&t| t.to_owned()).collect();
        let settings = registry::settings(&texts).unwrap();
        settings
            .of::<foretell_engines::BmcOptions>()
            .unwrap()
            .max_bound
    };
    assert_eq!(bound(&["bmc.max_bound=1", "bmc.max_bound=2"]), 2);
}

/// Whatever table an option belongs to, what is no value of it is refused before anything runs.
#[test]
fn no_option_takes_what_is_no_value_of_it() {
    let portfolio = Portfolio::built_in().unwrap();
    let bmc = portfolio.steps("bmc", 1).unwrap()[0].configuration.clone();
    for option in tables().iter().flat_map(|table| table.options) {
        assert!(!option.doc.trim().is_empty(), "{}", option.name);
        let default = format!("{}={}", option.name, (option.default)());
        assert!(Prepared::new(&bmc, &[default]).is_ok(), "{}", option.name);
        for wrong in ["foo", "-1", "1e300"] {
            let error = Prepared::new(&bmc, &[format!("{}={wrong}", option.name)]).err();
            assert!(
                matches!(error, Some(crate::Error::Usage(_))),
                "{}={wrong}",
                option.name
            );
        }
    }
}

#[test]
fn turns_come_in_order_and_come_again() {
    let steps = Portfolio::built_in()
        .unwrap()
        .steps("bmc,kinduction", 2)
        .unwrap();
    let mut schedule = Schedule::single(&steps);
    assert_eq!(schedule.next().map(|t| t.step), Some(0));
    // Two more properties become known while the second step of the first one waits.
    schedule.add_tasks(3, &steps);
    let order: Vec<(usize, usize)> = std::iter::from_fn(|| schedule.next())
        .map(|t| (t.step, t.task))
        .collect();
    assert_eq!(order, [(0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]);
    let second = Some(Duration::from_secs(1));
    schedule.again(Turn {
        task: 1,
        step: 0,
        slice: second,
        then: None,
    });
    schedule.again(Turn {
        task: 2,
        step: 0,
        slice: second,
        then: None,
    });
    schedule.forget(1);
    assert!(schedule.has(2) && !schedule.has(1));
    assert_eq!(
        schedule.next().and_then(|t| t.slice),
        Some(Duration::from_secs(4))
    );
    assert!(schedule.is_empty());
}

#[test]
fn the_example_of_the_page_about_portfolios_is_one() {
    let page = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/formats/portfolio.md"
    );
    let page = std::fs::read_to_string(page).unwrap();
    let example = page.split("```toml\n").nth(1).unwrap();
    let example = example.split("```").next().unwrap();
    let mut portfolio = Portfolio::built_in().unwrap();
    portfolio.extend(example).unwrap();
    let steps = portfolio.steps("mine", 4).unwrap();
    let names: Vec<&str> = steps
        .iter()
        .map(|s| s.configuration.name.as_str())
        .collect();
    assert_eq!(names, ["candidates", "prophecy-deep", "ic3ia"]);
    assert_eq!(steps[2].slice, None);
}

#[test]
fn a_turn_that_checks_makes_no_room() {
    let steps = Portfolio::built_in()
        .unwrap()
        .steps("bmc,kinduction", 2)
        .unwrap();
    let mut schedule = Schedule::single(&steps);
    let slice = Some(Duration::from_secs(1));
    let turn = Turn {
        slice,
        ..schedule.next().unwrap()
    };
    let search = |millis| Stage::Search {
        read: Duration::from_millis(millis),
    };
    assert_eq!(schedule.room_after(&turn, search(0)), slice);
    assert_eq!(schedule.room_after(&turn, Stage::Check), None);
    assert_eq!(schedule.room_after_check(0), None);
    assert!(schedule.room_after_check(1).is_some());
    // Reading is not counted, and what it took is given for searching twice over.
    assert_eq!(schedule.room_after(&turn, Stage::Read), None);
    let after = |millis| schedule.room_after(&turn, search(millis)).unwrap();
    assert_eq!(after(400), Duration::from_millis(1400));
    assert_eq!(after(3000), Duration::from_secs(9));
    schedule.clear();
    assert_eq!(schedule.room_after(&turn, search(0)), None);
    assert_eq!(schedule.room_after_check(1), None);
}

#[test]
fn words_are_those_of_the_format() {
    assert_eq!(Format::Horn.word(VerdictKind::Safe), "sat");
    assert_eq!(Format::Z3Rules.word(VerdictKind::Safe), "unsat");
    assert_eq!(Format::Vmt.word(VerdictKind::Unsafe), "unsafe");
    assert_eq!(Format::Vmt.word(VerdictKind::Unknown), "unknown");
}

#[test]
fn events_are_counted_by_phase_and_purpose() {
    let counter = Counter::default();
    counter.emit(Event::Enter(Phase::Engine("bmc")));
    counter.emit(Event::Query("bmc", Duration::from_millis(500)));
    counter.emit(Event::Bound(7));
    assert_eq!(counter.snapshot().phase, "engine bmc");
    counter.emit(Event::Leave(Phase::Engine("bmc")));
    let statistics = counter.snapshot();
    assert_eq!(
        (statistics.phase.as_str(), statistics.bound),
        ("idle", Some(7))
    );
    assert_eq!(
        (statistics.count("queries"), statistics.count("lemmas")),
        (1, 0)
    );
    assert!(statistics.seconds["queries.bmc"] >= 0.5);
    assert_eq!(statistics.reach(), "bound 7");
    let count = |counts: [(&str, u64); 2]| Statistics {
        counts: counts.map(|(name, n)| (name.to_owned(), n)).into(),
        ..Statistics::default()
    };
    let one = count([("predicates", 1), ("auxiliaries", 1)]);
    assert_eq!(one.reach(), "1 predicate, 1 auxiliary");
    let two = count([("predicates", 2), ("lemmas", 1)]);
    assert_eq!(two.reach(), "1 lemma, 2 predicates");
}

#[test]
fn what_is_in_flight_is_seen() {
    let counter = Counter::default();
    counter.emit(Event::Enter(Phase::Engine("bmc")));
    counter.emit(Event::Asked("bmc"));
    std::thread::sleep(Duration::from_millis(2));
    let statistics = counter.snapshot();
    assert!(statistics.in_query.is_some_and(|seconds| seconds > 0.0));
    assert!(statistics.seconds["queries.bmc"] > 0.0);
    assert_eq!(statistics.count("queries"), 0, "it is not answered");
    let long = Statistics {
        in_query: Some(8.3),
        ..statistics
    };
    assert_eq!(long.reach(), "engine bmc, one query for 8 s");
    counter.emit(Event::Query("bmc", Duration::from_millis(5)));
    assert_eq!(counter.snapshot().in_query, None);
    counter.script(Some((foretell_solver::Answered::default(), 47)));
    assert_eq!(counter.snapshot().reach(), "certifying 0 of 47");
    counter.script(None);
    assert_eq!(counter.snapshot().reach(), "engine bmc");
}

/// What a worker says about a text.
fn messages(text: &str, engine: &str) -> Vec<Message> {
    let configuration = Portfolio::built_in().unwrap().steps(engine, 2).unwrap()[0]
        .configuration
        .clone();
    let settings = vec!["certify.recheck_unsafe=false".to_owned()];
    let job = Job {
        configuration,
        common: Common {
            settings,
            ..Common::default()
        },
        ..Job::default()
    };
    let input = format!("{}\n{text}", serde_json::to_string(&job).unwrap());
    let (reader, writer) = std::io::pipe().unwrap();
    crate::worker::run(std::io::Cursor::new(input.into_bytes()), writer, nowhere()).unwrap();
    let lines = std::io::BufRead::lines(std::io::BufReader::new(reader));
    lines
        .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
        .collect()
}

const COUNTER: &str = "(set-logic HORN)\n(declare-fun p (Int) Bool)\n(assert (p 0))\n\
    (assert (forall ((x Int)) (=> (and (p x) (< x 3)) (p (+ x 1)))))\n";

#[test]
fn a_worker_replays_what_it_finds() {
    let text =
        format!("{COUNTER}(assert (forall ((x Int)) (=> (p x) (not (= x 3)))))\n(check-sat)\n");
    let messages = messages(&text, "bmc");
    assert!(matches!(&messages[0], Message::Read(reading) if reading.format == Format::Horn));
    let Some(Message::Answer(answer)) = messages.last() else {
        panic!("no answer")
    };
    assert_eq!(answer.outcome.verdict(), VerdictKind::Unsafe);
    assert_eq!(answer.checks[0].solver, "evaluation");
}

#[test]
fn without_a_checker_there_is_no_safe() {
    let text =
        format!("{COUNTER}(assert (forall ((x Int)) (=> (p x) (not (= x 9)))))\n(check-sat)\n");
    // The goal is 1-inductive, but nobody is there to check the certificate.
    let strong = text.replace("(< x 3)", "(< x 3) (not (= x 8))");
    let messages = messages(&strong, "kinduction");
    let Some(Message::Answer(answer)) = messages.last() else {
        panic!("no answer")
    };
    let Outcome::Unknown { reason, rejected } = &answer.outcome else {
        panic!("an answer without a check")
    };
    assert!(reason.starts_with("certificate"), "{reason}");
    assert_eq!(
        rejected.as_ref().map(|r| r.claimed),
        Some(VerdictKind::Safe)
    );
}

#[test]
fn a_worker_tells_why_it_refuses() {
    let messages = messages("(set-logic HORN)\n(assert (q 0))\n", "bmc");
    assert!(
        matches!(&messages[..], [Message::Refused(Refusal::Input(reasons))] if reasons[0].span.start > 16)
    );
}

/// What is told in a message must not decide an answer: here the warning about the constant is left out.
#[test]
fn a_free_constant_counts_however_many_warnings_there_are() {
    let text = "(set-logic HORN)(declare-fun p (Int) Bool)(declare-const c Int)\n\
        (assert (forall ((x Int)) (=> (= x 0) (p x))))\n\
        (assert (forall ((x Int)) (=> (and (p x) (= x c)) false)))\n(check-sat)\n";
    for more in [0, 100, 300] {
        let messages = messages(&(text.to_owned() + &"(check-sat)\n".repeat(more)), "bmc");
        let Some(Message::Answer(answer)) = messages.last() else {
            panic!("no answer")
        };
        let Outcome::Unknown { reason, .. } = &answer.outcome else {
            panic!("{more}: {:?}", answer.outcome.verdict())
        };
        assert!(reason.starts_with("free symbols"), "{reason}");
    }
}

#[test]
fn messages_come_back_as_they_were() {
    let text = "(set-logic HORN)\n(assert (q 0))\n";
    let terms = foretell_terms::TermStore::new();
    let reasons = foretell_frontends::read(text.as_bytes(), &terms).unwrap_err();
    let refused = Message::Refused(Refusal::Input(reasons.clone()));
    let line = serde_json::to_string(&refused).unwrap();
    assert!(line.contains("\"E013\""), "{line}");
    let Message::Refused(Refusal::Input(read)) = serde_json::from_str(&line).unwrap() else {
        panic!("{line}")
    };
    assert_eq!(read, reasons);
}
