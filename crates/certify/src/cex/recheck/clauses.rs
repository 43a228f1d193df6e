//! Each step of a derivation on the text of its clause.

use std::collections::{BTreeMap, BTreeSet};

use foretell_systems::{ChcSystem, Clause, Derivation, Pred};
use foretell_terms::eval::Assignment;
use foretell_terms::print::quote;
use foretell_terms::{Func, TermStore, Value};

use super::values::{Spelled, place_elements};
use super::{Asked, WIDEST, is_asked};
use crate::cex::replay::Fact;
use crate::cex::settle::is_larger;
use crate::original::OriginalClauses;
use crate::report::Refusal;
use crate::text::clauses::{ChcText, ClauseText, Definition, Form, clip};
use crate::text::script::{Checks, Declares};
use crate::text::sexpr::{Document, Id};

/// The obligations of a derivation on the original text; `facts` are what its steps derive.
pub(crate) fn derivation_obligations(
    original: &OriginalClauses<'_>,
    derivation: &Derivation,
    facts: &[Fact],
    terms: &TermStore,
) -> Result<Checks, Refusal> {
    let system = original.system;
    let steps = Steps {
        terms,
        text: original.text()?,
        system,
        derivation,
    };
    let mut asked = Asked::default();
    if !steps.declares() {
        let none = (BTreeMap::new(), &mut Spelled::new(terms));
        asked.checks.prelude = steps.declarations(&none.0, none.1).concat();
    }
    // The steps that show what each step derived; a choice of the front end is shown by what it chose.
    let mut shown: Vec<Vec<usize>> = Vec::new();
    for (i, (step, fact)) in derivation.steps.iter().zip(facts).enumerate() {
        let from: BTreeSet<usize> = step
            .premises
            .iter()
            .filter_map(|&p| shown.get(p))
            .flatten()
            .copied()
            .collect();
        let chosen = fact
            .as_ref()
            .is_some_and(|(pred, _)| !original.declares(*pred, terms));
        if !chosen && is_asked(i, derivation.steps.len()) {
            let told = step.values.values.values();
            let derived = fact.iter().flat_map(|(_, args)| args);
            if !is_larger(told.chain(derived), WIDEST) {
                let premises: Vec<&Fact> = from.iter().filter_map(|&p| facts.get(p)).collect();
                let (declares, commands) = steps.step(i, &premises, fact)?;
                asked.refute(format!("step {i} on the text"), declares, commands)?;
            }
        }
        shown.push(match chosen {
            true => from.into_iter().collect(),
            false => vec![i],
        });
    }
    Ok(asked.checks)
}

/// Whether the steps give every declared constant of the text one value; the words name one with
/// two.
///
/// A reader may close each clause over the constants by itself. A derivation that uses two values
/// of one constant then refutes that reading only, not the text.
pub(crate) fn constants_agree(
    original: &OriginalClauses<'_>,
    derivation: &Derivation,
    terms: &TermStore,
) -> Result<(), String> {
    let text = original.text().map_err(|refusal| refusal.to_string())?;
    let is_constant = |id: &&Id| is_constant(&text.doc, **id);
    let mut constants: BTreeMap<&str, Option<&Value>> = BTreeMap::new();
    for &id in text.declarations.iter().filter(is_constant) {
        constants.extend(text.declared_name(id).map(|name| (name, None)));
    }
    for step in &derivation.steps {
        let clause = original.system.clauses.get(step.clause.index());
        for &var in clause.map_or(&[][..], |clause| &clause.vars) {
            let (name, value) = (terms.var_name(var), step.values.get(var));
            if let (Some(known), Some(value)) = (constants.get_mut(name), value) {
                if known.is_some_and(|known| known != value) {
                    let name = clip(name);
                    return Err(format!("the steps use two values of the constant `{name}`"));
                }
                *known = Some(value);
            }
        }
    }
    Ok(())
}

struct Steps<'a, 't> {
    terms: &'a TermStore,
    text: &'a ChcText<'t>,
    system: &'a ChcSystem,
    derivation: &'a Derivation,
}

impl Steps<'_, '_> {
    /// Whether what the text declares may have another value in each step: datatypes have not.
    fn declares(&self) -> bool {
        let doc = &self.text.doc;
        let is_datatype = |&id: &Id| {
            let word = doc.head(id);
            word.is_some_and(|word| word.contains("datatype"))
        };
        !self.text.declarations.iter().all(is_datatype)
    }

    /// The commands of a step: the clause with its values, the premises, and not the fact.
    fn step(
        &self,
        i: usize,
        premises: &[&Fact],
        fact: &Fact,
    ) -> Result<(Declares, String), Refusal> {
        let step = &self.derivation.steps[i];
        let clause = self.system.clause(step.clause);
        let candidates = self.text.clauses_at(clause.line);
        if candidates.is_empty() {
            return Err(Refusal::Witness(format!(
                "step {i}: no clause of the text is at its line"
            )));
        }
        let mut spelled = Spelled::new(self.terms);
        let values = self.values(clause, &step.values, &mut spelled);
        let mut asserts = String::new();
        for index in candidates {
            let instance = self.instance(&self.text.clauses[index], &values);
            asserts += &format!("(assert {instance})\n");
        }
        for (pred, args) in premises.iter().filter_map(|fact| fact.as_ref()) {
            asserts += &format!("(assert {})\n", self.fact(*pred, args, &mut spelled));
        }
        if let Some((pred, args)) = fact {
            asserts += &format!("(assert (not {}))\n", self.fact(*pred, args, &mut spelled));
        }
        if !self.declares() {
            return Ok((Declares::Nothing, asserts));
        }
        let declarations = self.declarations(&values, &mut spelled);
        let (elements, distinct) = spelled.declarations();
        let declared = place_elements(&declarations, &elements);
        Ok((Declares::More, declared + &distinct + &asserts))
    }

    /// Values by the names of the text.
    fn values(
        &self,
        clause: &Clause,
        from: &Assignment,
        spelled: &mut Spelled<'_>,
    ) -> BTreeMap<String, String> {
        let mut values = BTreeMap::new();
        for &var in &clause.vars {
            if let Some(value) = from.get(var) {
                let text = spelled.value(value, self.terms.sort(var));
                values
                    .entry(self.terms.var_name(var).to_string())
                    .or_insert(text);
            }
        }
        values
    }

    /// Declarations of the text; constants and functions with a value are defined by it.
    fn declarations(
        &self,
        values: &BTreeMap<String, String>,
        spelled: &mut Spelled<'_>,
    ) -> Vec<String> {
        let doc = &self.text.doc;
        let mut list = Vec::new();
        let functions: Vec<Func> = self
            .derivation
            .functions
            .functions
            .keys()
            .copied()
            .collect();
        for &id in &self.text.declarations {
            let parts = doc.list(id).unwrap_or_default();
            let name = self.text.declared_name(id).unwrap_or_default();
            let is_sort = self.text.is_of_sorts(id);
            let table = functions
                .iter()
                .find(|&&f| !is_sort && self.terms.name(f) == name);
            let table = table.and_then(|&f| spelled.table(f, &self.derivation.functions));
            let constant = values
                .get(name)
                .filter(|_| !is_sort && is_constant(doc, id));
            list.push(match (table, constant, parts.last()) {
                (Some(table), _, _) => table,
                (None, Some(value), Some(&sort)) => {
                    format!("(define-fun |{name}| () {} {value})\n", doc.show(sort))
                }
                _ => doc.show(id) + "\n",
            });
        }
        for definition in &self.text.definitions {
            list.push(match definition {
                Definition::Text(id) => doc.show(*id) + "\n",
                Definition::Predicate(index) => {
                    let predicate = &self.text.predicates[*index];
                    let sorts: Vec<String> = predicate.sorts.iter().map(|&s| doc.show(s)).collect();
                    format!(
                        "(declare-fun {} ({}) Bool)\n",
                        predicate.token,
                        sorts.join(" ")
                    )
                }
            });
        }
        list
    }

    fn fact(&self, pred: Pred, args: &[Value], spelled: &mut Spelled<'_>) -> String {
        let decl = self.system.pred(pred);
        let name = quote(self.terms.name(decl.func));
        if args.is_empty() {
            return name;
        }
        let args: Vec<String> = args
            .iter()
            .zip(&decl.params)
            .map(|(v, &p)| spelled.value(v, self.terms.sort(p)))
            .collect();
        format!("({name} {})", args.join(" "))
    }

    /// The clause with values for the variables of its quantifier prefix.
    fn instance(&self, clause: &ClauseText, values: &BTreeMap<String, String>) -> String {
        let doc = &self.text.doc;
        let Some(mut term) = clause.term.filter(|_| clause.form != Form::Query) else {
            return self.text.clause_text(clause);
        };
        let mut text = String::new();
        let mut open = 0usize;
        let mut prefix = |binders: Vec<(Id, Id)>| {
            let (mut bound, mut free) = (String::new(), String::new());
            for (name, sort) in binders {
                match doc.symbol(name).and_then(|n| values.get(n)) {
                    Some(value) => bound += &format!("({} {value})", doc.show(name)),
                    None => free += &format!("({} {})", doc.show(name), doc.show(sort)),
                }
            }
            for (word, list) in [("forall", free), ("let", bound)] {
                if !list.is_empty() {
                    text += &format!("({word} ({list}) ");
                    open += 1;
                }
            }
        };
        prefix(self.text.binders(term));
        loop {
            term = doc.unannotated(term).0;
            match (doc.head(term), doc.list(term).unwrap_or_default()) {
                (Some("forall"), [_, list, body]) => {
                    let pair = |&b: &Id| match doc.list(b) {
                        Some([name, sort]) => Some((*name, *sort)),
                        _ => None,
                    };
                    let binders: Option<Vec<_>> = doc
                        .list(*list)
                        .unwrap_or_default()
                        .iter()
                        .map(pair)
                        .collect();
                    match binders {
                        Some(binders) => prefix(binders),
                        None => break,
                    }
                    term = *body;
                }
                _ => break,
            }
        }
        text + &doc.show(term) + &")".repeat(open)
    }
}

fn is_constant(doc: &Document<'_>, id: Id) -> bool {
    match (doc.head(id), doc.list(id).unwrap_or_default()) {
        (Some("declare-const"), _) => true,
        (Some("declare-fun"), [_, _, args, _]) => doc.list(*args).is_some_and(<[Id]>::is_empty),
        _ => false,
    }
}
