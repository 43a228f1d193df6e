//! Constructors, selectors, testers, updates and `match` in terms.
//!
//! ```text
//! (match t ((C x y) a) (D b) (z c))   =   ite(is_C t, a[x := sel_1 t, y := sel_2 t],
//!                                         ite(is_D t, b, c[z := t]))
//! ((_ update-field s) x v)            =   ite(is_C x, C(.., v, ..), x)
//! ```

use foretell_terms::{Constructor, Selector, Sort, Term};

use crate::apply::Call;
use crate::diagnostic::{Code, Diagnostic, Outcome, excerpt};
use crate::elaborate::Elaborator;
use crate::machine::{Construct, Frame, Head, Machine, malformed};
use crate::reader::Sexp;
use crate::symbols::{Global, NameId};

/// A `match` whose cases are being read.
#[derive(Debug)]
pub(crate) struct Match {
    scrutinee: Term,
    /// The constructor of each case, `None` for a variable, and its term.
    cases: Vec<(Option<Constructor>, Term)>,
}

impl Elaborator<'_> {
    /// `(_ is C)`, `(_ update-field s)`, `(_ update s)`.
    pub(crate) fn data_head(&self, head: Sexp<'_>) -> Outcome<Option<Head>> {
        let mut items = head.items().skip(1);
        let (word, index) = (items.next(), items.next());
        let Some(name) = index.and_then(Sexp::symbol) else {
            return Ok(None);
        };
        let global = self.symbols.global(name);
        let poisoned = matches!(global, Some(Global::Poisoned));
        if poisoned {
            return Err(Diagnostic::error(Code::Cascade, head.span(), ""));
        }
        match (word.and_then(Sexp::symbol), global) {
            (Some("is"), Some(Global::Constructor(c))) => Ok(Some(Head::Is(*c))),
            (Some("update-field" | "update"), Some(Global::Selector(s))) => {
                Ok(Some(Head::Update(*s)))
            }
            (Some("is"), _) => Err(Diagnostic::error(
                Code::UnknownSymbol,
                head.span(),
                format!("unknown constructor `{}`", excerpt(name)),
            )),
            (Some("update-field" | "update"), _) => Err(Diagnostic::error(
                Code::UnknownSymbol,
                head.span(),
                format!("unknown selector `{}`", excerpt(name)),
            )),
            _ => Ok(None),
        }
    }

    /// `is-C` where nobody declared that name.
    pub(crate) fn tester(&self, name: &str) -> Option<Head> {
        match self.symbols.global(name.strip_prefix("is-")?) {
            Some(Global::Constructor(c)) => Some(Head::Is(*c)),
            _ => None,
        }
    }

    /// The constructor at an instance, when `as` names one.
    pub(crate) fn at_sort(&self, of: Constructor, sort: Sort) -> Option<Constructor> {
        (self.templates.origin(sort) == of.sort).then_some(Constructor { sort, ..of })
    }

    /// Refuses a finished term with a constructor whose sort nothing determines.
    pub(crate) fn refuse_open(&self, term: Term, place: Sexp<'_>) -> Outcome<()> {
        if !self.templates.left_open(self.terms, term) {
            return Ok(());
        }
        Err(not_determined(place))
    }

    pub(crate) fn open_match(&mut self, machine: &mut Machine<'_>) -> Outcome<()> {
        let open = machine.at;
        machine.at = open + 2;
        let base = machine.values.len();
        machine.frames.push(Frame {
            construct: Construct::Scrutinee,
            open,
            base,
        });
        Ok(())
    }

    /// A parenthesis inside a `match`: the list of cases, or one case. `false` when it opens a
    /// term.
    pub(crate) fn open_in_match(&mut self, machine: &mut Machine<'_>) -> Outcome<bool> {
        let Some(frame) = machine.frames.last_mut() else {
            return Ok(false);
        };
        match &frame.construct {
            Construct::Cases(_) => {
                self.open_case(machine)?;
                Ok(true)
            }
            Construct::Scrutinee if machine.values.len() == frame.base + 1 => {
                let scrutinee = machine.values[frame.base].term;
                if self.terms.data(self.terms.sort(scrutinee)).is_none() {
                    let place = machine.values[frame.base].at;
                    let message = "`match` needs a term of a datatype";
                    return Err(malformed(machine.sexp(place), message));
                }
                machine.values.truncate(frame.base);
                frame.construct = Construct::Cases(Match {
                    scrutinee,
                    cases: Vec::new(),
                });
                machine.at += 1;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn open_case(&mut self, machine: &mut Machine<'_>) -> Outcome<()> {
        let open = machine.at;
        let case = machine.sexp(open);
        if case.items().count() != 2 {
            return Err(malformed(case, "a case `(pattern term)` expected"));
        }
        let pattern = machine.sexp(open + 1);
        let Some(Frame {
            construct: Construct::Cases(cases),
            ..
        }) = machine.frames.last()
        else {
            return Ok(());
        };
        let (constructor, names) = self.bind_pattern(pattern, cases.scrutinee)?;
        machine.at = pattern.after();
        let base = machine.values.len();
        machine.frames.push(Frame {
            construct: Construct::Case(constructor, names),
            open,
            base,
        });
        Ok(())
    }

    /// Binds the variables of a pattern to fields of the term.
    fn bind_pattern(
        &mut self,
        pattern: Sexp<'_>,
        of: Term,
    ) -> Outcome<(Option<Constructor>, Vec<NameId>)> {
        let sort = self.terms.sort(of);
        let head = pattern.items().next().unwrap_or(pattern);
        let name = head.expect_symbol("a constructor or a variable")?;
        let constructor = match self.symbols.global(name) {
            Some(Global::Constructor(c)) => self.at_sort(*c, sort),
            _ => None,
        };
        let vars: Vec<Sexp<'_>> = pattern.items().skip(1).collect();
        let Some(constructor) = constructor else {
            if pattern.is_list() {
                let sort = self.terms.print_sort(sort);
                let message = format!("`{}` is no constructor of {sort}", excerpt(name));
                return Err(malformed(head, message));
            }
            let id = self.symbols.id(name);
            self.symbols.bind(id, of);
            return Ok((None, vec![id]));
        };
        let selectors: Vec<Selector> = self.terms.selectors(constructor).collect();
        if vars.len() != selectors.len() {
            let message = format!(
                "constructor `{}` has {} fields, found {} variables",
                excerpt(name),
                selectors.len(),
                vars.len()
            );
            return Err(Diagnostic::error(Code::Arity, pattern.span(), message));
        }
        let mut texts = Vec::new();
        for var in vars {
            texts.push(var.expect_symbol("a variable")?);
        }
        let mut names = Vec::new();
        for (text, selector) in texts.into_iter().zip(selectors) {
            let id = self.symbols.id(text);
            self.symbols.bind(id, self.terms.field(selector, of));
            names.push(id);
        }
        Ok((Some(constructor), names))
    }

    pub(crate) fn close_case(&mut self, machine: &mut Machine<'_>) -> Outcome<()> {
        let Some(frame) = machine.frames.last() else {
            return Ok(());
        };
        let value = machine.single(frame)?;
        let Construct::Case(constructor, names) = &frame.construct else {
            return Ok(());
        };
        for &name in names {
            self.symbols.unbind(name);
        }
        let (constructor, base) = (*constructor, frame.base);
        machine.values.truncate(base);
        machine.frames.pop();
        if let Some(Frame {
            construct: Construct::Cases(cases),
            ..
        }) = machine.frames.last_mut()
        {
            let first = cases.cases.first().map(|(_, t)| self.terms.sort(*t));
            let sort = self.terms.sort(value.term);
            let term = match first {
                Some(first) => self.templates.retarget(self.terms, value.term, first),
                None => Some(value.term),
            };
            let Some(term) = term else {
                let found = excerpt(&self.terms.print_sort(sort));
                let message = format!("this case has sort {found}, the ones before have another");
                let place = machine.sexp(value.at);
                return Err(Diagnostic::error(Code::SortMismatch, place.span(), message));
            };
            cases.cases.push((constructor, term));
        }
        Ok(())
    }

    /// The end of the list of cases: the term stands for the whole.
    pub(crate) fn close_cases(&mut self, machine: &mut Machine<'_>) -> Outcome<()> {
        let Some(frame) = machine.frames.last_mut() else {
            return Ok(());
        };
        let Construct::Cases(read) = &frame.construct else {
            return Ok(());
        };
        let mut kept: Vec<(Option<Constructor>, Term)> = Vec::new();
        for &(constructor, term) in &read.cases {
            let closed = kept.iter().any(|(c, _)| c.is_none() || *c == constructor);
            if !closed {
                kept.push((constructor, term));
            }
        }
        let sort = self.terms.sort(read.scrutinee);
        let missing = self.terms.constructors(sort).find(|&c| {
            !kept
                .iter()
                .any(|(case, _)| case.is_none_or(|case| case == c))
        });
        let open = frame.open;
        if let Some(missing) = missing {
            let name = excerpt(&self.terms.constructor(missing).name);
            let message = format!("`match` has no case for constructor `{name}`");
            let place = machine.sexp(open);
            return Err(malformed(place, message));
        }
        let scrutinee = read.scrutinee;
        let mut cases = kept.into_iter().rev();
        let last = cases
            .next()
            .expect("invariant: every constructor has a case");
        let whole = cases.fold(last.1, |rest, (constructor, term)| {
            let test = constructor.map_or(self.terms.tt(), |c| self.terms.is(c, scrutinee));
            self.terms.ite(test, term, rest)
        });
        frame.construct = Construct::Binding;
        machine.push(whole, open);
        Ok(())
    }
}

/// The message about a constructor whose sort nothing determines.
pub(crate) fn not_determined(place: Sexp<'_>) -> Box<Diagnostic> {
    let message = "the sort of a constructor is not determined; write `(as name sort)`";
    malformed(place, message)
}

impl Call<'_> {
    /// `C` applied to its fields.
    pub(crate) fn construct(&self, of: Constructor) -> Outcome<Term> {
        let n = self.terms.constructor(of).fields.len();
        self.arity(n, Some(n))?;
        let sorts: Vec<Sort> = self.args.iter().map(|a| self.terms.sort(a.term)).collect();
        let endless = |_| {
            let message = "the instances of this type have no end";
            Diagnostic::error(Code::Limit, self.span(), message)
        };
        let of = self
            .templates
            .infer(self.terms, of, &sorts)
            .map_err(endless)?;
        let fields = self.terms.constructor(of).fields.iter().map(|f| f.sort);
        let args = self.signature(&fields.collect::<Vec<Sort>>())?;
        Ok(self.terms.construct(of, &args))
    }

    /// The constructor of the only argument's type.
    fn of_argument(&self, of: Constructor, i: usize) -> Outcome<Constructor> {
        let sort = self.terms.sort(self.args[i].term);
        if self.templates.origin(sort) == of.sort {
            return Ok(Constructor { sort, ..of });
        }
        let expected = self.terms.data(of.sort).map_or("", |d| &d.name);
        Err(self.mismatch(i, expected))
    }

    pub(crate) fn is(&self, of: Constructor) -> Outcome<Term> {
        self.arity(1, Some(1))?;
        let of = self.of_argument(of, 0)?;
        Ok(self.terms.is(of, self.args[0].term))
    }

    pub(crate) fn field(&self, of: Selector) -> Outcome<Term> {
        self.arity(1, Some(1))?;
        let constructor = self.of_argument(of.constructor, 0)?;
        let selector = Selector { constructor, ..of };
        Ok(self.terms.field(selector, self.args[0].term))
    }

    pub(crate) fn update(&self, of: Selector) -> Outcome<Term> {
        self.arity(2, Some(2))?;
        let constructor = self.of_argument(of.constructor, 0)?;
        let selector = Selector { constructor, ..of };
        let value = self.coerce(1, self.terms.selector(selector).sort)?;
        Ok(self.terms.update_field(selector, self.args[0].term, value))
    }
}
