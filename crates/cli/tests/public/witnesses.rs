//! Witnesses that the executable prints, and what `validate` says about them.

use super::{folder, foretell};

const SAFE: &str = "corpus/chc/safe/lia_counter_up.smt2";
const UNSAFE: &str = "corpus/chc/unsafe/lia_counter_reaches.smt2";

#[test]
fn a_model_can_be_validated_and_a_wrong_one_is_rejected() {
    let folder = folder("models");
    let model = folder.join("model.smt2");
    let to_file = format!("--model={}", model.display());
    let printed = foretell(&["--model", SAFE]);
    let written = foretell(&[&to_file, SAFE]);
    assert_eq!((printed.code, written.code), (Some(0), Some(0)));
    assert_eq!(
        printed.stdout,
        format!("sat\n{}", std::fs::read_to_string(&model).unwrap())
    );
    assert_eq!(written.stdout, "sat\n");
    let accepted = foretell(&["validate", SAFE, model.to_str().unwrap()]);
    assert_eq!(
        (accepted.first(), accepted.code),
        ("accepted (z3)", Some(0)),
        "{}",
        accepted.stderr
    );
    let text = std::fs::read_to_string(&model).unwrap();
    let (head, _) = text.split_once(") Bool").unwrap();
    std::fs::write(&model, format!("{head}) Bool true)\n)\n")).unwrap();
    let rejected = foretell(&["validate", SAFE, model.to_str().unwrap()]);
    assert!(
        rejected.first().starts_with("rejected"),
        "{}",
        rejected.stdout
    );
    assert_eq!(rejected.code, Some(10));
    assert!(
        rejected.stdout.contains(" fails for "),
        "{}",
        rejected.stdout
    );
}

#[test]
fn models_bear_the_names_of_the_rules_unless_everything_is_wanted() {
    let file = "examples/array_init.smt2";
    let readable = foretell(&["--model", file]);
    let full = foretell(&["--model", "--full-model", file]);
    assert!(readable.stdout.contains("(i Int)"), "{}", readable.stdout);
    assert!(readable.stdout.contains("=>"), "{}", readable.stdout);
    assert!(full.stdout.contains("(v1 Int)"), "{}", full.stdout);
}

/// A counter that moves when `go` says so; `noise` is read but decides nothing.
const NOISY: &str = "(declare-fun x () (_ BitVec 8))
(declare-fun x.next () (_ BitVec 8))
(declare-fun go () Bool)
(declare-fun noise () Int)
(define-fun .x () (_ BitVec 8) (! x :next x.next))
(define-fun .init () Bool (! (= x #x00) :init true))
(define-fun .trans () Bool (! (and (= x.next (ite go (bvadd x #x01) x))
  (or (< noise 5) (bvule x #xff))) :trans true))
(define-fun .property () Bool (! (bvult x #x02) :invar-property 0))
";

#[test]
fn inputs_that_do_not_matter_are_left_out() {
    let folder = folder("inputs");
    let (file, dump) = (folder.join("noisy.vmt"), folder.join("run.vcd"));
    std::fs::write(&file, NOISY).unwrap();
    let file = file.to_str().unwrap();
    let short = foretell(&["--cex", file]);
    assert_eq!(short.code, Some(10), "{}", short.stderr);
    assert!(short.stdout.contains("#x02"), "{}", short.stdout);
    assert!(!short.stdout.contains("noise"), "{}", short.stdout);
    let full = foretell(&["--cex", "--full-cex", file]);
    assert!(full.stdout.contains("noise"), "{}", full.stdout);
    let to_file = format!("--cex={}", dump.display());
    assert_eq!(foretell(&[&to_file, file]).stdout, "unsafe\n");
    let dump = std::fs::read_to_string(&dump).unwrap();
    assert!(dump.contains("$var wire 8 ! x $end"), "{dump}");
    assert!(
        dump.contains("b10 !") || dump.contains("b00000010 !"),
        "{dump}"
    );
}

#[test]
fn a_counterexample_can_be_validated_and_belongs_to_its_problem() {
    let folder = folder("counterexamples");
    for (file, other) in [
        (UNSAFE, SAFE),
        ("corpus/vmt/unsafe/counter_hits.vmt", "examples/counter.vmt"),
    ] {
        let path = folder.join("counterexample");
        let outcome = foretell(&[&format!("--certificate={}", path.display()), file]);
        assert_eq!(outcome.code, Some(10), "{}", outcome.stderr);
        let accepted = foretell(&["validate", file, path.to_str().unwrap()]);
        assert_eq!(
            accepted.code,
            Some(0),
            "{}{}",
            accepted.stdout,
            accepted.stderr
        );
        let refused = foretell(&["validate", other, path.to_str().unwrap()]);
        assert_eq!(
            refused.code,
            Some(10),
            "{}{}",
            refused.stdout,
            refused.stderr
        );
    }
}

/// Another meaning of the constant makes these clauses satisfiable.
#[test]
fn a_derivation_for_one_value_of_a_free_constant_is_undecided() {
    let folder = folder("free");
    let (file, witness) = (folder.join("free.smt2"), folder.join("witness"));
    let text = "(set-logic HORN)(declare-fun p (Int) Bool)(declare-const c Int)\n\
        (assert (forall ((x Int)) (=> (= x 0) (p x))))\n\
        (assert (forall ((x Int)) (=> (and (p x) (= x c)) false)))\n(check-sat)\n";
    std::fs::write(&file, text).unwrap();
    let cex = "(counterexample (format foretell-1) (kind chc)
        (step 0 (clause 0) (values (x 0)) (premises) (derives (p 0)))
        (step 1 (clause 1) (values (x 0) (c 0)) (premises 0) (derives false)))";
    std::fs::write(&witness, cex).unwrap();
    let (file, witness) = (file.to_str().unwrap(), witness.to_str().unwrap());
    let outcome = foretell(&["validate", file, witness]);
    assert_eq!(
        outcome.code,
        Some(20),
        "{}{}",
        outcome.stdout,
        outcome.stderr
    );
    assert!(
        outcome.stdout.contains("free symbols"),
        "{}",
        outcome.stdout
    );
}

/// What JSON output says is a counterexample is one for `validate`.
#[test]
fn a_counterexample_of_the_json_output_can_be_validated() {
    let folder = folder("json-counterexamples");
    let path = folder.join("counterexample.json");
    for file in [
        UNSAFE,
        "corpus/vmt/unsafe/counter_hits.vmt",
        "corpus/chc/unsafe/array_bv_index_alias.smt2",
    ] {
        let outcome = foretell(&["--format", "json", file]);
        assert_eq!(outcome.code, Some(10), "{file}: {}", outcome.stderr);
        let json: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
        let cex = &json["properties"][0]["counterexample"];
        assert_eq!(cex["format"], "foretell-1", "{file}: {cex}");
        std::fs::write(&path, cex.to_string()).unwrap();
        let accepted = foretell(&["validate", file, path.to_str().unwrap()]);
        assert_eq!(
            accepted.code,
            Some(0),
            "{file}: {}{}",
            accepted.stdout,
            accepted.stderr
        );
        let wrong = cex.to_string().replace("foretell-1", "foretell-0");
        std::fs::write(&path, wrong).unwrap();
        let rejected = foretell(&["validate", file, path.to_str().unwrap()]);
        assert_eq!(rejected.code, Some(10), "{file}: {}", rejected.stdout);
        assert!(
            rejected.stdout.contains("this format is not known"),
            "{}",
            rejected.stdout
        );
    }
}

/// Whether a failing check is a call of `reach_error` decides the answer of the competition.
#[test]
fn only_a_call_of_reach_error_is_one() {
    let folder = folder("reach-error");
    let cases = [
        (
            "void reach_error(void) {}\n",
            "reach_error();",
            "FALSE(unreach-call)",
        ),
        ("#include <assert.h>\n", "assert(x != 3);", "UNKNOWN"),
        (
            "extern void __assert_fail();\n",
            "__assert_fail();",
            "UNKNOWN",
        ),
        (
            "void reach_error(void) {}\n",
            "if (x > 3) reach_error();",
            "TRUE",
        ),
    ];
    for (n, (head, statement, answer)) in cases.into_iter().enumerate() {
        let file = folder.join(format!("{n}.c"));
        let text = format!("{head}int main(void) {{ int x = 3; {statement} return 0; }}\n");
        std::fs::write(&file, text).unwrap();
        let run = foretell(&["--sv-comp", "--timeout", "60", file.to_str().unwrap()]);
        assert_eq!(run.first(), answer, "{statement}: {}", run.stderr);
    }
}
