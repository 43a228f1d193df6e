//! Declarations of datatypes.
//!
//! ```text
//! (declare-datatypes ((name arity) …) (body …))        (declare-datatype name body)
//! body         (constructor …) | (par (parameter …) (constructor …))
//! constructor  (name (selector sort) …) | name
//! ```
//!
//! All names of a command are known in all its bodies. Refused with their place: types without
//! constructors, types without a finite value, names used twice, parameters that do not fit the
//! arity; and, as not supported, types that contain themselves below an array.

use foretell_terms::{Constructor, ConstructorDecl, FieldDecl, Instance, Selector, Sort, SortKind};

use crate::builtin;
use crate::declare::{Declared, parts};
use crate::diagnostic::{Code, Diagnostic, Outcome, excerpt};
use crate::elaborate::Elaborator;
use crate::reader::Sexp;
use crate::sorts;
use crate::symbols::{Global, SortName};
use crate::templates;

/// One type of a command.
struct Announced<'a> {
    name: Sexp<'a>,
    sort: Sort,
    params: Vec<(Box<str>, Sort)>,
    constructors: Sexp<'a>,
}

impl Elaborator<'_> {
    /// Makes the datatypes of the store known under their names, for texts without declarations.
    pub fn know_datatypes(&mut self) {
        for sort in self.terms.data_sorts() {
            let decl = self.terms.data(sort).filter(|d| d.instance.is_none());
            let Some(decl) = decl else { continue };
            self.symbols.declare_sort(&decl.name, SortName::Sort(sort));
            for constructor in self.terms.constructors(sort) {
                let name = &self.terms.constructor(constructor).name;
                self.symbols.declare(name, Global::Constructor(constructor));
                for selector in self.terms.selectors(constructor) {
                    let name = &self.terms.selector(selector).selector;
                    self.symbols.declare(name, Global::Selector(selector));
                }
            }
        }
    }

    pub(crate) fn declare_datatypes(&mut self, command: Sexp<'_>) -> Outcome<Declared> {
        let outcome = self.datatypes(command);
        if outcome.is_err() {
            self.poison_datatypes(command);
        }
        outcome.map(|()| Declared::Sort)
    }

    fn datatypes(&mut self, command: Sexp<'_>) -> Outcome<()> {
        let announced = self.announce(command)?;
        for one in &announced {
            let constructors = self.constructors(one)?;
            self.terms.define_data(one.sort, constructors);
        }
        self.settle(command)?;
        let group: Vec<Sort> = announced.iter().map(|one| one.sort).collect();
        for one in &announced {
            self.check_depth(one, &group)?;
            self.check_values(one)?;
            self.check_arrays(one)?;
            self.name_constructors(one)?;
        }
        Ok(())
    }

    /// Makes the types of a command, without constructors, and their names.
    fn announce<'a>(&mut self, command: Sexp<'a>) -> Outcome<Vec<Announced<'a>>> {
        let single = command
            .items()
            .next()
            .is_some_and(|word| word.is_word("declare-datatype"));
        let mut pairs = Vec::new();
        if single {
            let [name, body] = parts(command, "(declare-datatype name (constructor …))")?;
            pairs.push((name, None, body));
        } else {
            let shape = "(declare-datatypes ((name arity) …) ((constructor …) …))";
            let [names, bodies] = parts(command, shape)?;
            let names: Vec<Sexp<'a>> = names.expect_list("a list of names")?.collect();
            let bodies: Vec<Sexp<'a>> = bodies.expect_list("a list of types")?.collect();
            if names.len() != bodies.len() {
                let (n, m) = (names.len(), bodies.len());
                return Err(command.malformed(format!("{n} names for {m} types")));
            }
            for (item, body) in names.into_iter().zip(bodies) {
                let mut items = item.items();
                match (items.next(), items.next().and_then(Sexp::small_number)) {
                    (Some(name), Some(arity)) => pairs.push((name, Some(arity), body)),
                    _ => return Err(item.malformed("a name with its arity `(name 0)` expected")),
                }
            }
        }
        let mut announced = Vec::new();
        for (name, arity, body) in pairs {
            announced.push(self.announce_one(command, name, arity, body)?);
        }
        Ok(announced)
    }

    fn announce_one<'a>(
        &mut self,
        command: Sexp<'a>,
        name: Sexp<'a>,
        arity: Option<u32>,
        body: Sexp<'a>,
    ) -> Outcome<Announced<'a>> {
        let text = name.expect_symbol("the name of a type")?;
        self.new_sort(name, text)?;
        let mut items = body.expect_list("a list of constructors")?;
        let mut constructors = body;
        let mut params: Vec<(Box<str>, Sort)> = Vec::new();
        if items.next().is_some_and(|first| first.is_word("par")) {
            let [list, inner] = parts(body, "(par (parameter …) (constructor …))")?;
            for param in list.expect_list("a list of parameters")? {
                let param = param.expect_symbol("a parameter")?;
                // A name nobody can write keeps placeholders apart from declared sorts.
                let stem = format!("{text}|{param}|{}", name.span().start);
                let sort = self.terms.mk_sort(SortKind::Uninterpreted(stem.into()));
                params.push((param.into(), sort));
            }
            constructors = inner;
        }
        if arity.is_some_and(|n| n as usize != params.len()) {
            let message = format!("type `{}` has {} parameters", excerpt(text), params.len());
            return Err(Diagnostic::error(Code::Arity, name.span(), message));
        }
        let instance = (!params.is_empty()).then(|| Instance {
            arguments: params.iter().map(|(_, sort)| *sort).collect(),
            command: command.span().text(command.text).into(),
        });
        let sort = self.terms.declare_data(text, instance);
        let meaning = if params.is_empty() {
            SortName::Sort(sort)
        } else {
            let sorts = params.iter().map(|(_, sort)| *sort).collect();
            self.templates.add(sort, sorts);
            SortName::Data(sort)
        };
        self.symbols.declare_sort(text, meaning);
        Ok(Announced {
            name,
            sort,
            params,
            constructors,
        })
    }

    fn constructors(&mut self, one: &Announced<'_>) -> Outcome<Vec<ConstructorDecl>> {
        let mut decls: Vec<ConstructorDecl> = Vec::new();
        let params: Vec<Sort> = one.params.iter().map(|(_, sort)| *sort).collect();
        for item in one.constructors.expect_list("a list of constructors")? {
            let head = if item.is_list() {
                item.items().next().unwrap_or(item)
            } else {
                item
            };
            let name = head.expect_symbol("the name of a constructor")?;
            let mut fields: Vec<FieldDecl> = Vec::new();
            for field in item.items().skip(1) {
                let mut items = field.items();
                let (selector, sort, rest) = (items.next(), items.next(), items.next());
                let (Some(selector), Some(sort), None) = (selector, sort, rest) else {
                    return Err(field.malformed("a field `(selector sort)` expected"));
                };
                fields.push(FieldDecl {
                    selector: selector.expect_symbol("the name of a selector")?.into(),
                    sort: self.sort_with(sort, one.params.clone())?,
                });
            }
            decls.push(ConstructorDecl {
                name: name.into(),
                spelling: templates::spelling(self.terms, &params, &fields),
                fields: fields.into(),
            });
        }
        if decls.is_empty() {
            return Err(one
                .constructors
                .malformed("a type needs at least one constructor"));
        }
        Ok(decls)
    }

    /// Declares the names of constructors and selectors.
    fn name_constructors(&mut self, one: &Announced<'_>) -> Outcome<()> {
        let places: Vec<Sexp<'_>> = one.constructors.items().collect();
        for (constructor, place) in self.terms.constructors(one.sort).zip(places) {
            let decl = self.terms.constructor(constructor);
            self.declare_new(place.items().next().unwrap_or(place), &decl.name)?;
            self.symbols
                .declare(&decl.name, Global::Constructor(constructor));
            let fields = place.items().skip(1);
            for (selector, field) in self.terms.selectors(constructor).zip(fields) {
                self.name_selector(selector, field)?;
            }
        }
        Ok(())
    }

    fn name_selector(&mut self, selector: Selector, place: Sexp<'_>) -> Outcome<()> {
        let name = &self.terms.selector(selector).selector;
        self.declare_new(place.items().next().unwrap_or(place), name)?;
        self.symbols.declare(name, Global::Selector(selector));
        Ok(())
    }

    /// Types in types nest no deeper than other sorts do.
    fn check_depth(&mut self, one: &Announced<'_>, group: &[Sort]) -> Outcome<()> {
        let constructors = self.terms.constructors(one.sort);
        let fields = constructors.flat_map(|c| self.terms.constructor(c).fields.iter());
        let outside = fields.map(|f| f.sort).filter(|s| !group.contains(s));
        let depth = 1 + outside.map(|s| self.sort_depth(s)).max().unwrap_or(0);
        if depth > sorts::MAX_DEPTH {
            return Err(sorts::too_deep(one.name.span()));
        }
        self.sort_depths.insert(one.sort, depth);
        Ok(())
    }

    fn check_values(&self, one: &Announced<'_>) -> Outcome<()> {
        if self.terms.default_constructor(one.sort).is_some() {
            return Ok(());
        }
        let name = excerpt(one.name.symbol().unwrap_or(""));
        let message = format!("type `{name}` has no finite value");
        let note = "one constructor must do without fields of the type itself";
        Err(Diagnostic::error(Code::MalformedCommand, one.name.span(), message).note(note))
    }

    /// Types that contain themselves below an array are known to solvers' texts only.
    fn check_arrays(&self, one: &Announced<'_>) -> Outcome<()> {
        let below_array = |&c: &Constructor| {
            let fields = self.terms.constructor(c).fields.iter();
            fields
                .filter(|f| self.terms.array_parts(f.sort).is_some())
                .any(|f| self.terms.reaches_data(f.sort, one.sort))
        };
        if !self.terms.constructors(one.sort).any(|c| below_array(&c)) {
            return Ok(());
        }
        let feature = "types that contain themselves below an array";
        Err(Diagnostic::unsupported(one.name.span(), feature))
    }

    pub(crate) fn settle(&self, place: Sexp<'_>) -> Outcome<()> {
        self.templates.settle(self.terms).map_err(|_| {
            let message = "the instances of this type have no end";
            Diagnostic::error(Code::Limit, place.span(), message)
        })
    }

    /// Uses of the names that a faulty or refused command would declare are not reported.
    pub(crate) fn poison_datatypes(&mut self, command: Sexp<'_>) {
        for at in command.at + 2..command.after() {
            let item = Sexp { at, ..command };
            let Some(name) = item.symbol() else { continue };
            if builtin::builtin(name).is_none() && !self.symbols.is_visible(name) {
                self.symbols.declare(name, Global::Poisoned);
                self.symbols
                    .declare(&format!("is-{name}"), Global::Poisoned);
            }
            if self.symbols.sort(name).is_none() {
                self.symbols.declare_sort(name, SortName::Poisoned);
            }
        }
    }
}
