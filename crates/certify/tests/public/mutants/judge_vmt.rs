//! The obligations of certificates of transition systems, over terms.

use foretell_systems::{TransitionSystem, Unroller};
use foretell_terms::{Term, TermStore};

use super::judge::{parse, parse_over};
use super::tree::Tree;

type Pairs = Vec<(Term, Term)>;

/// A certificate: depth, invariant, and substitutions of initial values, updates and targets.
struct Certificate {
    k: u32,
    invariant: Option<Term>,
    init: Pairs,
    update: Pairs,
    target: Pairs,
}

/// What must be unsatisfiable; `None` for a malformed certificate.
pub(crate) fn obligations(
    system: &TransitionSystem,
    certificate: &[Tree],
    terms: &TermStore,
) -> Option<Vec<Vec<Term>>> {
    let read = read(system, certificate, terms)?;
    let invariant = read.invariant?;
    let safety = vec![
        terms.substitute(invariant, read.target.clone()),
        terms.not(system.property),
    ];
    if read.k > 1 {
        return Some(k_induction(system, invariant, read.k, safety, terms));
    }
    let inputs = system
        .inputs
        .iter()
        .map(|&i| (i, terms.fresh("later", terms.sort(i))));
    let primed = system
        .vars
        .iter()
        .map(|v| (v.cur, v.next))
        .chain(inputs)
        .chain(read.update);
    let after = terms.not(terms.substitute(invariant, primed));
    let initiation = vec![
        system.init,
        terms.not(terms.substitute(invariant, read.init)),
    ];
    Some(vec![
        initiation,
        vec![invariant, system.property, system.trans, after],
        safety,
    ])
}

fn k_induction(
    system: &TransitionSystem,
    invariant: Term,
    k: u32,
    safety: Vec<Term>,
    terms: &TermStore,
) -> Vec<Vec<Term>> {
    let mut unroller = Unroller::new(system);
    let mut obligations = vec![safety];
    for j in 0..k {
        let mut list = vec![unroller.at(terms, system.init, 0)];
        list.extend((0..j).map(|i| unroller.at(terms, system.trans, i)));
        list.push(terms.not(unroller.at(terms, invariant, j)));
        obligations.push(list);
    }
    let mut step = Vec::new();
    for i in 0..k {
        step.extend([
            unroller.at(terms, invariant, i),
            unroller.at(terms, system.trans, i),
        ]);
    }
    step.push(terms.not(unroller.at(terms, invariant, k)));
    obligations.push(step);
    obligations
}

fn read(system: &TransitionSystem, certificate: &[Tree], terms: &TermStore) -> Option<Certificate> {
    let name = |t: Term| foretell_terms::print::quote(terms.var_name(t));
    let current = system
        .vars
        .iter()
        .map(|v| v.cur)
        .chain(system.inputs.iter().copied());
    let mut scope: Vec<(String, Term)> = current.map(|t| (name(t), t)).collect();
    let next: Vec<(String, Term)> = system.vars.iter().map(|v| (name(v.next), v.next)).collect();
    let [one] = certificate else { return None };
    let mut read = Certificate {
        k: 1,
        invariant: None,
        init: Vec::new(),
        update: Vec::new(),
        target: Vec::new(),
    };
    for part in &one.kids()[1..] {
        let value = part.kids().get(1)?;
        match part.head()? {
            "format" => {}
            "kind" => drop((value.token() == Some("vmt")).then_some(())?),
            "property" => drop((value.token() == Some("0")).then_some(())?),
            "k" => read.k = value.token()?.parse().ok().filter(|&k| k >= 1)?,
            "invariant" => read.invariant = Some(parse_over(terms, &scope, "Bool", &value.show())?),
            "prophecy" | "history" => auxiliary(part, &mut scope, &next, &mut read, terms)?,
            _ => return None,
        }
    }
    Some(read)
}

fn auxiliary(
    part: &Tree,
    scope: &mut Vec<(String, Term)>,
    next: &[(String, Term)],
    read: &mut Certificate,
    terms: &TermStore,
) -> Option<()> {
    let item = |word: &str| {
        part.kids()
            .iter()
            .find(|t| t.head() == Some(word))
            .and_then(|t| t.kids().last())
    };
    let name = part.kids().get(1)?.token()?.to_string();
    let sort = part.kids().get(2)?.show();
    let (var, _) = parse(terms, &[("k".into(), sort.clone())], &sort, "k")?;
    if part.head() == Some("prophecy") {
        let term = parse_over(terms, scope, &sort, &item("target")?.show())?;
        read.target
            .push((var, terms.substitute(term, read.target.iter().copied())));
    } else {
        let term = parse_over(terms, scope, &sort, &item("init")?.show())?;
        read.init
            .push((var, terms.substitute(term, read.init.iter().copied())));
        let mut with_next = scope.clone();
        with_next.extend(next.iter().cloned());
        with_next.push((name.clone(), var));
        read.update.push((
            var,
            parse_over(terms, &with_next, &sort, &item("update")?.show())?,
        ));
    }
    scope.push((name, var));
    Some(())
}
