//! The judge: obligations built from terms that the front end read, decided by the solver in
//! process.
//!
//! It shares neither the reader nor the scripts nor the solver process with the checker.

use foretell_frontends::Problem;
use foretell_kernel::{Answer, Cx, SolverConfig, Work};
use foretell_terms::{Term, TermStore};

use super::tree::Tree;

/// What the judge says about a certificate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Judgement {
    Right,
    Wrong,
    Malformed,
    Unclear,
}

/// A term over named variables: variables, sort, text.
pub(crate) fn parse(
    terms: &TermStore,
    vars: &[(String, String)],
    sort: &str,
    text: &str,
) -> Option<(Term, Vec<Term>)> {
    let sorts: String = vars.iter().map(|(_, sort)| format!(" {sort}")).collect();
    let binders: String = vars
        .iter()
        .map(|(name, sort)| format!("({name} {sort})"))
        .collect();
    let names: String = vars.iter().map(|(name, _)| format!(" {name}")).collect();
    let fact = format!("(the-term {text}{names})");
    let fact = if vars.is_empty() {
        fact
    } else {
        format!("(forall ({binders}) {fact})")
    };
    // A script needs a goal: here one that says nothing.
    let goal = "(declare-fun the-goal () Bool)\n(assert (=> the-goal false))";
    let script = format!(
        "(set-logic HORN)\n(declare-fun the-term ({sort}{sorts}) Bool)\n{goal}\n(assert {fact})\n(check-sat)\n"
    );
    let input = foretell_frontends::read(script.as_bytes(), terms).ok()?;
    let Problem::Chc(system) = input.problem else {
        return None;
    };
    let [_, clause] = system.clauses.as_slice() else {
        return None;
    };
    let args = &clause.head.as_ref()?.args;
    Some((args[0], args[1..].to_vec()))
}

/// The same with the variables replaced by given terms.
pub(crate) fn parse_over(
    terms: &TermStore,
    vars: &[(String, Term)],
    sort: &str,
    text: &str,
) -> Option<Term> {
    let named: Vec<(String, String)> = vars
        .iter()
        .map(|(name, t)| (name.clone(), terms.print_sort(terms.sort(*t))))
        .collect();
    let (term, own) = parse(terms, &named, sort, text)?;
    Some(terms.substitute(term, own.into_iter().zip(vars.iter().map(|(_, t)| *t))))
}

fn decide(obligations: &[Vec<Term>], cx: &Cx<'_>) -> Judgement {
    let mut judgement = Judgement::Right;
    for obligation in obligations {
        let config = SolverConfig::new("judge").with_limit(Work::of_millis(2000));
        let mut solver = cx.oracles.solver(&config);
        for &formula in obligation {
            solver.assert(cx.terms, formula).expect("a formula");
        }
        match solver.check(&[], cx).expect("an answer") {
            Answer::Sat(_) => return Judgement::Wrong,
            Answer::Unsat(_) => {}
            Answer::Unknown(_) => judgement = Judgement::Unclear,
        }
    }
    judgement
}

/// Judges obligations, if the certificate has any.
pub(crate) fn judge(
    obligations: Option<Vec<Vec<Term>>>,
    certificate: &[Tree],
    cx: &Cx<'_>,
) -> Judgement {
    match obligations {
        _ if certificate.iter().any(coerces) => Judgement::Unclear,
        Some(obligations) => decide(&obligations, cx),
        None => Judgement::Malformed,
    }
}

/// An auxiliary variable of sort Real among integers: readers convert numbers silently, each in
/// other places, and what they then prove is a proof all the same.
fn coerces(tree: &Tree) -> bool {
    tree.kids().iter().any(|part| {
        matches!(part.head(), Some("prophecy" | "history"))
            && part.kids()[2].token() == Some("Real")
    })
}
