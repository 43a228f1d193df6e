//! The plain certificate of a clause system: one `define-fun` per predicate.
//!
//! ```text
//! CheckModel(text, model):
//!   declarations of the text, and recursive definitions of the model that are guarded (recursive.rs)
//!   in place of each predicate's declaration its definition
//!   for every clause C of the text by itself:   ¬C is unsatisfiable
//! ```
//!
//! Constants and functions of the text stay declared, so a clause must hold for every value of
//! them. That no definition is missing, superfluous, or of other arguments than the declaration is
//! checked here; sorts and symbols of the bodies are checked by the solver's parser.

use std::collections::BTreeMap;

use foretell_terms::print::quote;

use crate::proof::recursive;
use crate::report::Refusal;
use crate::text::clauses::{ChcText, Definition, clip};
use crate::text::script::Checks;
use crate::text::sexpr::{Document, Id};

/// One definition of a model.
#[derive(Clone, Debug)]
struct Body {
    /// Parameters: name, sort.
    params: Vec<(Id, Id)>,
    term: Id,
}

/// What a definition gets beside its own parameters.
pub(crate) struct Further<'a> {
    /// More parameters, as binders.
    pub(crate) params: &'a str,
    /// New names for symbols of the body.
    pub(crate) rename: &'a dyn Fn(&str) -> Option<String>,
}

impl Further<'static> {
    /// Nothing more.
    pub(crate) const NONE: Further<'static> = Further {
        params: "",
        rename: &|_| None,
    };
}

/// A model as text: the definitions by name without bars.
pub(crate) struct ModelText<'d, 't> {
    doc: &'d Document<'t>,
    bodies: BTreeMap<&'t str, Body>,
    /// Commands that define functions by recursion.
    recursives: Vec<Id>,
}

impl<'d, 't> ModelText<'d, 't> {
    /// Reads bare definitions, `(model …)` or `((define-fun …) …)`, after an optional answer word.
    pub(crate) fn read(doc: &'d Document<'t>) -> Result<ModelText<'d, 't>, Refusal> {
        let mut model = ModelText {
            doc,
            bodies: BTreeMap::new(),
            recursives: Vec::new(),
        };
        for &root in doc.roots() {
            let answer = doc
                .token_of(root)
                .is_some_and(|t| ["sat", "unsat", "safe"].contains(&t));
            if answer && root == doc.roots()[0] {
                continue;
            }
            let wrapped = doc.head(root) == Some("model")
                || doc
                    .list(root)
                    .is_some_and(|kids| kids.iter().all(|&k| doc.list(k).is_some()));
            if wrapped {
                let kids = doc.list(root).unwrap_or_default();
                for &kid in kids.iter().filter(|&&k| doc.list(k).is_some()) {
                    model.definition(kid)?;
                }
            } else {
                model.definition(root)?;
            }
        }
        Ok(model)
    }

    /// The model of these definitions.
    pub(crate) fn of(
        doc: &'d Document<'t>,
        definitions: &[Id],
    ) -> Result<ModelText<'d, 't>, Refusal> {
        let mut model = ModelText {
            doc,
            bodies: BTreeMap::new(),
            recursives: Vec::new(),
        };
        for &definition in definitions {
            model.definition(definition)?;
        }
        Ok(model)
    }

    /// Nothing but predicates of the problem is defined.
    pub(crate) fn check_names(&self, system: &ChcText<'_>) -> Result<(), Refusal> {
        match self
            .bodies
            .keys()
            .find(|name| system.predicate(name).is_none())
        {
            Some(extra) => Err(Refusal::Witness(format!(
                "`{}` is no predicate of the problem",
                clip(extra)
            ))),
            None => Ok(()),
        }
    }

    /// Whether the definition of a predicate is the word `false`.
    pub(crate) fn is_false(&self, name: &str) -> bool {
        self.bodies
            .get(name)
            .is_some_and(|body| self.doc.token_of(body.term) == Some("false"))
    }

    /// No parameter of a definition has one of these names.
    pub(crate) fn check_parameters(
        &self,
        system: &ChcText<'_>,
        index: usize,
        reserved: &[&str],
    ) -> Result<(), Refusal> {
        let body = self.bodies.get(system.predicates[index].name.as_str());
        let mut params = body
            .iter()
            .flat_map(|b| &b.params)
            .filter_map(|&(name, _)| self.doc.symbol(name));
        match params.find(|name| reserved.contains(name)) {
            Some(name) => Err(Refusal::Witness(format!(
                "`{}` is a parameter and an auxiliary",
                clip(name)
            ))),
            None => Ok(()),
        }
    }

    fn definition(&mut self, id: Id) -> Result<(), Refusal> {
        let doc = self.doc;
        if matches!(doc.head(id), Some("define-fun-rec" | "define-funs-rec")) {
            self.recursives.push(id);
            return Ok(());
        }
        let malformed =
            || Refusal::witness(&doc.complain(id, "expected `(define-fun name (…) Bool body)`"));
        let Some([word, name, params, sort, term]) = doc.list(id) else {
            return Err(malformed());
        };
        let (Some(name), Some(list)) = (doc.symbol(*name), doc.list(*params)) else {
            return Err(malformed());
        };
        if doc.token_of(*word) != Some("define-fun") || doc.symbol(*sort) != Some("Bool") {
            return Err(malformed());
        }
        let mut params = Vec::new();
        for &param in list {
            match doc.list(param) {
                Some([name, sort]) if doc.symbol(*name).is_some() => params.push((*name, *sort)),
                _ => return Err(malformed()),
            }
        }
        if self
            .bodies
            .insert(
                name,
                Body {
                    params,
                    term: *term,
                },
            )
            .is_some()
        {
            return Err(Refusal::Witness(format!(
                "`{}` is defined twice",
                clip(name)
            )));
        }
        Ok(())
    }

    /// `define-fun` of a predicate under a name, with the sorts of its declaration and further
    /// parameters.
    pub(crate) fn define(
        &self,
        system: &ChcText<'_>,
        index: usize,
        token: &str,
        further: &Further<'_>,
    ) -> Result<String, Refusal> {
        let predicate = &system.predicates[index];
        let name = clip(&predicate.name);
        let Some(body) = self.bodies.get(predicate.name.as_str()) else {
            return Err(Refusal::Witness(format!(
                "no definition for predicate `{name}`"
            )));
        };
        if body.params.len() != predicate.sorts.len() {
            return Err(Refusal::Witness(format!(
                "wrong number of arguments for `{name}`"
            )));
        }
        let mut params = String::new();
        for (&(param, sort), &declared) in body.params.iter().zip(&predicate.sorts) {
            let given = self.doc.show(sort);
            let bare = |name: &str| Some(quote(name));
            let matches = self.doc.print(sort, &bare) == system.doc.print(declared, &bare)
                || system
                    .plain_sort(declared)
                    .is_some_and(|plain| plain == given)
                || system.has_parametric_sort(declared);
            if !matches {
                return Err(Refusal::Witness(format!(
                    "wrong sort of an argument of `{name}`"
                )));
            }
            params += &format!("({} {})", self.doc.show(param), system.doc.show(declared));
        }
        let term = self.doc.print(body.term, further.rename);
        Ok(format!(
            "(define-fun {token} ({params}{}) Bool {term})\n",
            further.params
        ))
    }
}

/// The obligations of a model, clause by clause.
pub(crate) fn model_checks(
    system: &ChcText<'_>,
    model: &ModelText<'_, '_>,
) -> Result<Checks, Refusal> {
    model.check_names(system)?;
    let mut checks = Checks {
        prelude: system.declaration_text(),
        checks: Vec::new(),
    };
    checks.prelude += &recursive::definitions(model.doc, &model.recursives, system)?;
    for definition in &system.definitions {
        checks.prelude += &match definition {
            Definition::Predicate(index) => model.define(
                system,
                *index,
                &system.predicates[*index].token,
                &Further::NONE,
            )?,
            Definition::Text(id) => system.doc.show(*id) + "\n",
        };
    }
    let clauses = system.clauses.iter().enumerate();
    checks.prove(
        clauses.map(|(i, clause)| Ok((system.clause_words(i), system.clause_text(clause)))),
    )?;
    Ok(checks)
}
