//! The obligations of certificates of clause systems, over terms.

use std::collections::BTreeMap;

use foretell_systems::{Atom, ChcSystem, Clause};
use foretell_terms::{Term, TermStore};

use super::judge::{parse, parse_over};
use super::tree::Tree;

/// What an auxiliary variable is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Prophecy,
    History,
}

/// An auxiliary variable with its terms by clause.
struct Aux<'t> {
    name: String,
    var: Term,
    terms: BTreeMap<usize, &'t Tree>,
    kind: Kind,
}

/// A certificate: bare definitions, or one with auxiliary variables.
struct Certificate<'t> {
    auxiliaries: Vec<Aux<'t>>,
    bodies: BTreeMap<String, &'t Tree>,
}

/// What must be unsatisfiable, clause by clause; `None` for a malformed certificate.
pub(crate) fn obligations(
    system: &ChcSystem,
    certificate: &[Tree],
    terms: &TermStore,
) -> Option<Vec<Vec<Term>>> {
    let certificate = read(certificate, terms)?;
    let formulas = formulas(system, &certificate, terms)?;
    let mut list = Vec::new();
    for (number, clause) in system.clauses.iter().enumerate() {
        list.push(obligation(
            system,
            &certificate,
            &formulas,
            (number, clause),
            terms,
        )?);
    }
    Some(list)
}

fn read<'t>(certificate: &'t [Tree], terms: &TermStore) -> Option<Certificate<'t>> {
    let parts: Vec<&Tree> = match certificate {
        [one] if one.head() == Some("certificate") => {
            if one.kids()[2].show() != "(kind chc)" {
                return None;
            }
            one.kids()[3..].iter().collect()
        }
        _ => certificate.iter().collect(),
    };
    let mut read = Certificate {
        auxiliaries: Vec::new(),
        bodies: BTreeMap::new(),
    };
    for part in parts {
        match part.head()? {
            "define-fun" => drop(
                read.bodies
                    .insert(part.kids().get(1)?.token()?.to_string(), part),
            ),
            word @ ("prophecy" | "history") => {
                let name = part.kids().get(1)?.token()?.to_string();
                let sort = part.kids().get(2)?.show();
                let (var, _) = parse(terms, &[("k".into(), sort.clone())], &sort, "k")?;
                let mut by_clause = BTreeMap::new();
                for item in &part.kids()[3..] {
                    by_clause.insert(
                        item.kids().get(1)?.token()?.parse().ok()?,
                        item.kids().get(2)?,
                    );
                }
                let kind = if word == "history" {
                    Kind::History
                } else {
                    Kind::Prophecy
                };
                read.auxiliaries.push(Aux {
                    name,
                    var,
                    terms: by_clause,
                    kind,
                });
            }
            _ => return None,
        }
    }
    Some(read)
}

/// The formula of each predicate over its parameters and the auxiliary variables.
fn formulas(
    system: &ChcSystem,
    certificate: &Certificate<'_>,
    terms: &TermStore,
) -> Option<Vec<Term>> {
    let mut formulas = Vec::new();
    for decl in &system.preds {
        let body = certificate.bodies.get(terms.name(decl.func))?;
        let [_, _, params, sort, text] = body.kids() else {
            return None;
        };
        let declared = |&q: &Term| Some(terms.print_sort(terms.sort(q)));
        let given = |p: &Tree| p.kids().get(1).map(Tree::show);
        let sorts_match = params.kids().len() == decl.params.len()
            && params
                .kids()
                .iter()
                .zip(&decl.params)
                .all(|(p, q)| given(p) == declared(q));
        if !sorts_match || sort.token() != Some("Bool") {
            return None;
        }
        let names = params.kids().iter().map(|p| p.kids()[0].show());
        let mut vars: Vec<(String, Term)> = names.zip(decl.params.iter().copied()).collect();
        if vars
            .iter()
            .any(|(name, _)| certificate.auxiliaries.iter().any(|a| a.name == *name))
        {
            return None;
        }
        vars.extend(
            certificate
                .auxiliaries
                .iter()
                .map(|a| (a.name.clone(), a.var)),
        );
        formulas.push(parse_over(terms, &vars, "Bool", &text.show())?);
    }
    Some(formulas)
}

fn obligation(
    system: &ChcSystem,
    certificate: &Certificate<'_>,
    formulas: &[Term],
    (number, clause): (usize, &Clause),
    terms: &TermStore,
) -> Option<Vec<Term>> {
    let is_query = is_query(system, certificate, (number, clause), terms);
    let wanted = if is_query {
        Kind::Prophecy
    } else {
        Kind::History
    };
    let (instance, after) = auxiliary_values(certificate, (number, clause), wanted, terms)?;
    let mut list = vec![clause.constraint];
    if !is_query {
        for atom in &clause.body {
            list.extend(said_by_queries(system, certificate, atom, terms));
        }
    }
    for atom in &clause.body {
        let params = system.pred(atom.pred).params.iter().copied();
        let pairs = params
            .zip(atom.args.iter().copied())
            .chain(instance.iter().copied());
        list.push(terms.substitute(formulas[atom.pred.index()], pairs));
    }
    if let Some(head) = clause.head.as_ref().filter(|_| !is_query) {
        let params = system.pred(head.pred).params.iter().copied();
        let pairs = params
            .zip(head.args.iter().copied())
            .chain(after.iter().copied());
        list.push(terms.not(terms.substitute(formulas[head.pred.index()], pairs)));
    }
    Some(list)
}

/// Whether a clause has no head, or one that is false and gets no update.
fn is_query(
    system: &ChcSystem,
    certificate: &Certificate<'_>,
    (number, clause): (usize, &Clause),
    terms: &TermStore,
) -> bool {
    let updated = certificate
        .auxiliaries
        .iter()
        .any(|a| a.kind == Kind::History && a.terms.contains_key(&number));
    let refuted = clause.head.as_ref().is_some_and(|h| {
        let body = certificate.bodies.get(terms.name(system.pred(h.pred).func));
        body.and_then(|b| b.kids().get(4)?.token()) == Some("false")
    });
    clause.is_query() || (refuted && !updated)
}

/// What the queries say about an atom: their own variables are those of the atom, or are foretold.
fn said_by_queries(
    system: &ChcSystem,
    certificate: &Certificate<'_>,
    atom: &Atom,
    terms: &TermStore,
) -> Vec<Term> {
    let mut list = Vec::new();
    for (number, query) in system.clauses.iter().enumerate() {
        let [premise] = query.body.as_slice() else {
            continue;
        };
        if premise.pred != atom.pred || !is_query(system, certificate, (number, query), terms) {
            continue;
        }
        let mut pairs: Pairs = Vec::new();
        let mut equal = Vec::new();
        for (&own, &given) in premise.args.iter().zip(&atom.args) {
            let is_free = query.vars.contains(&own) && pairs.iter().all(|&(v, _)| v != own);
            if is_free {
                pairs.push((own, given))
            } else {
                equal.push((own, given))
            }
        }
        for &var in query.vars.iter().filter(|v| !premise.args.contains(v)) {
            let target = |a: &&Aux<'_>| {
                a.kind == Kind::Prophecy
                    && a.terms.get(&number).and_then(|t| t.token()) == Some(terms.var_name(var))
            };
            pairs.extend(
                certificate
                    .auxiliaries
                    .iter()
                    .find(target)
                    .map(|a| (var, a.var)),
            );
        }
        if query
            .vars
            .iter()
            .all(|v| pairs.iter().any(|(var, _)| var == v))
        {
            let image = |t: Term| terms.substitute(t, pairs.iter().copied());
            let equal = equal
                .iter()
                .map(|&(own, given)| terms.eq(image(own), given));
            let premises = terms.and(equal.chain([image(query.constraint)]));
            list.push(terms.not(premises));
        }
    }
    list
}

type Pairs = Vec<(Term, Term)>;

/// The targets of a query and the updates of a rule. Targets come first introduced first, each with
/// the earlier ones already put in.
fn auxiliary_values(
    certificate: &Certificate<'_>,
    (number, clause): (usize, &Clause),
    wanted: Kind,
    terms: &TermStore,
) -> Option<(Pairs, Pairs)> {
    let (mut instance, mut after): (Pairs, Pairs) = (Vec::new(), Vec::new());
    for (i, auxiliary) in certificate.auxiliaries.iter().enumerate() {
        let is_wanted = auxiliary.kind == wanted;
        let (Some(text), true) = (auxiliary.terms.get(&number), is_wanted) else {
            if auxiliary.terms.contains_key(&number)
                || (auxiliary.kind == Kind::History && is_wanted)
            {
                return None;
            }
            continue;
        };
        let mut vars: Vec<(String, Term)> = clause
            .vars
            .iter()
            .map(|&v| (terms.var_name(v).to_string(), v))
            .collect();
        let known = i + usize::from(auxiliary.kind == Kind::History);
        vars.extend(
            certificate.auxiliaries[..known]
                .iter()
                .map(|a| (a.name.clone(), a.var)),
        );
        let sort = terms.print_sort(terms.sort(auxiliary.var));
        let term = parse_over(terms, &vars, &sort, &text.show())?;
        let term = terms.substitute(term, instance.iter().copied());
        match auxiliary.kind {
            Kind::History => after.push((auxiliary.var, term)),
            Kind::Prophecy => instance.push((auxiliary.var, term)),
        }
    }
    Some((instance, after))
}
