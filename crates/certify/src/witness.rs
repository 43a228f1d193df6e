//! The obligations of a certificate with auxiliary variables for a clause system.
//!
//! For every clause of the text, with π and η free:
//!
//! ```text
//! rule    B[p(t) ↦ Inv_p(t, η, π)]                     ⊨ Inv_h(s, update(vars, η, π), π)
//! query   B[p(t) ↦ Inv_p(t, η, π := targets)]          ⊨ conclusion
//! ```
//!
//! They prove the interpretation `p(x) = ∀π1 ∃η1 ∀π2 ∃η2 … Inv_p` of the text: see
//! [`foretell_systems::auxiliary`]. With history a body may have one predicate application only (two
//! would have two pasts); without history any number, because the body is monotone.

use crate::certificate::{AuxKind, AuxText, CertificateText, ProblemKind};
use crate::chc_text::{ChcText, Definition, clip};
use crate::horn::{Dissector, HornText, Literal};
use crate::model::{Further, ModelText};
use crate::report::Refusal;
use crate::script::Checks;
use crate::sexpr::{Document, Id};
use crate::skolem;
use crate::vmt_text::unused_stem;

/// The obligations of a certificate, clause by clause.
pub(crate) fn witness_checks(
    system: &ChcText<'_, '_>,
    certificate: &CertificateText<'_, '_>,
) -> Result<Checks, Refusal> {
    if certificate.kind != ProblemKind::Chc || certificate.invariant.is_some() || certificate.k != 1 {
        return Err(Refusal::Witness("this is no certificate of a clause system".into()));
    }
    certificate.check_names(system.doc)?;
    let model = ModelText::of(certificate.doc, &certificate.definitions)?;
    model.check_names(system)?;
    let symbols: Vec<&str> =
        system.doc.all_symbols().into_iter().chain(certificate.doc.all_symbols()).collect();
    let posed = Posed {
        dissector: Dissector::new(system),
        certificate,
        stem: unused_stem(symbols.iter().copied(), "inv!"),
        aux_stem: unused_stem(symbols.iter().copied(), "aux!"),
    };
    if symbols.iter().any(|s| s.starts_with("goal!")) {
        return Err(Refusal::Witness("the names `goal!…` are reserved here".into()));
    }
    posed.check_places()?;
    let mut checks = Checks { prelude: posed.prelude(&model)?, checks: Vec::new() };
    let prelude = checks.prelude.clone();
    let doc = Document::read(&prelude).map_err(|e| Refusal::witness(&e))?;
    let declared = skolem::declared(&doc);
    for (i, clause) in system.clauses.iter().enumerate() {
        let horn = posed.dissector.clause(clause).map_err(Refusal::Problem)?;
        let number = u32::try_from(i).unwrap_or(u32::MAX);
        let formula = posed.obligation(&horn, number)?;
        checks.prove(system.clause_words(i), &formula, &declared);
    }
    Ok(checks)
}

struct Posed<'a, 'd, 't> {
    dissector: Dissector<'a, 'd, 't>,
    certificate: &'a CertificateText<'a, 'a>,
    /// Invariants are named by it and the name of their predicate.
    stem: String,
    /// Auxiliary variables are named by it and their own name, whatever that means elsewhere.
    aux_stem: String,
}

impl Posed<'_, '_, '_> {
    /// Every place is named by the number of a clause.
    fn check_places(&self) -> Result<(), Refusal> {
        let clauses = self.dissector.system.clauses.len();
        for auxiliary in &self.certificate.auxiliaries {
            let places = match &auxiliary.kind {
                AuxKind::Prophecy(targets) => targets,
                AuxKind::History { next: None, init: None, updates } => updates,
                AuxKind::History { .. } => {
                    return Err(Refusal::Witness("here a history variable has updates only".into()));
                }
            };
            if places.iter().any(|(place, _)| place.is_none_or(|n| n as usize >= clauses)) {
                let name = clip(auxiliary.name);
                return Err(Refusal::Witness(format!("`{name}` names a clause that does not exist")));
            }
        }
        Ok(())
    }

    fn invariant_name(&self, predicate: usize) -> String {
        format!("|{}{}|", self.stem, self.dissector.system.predicates[predicate].name)
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
                    let reserved: Vec<&str> = self.certificate.auxiliaries.iter().map(|a| a.name).collect();
                    model.check_parameters(system, *index, &reserved)?;
                    let further = Further { params: &params, rename: &|name| self.rename(name) };
                    text += &model.define(system, *index, &self.invariant_name(*index), &further)?;
                }
                // A definition over predicates is left out: what uses it is refused.
                Definition::Text(id) if self.dissector.mentions(*id) => {}
                Definition::Text(id) => text += &(system.doc.show(*id) + "\n"),
            }
        }
        Ok(text)
    }

    fn obligation(&self, horn: &HornText, clause: u32) -> Result<String, Refusal> {
        let body = self.body(horn)?;
        let matrix = match &horn.head {
            Some((head, args)) => {
                let args = args.iter().map(|&a| self.dissector.system.doc.show(a)).collect::<Vec<_>>();
                let after = self.after(clause)?;
                format!("(=> {body} {})", self.apply(*head, &args, &after))
            }
            None => {
                let conclusion = horn.conclusion.map(|id| self.dissector.system.doc.show(id));
                let matrix = format!("(=> {body} {})", conclusion.as_deref().unwrap_or("false"));
                self.instantiate(clause, matrix)?
            }
        };
        if horn.binders.is_empty() {
            return Ok(matrix);
        }
        Ok(format!("(forall ({}) {matrix})", horn.binders.join(" ")))
    }

    fn body(&self, horn: &HornText) -> Result<String, Refusal> {
        let names: Vec<String> =
            self.certificate.auxiliaries.iter().map(|a| self.auxiliary_name(a.name)).collect();
        let replace = |predicate: usize, args: &[String]| self.apply(predicate, args, &names);
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
                    let args: Vec<String> = (0..arity).map(|i| self.dissector.goal_variable(i)).collect();
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
        let name = self.invariant_name(predicate);
        if args.is_empty() && auxiliaries.is_empty() {
            return name;
        }
        let all: Vec<&str> = args.iter().chain(auxiliaries).map(String::as_str).collect();
        format!("({name} {})", all.join(" "))
    }

    /// The auxiliaries after a rule.
    fn after(&self, clause: u32) -> Result<Vec<String>, Refusal> {
        let value = |auxiliary: &AuxText<'_>| match &auxiliary.kind {
            AuxKind::Prophecy(targets) if targets.iter().any(|(place, _)| *place == Some(clause)) => {
                Err(Refusal::Witness(format!("clause {clause} is no query: it has no target")))
            }
            AuxKind::Prophecy(_) => Ok(self.auxiliary_name(auxiliary.name)),
            AuxKind::History { updates, .. } => {
                let update = updates.iter().find(|(place, _)| *place == Some(clause));
                update.map(|&(_, term)| self.show(term)).ok_or_else(|| {
                    Refusal::Witness(format!("`{}` has no update for clause {clause}", clip(auxiliary.name)))
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
                    if let Some(&(_, target)) = targets.iter().find(|(place, _)| *place == Some(clause)) {
                        let name = self.auxiliary_name(auxiliary.name);
                        text = format!("(let (({name} {})) {text})", self.show(target));
                    }
                }
                AuxKind::History { updates, .. } => {
                    if updates.iter().any(|(place, _)| *place == Some(clause)) {
                        let what = format!("clause {clause} is a query: it has no update");
                        return Err(Refusal::Witness(what));
                    }
                }
            }
        }
        Ok(text)
    }
}
