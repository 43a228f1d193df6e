//! Random programs of the shapes that single passes are for: the pass does its work, nothing that an engine
//! finds below it is lost or rejected on the text, and with and without it the verdicts agree.

use foretell_kernel::{Rng, VerdictKind, Work};
use foretell_passes::{PassOptions, simplify};
use foretell_testkit::read::clauses;
use foretell_testkit::{Plan, RunLimits, solve, with_cx};

const LIMITS: RunLimits = RunLimits {
    queries: 2000,
    work: Work::of_millis(2000),
    ..RunLimits::NONE
};

/// A number from `least` to `most`.
fn among(rng: &Rng, least: i64, most: i64) -> i64 {
    let range = u64::try_from(most - least + 1).unwrap_or(1);
    least + i64::try_from(rng.below(range)).unwrap_or(0)
}

/// The verdict, which was checked on the text; nothing may get lost on the way back.
#[track_caller]
fn answered(text: &str, engine: &str, settings: &[&str]) -> VerdictKind {
    let said = solve(text, &Plan::new(engine).with(settings).within(LIMITS));
    let lost = said.words.contains("not carried back");
    assert!(!lost, "{engine}: {}\n{text}", said.words);
    said.verdict
}

/// The verdicts of an engine over programs, with and without a pass; how many were safe and unsafe.
#[track_caller]
fn agree(texts: &[String], engines: &[&str], without: &str) -> (usize, usize) {
    let (mut safe, mut broken) = (0, 0);
    for text in texts {
        for engine in engines {
            let verdict = answered(text, engine, &["bmc.max_bound=12"]);
            safe += usize::from(verdict == VerdictKind::Safe);
            broken += usize::from(verdict == VerdictKind::Unsafe);
            let plain = answered(text, engine, &["bmc.max_bound=12", without]);
            let open = [verdict, plain].contains(&VerdictKind::Unknown);
            assert!(
                open || verdict == plain,
                "{engine}: {verdict:?}, {plain:?}\n{text}"
            );
        }
    }
    (safe, broken)
}

/// In how many programs the passes make another problem with these options than with those.
fn differ(texts: &[String], with: &PassOptions, without: &PassOptions) -> usize {
    let changed = |text: &&String| {
        with_cx(|cx| {
            let system = clauses(cx.terms, text);
            let shape = |options: &PassOptions| {
                let small = simplify(&system, options, cx).expect("no limit").problem;
                let printed = small.clauses.iter().map(|c| cx.terms.print(c.constraint));
                (small.preds.len(), printed.collect::<Vec<_>>())
            };
            shape(with) != shape(without)
        })
    };
    texts.iter().filter(changed).count()
}

fn passes() -> PassOptions {
    PassOptions {
        validate: false,
        ..PassOptions::default()
    }
}

/// A program whose counter is a number: places in a row, some of them loops, one with the goal.
fn counted(seed: u64) -> String {
    let rng = Rng::new(seed);
    let places = among(&rng, 3, 5);
    let mut text = String::from(
        "(set-logic HORN)\n(declare-fun s (Int Int Int) Bool)\n\
         (assert (forall ((y Int)) (=> (<= 0 y 3) (s 0 0 y))))\n",
    );
    for at in 0..places {
        let (bound, add) = (among(&rng, 1, 4), among(&rng, -1, 2));
        let next = at + 1;
        let step = format!("(+ x {add})");
        if rng.below(2) == 0 {
            text += &format!(
                "(assert (forall ((x Int) (y Int)) (=> (and (s {at} x y) (< x {bound})) \
                 (s {at} (+ x 1) y))))\n\
                 (assert (forall ((x Int) (y Int)) (=> (and (s {at} x y) (>= x {bound})) \
                 (s {next} x y))))\n"
            );
        } else {
            text += &format!(
                "(assert (forall ((x Int) (y Int)) (=> (s {at} x y) (s {next} {step} (+ y 1)))))\n"
            );
        }
    }
    let limit = among(&rng, 3, 16);
    text + &format!(
        "(assert (forall ((x Int) (y Int)) (=> (and (s {places} x y) (> (+ x y) {limit})) false)))\n\
         (check-sat)\n"
    )
}

#[test]
fn places_of_a_number_come_back() {
    let texts: Vec<String> = (0..6).map(counted).collect();
    let without = PassOptions {
        locations: false,
        ..passes()
    };
    let changed = differ(&texts, &passes(), &without);
    assert!(changed >= 4, "only {changed} programs have places");
    let (safe, broken) = agree(&texts, &["ic3ia", "bmc"], "passes.locations=false");
    assert!(safe >= 2 && broken >= 2, "{safe} safe, {broken} unsafe");
}

/// A row of numbers in which each takes the value of the one before; the last one is bounded after as many
/// steps as the row is long.
fn row(seed: u64) -> String {
    let rng = Rng::new(seed);
    let (n, top) = (among(&rng, 2, 4), among(&rng, 1, 5));
    let names = |suffix: &str| -> Vec<String> { (0..n).map(|i| format!("x{i}{suffix}")).collect() };
    let vars: String = names("").iter().map(|x| format!("({x} Int) ")).collect();
    let all = names("").join(" ");
    let shifted = names("")[..names("").len() - 1].join(" ");
    let zeros = vec!["0"; names("").len()].join(" ");
    let (low, last) = (among(&rng, -3, 0), n - 1);
    format!(
        "(set-logic HORN)\n(declare-fun s ({}) Bool)\n(assert (s {zeros}))\n\
         (assert (forall ({vars}(i Int)) (=> (and (s {all}) (<= {low} i {top})) (s i {shifted}))))\n\
         (assert (forall ({vars}) (=> (and (s {all}) (or (> x{last} {top}) (< x{last} {low}))) false)))\n\
         (check-sat)\n",
        vec!["Int"; names("").len()].join(" ")
    )
}

#[test]
fn invariants_of_several_steps_come_back() {
    let mut deep = 0;
    for text in (0..4).map(row) {
        let verdict = answered(&text, "kinduction", &[]);
        assert_eq!(verdict, VerdictKind::Safe, "{text}");
        let one = answered(&text, "kinduction", &["kinduction.max_k=1"]);
        deep += usize::from(one == VerdictKind::Unknown);
    }
    assert!(deep >= 3, "only {deep} need several steps");
}

/// An array that is filled from a base on, at a distance, and read there.
fn based(seed: u64) -> String {
    let rng = Rng::new(seed);
    let (off, value, size) = (among(&rng, -2, 3), among(&rng, 0, 2), among(&rng, 1, 3));
    let (at, wrong) = (among(&rng, 0, size + 1), rng.below(2));
    let goal = match wrong {
        0 => format!("(not (= (select a (+ b {})) {value}))", off + at),
        _ => format!("(= (select a (+ b {})) {value})", off + at),
    };
    format!(
        "(set-logic HORN)\n(declare-fun s (Int (Array Int Int) Int) Bool)\n\
         (assert (forall ((b Int) (a (Array Int Int))) (=> (> b 0) (s b a 0))))\n\
         (assert (forall ((b Int) (a (Array Int Int)) (i Int))\n\
           (=> (and (s b a i) (< i {size})) (s b (store a (+ b i {off}) {value}) (+ i 1)))))\n\
         (assert (forall ((b Int) (a (Array Int Int)) (i Int))\n\
           (=> (and (s b a i) (>= i {size}) {goal}) false)))\n(check-sat)\n"
    )
}

#[test]
fn arrays_counted_from_their_base_come_back() {
    let texts: Vec<String> = (0..8).map(based).collect();
    let without = PassOptions {
        rebase: false,
        ..passes()
    };
    let changed = differ(&texts, &passes(), &without);
    assert!(changed >= 4, "only {changed} programs have a base");
    let (safe, broken) = agree(&texts, &["bmc", "candidates"], "passes.rebase=false");
    assert!(safe >= 2 && broken >= 2, "{safe} safe, {broken} unsafe");
}
