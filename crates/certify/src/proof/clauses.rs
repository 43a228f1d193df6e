//! The obligations of a certificate with auxiliary variables for a clause system.
//!
//! For every clause of the text, with π and η free:
//!
//! ```text
//! rule    B[p(t) ↦ Inv_p(t, η, π) ∧ Q_p(t, π)]         ⊨ Inv_h(s, update(vars, η, π), π)
//! query   B[p(t) ↦ Inv_p(t, η, π := targets)]          ⊨ conclusion
//! ```
//!
//! They prove the interpretation `p(x) = ∀π1 ∃η1 ∀π2 ∃η2 … Inv_p` of the text: see
//! [`foretell_systems::auxiliary`]. With history a body may have one predicate application only
//! (two would have two pasts); without history any number, because the body is monotone.
//!
//! `Q_p(x, π)` is an instance of what the queries say about a state of `p` (`pre_state.rs`). It may
//! be assumed in rules, linear or not. The queries' obligations do not use it; they show that under
//! the interpretation J every query is valid, that is `J_p(x) ⇒ Q_p(x, π)` for all x and π. In a
//! rule whose body atoms are true under J, each atom `p(t)` hence gives `Inv_p(t, η, π)` for some
//! η, as before, and `Q_p(t, π)` besides. It is not assumed in queries, where it would be what is
//! to be shown, and not of the head, whose interpretation the rule is to establish.
//!
//! A rule whose head predicate is defined as `false` is a query: `∀π ∃η … false` is false. Such
//! rules, `p(t) ∧ φ ⇒ fail`, have targets like queries; with updates given they are posed as rules.

use std::collections::BTreeMap;

use crate::proof::certificate::{AuxKind, AuxText, CertificateText, ProblemKind};
use crate::proof::model::{Further, ModelText};
use crate::proof::pre_state::assumption;
use crate::report::Refusal;
use crate::text::clauses::{ChcText, Definition, clip};
use crate::text::horn::{Binder, Dissector, HornText, Literal};
use crate::text::script::Checks;
use crate::text::sexpr::Id;
use crate::text::times::unused_stem;

/// The obligations of a certificate, clause by clause.
pub(crate) fn witness_checks(
    system: &ChcText<'_>,
    certificate: &CertificateText<'_, '_>,
) -> Result<Checks, Refusal> {
    if certificate.kind != ProblemKind::Chc || certificate.invariant.is_some() || certificate.k != 1
    {
        return Err(Refusal::Witness(
            "this is no certificate of a clause system".into(),
        ));
    }
    certificate.check_names(&system.doc)?;
    let model = ModelText::of(certificate.doc, &certificate.definitions)?;
    model.check_names(system)?;
    let symbols: Vec<&str> = system
        .doc
        .all_symbols()
        .into_iter()
        .chain(certificate.doc.all_symbols())
        .collect();
    let mut posed = Posed {
        dissector: Dissector::new(system),
        certificate,
        stem: unused_stem(symbols.iter().copied(), "inv!"),
        aux_stem: unused_stem(symbols.iter().copied(), "aux!"),
        pre_stem: unused_stem(symbols.iter().copied(), "pre!"),
        assumed: BTreeMap::new(),
    };
    if symbols.iter().any(|s| s.starts_with("goal!")) {
        return Err(Refusal::Witness(
            "the names `goal!…` are reserved here".into(),
        ));
    }
    posed.check_places()?;
    let clauses = posed.clauses(&model)?;
    posed.assumed = posed.assumptions(&clauses);
    let mut checks = Checks {
        prelude: posed.prelude(&model)?,
        ..Checks::default()
    };
    let clauses = clauses.iter().enumerate();
    checks.prove(
        clauses.map(|(i, clause)| Ok((system.clause_words(i), posed.obligation(clause)?))),
    )?;
    Ok(checks)
}

/// A clause and how it is posed.
struct PosedClause {
    number: u32,
    horn: HornText,
    /// A clause without head, or with a head that is defined as `false`.
    is_query: bool,
}

struct Posed<'a, 't> {
    dissector: Dissector<'a, 't>,
    certificate: &'a CertificateText<'a, 'a>,
    /// Invariants are named by it and the name of their predicate.
    stem: String,
    /// Auxiliary variables are named by it and their own name, whatever that means elsewhere.
    aux_stem: String,
    /// What the queries say of a predicate is named by it.
    pre_stem: String,
    /// What the queries say, by predicate. Invariant: each comes from a clause that is posed as a
    /// query.
    assumed: BTreeMap<usize, Vec<String>>,
}

impl Posed<'_, '_> {
    /// Every place is named by the number of a clause.
    fn check_places(&self) -> Result<(), Refusal> {
        let clauses = self.dissector.system.clauses.len();
        for auxiliary in &self.certificate.auxiliaries {
            let places = match &auxiliary.kind {
                AuxKind::Prophecy(targets) => targets,
                AuxKind::History {
                    next: None,
                    init: None,
                    updates,
                } => updates,
                AuxKind::History { .. } => {
                    return Err(Refusal::Witness(
                        "here a history variable has updates only".into(),
                    ));
                }
            };
            let strange = |place: &Option<u32>| place.is_none_or(|n| n as usize >= clauses);
            if places.keys().any(strange) {
                let name = clip(auxiliary.name);
                return Err(Refusal::Witness(format!(
                    "`{name}` names a clause that does not exist"
                )));
            }
        }
        Ok(())
    }

    /// The clauses of the text, and which of them are queries.
    fn clauses(&self, model: &ModelText<'_, '_>) -> Result<Vec<PosedClause>, Refusal> {
        let mut list = Vec::new();
        for (i, clause) in self.dissector.system.clauses.iter().enumerate() {
            let number = u32::try_from(i).unwrap_or(u32::MAX);
            let horn = self.dissector.clause(clause).map_err(Refusal::Problem)?;
            let refuted = |p: usize| model.says(&self.dissector.system.predicates[p].name, "false");
            let is_query = match &horn.head {
                None => true,
                Some((head, _)) => refuted(*head) && !self.has_update(number),
            };
            list.push(PosedClause {
                number,
                horn,
                is_query,
            });
        }
        Ok(list)
    }

    fn has_update(&self, clause: u32) -> bool {
        self.certificate
            .auxiliaries
            .iter()
            .any(|auxiliary| match &auxiliary.kind {
                AuxKind::History { updates, .. } => updates.contains_key(&Some(clause)),
                AuxKind::Prophecy(_) => false,
            })
    }

    /// What the queries say about the states of the predicates.
    fn assumptions(&self, clauses: &[PosedClause]) -> BTreeMap<usize, Vec<String>> {
        let mut found: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for clause in clauses.iter().filter(|clause| clause.is_query) {
            let foretold = |binder: &Binder| self.foretold(clause.number, binder);
            let parameter = |i| self.parameter(i);
            if let Some((predicate, formula)) =
                assumption(&self.dissector, &clause.horn, &parameter, &foretold)
            {
                found.entry(predicate).or_default().push(formula);
            }
        }
        found
    }

    /// The prophecy variable whose target in a query is a variable of the query.
    fn foretold(&self, clause: u32, variable: &Binder) -> Option<String> {
        let doc = self.certificate.doc;
        let is_target = |auxiliary: &&AuxText<'_>| match &auxiliary.kind {
            AuxKind::Prophecy(targets) => {
                let target = targets.get(&Some(clause));
                target.is_some_and(|&term| doc.symbol(term) == Some(variable.bare.as_str()))
                    && doc.show(auxiliary.sort) == variable.sort
            }
            AuxKind::History { .. } => false,
        };
        let found = self.certificate.auxiliaries.iter().find(is_target)?;
        Some(self.auxiliary_name(found.name))
    }

    fn parameter(&self, argument: usize) -> String {
        format!("|{}{argument}|", self.pre_stem)
    }

    fn assumption_name(&self, predicate: usize) -> String {
        format!(
            "|{}of!{}|",
            self.pre_stem, self.dissector.system.predicates[predicate].name
        )
    }

    /// The definitions of what the queries say, `params` being those of the auxiliaries.
    fn assumption_text(&self, params: &str) -> String {
        let system = self.dissector.system;
        let mut text = String::new();
        for (&index, formulas) in &self.assumed {
            let sorts = system.predicates[index].sorts.iter().enumerate();
            let own: String = sorts
                .map(|(i, &s)| format!("({} {})", self.parameter(i), system.doc.show(s)))
                .collect();
            let (name, all) = (self.assumption_name(index), formulas.join(" "));
            text += &format!("(define-fun {name} ({own}{params}) Bool (and true {all}))\n");
        }
        text
    }

    fn invariant_name(&self, predicate: usize) -> String {
        format!(
            "|{}{}|",
            self.stem, self.dissector.system.predicates[predicate].name
        )
    }

    fn auxiliary_name(&self, name: &str) -> String {
        format!("|{}{name}|", self.aux_stem)
    }

    fn rename(&self, name: &str) -> Option<String> {
        let known = self.certificate.auxiliaries.iter().any(|a| a.name == name);
        known.then(|| self.auxiliary_name(name))
    }

    /// A term of the certificate with the auxiliary variables renamed.
    fn show(&self, term: Id) -> String {
        self.certificate.doc.print(term, &|name| self.rename(name))
    }

    fn prelude(&self, model: &ModelText<'_, '_>) -> Result<String, Refusal> {
        let system = self.dissector.system;
        let mut text = system.declaration_text();
        let mut params = String::new();
        for auxiliary in &self.certificate.auxiliaries {
            let sort = self.certificate.doc.show(auxiliary.sort);
            let name = self.auxiliary_name(auxiliary.name);
            text += &format!("(declare-fun {name} () {sort})\n");
            params += &format!("({name} {sort})");
        }
        for definition in &system.definitions {
            match definition {
                Definition::Predicate(index) => {
                    let reserved: Vec<&str> = self
                        .certificate
                        .auxiliaries
                        .iter()
                        .map(|a| a.name)
                        .collect();
                    model.check_parameters(system, *index, &reserved)?;
                    let further = Further {
                        params: &params,
                        rename: &|name| self.rename(name),
                    };
                    text +=
                        &model.define(system, *index, &self.invariant_name(*index), &further)?;
                }
                // A definition over predicates is left out: what uses it is refused.
                Definition::Text(id) if self.dissector.mentions(*id) => {}
                Definition::Text(id) => text += &(system.doc.show(*id) + "\n"),
            }
        }
        Ok(text + &self.assumption_text(&params))
    }

    fn obligation(&self, posed: &PosedClause) -> Result<String, Refusal> {
        let (horn, clause) = (&posed.horn, posed.number);
        let body = self.body(posed)?;
        let matrix = match &horn.head {
            Some((head, args)) if !posed.is_query => {
                let args = args
                    .iter()
                    .map(|&a| self.dissector.system.doc.show(a))
                    .collect::<Vec<_>>();
                let after = self.after(clause)?;
                format!("(=> {body} {})", self.apply(*head, &args, &after))
            }
            _ => {
                let conclusion = horn.conclusion.map(|id| self.dissector.system.doc.show(id));
                let matrix = format!("(=> {body} {})", conclusion.as_deref().unwrap_or("false"));
                self.instantiate(clause, matrix)?
            }
        };
        if horn.binders.is_empty() {
            return Ok(matrix);
        }
        let binders: Vec<String> = horn.binders.iter().map(Binder::text).collect();
        Ok(format!("(forall ({}) {matrix})", binders.join(" ")))
    }

    fn body(&self, posed: &PosedClause) -> Result<String, Refusal> {
        let horn = &posed.horn;
        let names: Vec<String> = self
            .certificate
            .auxiliaries
            .iter()
            .map(|a| self.auxiliary_name(a.name))
            .collect();
        let replace = |predicate: usize, args: &[String]| {
            let invariant = self.apply(predicate, args, &names);
            if posed.is_query || !self.assumed.contains_key(&predicate) {
                return invariant;
            }
            let assumed = application(&self.assumption_name(predicate), args, &names);
            format!("(and {invariant} {assumed})")
        };
        let mut count = 0;
        let mut parts = String::from("(and true");
        for literal in &horn.body {
            match literal {
                Literal::Plain(id) => {
                    let rewritten = self.dissector.rewrite(*id, &replace, &mut count);
                    parts += &rewritten.map_err(Refusal::Problem)?;
                }
                Literal::Negated(id) => {
                    parts += &format!(" (not {})", self.dissector.system.doc.show(*id));
                }
                Literal::Goal(goal) => {
                    let arity = self.dissector.system.predicates[*goal].sorts.len();
                    let args: Vec<String> = (0..arity)
                        .map(|i| self.dissector.goal_variable(i))
                        .collect();
                    parts += &format!(" {}", replace(*goal, &args));
                    count += 1;
                }
            }
        }
        if count > 1 && self.certificate.has_history() {
            return Err(Refusal::Witness(
                "history variables in a clause with several body predicates".into(),
            ));
        }
        Ok(parts + ")")
    }

    fn apply(&self, predicate: usize, args: &[String], auxiliaries: &[String]) -> String {
        application(&self.invariant_name(predicate), args, auxiliaries)
    }

    /// The auxiliaries after a rule.
    fn after(&self, clause: u32) -> Result<Vec<String>, Refusal> {
        let value = |auxiliary: &AuxText<'_>| match &auxiliary.kind {
            AuxKind::Prophecy(targets) if targets.contains_key(&Some(clause)) => Err(
                Refusal::Witness(format!("clause {clause} is no query: it has no target")),
            ),
            AuxKind::Prophecy(_) => Ok(self.auxiliary_name(auxiliary.name)),
            AuxKind::History { updates, .. } => {
                let update = updates.get(&Some(clause));
                update.map(|&term| self.show(term)).ok_or_else(|| {
                    Refusal::Witness(format!(
                        "`{}` has no update for clause {clause}",
                        clip(auxiliary.name)
                    ))
                })
            }
        };
        self.certificate.auxiliaries.iter().map(value).collect()
    }

    /// The obligation of a query with the targets for its prophecy variables.
    fn instantiate(&self, clause: u32, matrix: String) -> Result<String, Refusal> {
        let mut text = matrix;
        for auxiliary in self.certificate.auxiliaries.iter().rev() {
            match &auxiliary.kind {
                AuxKind::Prophecy(targets) => {
                    if let Some(&target) = targets.get(&Some(clause)) {
                        let name = self.auxiliary_name(auxiliary.name);
                        text = format!("(let (({name} {})) {text})", self.show(target));
                    }
                }
                AuxKind::History { updates, .. } => {
                    if updates.contains_key(&Some(clause)) {
                        let what = format!("clause {clause} is a query: it has no update");
                        return Err(Refusal::Witness(what));
                    }
                }
            }
        }
        Ok(text)
    }
}

/// `(name args auxiliaries)`.
fn application(name: &str, args: &[String], auxiliaries: &[String]) -> String {
    if args.is_empty() && auxiliaries.is_empty() {
        return name.to_string();
    }
    let all: Vec<&str> = args.iter().chain(auxiliaries).map(String::as_str).collect();
    format!("({name} {})", all.join(" "))
}
