//! Which recursive definitions of a model may be believed.
//!
//! Paper: none; it is structural recursion. A solver takes `f(x) = 1 + f(x)` as an axiom, from which
//! everything follows, so a definition is passed on only if it has a meaning:
//!
//! ```text
//! (define-fun-rec f ((x D) …) S body)     (define-funs-rec ((f ((x D) …) S) …) (body …))
//!
//! guarded(body, established, excluded)
//!   call of a function of the command     its first argument is a selector of C applied to x, and the
//!                                         constructor of x is established to be C; or a variable of
//!                                         the pattern of C in a `match` over x; or x is an integer above
//!                                         a numeral and its first argument is less (descent.rs)
//!   (ite ((_ is C) x) a b)                C is established in a and excluded in b; `not` and `and` too,
//!                                         and `(= C x)` where C has no fields
//!   (match x (((C v …) a) …))             C is established in a
//!   (and a …), (or a …)                   what decides the whole if it is otherwise is known in every part
//! where all constructors of D but one are excluded, that one is established
//! ```
//!
//! A selector of another constructor is no smaller value: `(tl nil)` may be `nil`. Each command may
//! use functions of earlier ones as it likes. Names that the problem uses cannot be defined, nor bound
//! inside where it declares them; quantifiers are refused. Values of a datatype are finite terms, so
//! every such definition has exactly one meaning. Sorts and everything else are checked by the
//! solver's parser. Integers that descend to a numeral are as good: every chain of calls is finite.

mod descent;

use std::collections::{BTreeMap, BTreeSet};

use crate::report::Refusal;
use crate::text::clauses::{ChcText, clip};
use crate::text::sexpr::{Document, Id};

/// Names that obligations use whether the problem does or not.
const CORE: [&str; 11] = [
    "true", "false", "not", "and", "or", "xor", "=>", "=", "distinct", "ite", "is",
];

/// The recursive definitions of a model as commands, if all of them may be believed.
pub(crate) fn definitions(
    doc: &Document<'_>,
    commands: &[Id],
    system: &ChcText<'_>,
) -> Result<String, Refusal> {
    if commands.is_empty() {
        return Ok(String::new());
    }
    let types = Types::of(system);
    let used = system.doc.all_symbols();
    let declared = system.declared();
    let mut operators = descent::OPERATORS.iter().filter(|o| **o != "Int");
    let overloads = operators.any(|operator| declared.contains(operator));
    let (mut text, mut defined) = (String::new(), BTreeSet::new());
    for &command in commands {
        let heads = heads(doc, command)?;
        let own: BTreeSet<&str> = heads.iter().map(|h| h.name).collect();
        for head in &heads {
            let taken = used.contains(head.name) || CORE.contains(&head.name);
            if taken || descent::OPERATORS.contains(&head.name) || !defined.insert(head.name) {
                let words = format!("`{}` cannot be defined by recursion", clip(head.name));
                return Err(fault(doc, command, &words));
            }
        }
        for head in &heads {
            let mut taken: BTreeSet<&str> = declared.union(&own).copied().collect();
            taken.extend(CORE.iter().chain(&descent::OPERATORS));
            taken.extend(&defined);
            let counts = doc.token_of(head.sort) == Some("Int") && !overloads;
            let guard = Guard {
                doc,
                types: &types,
                own: &own,
                taken: &taken,
                argument: head.params[0],
                constructors: types.constructors(doc, head.sort),
                counts,
            };
            for (i, param) in head.params.iter().enumerate() {
                if taken.contains(param) || head.params[..i].contains(param) {
                    return Err(fault(doc, command, "a parameter with the name of another"));
                }
            }
            guard.check(head.body)?;
        }
        text += &(doc.show(command) + "\n");
    }
    Ok(text)
}

fn fault(doc: &Document<'_>, at: Id, words: &str) -> Refusal {
    Refusal::witness(&doc.complain(at, words))
}

/// One function of a command.
struct Head<'t> {
    name: &'t str,
    params: Vec<&'t str>,
    /// The sort of the first parameter.
    sort: Id,
    body: Id,
}

/// The functions of a command with their bodies.
fn heads<'t>(doc: &Document<'t>, command: Id) -> Result<Vec<Head<'t>>, Refusal> {
    let malformed = || fault(doc, command, "a malformed recursive definition");
    let one = |name: Id, params: Id, body: Id| {
        let name = doc.symbol(name).ok_or_else(malformed)?;
        let (mut names, mut sorts) = (Vec::new(), Vec::new());
        for &param in doc.list(params).ok_or_else(malformed)? {
            let Some([param, sort]) = doc.list(param) else {
                return Err(malformed());
            };
            names.push(doc.symbol(*param).ok_or_else(malformed)?);
            sorts.push(*sort);
        }
        let sort = *sorts.first().ok_or_else(malformed)?;
        Ok(Head {
            name,
            params: names,
            sort,
            body,
        })
    };
    match (doc.head(command), doc.list(command)) {
        (Some("define-fun-rec"), Some([_, name, params, _, body])) => {
            Ok(vec![one(*name, *params, *body)?])
        }
        (Some("define-funs-rec"), Some([_, signatures, bodies])) => {
            let signatures = doc.list(*signatures).ok_or_else(malformed)?;
            let bodies = doc.list(*bodies).ok_or_else(malformed)?;
            if signatures.len() != bodies.len() {
                return Err(malformed());
            }
            let pairs = signatures.iter().zip(bodies);
            let heads = pairs.map(|(&signature, &body)| match doc.list(signature) {
                Some([name, params, _]) => one(*name, *params, body),
                _ => Err(malformed()),
            });
            heads.collect()
        }
        _ => Err(malformed()),
    }
}

/// The datatypes of the problem.
struct Types<'t> {
    /// The constructors of each type.
    constructors: BTreeMap<&'t str, Vec<&'t str>>,
    /// The constructor of each selector; `None` when two have it.
    selectors: BTreeMap<&'t str, Option<&'t str>>,
    /// How often each constructor is declared.
    times: BTreeMap<&'t str, usize>,
    /// Constructors without fields.
    constants: BTreeSet<&'t str>,
}

impl<'t> Types<'t> {
    fn of(system: &ChcText<'t>) -> Types<'t> {
        let doc = &system.doc;
        let mut types = Types {
            constructors: BTreeMap::new(),
            selectors: BTreeMap::new(),
            times: BTreeMap::new(),
            constants: BTreeSet::new(),
        };
        for &command in &system.declarations {
            match (doc.head(command), doc.list(command)) {
                (Some("declare-datatype"), Some([_, name, body])) => {
                    types.add(doc, doc.symbol(*name), *body);
                }
                (Some("declare-datatypes"), Some([_, names, bodies])) => {
                    let names = doc.list(*names).unwrap_or_default();
                    let bodies = doc.list(*bodies).unwrap_or_default();
                    for (&name, &body) in names.iter().zip(bodies) {
                        let first = doc.list(name).and_then(|n| n.first());
                        types.add(doc, first.and_then(|&n| doc.symbol(n)), body);
                    }
                }
                _ => {}
            }
        }
        types
    }

    fn add(&mut self, doc: &Document<'t>, name: Option<&'t str>, mut body: Id) {
        if let (Some("par"), Some([_, _, inner])) = (doc.head(body), doc.list(body)) {
            body = *inner;
        }
        let mut own = Vec::new();
        for &declared in doc.list(body).unwrap_or_default() {
            let bare = std::slice::from_ref(&declared);
            let parts = doc.list(declared).unwrap_or(bare);
            let Some(constructor) = parts.first().and_then(|&c| doc.symbol(c)) else {
                continue;
            };
            own.push(constructor);
            *self.times.entry(constructor).or_default() += 1;
            if parts.len() == 1 {
                self.constants.insert(constructor);
            }
            for &field in &parts[1..] {
                let selector = doc.list(field).and_then(|f| f.first());
                if let Some(selector) = selector.and_then(|&s| doc.symbol(s)) {
                    let known = self.selectors.contains_key(selector);
                    let of = (!known).then_some(constructor);
                    self.selectors.insert(selector, of);
                }
            }
        }
        if let Some(name) = name {
            self.constructors.insert(name, own);
        }
    }

    /// The constructors of a sort.
    fn constructors(&self, doc: &Document<'_>, sort: Id) -> &[&'t str] {
        let name = match doc.list(sort) {
            Some(parts) => parts.first().and_then(|&p| doc.symbol(p)),
            None => doc.symbol(sort),
        };
        let found = name.and_then(|n| self.constructors.get(n));
        found.map_or(&[], Vec::as_slice)
    }
}

/// A branch of `ite`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Branch {
    Then,
    Else,
}

/// What is known of the argument at a place in a body.
#[derive(Clone, Default)]
struct Facts<'t> {
    established: BTreeSet<&'t str>,
    excluded: BTreeSet<&'t str>,
    /// Variables of patterns: parts of the argument.
    smaller: BTreeSet<&'t str>,
    /// Whether the argument is above a numeral.
    above: bool,
}

/// The check of one body.
struct Guard<'a, 't> {
    doc: &'a Document<'t>,
    types: &'a Types<'a>,
    /// The functions of the command.
    own: &'a BTreeSet<&'a str>,
    /// Names that must not be bound.
    taken: &'a BTreeSet<&'a str>,
    argument: &'a str,
    /// The constructors of the argument's sort.
    constructors: &'a [&'a str],
    /// Whether the argument is an integer.
    counts: bool,
}

impl<'t> Guard<'_, 't> {
    fn check(&self, body: Id) -> Result<(), Refusal> {
        let mut work = vec![(body, Facts::default())];
        while let Some((term, facts)) = work.pop() {
            self.step(term, facts, &mut work)?;
        }
        Ok(())
    }

    /// Looks at a term; its parts are left to be done.
    fn step(
        &self,
        term: Id,
        facts: Facts<'t>,
        work: &mut Vec<(Id, Facts<'t>)>,
    ) -> Result<(), Refusal> {
        let doc = self.doc;
        let Some(parts) = doc.list(term) else {
            return match doc.symbol(term).filter(|name| self.own.contains(name)) {
                Some(_) => Err(fault(doc, term, "a recursive function without arguments")),
                None => Ok(()),
            };
        };
        match (doc.head(term), parts) {
            (Some("forall" | "exists" | "lambda" | "!" | "par"), _) => {
                let words = "no quantifiers and annotations in recursive definitions";
                Err(fault(doc, term, words))
            }
            (Some("let"), [_, bindings, body]) => {
                for &binding in doc.list(*bindings).unwrap_or_default() {
                    let Some([name, value]) = doc.list(binding) else {
                        return Err(fault(doc, binding, "a malformed `let`"));
                    };
                    if facts.smaller.contains(self.bind(*name)?) {
                        return Err(fault(
                            doc,
                            binding,
                            "a variable of a pattern is bound again",
                        ));
                    }
                    work.push((*value, facts.clone()));
                }
                work.push((*body, facts));
                Ok(())
            }
            (Some("ite"), [_, condition, a, b]) => {
                work.push((*a, self.after(*condition, Branch::Then, &facts)));
                work.push((*b, self.after(*condition, Branch::Else, &facts)));
                work.push((*condition, facts));
                Ok(())
            }
            (Some("match"), [_, of, cases]) => self.cases(*of, *cases, &facts, work),
            (Some("and"), [_, parts @ ..]) => {
                self.together(parts, Branch::Then, facts, work);
                Ok(())
            }
            (Some("or"), [_, parts @ ..]) => {
                self.together(parts, Branch::Else, facts, work);
                Ok(())
            }
            (Some("let" | "match"), _) => Err(fault(doc, term, "a malformed term")),
            _ => {
                let mut rest = parts;
                if let Some((head, args)) = parts.split_first()
                    && doc
                        .symbol(*head)
                        .is_some_and(|name| self.own.contains(name))
                {
                    self.call(term, args.first(), &facts)?;
                    rest = args;
                }
                work.extend(rest.iter().map(|&part| (part, facts.clone())));
                Ok(())
            }
        }
    }

    /// The parts of a conjunction or disjunction: where a tester among them decides the whole, no call
    /// matters.
    fn together(
        &self,
        parts: &[Id],
        branch: Branch,
        mut facts: Facts<'t>,
        work: &mut Vec<(Id, Facts<'t>)>,
    ) {
        for &part in parts {
            facts = self.after(part, branch, &facts);
        }
        work.extend(parts.iter().map(|&part| (part, facts.clone())));
    }

    /// The first argument of a recursive call must be a part of the argument.
    fn call(&self, term: Id, argument: Option<&Id>, facts: &Facts<'t>) -> Result<(), Refusal> {
        let doc = self.doc;
        let is_part = argument.is_some_and(|&a| match doc.list(a) {
            Some([selector, of]) => {
                let constructor = doc
                    .symbol(*selector)
                    .and_then(|s| self.types.selectors.get(s));
                let constructor = constructor.copied().flatten();
                doc.symbol(*of) == Some(self.argument)
                    && constructor.is_some_and(|c| self.is_established(c, facts))
            }
            Some(_) => false,
            None => doc.symbol(a).is_some_and(|v| facts.smaller.contains(v)),
        });
        let descends = || argument.is_some_and(|&a| descent::is_less(doc, a, self.argument));
        match is_part || self.counts && facts.above && descends() {
            true => Ok(()),
            false => {
                let words =
                    "this call is not on a part of the argument, guarded by its constructor";
                Err(fault(doc, term, words))
            }
        }
    }

    fn is_established(&self, constructor: &str, facts: &Facts<'t>) -> bool {
        let mut others = self.constructors.iter().filter(|c| **c != constructor);
        self.types.times.get(constructor) == Some(&1)
            && self.constructors.contains(&constructor)
            && (facts.established.contains(constructor)
                || others.all(|other| facts.excluded.contains(other)))
    }

    /// What is known in a branch of a condition.
    fn after(&self, condition: Id, branch: Branch, facts: &Facts<'t>) -> Facts<'t> {
        let doc = self.doc;
        let mut after = facts.clone();
        let mut work = vec![(condition, branch == Branch::Then)];
        while let Some((condition, value)) = work.pop() {
            match (doc.head(condition), doc.list(condition)) {
                (Some("not"), Some([_, inner])) => work.push((*inner, !value)),
                (Some("and"), Some([_, parts @ ..])) if value => {
                    work.extend(parts.iter().map(|&part| (part, true)));
                }
                _ => {
                    let constructor = self.tested(condition);
                    let branch = match value {
                        true => Branch::Then,
                        false => Branch::Else,
                    };
                    match branch {
                        Branch::Then => after.established.extend(constructor),
                        Branch::Else => after.excluded.extend(constructor),
                    }
                    let above = descent::above(doc, condition, self.argument);
                    after.above |= self.counts && above == Some(branch);
                }
            }
        }
        after
    }

    /// The constructor that a condition says the argument has, if it says just that.
    fn tested(&self, condition: Id) -> Option<&'t str> {
        let doc = self.doc;
        let is_argument = |id: Id| doc.symbol(id) == Some(self.argument);
        match doc.list(condition)? {
            [tester, of] if is_argument(*of) => match doc.list(*tester)? {
                [underscore, is, constructor]
                    if doc.token_of(*underscore) == Some("_")
                        && doc.token_of(*is) == Some("is") =>
                {
                    doc.symbol(*constructor)
                }
                _ => None,
            },
            [equal, a, b] if doc.token_of(*equal) == Some("=") => {
                let other = match (is_argument(*a), is_argument(*b)) {
                    (true, false) => *b,
                    (false, true) => *a,
                    _ => return None,
                };
                let constant = doc.symbol(other).or_else(|| match doc.list(other)? {
                    [word, constant, _] if doc.token_of(*word) == Some("as") => {
                        doc.symbol(*constant)
                    }
                    _ => None,
                });
                constant.filter(|c| {
                    self.types.constants.contains(c) && self.types.times.get(c) == Some(&1)
                })
            }
            _ => None,
        }
    }

    /// The cases of a `match`.
    fn cases(
        &self,
        of: Id,
        cases: Id,
        facts: &Facts<'t>,
        work: &mut Vec<(Id, Facts<'t>)>,
    ) -> Result<(), Refusal> {
        let doc = self.doc;
        let on_argument = doc.symbol(of) == Some(self.argument);
        work.push((of, facts.clone()));
        for &case in doc.list(cases).unwrap_or_default() {
            let Some([pattern, body]) = doc.list(case) else {
                return Err(fault(doc, case, "a malformed case"));
            };
            let mut inside = facts.clone();
            if let Some([constructor, vars @ ..]) = doc.list(*pattern) {
                let constructor = doc.symbol(*constructor);
                let constructor = constructor.filter(|c| self.constructors.contains(c));
                for &var in vars {
                    let name = self.bind(var)?;
                    if on_argument && constructor.is_some() {
                        inside.smaller.insert(name);
                    } else {
                        inside.smaller.remove(name);
                    }
                }
                inside
                    .established
                    .extend(constructor.filter(|_| on_argument));
            } else if let Some(name) = doc.symbol(*pattern)
                && !self.types.times.contains_key(name)
            {
                inside.smaller.remove(self.bind(*pattern)?);
            }
            work.push((*body, inside));
        }
        Ok(())
    }

    /// The name that is bound, if it has no meaning yet.
    fn bind(&self, name: Id) -> Result<&'t str, Refusal> {
        let symbol = self.doc.symbol(name);
        let free = symbol.filter(|s| !self.taken.contains(s) && *s != self.argument);
        free.ok_or_else(|| fault(self.doc, name, "a name that has a meaning is bound again"))
    }
}

#[cfg(test)]
mod tests;
