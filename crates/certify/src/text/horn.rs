//! Clauses of the text taken apart: binders, body, head.
//!
//! Needed only for certificates with auxiliary variables, where body and head speak about different
//! values of history. The shapes are those that occur: prefixes of `forall`, `=>`, `not`, `or` with
//! negated literals. In a body, predicates may stand below `and`, `or`, `exists`, `let` and the
//! branches of `ite`: there the body is monotone in them, which the meaning of auxiliaries rests
//! on. Everything else is refused, never guessed.

use std::collections::BTreeSet;

use crate::text::clauses::{ChcText, ClauseText, Definition, Form};
use crate::text::sexpr::{Id, Marks, TextError};

/// A part of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Literal {
    /// The term itself.
    Plain(Id),
    /// Its negation; the term mentions no predicate.
    Negated(Id),
    /// The predicate of this number on the goal's own variables.
    Goal(usize),
}

/// A variable of a clause.
#[derive(Clone, Debug)]
pub(crate) struct Binder {
    /// As it is written.
    pub(crate) name: String,
    /// Without bars.
    pub(crate) bare: String,
    /// The sort as it is written.
    pub(crate) sort: String,
}

impl Binder {
    /// `(x Int)`.
    pub(crate) fn text(&self) -> String {
        format!("({} {})", self.name, self.sort)
    }
}

/// A clause in parts.
#[derive(Clone, Debug, Default)]
pub(crate) struct HornText {
    /// The variables.
    pub(crate) binders: Vec<Binder>,
    /// The body.
    pub(crate) body: Vec<Literal>,
    /// The head predicate and its arguments.
    pub(crate) head: Option<(usize, Vec<Id>)>,
    /// What a clause without head predicate concludes; `None` is `false`.
    pub(crate) conclusion: Option<Id>,
}

/// Takes clauses apart.
pub(crate) struct Dissector<'a, 't> {
    pub(crate) system: &'a ChcText<'t>,
    /// Predicates and definitions that mention predicates.
    names: BTreeSet<&'a str>,
    /// Where they occur.
    marks: Marks,
}

impl<'a, 't> Dissector<'a, 't> {
    /// A dissector for a system.
    pub(crate) fn new(system: &'a ChcText<'t>) -> Dissector<'a, 't> {
        let mut names: BTreeSet<&str> = system.predicates.iter().map(|p| p.name.as_str()).collect();
        for definition in &system.definitions {
            if let Definition::Text(id) = definition
                && system.doc.symbols(*id).iter().any(|s| names.contains(s))
            {
                let name = system.doc.list(*id).and_then(|parts| parts.get(1));
                names.extend(name.and_then(|&n| system.doc.symbol(n)));
            }
        }
        let marks = system.doc.mark(|symbol| names.contains(symbol));
        Dissector {
            system,
            names,
            marks,
        }
    }

    /// Whether a predicate occurs below.
    pub(crate) fn mentions(&self, id: Id) -> bool {
        self.marks.has(id)
    }

    /// A predicate application: the predicate and its arguments.
    pub(crate) fn atom(&self, id: Id) -> Option<(usize, Vec<Id>)> {
        let doc = &self.system.doc;
        match doc.list(id) {
            None => self
                .system
                .predicate(doc.symbol(id)?)
                .map(|p| (p, Vec::new())),
            Some([name, args @ ..]) => {
                let predicate = self.system.predicate(doc.symbol(*name)?)?;
                (!args.iter().any(|&a| self.mentions(a))).then(|| (predicate, args.to_vec()))
            }
            Some([]) => None,
        }
    }

    /// Takes a clause apart.
    pub(crate) fn clause(&self, clause: &ClauseText) -> Result<HornText, TextError> {
        let mut horn = HornText::default();
        let goal = match (clause.form, clause.term) {
            (Form::Query, None) => self.system.predicate("fail"),
            (Form::Query, Some(term)) => self
                .system
                .doc
                .symbol(term)
                .and_then(|name| self.system.predicate(name)),
            _ => None,
        };
        if let Some(goal) = goal {
            horn.body.push(Literal::Goal(goal));
            let sorts = &self.system.predicates[goal].sorts;
            for (i, &sort) in sorts.iter().enumerate() {
                let (name, sort) = (self.goal_variable(i), self.system.doc.show(sort));
                horn.binders.push(Binder {
                    bare: name.clone(),
                    name,
                    sort,
                });
            }
            return Ok(horn);
        }
        let Some(term) = clause.term else {
            return Err(TextError {
                line: 0,
                what: "a goal without a relation".into(),
            });
        };
        for (name, sort) in self.system.binders(term) {
            let doc = &self.system.doc;
            let bare = doc.symbol(name).unwrap_or_default().to_string();
            horn.binders.push(Binder {
                name: doc.show(name),
                bare,
                sort: doc.show(sort),
            });
        }
        if clause.form == Form::Query {
            horn.body.push(Literal::Plain(term));
            return Ok(horn);
        }
        self.matrix(term, &mut horn)?;
        Ok(horn)
    }

    /// The name of the i-th variable of a goal that is only the name of a relation.
    pub(crate) fn goal_variable(&self, i: usize) -> String {
        format!("goal!{i}")
    }

    fn matrix(&self, mut term: Id, horn: &mut HornText) -> Result<(), TextError> {
        let doc = &self.system.doc;
        let mut bound: BTreeSet<&str> = BTreeSet::new();
        loop {
            term = doc.unannotated(term).0;
            let kids = doc.list(term).unwrap_or_default();
            match (doc.head(term).unwrap_or_default(), kids) {
                ("forall", [_, binders, inner]) => {
                    self.bind(*binders, &mut bound, horn)?;
                    term = *inner;
                }
                ("=>", [_, premises @ .., conclusion]) => {
                    horn.body
                        .extend(premises.iter().map(|&p| Literal::Plain(p)));
                    term = *conclusion;
                }
                ("not", [_, inner]) => {
                    horn.body.push(Literal::Plain(*inner));
                    return Ok(());
                }
                ("or", [_, literals @ ..]) => match self.disjuncts(term, literals, horn)? {
                    Some(head) => term = head,
                    None => return Ok(()),
                },
                _ => break,
            }
        }
        match self.atom(term) {
            Some(head) => horn.head = Some(head),
            None if self.mentions(term) => {
                return Err(doc.complain(term, "a head that is no predicate"));
            }
            None => horn.conclusion = Some(term),
        }
        Ok(())
    }

    /// Literals of a disjunctive clause; the one that is left is the head.
    fn disjuncts(
        &self,
        whole: Id,
        literals: &[Id],
        horn: &mut HornText,
    ) -> Result<Option<Id>, TextError> {
        let doc = &self.system.doc;
        let mut head = None;
        for &literal in literals {
            let literal = doc.unannotated(literal).0;
            match (doc.head(literal), doc.list(literal).unwrap_or_default()) {
                (Some("not"), [_, inner]) => horn.body.push(Literal::Plain(*inner)),
                _ if !self.mentions(literal) => horn.body.push(Literal::Negated(literal)),
                _ if head.is_none() => head = Some(literal),
                _ => return Err(doc.complain(whole, "a disjunction with two positive predicates")),
            }
        }
        Ok(head)
    }

    /// Adds the binders of a quantifier; what was collected outside of it must not be captured.
    fn bind(
        &self,
        list: Id,
        bound: &mut BTreeSet<&'t str>,
        horn: &mut HornText,
    ) -> Result<(), TextError> {
        let doc = &self.system.doc;
        for &binder in doc.list(list).unwrap_or_default() {
            let malformed = || doc.complain(binder, "a malformed binder");
            let Some(&[token, sort]) = doc.list(binder) else {
                return Err(malformed());
            };
            let name = doc.symbol(token).ok_or_else(malformed)?;
            let outside = horn.body.iter().any(|literal| match literal {
                Literal::Plain(id) | Literal::Negated(id) => doc.symbols(*id).contains(name),
                Literal::Goal(_) => false,
            });
            if outside || !bound.insert(name) || self.names.contains(name) {
                return Err(doc.complain(binder, "a binder that shadows another name"));
            }
            horn.binders.push(Binder {
                name: doc.show(token),
                bare: name.to_string(),
                sort: doc.show(sort),
            });
        }
        Ok(())
    }

    /// A body term with every predicate application replaced; `replace` gets predicate and
    /// printed arguments. Counts the applications.
    pub(crate) fn rewrite(
        &self,
        root: Id,
        replace: &dyn Fn(usize, &[String]) -> String,
        count: &mut usize,
    ) -> Result<String, TextError> {
        enum Job {
            Positive(Id),
            Text(String),
        }
        let doc = &self.system.doc;
        let mut out = String::new();
        let mut work = vec![Job::Positive(root)];
        while let Some(job) = work.pop() {
            let id = match job {
                Job::Text(text) => {
                    out += &text;
                    continue;
                }
                Job::Positive(id) => doc.unannotated(id).0,
            };
            out.push(' ');
            if !self.mentions(id) {
                out += &doc.show(id);
                continue;
            }
            if let Some((predicate, args)) = self.atom(id) {
                let args: Vec<String> = args.iter().map(|&a| doc.show(a)).collect();
                out += &replace(predicate, &args);
                *count += 1;
                continue;
            }
            let word = doc.head(id).unwrap_or_default();
            let kids = doc.list(id).unwrap_or_default();
            let (opening, positive) = match (word, kids) {
                ("and" | "or", [_, rest @ ..]) => (format!("({word}"), rest),
                ("ite", [_, condition, rest @ ..]) if !self.mentions(*condition) => {
                    (format!("(ite {}", doc.show(*condition)), rest)
                }
                ("let" | "exists", [_, bindings, rest @ ..]) if !self.mentions(*bindings) => {
                    (format!("({word} {}", doc.show(*bindings)), rest)
                }
                _ => {
                    return Err(
                        doc.complain(id, "a predicate in a place where the body is not monotone")
                    );
                }
            };
            out += &opening;
            work.push(Job::Text(")".into()));
            work.extend(positive.iter().rev().map(|&p| Job::Positive(p)));
        }
        Ok(out)
    }
}
