//! What machines read: JSON against its schema, hints in, what was learnt out.

use std::fs;
use std::path::Path;

use foretell_testkit::corpus::root;
use serde_json::Value;

use super::{folder, foretell};

/// Squares: the invariant is not linear, so that no engine finds it.
const RULES: &str = "(set-logic HORN)
(declare-fun p (Int Int Int) Bool)
(assert (forall ((x Int) (y Int) (n Int)) (=> (and (= x 0) (= y 0) (> n 0)) (p x y n))))
(assert (forall ((x Int) (y Int) (n Int))
  (=> (and (p x y n) (< x n)) (p (+ x 1) (+ y (* 2 x) 1) n))))
";
const GOAL: &str = "(assert (forall ((x Int) (y Int) (n Int))
  (=> (and (p x y n) (>= x n) (not (= y (* n n)))) false)))
";
/// Violated after a thousand steps only.
const LATE: &str = "(assert (forall ((x Int) (y Int) (n Int))
  (=> (and (p x y n) (> y (* 1000 x))) false)))
";
/// The same as a transition system, with a property that fails only after a thousand steps.
const SYSTEM: &str = "(declare-fun x () Int) (declare-fun x1 () Int)
(declare-fun y () Int) (declare-fun y1 () Int)
(define-fun sx () Int (! x :next x1)) (define-fun sy () Int (! y :next y1))
(define-fun i () Bool (! (and (= x 0) (= y 0)) :init true))
(define-fun t () Bool (! (and (= x1 (+ x 1)) (= y1 (+ y (* 2 x) 1))) :trans true))
(define-fun q () Bool (! (<= y (* 1000 x)) :invar-property 0))
";

fn file(test: &str, name: &str, text: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&path).unwrap();
    fs::write(path.join(name), text).unwrap();
    path.join(name).to_str().unwrap().to_owned()
}

fn schema(name: &str) -> Value {
    let path = root().join("docs/formats").join(name);
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// The schema a reference leads to, in either file.
fn target(reference: &str) -> Value {
    let pointer = reference.split_once('#').unwrap().1;
    let found = schema("json.schema.json").pointer(pointer).cloned();
    found.unwrap_or_else(|| panic!("{reference} leads nowhere"))
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        other => panic!("no type {other}"),
    }
}

/// What is wrong with a value: the part of JSON Schema that our files use. A field of an object that the
/// schema does not name is wrong too, unless the schema names none.
fn faults(value: &Value, schema: &Value, place: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    for (key, rule) in schema.as_object().unwrap() {
        match key.as_str() {
            "$ref" => wrong.extend(faults(value, &target(rule.as_str().unwrap()), place)),
            "oneOf" | "anyOf" => {
                let fits = |r: &&Value| faults(value, r, place).is_empty();
                let n = rule.as_array().unwrap().iter().filter(fits).count();
                if n == 0 || (key == "oneOf" && n > 1) {
                    wrong.push(format!("{place}: {n} of {key} fit"));
                }
            }
            "allOf" => {
                let rules = rule.as_array().unwrap().iter();
                wrong.extend(rules.flat_map(|r| faults(value, r, place)));
            }
            "type" => {
                let names: Vec<&str> = match rule {
                    Value::String(name) => vec![name],
                    list => list
                        .as_array()
                        .unwrap()
                        .iter()
                        .filter_map(Value::as_str)
                        .collect(),
                };
                if !names.iter().any(|name| is_of_type(value, name)) {
                    wrong.push(format!("{place}: {names:?} expected"));
                }
            }
            "enum" if !rule.as_array().unwrap().contains(value) => {
                wrong.push(format!("{place}: {value} is none of {rule}"));
            }
            "required" => {
                let names = rule.as_array().unwrap().iter().filter_map(Value::as_str);
                let missing = names.filter(|name| value.get(name).is_none());
                wrong.extend(missing.map(|name| format!("{place}: no `{name}`")));
            }
            "properties" => {
                for (name, rule) in rule.as_object().unwrap() {
                    if let Some(part) = value.get(name) {
                        wrong.extend(faults(part, rule, &format!("{place}.{name}")));
                    }
                }
            }
            "items" => {
                for (i, part) in value.as_array().into_iter().flatten().enumerate() {
                    wrong.extend(faults(part, rule, &format!("{place}[{i}]")));
                }
            }
            _ => {}
        }
    }
    wrong
}

fn assert_fits(text: &str, schema: &Value) -> Value {
    let value: Value = serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"));
    let wrong = faults(&value, schema, "");
    assert!(wrong.is_empty(), "{wrong:?} in {text}");
    value
}

#[test]
fn json_fits_its_schema_also_when_there_is_no_answer() {
    let schema = schema("json.schema.json");
    let bad = file("schema", "bad.smt2", "(assert");
    let hints = file("schema", "hints.smt2", "(define-fun q () Bool true)");
    for (arguments, kind) in [
        (vec!["examples/counter.vmt"], ""),
        (vec!["corpus/chc/unsafe/lia_counter_reaches.smt2"], ""),
        (vec!["--property", "all", "examples/two_properties.vmt"], ""),
        (
            vec!["--hints", &hints, "corpus/chc/safe/lia_counter_up.smt2"],
            "malformed",
        ),
        (vec![bad.as_str()], "malformed"),
        (vec!["corpus/chc/error/floats.smt2"], "unsupported"),
        (vec!["no/such/file"], "usage"),
        (vec!["--no-such-option"], "usage"),
        (vec!["--property", "7", "examples/counter.vmt"], "usage"),
    ] {
        let options = ["--format", "json", "--timeout", "120s"];
        let outcome = foretell(&[&options[..], &arguments[..]].concat());
        let value = assert_fits(&outcome.stdout, &schema);
        let found = value["error"]["kind"].as_str().unwrap_or_default();
        assert_eq!(found, kind, "{arguments:?}: {}", outcome.stdout);
        if let Some(exit) = value["error"]["exit"].as_i64() {
            assert_eq!(outcome.code.map(i64::from), Some(exit), "{arguments:?}");
        }
    }
}

#[test]
fn a_stream_has_a_line_per_event() {
    let schema = schema("jsonl.schema.json");
    let arguments = [
        "--format",
        "jsonl",
        "--timeout",
        "120s",
        "--property",
        "all",
    ];
    let outcome = foretell(&[&arguments[..], &["examples/two_properties.vmt"]].concat());
    let events = outcome
        .stdout
        .lines()
        .map(|line| assert_fits(line, &schema)["event"].clone());
    let mut events: Vec<Value> = events.collect();
    events.retain(|event| event != "progress");
    assert_eq!(events, ["read", "property", "property", "end"]);
    let outcome = foretell(&["--format", "jsonl", "no/such/file"]);
    assert_eq!(
        assert_fits(outcome.stdout.trim_end(), &schema)["event"],
        "error"
    );
}

#[test]
fn hints_are_proved_before_they_are_used() {
    let path = file(
        "hints",
        "squares.smt2",
        &format!("{RULES}{GOAL}(check-sat)"),
    );
    let good = "(define-fun p ((a Int) (b Int) (n Int)) Bool (and (= b (* a a)) (<= a n)))";
    let wrong = "(define-fun p ((a Int) (b Int) (n Int)) Bool (and (= b (* n n)) (> a n)))";
    let hints = file("hints", "hints.smt2", &format!("{wrong}\n({good})\n"));
    let run = [
        "-e",
        "kinduction",
        "--timeout",
        "120s",
        "--set",
        "kinduction.max_k=3",
        "--hints",
    ];
    let outcome = foretell(&[&run[..], &[&hints, &path]].concat());
    assert_eq!(
        (outcome.first(), outcome.code),
        ("sat", Some(0)),
        "{}",
        outcome.stderr
    );
    let hints = file("hints", "hints.smt2", wrong);
    let outcome = foretell(&[&run[..], &[&hints, &path]].concat());
    assert_eq!(outcome.code, Some(20), "{}", outcome.stdout);
    let hints = file("hints", "hints.smt2", "(define-fun p ((a Int)) Bool true)");
    let outcome = foretell(&[&run[..], &[&hints, &path]].concat());
    assert_eq!((outcome.stdout.as_str(), outcome.code), ("", Some(3)));
    assert!(
        outcome.stderr.contains("hints.smt2:1:15"),
        "{}",
        outcome.stderr
    );
}

/// Distances of cells: templates speak of cells beside each other, the user of all pairs.
#[test]
fn quantified_hints_are_proved_before_they_are_used() {
    let array = "(Array Int Int)";
    let rules = format!(
        "(set-logic HORN)(declare-fun p ({array} Int Int) Bool)
        (assert (forall ((a {array}) (n Int)) (p a 0 n)))
        (assert (forall ((a {array}) (i Int) (n Int) (x Int))
          (=> (and (p a i n) (< i n) (= x (+ (* 3 i) 5))) (p (store a i x) (+ i 1) n))))
        (assert (forall ((a {array}) (i Int) (n Int) (j Int) (k Int))
          (=> (and (p a i n) (>= i n) (<= 0 j) (< j k) (< k n)
                   (< (- (select a k) (select a j)) (- k j))) false)))(check-sat)"
    );
    let path = file("quantified-hints", "distances.smt2", &rules);
    let hint = |shift: u32| {
        let guard = "(<= 0 j) (< j i)";
        format!(
            "(define-fun p ((a {array}) (i Int) (n Int)) Bool
              (forall ((j Int)) (=> (and {guard}) (= (select a j) (+ (* 3 j) {shift})))))"
        )
    };
    let run = [
        "-e",
        "candidates",
        "--set",
        "candidates.first=16",
        "--model",
    ];
    let asked = |shift| {
        let hints = file("quantified-hints", "hints.smt2", &hint(shift));
        foretell(&[&run[..], &["--hints", &hints, &path]].concat())
    };
    let outcome = asked(5);
    assert_eq!(outcome.first(), "sat", "{}", outcome.stderr);
    assert!(outcome.stdout.contains("forall"), "{}", outcome.stdout);
    assert_eq!(asked(6).code, Some(20), "a wrong hint is no proof");
}

#[test]
fn what_was_learnt_is_a_model_of_the_rules_and_can_be_fed_back() {
    let folder = folder("learned");
    let learned = folder.join("learned.smt2");
    let option = format!("--learned={}", learned.to_str().unwrap());
    let clauses = format!("{RULES}{LATE}(check-sat)");
    for (name, text, definition) in [
        ("squares.smt2", clauses.as_str(), "(define-fun p "),
        ("squares.vmt", SYSTEM, "(define-fun learned "),
    ] {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap();
        let run = ["-e", "candidates", "--timeout", "120s"];
        let outcome = foretell(&[&run[..], &[&option, path]].concat());
        assert_eq!(outcome.code, Some(20), "{}", outcome.stderr);
        let text = fs::read_to_string(&learned).unwrap();
        let proved = text.split("(candidates").next().unwrap();
        assert!(proved.contains(definition), "{text}");
        let again = ["-e", "bmc", "--set", "bmc.max_bound=2", "--hints"];
        let outcome = foretell(&[&again[..], &[learned.to_str().unwrap(), path]].concat());
        assert_eq!(outcome.code, Some(20), "{}", outcome.stderr);
        if name == "squares.smt2" {
            // The definitions are a model of the clauses without the goal.
            let model = file("learned", "model.smt2", proved);
            let rules = file("learned", "rules.smt2", RULES);
            let outcome = foretell(&["validate", &rules, &model]);
            assert_eq!(
                outcome.code,
                Some(0),
                "{}{}",
                outcome.stdout,
                outcome.stderr
            );
        }
    }
}
