//! Sorts.
//!
//! Sorts nest at most [`MAX_DEPTH`] levels, so reading them may recurse; definitions of sorts with
//! parameters are read again at each use, within a budget per command.

use foretell_terms::{Sort, SortKind};

use crate::diagnostic::{Code, Diagnostic, Outcome, excerpt};
use crate::elaborate::Elaborator;
use crate::reader::Sexp;
use crate::span::Span;
use crate::symbols::{SortName, SortTemplate};

/// How deeply sorts may nest.
pub(crate) const MAX_DEPTH: u32 = 64;
/// The widest bit-vector.
pub(crate) const MAX_WIDTH: u32 = 1 << 16;
/// How many sort expressions one sort may expand to.
const BUDGET: u32 = 100_000;

/// Datatypes that Z3 knows without a declaration; they may be declared.
pub(crate) const BUILT_IN: &str = "built-in datatypes of Z3";

/// Sorts of theories outside the fragment.
const FOREIGN: [(&str, &str); 16] = [
    ("String", "strings"),
    ("RegLan", "regular expressions"),
    ("RegEx", "regular expressions"),
    ("Unicode", "strings"),
    ("Seq", "sequences"),
    ("FloatingPoint", "floating-point numbers"),
    ("Float16", "floating-point numbers"),
    ("Float32", "floating-point numbers"),
    ("Float64", "floating-point numbers"),
    ("Float128", "floating-point numbers"),
    ("RoundingMode", "floating-point numbers"),
    ("List", BUILT_IN),
    ("Pair", BUILT_IN),
    ("Set", "sets"),
    ("Bag", "bags"),
    ("FiniteField", "finite fields"),
];

/// Reading one sort: the parameters in scope and what may still be spent.
struct SortReader<'e, 's> {
    elaborator: &'e mut Elaborator<'s>,
    params: Vec<(Box<str>, Sort)>,
    budget: u32,
}

impl Elaborator<'_> {
    /// The sort an expression stands for.
    pub fn sort(&mut self, sexp: Sexp<'_>) -> Outcome<Sort> {
        let sort = self.sort_with(sexp, Vec::new())?;
        self.settle(sexp)?;
        Ok(sort)
    }

    /// Reads a sort over parameters that stand for the given sorts (to check a definition).
    pub(crate) fn sort_with(
        &mut self,
        sexp: Sexp<'_>,
        params: Vec<(Box<str>, Sort)>,
    ) -> Outcome<Sort> {
        SortReader {
            elaborator: self,
            params,
            budget: BUDGET,
        }
        .read(sexp, 0)
    }
}

/// The theory behind a sort name outside the fragment.
pub(crate) fn foreign_sort(name: &str) -> Option<&'static str> {
    FOREIGN
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, theory)| *theory)
}

pub(crate) fn too_deep(span: Span) -> Box<Diagnostic> {
    Diagnostic::error(
        Code::Limit,
        span,
        format!("sorts nested more than {MAX_DEPTH} levels deep"),
    )
}

impl SortReader<'_, '_> {
    fn read(&mut self, sexp: Sexp<'_>, depth: u32) -> Outcome<Sort> {
        if depth > MAX_DEPTH {
            return Err(too_deep(sexp.span()));
        }
        self.budget = self.budget.checked_sub(1).ok_or_else(|| {
            Diagnostic::error(
                Code::Limit,
                sexp.span(),
                "this sort expands to too many sorts",
            )
        })?;
        if let Some(name) = sexp.symbol() {
            return self.named(name, &[], sexp);
        }
        let mut items = sexp.expect_list("a sort")?;
        let head = items
            .next()
            .ok_or_else(|| sexp.malformed("a sort expected, found `()`"))?;
        if head.is_word("_") {
            return self.indexed(sexp);
        }
        let name = head.expect_symbol("a sort name")?;
        let args = items
            .map(|item| self.read(item, depth + 1))
            .collect::<Outcome<Vec<Sort>>>()?;
        self.named(name, &args, sexp)
    }

    fn named(&mut self, name: &str, args: &[Sort], sexp: Sexp<'_>) -> Outcome<Sort> {
        if let Some((_, sort)) = self
            .params
            .iter()
            .find(|(p, _)| **p == *name && args.is_empty())
        {
            return Ok(*sort);
        }
        let arity = |n: usize, sort: Sort| {
            if args.len() == n {
                Ok(sort)
            } else {
                Err(wrong_arity(name, n, args.len(), sexp))
            }
        };
        match name {
            "Bool" => return arity(0, Sort::BOOL),
            "Int" => return arity(0, Sort::INT),
            "Real" => return arity(0, Sort::REAL),
            "Array" => return self.array(args, sexp),
            _ => {}
        }
        match self.elaborator.symbols.sort(name).cloned() {
            Some(SortName::Sort(sort)) => arity(0, sort),
            Some(SortName::Data(generic)) => self.instance(generic, args, sexp),
            Some(SortName::Template(template)) => self.expand(&template, name, args, sexp),
            Some(SortName::Poisoned) => Err(Diagnostic::error(Code::Cascade, sexp.span(), "")),
            None => Err(match foreign_sort(name) {
                Some(theory) => {
                    Diagnostic::unsupported(sexp.span(), format!("{theory} (sort `{name}`)"))
                }
                None => {
                    let message = format!("unknown sort `{}`", excerpt(name));
                    Diagnostic::error(Code::UnknownSort, sexp.span(), message)
                }
            }),
        }
    }

    /// A datatype with parameters, applied.
    fn instance(&mut self, generic: Sort, args: &[Sort], sexp: Sexp<'_>) -> Outcome<Sort> {
        let arity = self.elaborator.templates.arity(generic);
        if args.len() != arity {
            let name = self.elaborator.terms.data(generic).map_or("", |d| &d.name);
            return Err(wrong_arity(name, arity, args.len(), sexp));
        }
        self.nested(args, sexp, |this| {
            let (terms, templates) = (this.elaborator.terms, &this.elaborator.templates);
            templates.instance(terms, generic, args)
        })
    }

    /// Makes a sort from others unless it nests too deep.
    fn nested(
        &mut self,
        args: &[Sort],
        sexp: Sexp<'_>,
        make: impl FnOnce(&Self) -> Sort,
    ) -> Outcome<Sort> {
        let depths = args.iter().map(|&s| self.elaborator.sort_depth(s));
        let depth = 1 + depths.max().unwrap_or(0);
        if depth > MAX_DEPTH {
            return Err(too_deep(sexp.span()));
        }
        let sort = make(self);
        self.elaborator.sort_depths.entry(sort).or_insert(depth);
        Ok(sort)
    }

    fn array(&mut self, args: &[Sort], sexp: Sexp<'_>) -> Outcome<Sort> {
        let Some((&element, indices)) =
            args.split_last().filter(|(_, indices)| !indices.is_empty())
        else {
            return Err(wrong_arity("Array", 2, args.len(), sexp));
        };
        self.nested(args, sexp, |this| {
            this.elaborator.terms.array_sort(indices, element)
        })
    }

    fn expand(
        &mut self,
        template: &SortTemplate,
        name: &str,
        args: &[Sort],
        sexp: Sexp<'_>,
    ) -> Outcome<Sort> {
        if args.len() != template.params.len() {
            return Err(wrong_arity(name, template.params.len(), args.len(), sexp));
        }
        let inner = template
            .params
            .iter()
            .cloned()
            .zip(args.iter().copied())
            .collect();
        let outer = std::mem::replace(&mut self.params, inner);
        let body = Sexp {
            text: sexp.text,
            tokens: &template.tokens,
            at: 0,
        };
        // The definition was checked when it was made, so its own depth is within the limit.
        let sort = self.read(body, 0);
        self.params = outer;
        sort
    }

    fn indexed(&mut self, sexp: Sexp<'_>) -> Outcome<Sort> {
        let mut items = sexp.items().skip(1);
        let name = items.next().and_then(Sexp::symbol).unwrap_or("");
        let index = items.next();
        match (name, index.and_then(Sexp::small_number), items.next()) {
            ("BitVec", Some(0), None) => Err(sexp.malformed("a bit-vector has at least one bit")),
            ("BitVec", Some(width), None) if width <= MAX_WIDTH => {
                Ok(self.elaborator.terms.bv_sort(width))
            }
            ("BitVec", _, None) if index.is_some() => Err(Diagnostic::error(
                Code::Limit,
                sexp.span(),
                format!("bit-vectors have at most {MAX_WIDTH} bits"),
            )),
            _ => Err(match foreign_sort(name) {
                Some(theory) => {
                    Diagnostic::unsupported(sexp.span(), format!("{theory} (sort `{name}`)"))
                }
                None => Diagnostic::error(
                    Code::UnknownSort,
                    sexp.span(),
                    format!("unknown sort `{}`", excerpt(sexp.span().text(sexp.text))),
                ),
            }),
        }
    }
}

impl Elaborator<'_> {
    /// How deeply sorts nest in a sort.
    pub(crate) fn sort_depth(&self, sort: Sort) -> u32 {
        match self.terms.kind(sort) {
            SortKind::Array { .. } | SortKind::Data(_) => {
                self.sort_depths.get(&sort).copied().unwrap_or(1)
            }
            _ => 0,
        }
    }
}

fn wrong_arity(name: &str, expected: usize, found: usize, sexp: Sexp<'_>) -> Box<Diagnostic> {
    let message = format!(
        "sort `{}` takes {expected} arguments, found {found}",
        excerpt(name)
    );
    Diagnostic::error(Code::Arity, sexp.span(), message)
}
