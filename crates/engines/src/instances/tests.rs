//! Invariants over any number of elements, found on few.

use foretell_kernel::{Alone, Cx, Engine, Verdict, Work};
use foretell_systems::TransitionSystem;
use foretell_terms::Sort;
use foretell_testkit::read::system;
use foretell_testkit::with_cx;

use super::conjecture::again;
use super::goals::{goals, stronger};
use super::ground::{Ground, Root};
use super::samples::Samples;
use super::scheme::{Literal, Scheme};
use super::shapes::{self, Extent};
use super::{Instances, InstancesOptions};

/// One token is at an element, which passes it on; marks follow it.
const TOKEN: &str = "
    (declare-sort node 0) (declare-fun after (node) node)
    (declare-fun at () (Array node Bool)) (declare-fun at+ () (Array node Bool))
    (declare-fun home () node) (declare-fun home+ () node)
    (define-fun .at () (Array node Bool) (! at :next at+))
    (define-fun .home () node (! home :next home+))
    (define-fun .i () Bool (! (forall ((n node)) (= (select at n) (= n home))) :init true))
    (define-fun .t () Bool (! (and (select at home)
        (= at+ (store (store at home false) (after home) true)) (= home+ STEP)) :trans true))
    (define-fun .p () Bool (! (forall ((a node) (b node))
        (=> (and (select at a) (select at b)) (= a b))) :invar-property 0))";

#[test]
fn a_token_stays_one_however_many_nodes_there_are() {
    with_cx(|cx| {
        let system = system(cx.terms, &TOKEN.replace("STEP", "(after home)"));
        let verdict = Instances::default().check(&system, &Alone, cx);
        let Ok(Verdict::Safe(proof)) = verdict else {
            panic!("safe")
        };
        assert_eq!(proof.k, 1);
        assert!(cx.terms.has_quantifier(proof.formula));
    });
}

#[test]
fn an_unsafe_instance_is_no_proof() {
    with_cx(|cx| {
        let text = TOKEN
            .replace("STEP", "home")
            .replace("(store at home false)", "at");
        let system = system(cx.terms, &text);
        let verdict = Instances::default().check(&system, &Alone, cx);
        assert!(matches!(verdict, Ok(Verdict::Unknown(_))));
    });
}

#[test]
fn systems_without_elements_are_refused() {
    with_cx(|cx| {
        let text = "(declare-fun x () Bool) (declare-fun x+ () Bool)
            (define-fun .x () Bool (! x :next x+)) (define-fun .i () Bool (! x :init true))
            (define-fun .t () Bool (! x+ :trans true)) (define-fun .p () Bool (! x :invar-property 0))";
        let system = system(cx.terms, text);
        assert!(Instances::default().accepts(&system, cx).is_err());
    });
}

/// The routes of the corpus.
const ROUTES: &str = include_str!("../../../../corpus/vmt/safe/protocol_routes.vmt");

/// Literals of symbols over variables of one sort.
fn scheme(literals: &[(usize, &[usize], bool)], apart: &[(usize, usize)], sort: Sort) -> Scheme {
    let vars = literals.iter().flat_map(|(_, vars, _)| vars.iter());
    let vars = vars.max().map_or(0, |most| most + 1);
    let literal = |&(symbol, vars, positive): &(usize, &[usize], bool)| Literal {
        symbol,
        vars: vars.to_vec(),
        positive,
    };
    Scheme {
        sorts: vec![sort; vars],
        literals: literals.iter().map(literal).collect(),
        apart: apart.to_vec(),
    }
}

/// The instance of a system with so many elements, and the numbers of symbols by name.
fn ground_of<const N: usize>(
    system: &TransitionSystem,
    size: usize,
    names: [&str; N],
    cx: &Cx<'_>,
) -> (Ground, [usize; N]) {
    let ground = Ground::new(system, size, cx).unwrap_or_else(|_| panic!("an instance"));
    let number = |name: &str| {
        let mut symbols = ground.symbols.iter();
        let has = |symbol: &super::ground::Symbol| match symbol.root {
            Root::Var(var) => cx.terms.print(var) == name,
            Root::Func(_) => false,
        };
        symbols.position(has).unwrap_or_else(|| panic!("{name}"))
    };
    let numbers = names.map(number);
    (ground, numbers)
}

#[test]
fn conjectures_prove_what_the_search_alone_does_not() {
    let answer = |conjectured: u32| {
        with_cx(|cx| {
            let system = system(cx.terms, ROUTES);
            let options = InstancesOptions {
                conjectured,
                ..InstancesOptions::default()
            };
            let mut engine = Instances::new(options);
            let check = |cx: &Cx<'_>| engine.check(&system, &Alone, cx);
            let verdict = cx.within(Work::of_millis(2_000), check);
            matches!(verdict, Ok(Some(Verdict::Safe(_))))
        })
    };
    assert!(answer(3));
    assert!(!answer(0));
}

#[test]
fn a_shape_is_made_once_for_each_way_to_share_variables() {
    with_cx(|cx| {
        let (ground, [told, home]) = ground_of(&system(cx.terms, ROUTES), 2, ["told", "home"], cx);
        let mut shapes: Vec<Scheme> = Vec::new();
        let extent = Extent {
            literals: 2,
            variables: 5,
        };
        let done = shapes::visit(&ground, extent, &mut |shape| {
            shapes.push(shape.clone());
            Ok(())
        });
        assert!(done.is_ok());
        let of = |symbols: &[usize]| {
            let has = |shape: &&Scheme| {
                let own = shape.literals.iter().map(|l| l.symbol);
                own.eq(symbols.iter().copied()) && shape.literals.iter().all(|l| l.positive)
            };
            shapes.iter().filter(has).count()
        };
        let mut pair = [told, home];
        pair.sort_unstable();
        assert_eq!(of(&pair), 5);
        // Of fifteen ways two make the literals the same, and four are others in the other order.
        assert_eq!(of(&[told, told]), 9);
        let all: indexmap::IndexSet<&Scheme> = shapes.iter().collect();
        assert_eq!(all.len(), shapes.len());
    });
}

#[test]
fn samples_ask_for_variables_that_differ() {
    with_cx(|cx| {
        let text = TOKEN.replace("STEP", "(after home)");
        let (ground, [at]) = ground_of(&system(cx.terms, &text), 3, ["at"], cx);
        let samples = Samples::reached(&ground, 64, cx);
        let samples = samples.unwrap_or_else(|_| panic!("samples"));
        let sort = ground.symbols[at].sorts[0];
        let two = scheme(&[(at, &[0], true), (at, &[1], true)], &[], sort);
        let found = samples.fits(&two).unwrap_or_else(|| panic!("fits"));
        assert_eq!(found.apart, [(0, 1)]);
        assert!(samples.lack(&found) && !samples.lack(&two));
        assert!(
            samples
                .fits(&scheme(&[(at, &[0], true)], &[], sort))
                .is_none()
        );
        // Of schemes, what is inductive is kept.
        let one = scheme(&[(at, &[0], true)], &[], sort);
        let kept = again(&ground, &[one, found.clone()], cx);
        let kept = kept.unwrap_or_else(|_| panic!("kept"));
        assert_eq!(kept.kept, [found]);
        assert_eq!(kept.proof, Some(Vec::new()));
    });
}

#[test]
fn goals_are_strengthened_by_what_is_kept() {
    with_cx(|cx| {
        let system = system(cx.terms, &TOKEN.replace("STEP", "(after home)"));
        let (ground, [at, home]) = ground_of(&system, 3, ["at", "home"], cx);
        let goals = goals(system.property, &ground, cx.terms);
        let sort = ground.symbols[at].sorts[0];
        let two = scheme(&[(at, &[0], true), (at, &[1], true)], &[(0, 1)], sort);
        assert_eq!(goals, std::slice::from_ref(&two));
        // at(x) only where home = x.
        let only = scheme(&[(at, &[0], true), (home, &[0], false)], &[], sort);
        let more = stronger(&two, std::slice::from_ref(&only));
        assert_eq!(more.len(), 3);
        let all = scheme(&[(home, &[0], true), (home, &[1], true)], &[(0, 1)], sort);
        assert_eq!(more[0], all);
        let free = scheme(&[(at, &[0], true)], &[], sort);
        assert!(free.subsumes(&two) && free.subsumes(&only));
        assert!(!two.subsumes(&free) && !only.subsumes(&two));
    });
}
