//! Small systems as text, with their verdicts.

/// A system in short: declarations `name sort init next`, then the relation's other conjuncts.
pub(super) fn vmt(
    vars: &[(&str, &str)],
    inputs: &[(&str, &str)],
    init: &str,
    trans: &str,
    property: &str,
) -> String {
    let mut text = String::new();
    for (name, sort) in vars {
        text += &format!("(declare-fun {name} () {sort})\n(declare-fun {name}+ () {sort})\n");
        text += &format!("(define-fun .{name} () {sort} (! {name} :next {name}+))\n");
    }
    for (name, sort) in inputs {
        text += &format!("(declare-fun {name} () {sort})\n");
    }
    text += &format!("(define-fun .init () Bool (! {init} :init true))\n");
    text += &format!("(define-fun .trans () Bool (! {trans} :trans true))\n");
    text + &format!("(define-fun .property () Bool (! {property} :invar-property 0))\n")
}

pub(super) fn counters(property: &str) -> String {
    let trans = "(and (= x+ (+ x 1)) (or (= y+ (+ y 1)) (= y+ y)))";
    vmt(
        &[("x", "Int"), ("y", "Int")],
        &[],
        "(and (= x 0) (= y 0))",
        trans,
        property,
    )
}

pub(super) fn bounded(property: &str) -> String {
    vmt(
        &[("x", "Int")],
        &[],
        "(= x 0)",
        "(and (< x 5) (= x+ (+ x 1)))",
        property,
    )
}

pub(super) fn inputs(property: &str) -> String {
    let trans = "(and (<= 0 in) (= x+ (+ x in)) (= y+ (- y in)))";
    vmt(
        &[("x", "Real"), ("y", "Real")],
        &[("in", "Real")],
        "(and (= x 1.0) (= y 0.0))",
        trans,
        property,
    )
}

pub(super) fn vectors(property: &str) -> String {
    let trans = "(= b+ (ite (bvult b #x64) (bvadd b #x02) b))";
    vmt(&[("b", "(_ BitVec 8)")], &[], "(= b #x00)", trans, property)
}

/// Invariants that relate counters: x = y + z; y >= 2x, whatever the phase; x even, then odd.
pub(super) fn relations() -> Vec<(String, &'static str)> {
    let split = "(or (and (= x+ (+ x 1)) (= y+ y) (= z+ (+ z 1))) (and (= x+ x) (= y+ (+ y 1)) (= z+ (- z 1))))";
    let phases = "(and (= x+ (+ x 1)) (= y+ (ite (>= x 900) (+ y 3) (+ y 2))))";
    let parity = "(= x+ (ite (= x 98) 1 (+ x 2)))";
    let zero = |names: &str| {
        let parts: Vec<String> = names.split(' ').map(|n| format!("(= {n} 0)")).collect();
        format!("(and {})", parts.join(" "))
    };
    let three = [("x", "Int"), ("y", "Int"), ("z", "Int")];
    vec![
        (
            vmt(&three, &[], &zero("x y z"), split, "(=> (= x y) (= z 0))"),
            "safe",
        ),
        (
            vmt(
                &three[..2],
                &[],
                &zero("x y"),
                phases,
                "(or (<= x 7000) (< 12000 y))",
            ),
            "safe",
        ),
        (
            vmt(
                &three[..1],
                &[],
                &zero("x x"),
                parity,
                "(or (<= x 96) (not (= 0 (mod x 4))))",
            ),
            "safe",
        ),
    ]
}

/// Systems with their verdicts.
pub(super) fn systems() -> Vec<(String, &'static str)> {
    vec![
        (counters("(<= y x)"), "safe"),
        (counters("(<= y (+ x 3))"), "safe"),
        (counters("(or (< x 4) (<= y 3))"), "unsafe"),
        (bounded("(not (= x 6))"), "safe"),
        (bounded("(not (= x 5))"), "unsafe"),
        (inputs("(<= 1.0 (+ x y))"), "safe"),
        (inputs("(<= y 0.0)"), "safe"),
        (inputs("(< x 3.0)"), "unsafe"),
        (vectors("(= ((_ extract 0 0) b) #b0)"), "safe"),
        (vectors("(not (= b #x0a))"), "unsafe"),
        (functions("(= x y)"), "safe"),
        (functions("(<= x y)"), "unsafe"),
        (writes("(<= 0 at)"), "safe"),
        (writes("(< at 3)"), "unsafe"),
        (swap("(and p q)"), "safe"),
        (swap("(and p (not q))"), "unsafe"),
    ]
}

/// The same function applied to two variables, which start related and are to stay so.
fn functions(relation: &str) -> String {
    let both = "(and (= x+ (f x)) (= y+ (f y)))";
    let vars = [("x", "Int"), ("y", "Int")];
    "(declare-fun f (Int) Int)\n".to_string() + &vmt(&vars, &[], relation, both, relation)
}

fn writes(property: &str) -> String {
    let write = "(and (= a+ (ite (= (select a at) 0) (store a at 1) a)) (= at+ (+ at 1)))";
    let vars = [("a", "(Array Int Int)"), ("at", "Int")];
    vmt(&vars, &[], "(= at 0)", write, property)
}

fn swap(init: &str) -> String {
    let vars = [("p", "Bool"), ("q", "Bool")];
    vmt(&vars, &[], init, "(and (= p+ q) (= q+ p))", "p")
}

/// A flag that alternates, so that x is even whenever it is down.
pub(super) fn alternating(property: &str) -> String {
    let trans = "(and (= up+ (not up)) (= x+ (+ x 1)))";
    vmt(
        &[("up", "Bool"), ("x", "Int")],
        &[],
        "(and (not up) (= x 0))",
        trans,
        property,
    )
}
