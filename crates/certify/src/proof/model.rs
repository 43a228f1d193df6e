//! The plain certificate of a clause system: one `define-fun` per predicate.
//!
//! ```text
//! CheckModel(text, model):
//!   declarations of the text, and recursive definitions of the model that are guarded (recursive.rs)
//!   in place of each predicate's declaration its definition
//!   in place of the declaration of a function the definition of the model, if it has one
//!   for every clause C of the text by itself:   it holds by words (plain.rs), or ¬C is unsatisfiable
//! ```
//!
//! Constants and functions of the text that the model does not define stay declared, so a clause must
//! hold for every value of them. A function is defined where it is declared, so its definition knows
//! only what is declared before it, and has a meaning. Only `check-sat` asks for some meaning of the
//! functions; a `query` asks what can be reached whatever they mean, so there none may be defined. That no
//! definition is missing, superfluous, or of other arguments than the declaration is checked here; sorts and
//! symbols of the bodies are checked by the solver's parser.

use std::collections::BTreeMap;

use foretell_terms::print::quote;

use crate::proof::plain::Plain;
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
    sort: Id,
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
    /// Definitions of functions of the text.
    functions: BTreeMap<&'t str, Body>,
    /// Commands that define functions by recursion.
    recursives: Vec<Id>,
}

impl<'d, 't> ModelText<'d, 't> {
    /// Reads bare definitions, `(model …)` or `((define-fun …) …)`, after an optional answer word.
    pub(crate) fn read(doc: &'d Document<'t>) -> Result<ModelText<'d, 't>, Refusal> {
        let mut model = ModelText {
            doc,
            bodies: BTreeMap::new(),
            functions: BTreeMap::new(),
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
            functions: BTreeMap::new(),
            recursives: Vec::new(),
        };
        for &definition in definitions {
            model.definition(definition)?;
        }
        Ok(model)
    }

    /// Nothing but predicates of the problem is defined.
    pub(crate) fn check_names(&self, system: &ChcText<'_>) -> Result<(), Refusal> {
        let mut functions = self.functions.keys();
        self.check_predicates(system)?;
        functions.next().map_or(Ok(()), |name| no_predicate(name))
    }

    fn check_predicates(&self, system: &ChcText<'_>) -> Result<(), Refusal> {
        let mut names = self.bodies.keys();
        let extra = names.find(|name| system.predicate(name).is_none());
        extra.map_or(Ok(()), |name| no_predicate(name))
    }

    /// Whether the definition of a predicate is this word of the language, which a parameter may be called too.
    pub(crate) fn says(&self, name: &str, word: &str) -> bool {
        let token = |id: Id| self.doc.token_of(id).unwrap_or_default();
        let is_word = |body: &Body| {
            let mut params = body.params.iter();
            token(body.term) == word && !params.any(|p| token(p.0).trim_matches('|') == word)
        };
        self.bodies.get(name).is_some_and(is_word)
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
        if doc.token_of(*word) != Some("define-fun") {
            return Err(malformed());
        }
        let into = match doc.symbol(*sort) {
            Some("Bool") => &mut self.bodies,
            _ => &mut self.functions,
        };
        let mut params = Vec::new();
        for &param in list {
            match doc.list(param) {
                Some([name, sort]) if doc.symbol(*name).is_some() => params.push((*name, *sort)),
                _ => return Err(malformed()),
            }
        }
        let (sort, term) = (*sort, *term);
        if into.insert(name, Body { params, sort, term }).is_some() {
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
        let params = self.parameters(system, body, &predicate.sorts, &name)?;
        let term = self.doc.print(body.term, further.rename);
        Ok(format!(
            "(define-fun {token} ({params}{}) Bool {term})\n",
            further.params
        ))
    }

    /// The parameters of a definition, with the sorts of the declaration.
    fn parameters(
        &self,
        system: &ChcText<'_>,
        body: &Body,
        declared: &[Id],
        name: &str,
    ) -> Result<String, Refusal> {
        if body.params.len() != declared.len() {
            return Err(Refusal::Witness(format!(
                "wrong number of arguments for `{name}`"
            )));
        }
        let mut params = String::new();
        for (&(param, sort), &declared) in body.params.iter().zip(declared) {
            if !self.is_sort(system, sort, declared) {
                return Err(Refusal::Witness(format!(
                    "wrong sort of an argument of `{name}`"
                )));
            }
            params += &format!("({} {})", self.doc.show(param), system.doc.show(declared));
        }
        Ok(params)
    }

    fn is_sort(&self, system: &ChcText<'_>, given: Id, declared: Id) -> bool {
        let bare = |name: &str| Some(quote(name));
        let plain = || system.plain_sort(declared);
        self.doc.print(given, &bare) == system.doc.print(declared, &bare)
            || plain().is_some_and(|plain| plain == self.doc.show(given))
            || system.has_parametric_sort(declared)
    }

    /// The declarations of the text, with functions defined where the model says what they are.
    fn declarations(&self, system: &ChcText<'_>) -> Result<String, Refusal> {
        let (mut text, mut used) = (String::new(), 0);
        if !self.functions.is_empty() && system.is_of_rules() {
            let words = "a query is about every meaning of a function: none can be defined";
            return Err(Refusal::Witness(words.into()));
        }
        for &id in &system.declarations {
            let parts = system.doc.list(id).unwrap_or_default();
            let name = system.declared_name(id);
            let body = name.and_then(|name| self.functions.get(name));
            let (Some(body), [word, token, sorts, result]) = (body, parts) else {
                text += &(system.doc.show(id) + "\n");
                continue;
            };
            let name = clip(name.unwrap_or_default());
            let sorts = system.doc.list(*sorts).unwrap_or_default();
            let is_function = system.doc.token_of(*word) == Some("declare-fun");
            if !is_function || sorts.is_empty() || !self.is_sort(system, body.sort, *result) {
                let words = format!("`{name}` cannot be defined, or not with this sort");
                return Err(Refusal::Witness(words));
            }
            let params = self.parameters(system, body, sorts, &name)?;
            let token = system.doc.show(*token);
            let (result, term) = (system.doc.show(*result), self.doc.show(body.term));
            text += &format!("(define-fun {token} ({params}) {result} {term})\n");
            used += 1;
        }
        if used < self.functions.len() {
            let words = "a function is defined that the problem does not declare".into();
            return Err(Refusal::Witness(words));
        }
        Ok(text)
    }
}

fn no_predicate(name: &str) -> Result<(), Refusal> {
    let words = format!("`{}` is no predicate of the problem", clip(name));
    Err(Refusal::Witness(words))
}

/// The obligations of a model, clause by clause; before them, their prelude is announced.
pub(crate) fn model_checks(
    system: &ChcText<'_>,
    model: &ModelText<'_, '_>,
    announce: &dyn Fn(&str),
) -> Result<Checks, Refusal> {
    model.check_predicates(system)?;
    let mut checks = Checks {
        prelude: model.declarations(system)?,
        ..Checks::default()
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
    announce(&checks.prelude);
    let plain = Plain::new(system, model);
    let clauses = system.clauses.iter().enumerate();
    let (mut held, mut asked): (Vec<_>, Vec<_>) = clauses.partition(|(_, c)| plain.holds(c));
    if asked.is_empty() {
        asked.extend(held.pop());
    }
    checks.plain = held.iter().map(|&(i, _)| system.clause_words(i)).collect();
    let asked = asked.into_iter();
    checks
        .prove(asked.map(|(i, clause)| Ok((system.clause_words(i), system.clause_text(clause)))))?;
    Ok(checks)
}
