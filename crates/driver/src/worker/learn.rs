//! What can be proved of what workers told each other, whatever is asked.
//!
//! ```text
//! learn(formulas that were told)
//!   facts ← the greatest subset that is inductive (Houdini), on the rules without goals
//!   clauses:   one definition per predicate, checked on the original text without its goals
//!   VMT:       their conjunction, as a property of its own appended to the original text, checked as an
//!              inductive invariant of that text
//!   the rest:  candidates
//! ```
//!
//! Nothing here decides a question. What is printed as proved was accepted by `certify`.

use foretell_certify::{
    CertifyOptions, OriginalClauses, OriginalSystem, check_invariant, check_proof,
};
use foretell_engines::inductive_facts;
use foretell_kernel::{Cx, Halt, Work};
use foretell_passes::{Clauses, Reduced};
use foretell_systems::{ChcProof, ChcSystem, Invariant, Pred, Property, TransitionSystem};
use foretell_terms::Term;
use foretell_terms::print::quote;

use crate::protocol::{Learned, Shared};
use crate::worker::input::{ReadInput, Rung};
use crate::worker::vocabulary::Vocabulary;

/// What proving one formula may take.
const FACT_WORK: Work = Work::of_millis(500);
/// At most so many formulas are looked at.
const MOST: usize = 2000;
/// The name of what was learnt about a transition system.
const NAME: &str = "learned";

/// What was told, once each, in the words of a problem.
fn told(shared: &[Shared], words: &Vocabulary, cx: &Cx<'_>) -> Vec<(Pred, Term)> {
    let own = shared.iter().filter(|s| s.fingerprint == words.fingerprint);
    let mut found = Vec::new();
    for item in own.flat_map(|s| &s.items) {
        if let Ok(fact) = words.read(item.predicate, &item.formula, cx.terms)
            && !found.contains(&fact)
            && found.len() < MOST
        {
            found.push(fact);
        }
    }
    found
}

/// What can be said about an input after all that was told.
///
/// # Errors
/// When time is over.
pub(crate) fn learn(
    input: &ReadInput<'_>,
    shared: &[Shared],
    options: &CertifyOptions,
    cx: &Cx<'_>,
) -> Result<Learned, Halt> {
    match &input.problem {
        Rung::Clauses(system, ..) => on_clauses(input, system, shared, options, cx),
        Rung::System(system, _) => on_system(input, system, shared, options, cx),
    }
}

fn on_clauses(
    input: &ReadInput<'_>,
    system: &ChcSystem,
    shared: &[Shared],
    options: &CertifyOptions,
    cx: &Cx<'_>,
) -> Result<Learned, Halt> {
    let terms = cx.terms;
    let words = Vocabulary::of_clauses(system, terms);
    let told = told(shared, &words, cx);
    let (rules, goals) = input.rules(system);
    let facts = inductive_facts(&rules, &told, FACT_WORK, cx)?;
    let of = |pred: Pred| facts.iter().filter(move |f| f.0 == pred).map(|f| f.1);
    let proof = ChcProof {
        formulas: rules.pred_ids().map(|pred| terms.and(of(pred))).collect(),
        witness: None,
    };
    let original = OriginalClauses::new(input.text, &rules).about(Some(&goals));
    let checked = check_proof(&original, &proof, options, cx);
    let accepted = checked.report.outcome.is_accepted() && !facts.is_empty();
    let left = told
        .iter()
        .filter(|fact| !accepted || !facts.contains(fact))
        .filter(|fact| original.declares(fact.0, terms));
    let definition = |&(pred, formula): &(Pred, Term)| {
        let params = words.params.get(pred.index())?.iter().enumerate();
        let params = params.map(|(i, &p)| format!("(p{i} {})", terms.print_sort(terms.sort(p))));
        let params: Vec<String> = params.collect();
        let name = quote(terms.name(system.pred(pred).func));
        let body = words.print(pred, formula, terms)?;
        Some(format!(
            "(define-fun {name} ({}) Bool {body})",
            params.join(" ")
        ))
    };
    Ok(Learned {
        candidates: left.filter_map(definition).collect(),
        n_facts: if accepted { facts.len() } else { 0 },
        definitions: if accepted {
            checked.certificate
        } else {
            String::new()
        },
    })
}

fn on_system(
    input: &ReadInput<'_>,
    system: &TransitionSystem,
    shared: &[Shared],
    options: &CertifyOptions,
    cx: &Cx<'_>,
) -> Result<Learned, Halt> {
    let terms = cx.terms;
    let words = Vocabulary::of_system(system, terms);
    let told: Vec<Term> = told(shared, &words, cx).into_iter().map(|f| f.1).collect();
    let reduced = Reduced::start(system).then(&Clauses, cx)?;
    let below = told.iter().flat_map(|&fact| reduced.lift.down(fact, cx));
    let below: Vec<(Pred, Term)> = below.collect();
    let mut rules = reduced.problem.clone();
    rules.clauses.retain(|clause| clause.head.is_some());
    let proved = inductive_facts(&rules, &below, FACT_WORK, cx)?;
    let facts = proved
        .into_iter()
        .flat_map(|fact| reduced.lift.up(fact, cx));
    let facts: Vec<Term> = facts.collect();
    let formula = terms.and(facts.iter().copied());
    let accepted = !facts.is_empty() && is_inductive(input, system, formula, options, cx);
    let definition =
        |name: &str, formula: Term| format!("(define-fun {name} () Bool {})", terms.print(formula));
    let left = told
        .iter()
        .filter(|fact| !accepted || !facts.contains(fact));
    Ok(Learned {
        candidates: left.map(|&fact| definition(NAME, fact)).collect(),
        n_facts: if accepted { facts.len() } else { 0 },
        definitions: if accepted {
            definition(NAME, formula)
        } else {
            String::new()
        },
    })
}

/// Whether the checker accepts a formula as an inductive invariant of the original text: with the formula
/// itself as a property of it.
fn is_inductive(
    input: &ReadInput<'_>,
    system: &TransitionSystem,
    formula: Term,
    options: &CertifyOptions,
    cx: &Cx<'_>,
) -> bool {
    let numbers = input.reading.questions.iter().map(|q| q.number);
    let number = numbers.max().map_or(0, |n| n.saturating_add(1));
    let body = cx.terms.print(formula);
    let property =
        format!("(define-fun |learned property| () Bool (! {body} :invar-property {number}))");
    let text = input.with_commands(&property);
    let original = OriginalSystem::new(&text, system, Property::Number(number));
    let invariant = Invariant::inductive(formula);
    check_invariant(&original, &invariant, options, cx)
        .report
        .outcome
        .is_accepted()
}
