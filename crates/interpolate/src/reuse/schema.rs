//! A theory lemma without its time: literals over symbols `x@(k + o)`, for any `k`.
//!
//! ```text
//! of(lits)          symbols named `x@n` become (x, n - n_0), n_0 the least time among them; others stay as they are
//! instance(s, k)    the symbols (x, o) become `x@(k + o)` of the query at hand, where it has them
//! ```
//! A theory lemma stays valid under any renaming of symbols that respects sorts, and a name is only
//! taken as a hint which renamings are worth a try: nothing depends on what `@` means to the
//! caller.

use crate::data::atoms::{Atom, Bound, Lit};
use crate::data::bank::{Node, Sort, SymId, TId};
use crate::data::linear::Lin;
use crate::data::rational::Rat;
use crate::euf::closure::for_children;
use crate::reuse::directory::{Directory, Symbol};
use crate::world::World;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::fmt::Write;

/// The largest lemma that is kept, in terms.
const LARGEST: usize = 24;

/// The most literals of a lemma that is kept: longer ones add up many steps and do not recur.
const WIDEST: usize = 6;

/// The longest text of a lemma that is kept.
const LONGEST: usize = 800;

/// A term of a lemma; arguments are earlier terms.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Shape {
    Truth(bool),
    Sym(Symbol),
    App(Symbol, Box<[u32]>),
    Sum(Sort, Sum),
    Floor(Sum),
}

/// A linear expression over the terms of a lemma.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Sum {
    terms: Box<[(u32, Rat)]>,
    k: Rat,
}

/// A literal of a lemma.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Form {
    Equal(u32, u32),
    Unequal(u32, u32),
    AtMostZero(Sum),
    BelowZero(Sum),
}

/// What a theory found out in one query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Fact {
    /// The literals contradict each other in arithmetic.
    Arithmetic(Vec<Lit>),
    /// The literals contradict each other by congruence.
    Congruence(Vec<Lit>),
    /// Two numbers were compared.
    Split(TId, TId),
}

/// Which theory proves a lemma.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Theory {
    Arithmetic,
    Congruence,
    Split,
}

/// A theory lemma without its time.
#[derive(Clone, Debug)]
pub(crate) struct Schema {
    theory: Theory,
    terms: Vec<Shape>,
    forms: Vec<Form>,
    /// A symbol with the least time, where there is one.
    first: Option<Box<str>>,
}

impl Schema {
    /// The schema of a fact, with a text that is the same for the same fact at any time; `None` if
    /// it speaks of names of our own or is too large.
    pub(crate) fn of(
        world: &World,
        directory: &Directory,
        fact: &Fact,
    ) -> Option<(String, Schema)> {
        let terms = subterms(world, fact)?;
        let mut named = Vec::new();
        for t in &terms {
            if let Node::Sym(s) | Node::App(s, _) = world.bank.node(*t)
                && let Symbol::Named {
                    base,
                    time: Some(time),
                    ..
                } = directory.symbol(*s)?
            {
                named.push((*time, base.clone()));
            }
        }
        let (start, first) = named
            .into_iter()
            .min()
            .map_or((0, None), |(t, b)| (t, Some(b)));
        let mut writer = Writer {
            terms: &terms,
            start,
            world,
            directory,
        };
        let shapes: Vec<Shape> = terms
            .iter()
            .map(|t| writer.shape(*t))
            .collect::<Option<_>>()?;
        let mut forms: Vec<(String, Form)> = Vec::new();
        let texts = texts(&shapes)?;
        for form in writer.forms(fact)? {
            forms.push((text_of(&form, &texts), form));
        }
        forms.sort_by(|a, b| a.0.cmp(&b.0));
        let theory = match fact {
            Fact::Arithmetic(_) => Theory::Arithmetic,
            Fact::Congruence(_) => Theory::Congruence,
            Fact::Split(..) => Theory::Split,
        };
        let mut text = format!("{theory:?}");
        for (t, _) in &forms {
            let _ = write!(text, " {t}");
        }
        let forms = forms.into_iter().map(|f| f.1).collect();
        (text.len() <= LONGEST).then_some((
            text,
            Schema {
                theory,
                terms: shapes,
                forms,
                first,
            },
        ))
    }

    /// The times at which an instance may exist.
    pub(crate) fn shifts(&self, directory: &Directory) -> Vec<u32> {
        match &self.first {
            None => vec![0],
            Some(base) => directory.times(base),
        }
    }

    /// The fact at a time, over literals for which `known` holds, or over compared terms that are.
    pub(crate) fn instance(
        &self,
        world: &mut World,
        directory: &Directory,
        shift: u32,
        known: Known<'_>,
    ) -> Option<Fact> {
        let mut terms = Vec::with_capacity(self.terms.len());
        for shape in &self.terms {
            terms.push(built(shape, world, directory, shift, &terms)?);
        }
        if let (Theory::Split, [Form::Equal(a, b)]) = (self.theory, self.forms.as_slice()) {
            let (a, b) = (terms[*a as usize], terms[*b as usize]);
            let fits = a != b && (known.term)(a) && (known.term)(b) && world.bank.mutual(a, b);
            return fits.then_some(Fact::Split(a, b));
        }
        let mut lits = Vec::with_capacity(self.forms.len());
        for form in &self.forms {
            let lit = match form {
                Form::Equal(a, b) => world.eq(terms[*a as usize], terms[*b as usize]),
                Form::Unequal(a, b) => !world.eq(terms[*a as usize], terms[*b as usize]),
                Form::AtMostZero(s) | Form::BelowZero(s) => {
                    let strict = matches!(form, Form::BelowZero(_));
                    let bound = Bound {
                        lin: linear(s, world, &terms),
                        strict,
                    };
                    world.atoms.bound(&world.bank, &bound)
                }
            };
            if !(known.lit)(lit) {
                return None;
            }
            lits.push(lit);
        }
        Some(match self.theory {
            Theory::Congruence => Fact::Congruence(lits),
            _ => Fact::Arithmetic(lits),
        })
    }
}

/// What the search knows already: an instance must not bring in anything else.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    /// Literals of the search.
    pub(crate) lit: &'a dyn Fn(Lit) -> bool,
    /// Terms of the theories.
    pub(crate) term: &'a dyn Fn(TId) -> bool,
}

/// The terms of a fact, arguments first.
fn subterms(world: &World, fact: &Fact) -> Option<IndexSet<TId, FxBuildHasher>> {
    let mut stack: Vec<TId> = match fact {
        Fact::Split(a, b) => vec![*a, *b],
        Fact::Arithmetic(lits) | Fact::Congruence(lits) if lits.len() > WIDEST => return None,
        Fact::Arithmetic(lits) | Fact::Congruence(lits) => {
            let mut roots = Vec::new();
            for l in lits {
                match world.atoms.get(l.atom()) {
                    Atom::Eq(a, b) => roots.extend([*a, *b]),
                    Atom::Le(l) => roots.extend(l.terms.iter().map(|t| t.0)),
                    Atom::True | Atom::Aux(..) => return None,
                }
            }
            roots
        }
    };
    let mut out: IndexSet<TId, FxBuildHasher> = IndexSet::default();
    while let Some(&t) = stack.last() {
        let before = stack.len();
        for_children(&world.bank, t, |c| {
            if !out.contains(&c) {
                stack.push(c);
            }
        });
        if stack.len() == before {
            stack.pop();
            out.insert(t);
        }
        if out.len() > LARGEST || stack.len() > 4 * LARGEST {
            return None;
        }
    }
    Some(out)
}

/// Writes the terms of one fact.
struct Writer<'a> {
    terms: &'a IndexSet<TId, FxBuildHasher>,
    start: u32,
    world: &'a World,
    directory: &'a Directory,
}

impl Writer<'_> {
    fn place(&self, t: TId) -> Option<u32> {
        self.terms.get_index_of(&t).map(|i| i as u32)
    }

    fn symbol(&self, s: SymId) -> Option<Symbol> {
        let mut symbol = self.directory.symbol(s)?.clone();
        if let Symbol::Named {
            time: Some(time), ..
        } = &mut symbol
        {
            *time -= self.start;
        }
        Some(symbol)
    }

    fn sum(&self, l: &Lin) -> Option<Sum> {
        let terms: Option<Box<[(u32, Rat)]>> = l
            .terms
            .iter()
            .map(|(t, c)| Some((self.place(*t)?, c.clone())))
            .collect();
        Some(Sum {
            terms: terms?,
            k: l.k.clone(),
        })
    }

    fn shape(&mut self, t: TId) -> Option<Shape> {
        Some(match self.world.bank.node(t) {
            Node::Truth(b) => Shape::Truth(*b),
            Node::Sym(s) => Shape::Sym(self.symbol(*s)?),
            Node::App(s, args) => {
                let places: Option<Box<[u32]>> = args.iter().map(|a| self.place(*a)).collect();
                Shape::App(self.symbol(*s)?, places?)
            }
            Node::Lin(sort, l) => Shape::Sum(*sort, self.sum(l)?),
            Node::Floor(l) => Shape::Floor(self.sum(l)?),
        })
    }

    fn forms(&self, fact: &Fact) -> Option<Vec<Form>> {
        let lits = match fact {
            Fact::Split(a, b) => return Some(vec![Form::Equal(self.place(*a)?, self.place(*b)?)]),
            Fact::Arithmetic(lits) | Fact::Congruence(lits) => lits,
        };
        let form = |l: &Lit| match self.world.atoms.get(l.atom()) {
            Atom::Eq(a, b) if l.is_pos() => Some(Form::Equal(self.place(*a)?, self.place(*b)?)),
            Atom::Eq(a, b) => Some(Form::Unequal(self.place(*a)?, self.place(*b)?)),
            _ => {
                let Bound { lin, strict } = self.world.atoms.le_bound(&self.world.bank, *l)?;
                let sum = self.sum(&lin)?;
                Some(if strict {
                    Form::BelowZero(sum)
                } else {
                    Form::AtMostZero(sum)
                })
            }
        };
        lits.iter().map(form).collect()
    }
}

/// The texts of terms, the order of sums and of the sides of equalities left out of account.
fn texts(shapes: &[Shape]) -> Option<Vec<String>> {
    let mut out: Vec<String> = Vec::with_capacity(shapes.len());
    for shape in shapes {
        let text = match shape {
            Shape::Truth(b) => format!("{b}"),
            Shape::Sym(s) => symbol_text(s),
            Shape::App(s, args) => {
                let args: Vec<&str> = args.iter().map(|a| out[*a as usize].as_str()).collect();
                format!("({} {})", symbol_text(s), args.join(" "))
            }
            Shape::Sum(_, s) => sum_text(s, &out),
            Shape::Floor(s) => format!("(floor {})", sum_text(s, &out)),
        };
        if text.len() > LONGEST {
            return None;
        }
        out.push(text);
    }
    Some(out)
}

fn symbol_text(s: &Symbol) -> String {
    match s {
        Symbol::Named {
            base,
            time: Some(time),
            ..
        } => format!("{base}@{time}"),
        Symbol::Named { base, .. } => base.to_string(),
        Symbol::Operator(o) => format!("{o:?}"),
    }
}

fn sum_text(s: &Sum, texts: &[String]) -> String {
    let mut parts: Vec<String> = s
        .terms
        .iter()
        .map(|(t, c)| format!("{c:?}*{}", texts[*t as usize]))
        .collect();
    parts.sort();
    format!("(+ {} {:?})", parts.join(" "), s.k)
}

fn text_of(form: &Form, texts: &[String]) -> String {
    let pair = |a: &u32, b: &u32| {
        let (a, b) = (&texts[*a as usize], &texts[*b as usize]);
        if a <= b {
            format!("{a} {b}")
        } else {
            format!("{b} {a}")
        }
    };
    match form {
        Form::Equal(a, b) => format!("(= {})", pair(a, b)),
        Form::Unequal(a, b) => format!("(/= {})", pair(a, b)),
        Form::AtMostZero(s) => format!("(<= {})", sum_text(s, texts)),
        Form::BelowZero(s) => format!("(< {})", sum_text(s, texts)),
    }
}

fn linear(s: &Sum, world: &World, terms: &[TId]) -> Lin {
    let mut out = Lin::constant(s.k.clone());
    for (t, c) in &s.terms {
        out = out.plus(&world.bank.lin_of(terms[*t as usize]), c);
    }
    out
}

fn built(
    shape: &Shape,
    world: &mut World,
    directory: &Directory,
    shift: u32,
    terms: &[TId],
) -> Option<TId> {
    Some(match shape {
        Shape::Truth(true) => crate::data::bank::TermBank::TRUE,
        Shape::Truth(false) => crate::data::bank::TermBank::FALSE,
        Shape::Sym(s) => world.bank.constant(directory.id(s, shift)?),
        Shape::App(s, args) => {
            let args: Vec<TId> = args.iter().map(|a| terms[*a as usize]).collect();
            world.bank.app(directory.id(s, shift)?, &args)
        }
        Shape::Sum(sort, s) => {
            let l = linear(s, world, terms);
            world.bank.term_of(l, *sort)
        }
        Shape::Floor(s) => {
            let l = linear(s, world, terms);
            let l = world.bank.floor(&l);
            world.bank.term_of(l, Sort::Int)
        }
    })
}
