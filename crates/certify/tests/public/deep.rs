//! Deep and large texts: nothing here recurses over them.

use foretell_certify::{cex, chc_obligations, vmt_obligations};
use foretell_systems::Property;

const DEPTH: usize = 200_000;

fn nested(open: &str, inner: &str, close: &str) -> String {
    format!("{}{inner}{}", open.repeat(DEPTH), close.repeat(DEPTH))
}

#[test]
fn deep_clauses_and_models() {
    let constraint = nested("(and true ", "(>= x 0)", ")");
    let body = nested("(and (p x) ", "true", ")");
    let text = format!(
        "(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> {constraint} (p x))))
(assert (forall ((x Int)) (=> {body} (>= x 0))))"
    );
    let formula = nested("(not (not ", "(>= x 0)", "))");
    let model = format!("(define-fun p ((x Int)) Bool {formula})");
    let checks = chc_obligations(&text, &model).expect("posed");
    let scripts: Vec<String> = checks.scripts().collect();
    assert_eq!(scripts.len(), 2);
    assert!(scripts[1].len() > body.len() + formula.len());
    let certificate = format!(
        "(certificate (format foretell-1) (kind chc) (prophecy q Int (target 1 x)) {model})"
    );
    let checks = chc_obligations(&text, &certificate).expect("posed");
    assert_eq!(checks.scripts().count(), 2);
    let annotated = text
        .replace("(=> ", &"(! ".repeat(DEPTH))
        .replace("0))))", "0)");
    assert!(chc_obligations(&annotated, &model).is_err());
}

#[test]
fn deep_systems_and_certificates() {
    let text = format!(
        "(declare-fun x () Int) (declare-fun y () Int) (define-fun s () Int (! x :next y))
(define-fun i () Bool (! {} :init)) (define-fun t () Bool (! (= y (+ x 1)) :trans))
(define-fun p () Bool (! (>= x 0) :invar-property 0))",
        nested("(not (not ", "(= x 0)", "))")
    );
    let certificate = format!(
        "(certificate (format foretell-1) (kind vmt) (invariant {}))",
        nested("(and ", "(>= x 0)", " true)")
    );
    let checks = vmt_obligations(&text, &certificate, Property::Number(0)).expect("posed");
    assert_eq!(checks.scripts().count(), 3);
}

#[test]
fn deep_values_are_refused() {
    let value = nested("(array (else ", "0", "))");
    let text = format!("(counterexample (format foretell-1) (kind chc) (rigid (a {value})))");
    assert!(cex::is_counterexample(&text));
    assert!(cex::sexp::read(&text).is_err());
    let json = format!(
        "{{\"format\": \"foretell-1\", \"kind\": \"chc\", \"rigid\": {}",
        "{\"a\": ".repeat(DEPTH)
    );
    assert!(cex::read(&json).is_err());
}

#[test]
fn hostile_texts_are_errors() {
    for text in [
        "",
        "(",
        ")",
        "|",
        "\"",
        "\u{0}",
        "(assert",
        "(assert)",
        "(declare-fun)",
        "()",
        "(())",
        "(declare-fun p 5 Bool)",
        "(declare-rel p)",
        "(rule)",
        "(query)",
        "(assert (forall x))",
        "#",
        "(declare-fun |a\\b| () Bool)",
    ] {
        assert!(
            chc_obligations(text, "(define-fun p () Bool true)").is_err(),
            "{text}"
        );
        assert!(
            vmt_obligations(
                text,
                "(certificate (format foretell-1) (kind vmt) (invariant true))",
                Property::All
            )
            .is_err(),
            "{text}"
        );
        assert!(
            chc_obligations("(declare-fun p () Bool) (assert p)", text).is_err(),
            "{text}"
        );
        assert!(cex::read(text).is_err(), "{text}");
    }
}
