//! The judge: obligations built from terms that the front end read, decided by the solver in process.
//!
//! It shares neither the reader nor the scripts nor the solver process with the checker.

use std::collections::BTreeMap;
use std::time::Duration;

use foretell_frontends::Problem;
use foretell_kernel::{Answer, Cx, SolverConfig};
use foretell_systems::{ChcSystem, TransitionSystem, Unroller};
use foretell_terms::{Term, TermStore};

use crate::tree::Tree;

/// What the judge says about a certificate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Judgement {
    Right,
    Wrong,
    Malformed,
    Unclear,
}

/// A term over named variables: variables, sort, text.
fn parse(terms: &TermStore, vars: &[(String, String)], sort: &str, text: &str) -> Option<(Term, Vec<Term>)> {
    let sorts: String = vars.iter().map(|(_, sort)| format!(" {sort}")).collect();
    let binders: String = vars.iter().map(|(name, sort)| format!("({name} {sort})")).collect();
    let names: String = vars.iter().map(|(name, _)| format!(" {name}")).collect();
    let fact = format!("(the-term {text}{names})");
    let fact = if vars.is_empty() { fact } else { format!("(forall ({binders}) {fact})") };
    let script = format!("(declare-fun the-term ({sort}{sorts}) Bool)\n(assert {fact})\n(check-sat)\n");
    let input = foretell_frontends::read(script.as_bytes(), terms).ok()?;
    let Problem::Chc(system) = input.problem else { return None };
    let [clause] = system.clauses.as_slice() else { return None };
    let args = &clause.head.as_ref()?.args;
    Some((args[0], args[1..].to_vec()))
}

/// The same with the variables replaced by given terms.
fn parse_over(terms: &TermStore, vars: &[(String, Term)], sort: &str, text: &str) -> Option<Term> {
    let named: Vec<(String, String)> =
        vars.iter().map(|(name, t)| (name.clone(), terms.print_sort(terms.sort(*t)))).collect();
    let (term, own) = parse(terms, &named, sort, text)?;
    Some(terms.substitute(term, own.into_iter().zip(vars.iter().map(|(_, t)| *t))))
}

fn decide(obligations: &[Vec<Term>], cx: &Cx<'_>) -> Judgement {
    let mut judgement = Judgement::Right;
    for obligation in obligations {
        let config = SolverConfig::new("judge").with_timeout(Duration::from_secs(2));
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

/// An auxiliary variable of sort Real among integers: solvers that convert numbers silently accept it,
/// and what they then prove is a proof all the same.
fn coerces(tree: &Tree) -> bool {
    tree.kids().iter().any(|part| {
        matches!(part.head(), Some("prophecy" | "history")) && part.kids()[2].token() == Some("Real")
    })
}

/// Judges a certificate of a clause system: bare definitions, or one with auxiliary variables.
pub(crate) fn chc(system: &ChcSystem, certificate: &[Tree], cx: &Cx<'_>) -> Judgement {
    match chc_obligations(system, certificate, cx.terms) {
        Some(obligations) => decide(&obligations, cx),
        None if certificate.iter().any(coerces) => Judgement::Unclear,
        None => Judgement::Malformed,
    }
}

/// A clause-wise auxiliary: name, variable, terms by clause, whether it is a history variable.
struct Aux<'t> {
    name: String,
    var: Term,
    terms: BTreeMap<usize, &'t Tree>,
    history: bool,
}

fn chc_obligations(system: &ChcSystem, certificate: &[Tree], terms: &TermStore) -> Option<Vec<Vec<Term>>> {
    let parts: Vec<&Tree> = match certificate {
        [one] if one.head() == Some("certificate") => {
            if one.kids()[2].show() != "(kind chc)" {
                return None;
            }
            one.kids()[3..].iter().collect()
        }
        _ => certificate.iter().collect(),
    };
    let mut auxiliaries: Vec<Aux<'_>> = Vec::new();
    let mut bodies: BTreeMap<String, &Tree> = BTreeMap::new();
    for part in parts {
        match part.head()? {
            "define-fun" => drop(bodies.insert(part.kids().get(1)?.token()?.to_string(), part)),
            word @ ("prophecy" | "history") => {
                let name = part.kids().get(1)?.token()?.to_string();
                let sort = part.kids().get(2)?.show();
                let (var, _) = parse(terms, &[("k".into(), sort.clone())], &sort, "k")?;
                let mut by_clause = BTreeMap::new();
                for item in &part.kids()[3..] {
                    by_clause.insert(item.kids().get(1)?.token()?.parse().ok()?, item.kids().get(2)?);
                }
                auxiliaries.push(Aux { name, var, terms: by_clause, history: word == "history" });
            }
            _ => return None,
        }
    }
    let mut formulas = Vec::new();
    for decl in &system.preds {
        let body = bodies.get(terms.name(decl.func))?;
        let [_, _, params, sort, text] = body.kids() else { return None };
        let sorts_match = params.kids().len() == decl.params.len()
            && params
                .kids()
                .iter()
                .zip(&decl.params)
                .all(|(p, &q)| p.kids().get(1).map(Tree::show) == Some(terms.print_sort(terms.sort(q))));
        if !sorts_match || sort.token() != Some("Bool") {
            return None;
        }
        let names = params.kids().iter().map(|p| p.kids()[0].show());
        let mut vars: Vec<(String, Term)> = names.zip(decl.params.iter().copied()).collect();
        if vars.iter().any(|(name, _)| auxiliaries.iter().any(|a| a.name == *name)) {
            return None;
        }
        vars.extend(auxiliaries.iter().map(|a| (a.name.clone(), a.var)));
        formulas.push(parse_over(terms, &vars, "Bool", &text.show())?);
    }
    let mut obligations = Vec::new();
    for (number, clause) in system.clauses.iter().enumerate() {
        let mut list = vec![clause.constraint];
        let scope = |upto: usize| {
            let mut vars: Vec<(String, Term)> =
                clause.vars.iter().map(|&v| (terms.var_name(v).to_string(), v)).collect();
            vars.extend(auxiliaries[..upto].iter().map(|a| (a.name.clone(), a.var)));
            vars
        };
        // Targets, first introduced first, each over the earlier ones already replaced.
        let mut instance: Vec<(Term, Term)> = Vec::new();
        let mut after: Vec<(Term, Term)> = Vec::new();
        for (i, auxiliary) in auxiliaries.iter().enumerate() {
            let wanted = auxiliary.history != clause.is_query();
            let (Some(text), true) = (auxiliary.terms.get(&number), wanted) else {
                if auxiliary.terms.contains_key(&number) || (auxiliary.history && wanted) {
                    return None;
                }
                continue;
            };
            let sort = terms.print_sort(terms.sort(auxiliary.var));
            let term = parse_over(terms, &scope(i + usize::from(auxiliary.history)), &sort, &text.show())?;
            let term = terms.substitute(term, instance.iter().copied());
            if auxiliary.history {
                after.push((auxiliary.var, term))
            } else {
                instance.push((auxiliary.var, term))
            }
        }
        let applied = |pred: foretell_systems::Pred, args: &[Term]| {
            let params = system.pred(pred).params.iter().copied();
            terms.substitute(formulas[pred.index()], params.zip(args.iter().copied()))
        };
        for atom in &clause.body {
            list.push(terms.substitute(applied(atom.pred, &atom.args), instance.iter().copied()));
        }
        if let Some(head) = &clause.head {
            // The updates are put in before the arguments, which do not mention auxiliaries.
            let params = system.pred(head.pred).params.iter().copied();
            let pairs = params.zip(head.args.iter().copied()).chain(after.iter().copied());
            list.push(terms.not(terms.substitute(formulas[head.pred.index()], pairs)));
        }
        obligations.push(list);
    }
    Some(obligations)
}

/// Judges a certificate of a transition system.
pub(crate) fn vmt(system: &TransitionSystem, certificate: &[Tree], cx: &Cx<'_>) -> Judgement {
    match vmt_obligations(system, certificate, cx.terms) {
        Some(obligations) => decide(&obligations, cx),
        None if certificate.iter().any(coerces) => Judgement::Unclear,
        None => Judgement::Malformed,
    }
}

fn vmt_obligations(
    system: &TransitionSystem,
    certificate: &[Tree],
    terms: &TermStore,
) -> Option<Vec<Vec<Term>>> {
    let name = |t: Term| foretell_terms::print::quote(terms.var_name(t));
    let current: Vec<(String, Term)> = system
        .vars
        .iter()
        .map(|v| v.cur)
        .chain(system.inputs.iter().copied())
        .map(|t| (name(t), t))
        .collect();
    let next: Vec<(String, Term)> = system.vars.iter().map(|v| (name(v.next), v.next)).collect();
    let [one] = certificate else { return None };
    let (mut k, mut invariant) = (1u32, None);
    let mut scope = current.clone();
    // Substitutions: initial values, updates, and targets.
    let (mut init, mut update, mut target) = (Vec::new(), Vec::new(), Vec::new());
    for part in &one.kids()[1..] {
        let item =
            |word: &str| part.kids().iter().find(|t| t.head() == Some(word)).and_then(|t| t.kids().last());
        match part.head()? {
            "format" => {}
            "kind" => drop((part.show() == "(kind vmt)").then_some(())?),
            "property" => drop((part.kids().get(1)?.token()? == "0").then_some(())?),
            "k" => k = part.kids().get(1)?.token()?.parse().ok().filter(|&k| k >= 1)?,
            "invariant" => {
                invariant = Some(parse_over(terms, &scope, "Bool", &part.kids().get(1)?.show())?);
            }
            word @ ("prophecy" | "history") => {
                let aux = part.kids().get(1)?.token()?.to_string();
                let sort = part.kids().get(2)?.show();
                let (var, _) = parse(terms, &[("k".into(), sort.clone())], &sort, "k")?;
                if word == "prophecy" {
                    let term = parse_over(terms, &scope, &sort, &item("target")?.show())?;
                    target.push((var, terms.substitute(term, target.iter().copied())));
                } else {
                    let term = parse_over(terms, &scope, &sort, &item("init")?.show())?;
                    init.push((var, terms.substitute(term, init.iter().copied())));
                    let mut with_next = scope.clone();
                    with_next.extend(next.iter().cloned());
                    with_next.push((aux.clone(), var));
                    update.push((var, parse_over(terms, &with_next, &sort, &item("update")?.show())?));
                }
                scope.push((aux, var));
            }
            _ => return None,
        }
    }
    let invariant = invariant?;
    let mut unroller = Unroller::new(system);
    let safety = vec![terms.substitute(invariant, target), terms.not(system.property)];
    if k == 1 {
        let fresh: Vec<(Term, Term)> =
            system.inputs.iter().map(|&i| (i, terms.fresh("later", terms.sort(i)))).collect();
        let primed = system.vars.iter().map(|v| (v.cur, v.next)).chain(fresh).chain(update);
        let consecution =
            vec![invariant, system.property, system.trans, terms.not(terms.substitute(invariant, primed))];
        return Some(vec![
            vec![system.init, terms.not(terms.substitute(invariant, init))],
            consecution,
            safety,
        ]);
    }
    let mut obligations = vec![safety];
    for j in 0..k {
        let mut list = vec![unroller.at(terms, system.init, 0)];
        list.extend((0..j).map(|i| unroller.at(terms, system.trans, i)));
        list.push(terms.not(unroller.at(terms, invariant, j)));
        obligations.push(list);
    }
    let mut step = Vec::new();
    for i in 0..k {
        step.extend([unroller.at(terms, invariant, i), unroller.at(terms, system.trans, i)]);
    }
    step.push(terms.not(unroller.at(terms, invariant, k)));
    obligations.push(step);
    Some(obligations)
}
