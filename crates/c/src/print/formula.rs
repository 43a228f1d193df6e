//! Terms as ACSL or as C.
//!
//! Terms are over mathematical integers, as ACSL is, so nothing needs a cast there; `div` and `mod`
//! of terms are Euclidean, those of both languages go towards zero, so they are spelled out. A
//! formula that mentions what has no name at the place (`name` says so), an array as a whole, or
//! anything else without words is not printed at all. C has no quantifiers: a quantified formula
//! has no words there; arithmetic is done in `long long`.

use foretell_terms::{Integer, Op, Term, TermStore};

use super::shorten::{brackets, chain, choices_apart};
use crate::program::Var;

/// Which language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// Annotations.
    Acsl,
    /// Expressions of C, as in SV-COMP's witnesses.
    C,
}

/// Formulas nested deeper are not printed.
const DEEPEST: usize = 200;

/// Binding strength, from loose to tight.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Quantifier,
    Implies,
    Or,
    And,
    Compare,
    Sum,
    Product,
    Atom,
}

/// The printer of formulas.
pub struct Printer<'a> {
    /// The store.
    pub terms: &'a TermStore,
    /// The name of a variable at the place, if it has one.
    pub name: &'a dyn Fn(Term) -> Option<String>,
    /// Whether a variable is known not to be negative at the place.
    pub natural: &'a dyn Fn(Term) -> bool,
    /// Whether a name means something in the program already.
    pub taken: &'a dyn Fn(&str) -> bool,
    /// The language.
    pub dialect: Dialect,
}

struct Writing<'a> {
    printer: &'a Printer<'a>,
    bound: Vec<(Term, String)>,
    /// Bound variables that are not negative where it matters.
    natural: Vec<Term>,
    depth: usize,
}

type Words = Option<(String, Level)>;

impl Printer<'_> {
    /// The words of a formula, if it has any.
    pub fn formula(&self, term: Term) -> Option<String> {
        let mut writing = Writing {
            printer: self,
            bound: Vec::new(),
            natural: Vec::new(),
            depth: 0,
        };
        writing.formula(term).map(|(text, _)| text)
    }

    /// The words of each conjunct that has any, without repetition.
    pub fn conjuncts(&self, term: Term) -> Vec<String> {
        let mut list: Vec<String> = Vec::new();
        for conjunct in choices_apart(self.terms, term) {
            if let Some(words) = self.formula(conjunct)
                && words != "\\true"
                && words != "1"
                && !list.contains(&words)
            {
                list.push(words);
            }
        }
        list
    }
}

impl Writing<'_> {
    fn acsl(&self) -> bool {
        self.printer.dialect == Dialect::Acsl
    }

    fn terms(&self) -> &TermStore {
        self.printer.terms
    }

    /// A formula in a place that binds this strongly.
    fn truth_at(&mut self, term: Term, level: Level) -> Option<String> {
        let (text, own) = self.formula(term)?;
        Some(if own < level {
            format!("({text})")
        } else {
            text
        })
    }

    /// A number in a place that binds this strongly.
    fn number_at(&mut self, term: Term, level: Level) -> Option<String> {
        let (text, own) = self.number(term)?;
        Some(if own < level {
            format!("({text})")
        } else {
            text
        })
    }

    fn formula(&mut self, term: Term) -> Words {
        self.depth += 1;
        let words = if self.depth > DEEPEST {
            None
        } else {
            self.formula_inside(term)
        };
        self.depth -= 1;
        words
    }

    fn formula_inside(&mut self, term: Term) -> Words {
        let args: Vec<Term> = self.terms().args(term).to_vec();
        match self.terms().op(term).clone() {
            Op::True => Some((
                if self.acsl() { "\\true" } else { "1" }.to_owned(),
                Level::Atom,
            )),
            Op::False => Some((
                if self.acsl() { "\\false" } else { "0" }.to_owned(),
                Level::Atom,
            )),
            Op::Not => self.negation(args[0]),
            Op::And => self.joined(&args, " && ", Level::And),
            Op::Or => self.disjunction(&args),
            Op::Le => self.comparison(args[0], "<=", args[1]),
            Op::Eq if self.is_bool(args[0]) => {
                let sign = if self.acsl() { " <==> " } else { " == " };
                let (a, b) = (
                    self.truth_at(args[0], Level::Atom)?,
                    self.truth_at(args[1], Level::Atom)?,
                );
                Some((format!("{a}{sign}{b}"), Level::Implies))
            }
            Op::Eq
                if self
                    .terms()
                    .array_parts(self.terms().sort(args[0]))
                    .is_some() =>
            {
                None
            }
            Op::Eq if self.chosen(args[0], args[1]).is_some() => {
                let same = self.chosen(args[0], args[1])?;
                self.formula(same)
            }
            Op::Eq => self.comparison(args[0], "==", args[1]),
            Op::Ite => {
                let c = self.truth_at(args[0], Level::Atom)?;
                let (a, b) = (
                    self.truth_at(args[1], Level::Atom)?,
                    self.truth_at(args[2], Level::Atom)?,
                );
                Some((format!("({c} ? {a} : {b})"), Level::Atom))
            }
            Op::Forall if self.acsl() => self.quantified("\\forall", &args),
            Op::Exists if self.acsl() => self.quantified("\\exists", &args),
            _ => None,
        }
    }

    fn is_bool(&self, term: Term) -> bool {
        self.terms().sort(term) == foretell_terms::Sort::BOOL
    }

    /// `ite(c, m, n) = n` for numbers as a formula about `c`.
    fn chosen(&self, a: Term, b: Term) -> Option<Term> {
        let terms = self.terms();
        let (choice, number) = if terms.as_int(a).is_some() {
            (b, a)
        } else {
            (a, b)
        };
        let (Op::Ite, &[c, x, y]) = (terms.op(choice), terms.args(choice)) else {
            return None;
        };
        [number, x, y]
            .iter()
            .all(|&t| terms.as_int(t).is_some())
            .then(|| terms.ite(c, terms.bool(x == number), terms.bool(y == number)))
    }

    fn negation(&mut self, term: Term) -> Words {
        let args: Vec<Term> = self.terms().args(term).to_vec();
        match self.terms().op(term) {
            Op::Le => self.comparison(args[1], "<", args[0]),
            Op::Eq if !self.is_bool(args[0]) => {
                if self
                    .terms()
                    .array_parts(self.terms().sort(args[0]))
                    .is_some()
                {
                    return None;
                }
                if let Some(same) = self.chosen(args[0], args[1]) {
                    let opposite = self.terms().not(same);
                    return self.formula(opposite);
                }
                self.comparison(args[0], "!=", args[1])
            }
            _ => Some((
                format!("!{}", self.truth_at(term, Level::Atom).map(brackets)?),
                Level::Atom,
            )),
        }
    }

    fn joined(&mut self, args: &[Term], sign: &str, level: Level) -> Words {
        let parts: Option<Vec<String>> = args.iter().map(|&a| self.truth_at(a, level)).collect();
        let mut parts = parts?;
        if self.acsl() && level == Level::And {
            for (_, name) in &self.bound {
                chain(&mut parts, name);
            }
        }
        Some((parts.join(sign), level))
    }

    /// A disjunction; in ACSL as an implication where that reads better.
    fn disjunction(&mut self, args: &[Term]) -> Words {
        let reads = |t: Term| {
            self.terms()
                .any_subterm(t, |s, u| matches!(s.op(u), Op::Select))
        };
        let (conclusion, condition): (Vec<Term>, Vec<Term>) = args.iter().partition(|&&t| reads(t));
        if !self.acsl() || conclusion.is_empty() || condition.is_empty() {
            return self.joined(args, " || ", Level::Or);
        }
        let negated: Vec<Term> = condition.iter().map(|&t| self.terms().not(t)).collect();
        let condition = self.terms().and(negated);
        let conclusion = self.terms().or(conclusion);
        let a = self.truth_at(condition, Level::Or)?;
        let b = self.truth_at(conclusion, Level::Or)?;
        Some((format!("{a} ==> {b}"), Level::Implies))
    }

    fn quantified(&mut self, word: &str, args: &[Term]) -> Words {
        let (&body, vars) = args.split_last()?;
        let before = self.bound.len();
        for &var in vars {
            if self.terms().sort(var) != foretell_terms::Sort::INT {
                self.bound.truncate(before);
                return None;
            }
            let name = self.fresh_name();
            self.bound.push((var, name));
        }
        let names: Vec<String> = self.bound[before..]
            .iter()
            .map(|(_, n)| n.clone())
            .collect();
        let known = self.natural.len();
        self.natural.extend(self.naturals(vars, body));
        let body = self.truth_at(body, Level::Implies);
        self.natural.truncate(known);
        self.bound.truncate(before);
        Some((
            format!("{word} integer {}; {}", names.join(", "), body?),
            Level::Quantifier,
        ))
    }

    /// The variables of which a body says nothing where they are negative: `0 <= k ==> …`.
    fn naturals(&self, vars: &[Term], body: Term) -> Vec<Term> {
        let terms = self.terms();
        let disjuncts = terms.disjuncts(body);
        let guards: Vec<Term> = disjuncts
            .into_iter()
            .flat_map(|d| terms.conjuncts(terms.not(d)))
            .collect();
        let natural = |var: &&Term| {
            let (zero, below) = (terms.int(Integer::ZERO), terms.int(-Integer::ONE));
            guards.contains(&terms.le(zero, **var))
                || guards.contains(&terms.not(terms.le(**var, below)))
        };
        vars.iter().filter(natural).copied().collect()
    }

    fn fresh_name(&self) -> String {
        let taken =
            |name: &str| self.bound.iter().any(|(_, n)| n == name) || (self.printer.taken)(name);
        let letters = ["k", "l", "m", "p", "q", "r"].map(str::to_owned);
        let numbered = (1usize..).map(|i| format!("k{i}"));
        letters
            .into_iter()
            .chain(numbered)
            .find(|n| !taken(n))
            .unwrap_or_default()
    }

    /// A comparison with what is negative moved to the other side. A number stands alone where the
    /// rest can stand on one side; an equation begins with the rest.
    fn comparison(&mut self, a: Term, sign: &str, b: Term) -> Words {
        let mut parts = self.parts(a);
        let minus = self.parts(b).into_iter().map(|(n, part)| (-n, part));
        parts.extend(minus);
        let (mut left, mut right, mut number) = (Vec::new(), Vec::new(), Integer::ZERO);
        for (coefficient, part) in parts {
            match part {
                None => number += coefficient,
                Some(_) if coefficient < Integer::ZERO => right.push((-coefficient, part)),
                Some(_) => left.push((coefficient, part)),
            }
        }
        let goes_left = match (left.is_empty(), right.is_empty()) {
            (true, _) => true,
            (_, true) => false,
            _ => number > Integer::ZERO,
        };
        let (side, number) = if goes_left {
            (&mut left, number)
        } else {
            (&mut right, -number)
        };
        if number != Integer::ZERO {
            side.push((number, None));
        }
        let numbers_first = left.iter().all(|(_, part)| part.is_none());
        if numbers_first && matches!(sign, "==" | "!=") {
            std::mem::swap(&mut left, &mut right);
        }
        let (mut left, mut right) = (self.sum(&left)?, self.sum(&right)?);
        if sign == "==" && right == "\\result" {
            std::mem::swap(&mut left, &mut right);
        }
        Some((format!("{left} {sign} {right}"), Level::Compare))
    }

    /// A sum as coefficients and parts; a number is a part of its own.
    fn parts(&self, term: Term) -> Vec<(Integer, Option<Term>)> {
        let list = if matches!(self.terms().op(term), Op::Add) {
            self.terms().args(term).to_vec()
        } else {
            vec![term]
        };
        let part = |t: Term| {
            if let Some(n) = self.terms().as_int(t) {
                return (n.clone(), None);
            }
            if matches!(self.terms().op(t), Op::Mul)
                && let [first, rest @ ..] = self.terms().args(t)
                && let Some(n) = self.terms().as_int(*first)
            {
                return (n.clone(), Some(self.terms().mul(rest)));
            }
            (Integer::ONE, Some(t))
        };
        list.into_iter()
            .map(part)
            .filter(|(n, _)| *n != Integer::ZERO)
            .collect()
    }

    fn sum(&mut self, parts: &[(Integer, Option<Term>)]) -> Option<String> {
        let mut words = Vec::new();
        for (size, part) in parts {
            words.push(match part {
                None => size.to_string(),
                Some(t) if *size == Integer::ONE => self.number_at(*t, Level::Product)?,
                Some(t) => format!("{size} * {}", self.number_at(*t, Level::Atom)?),
            });
        }
        Some(if words.is_empty() {
            "0".to_owned()
        } else {
            words.join(" + ")
        })
    }

    fn number(&mut self, term: Term) -> Words {
        self.depth += 1;
        let words = if self.depth > DEEPEST {
            None
        } else {
            self.number_inside(term)
        };
        self.depth -= 1;
        words
    }

    fn number_inside(&mut self, term: Term) -> Words {
        let args: Vec<Term> = self.terms().args(term).to_vec();
        match self.terms().op(term).clone() {
            Op::Int(n) if n < Integer::ZERO => Some((format!("({n})"), Level::Atom)),
            Op::Int(n) => Some((n.to_string(), Level::Atom)),
            Op::App(_) if args.is_empty() => {
                let bound = self.bound.iter().rev().find(|(var, _)| *var == term);
                let name = match bound {
                    Some((_, name)) => name.clone(),
                    None => (self.printer.name)(term)?,
                };
                let widened = !self.acsl() && self.terms().sort(term) == foretell_terms::Sort::INT;
                Some((
                    if widened {
                        format!("(long long){name}")
                    } else {
                        name
                    },
                    Level::Atom,
                ))
            }
            Op::Add => self.signed_sum(term),
            Op::Mul => {
                let parts: Option<Vec<String>> = args
                    .iter()
                    .map(|&a| self.number_at(a, Level::Atom))
                    .collect();
                Some((parts?.join(" * "), Level::Product))
            }
            Op::Mod => self.modulo(args[0], args[1]),
            Op::IDiv => {
                let (rest, _) = self.modulo(args[0], args[1])?;
                let (a, b) = (
                    self.number_at(args[0], Level::Atom)?,
                    self.number_at(args[1], Level::Atom)?,
                );
                Some((format!("({a} - {rest}) / {b}"), Level::Product))
            }
            Op::Ite => {
                let c = self.truth_at(args[0], Level::Compare)?;
                let (a, b) = (
                    self.number_at(args[1], Level::Sum)?,
                    self.number_at(args[2], Level::Sum)?,
                );
                Some((format!("({c} ? {a} : {b})"), Level::Atom))
            }
            Op::Select if self.acsl() => {
                let array = self.number_at(args[0], Level::Atom)?;
                let index = self.number(args[1])?.0;
                // An index in front of a member has its place in the name.
                let words = match array.split_once(Var::INDEX) {
                    Some((front, members)) => format!("{front}[{index}]{members}"),
                    None => format!("{array}[{index}]"),
                };
                Some((words, Level::Atom))
            }
            _ => None,
        }
    }

    fn signed_sum(&mut self, term: Term) -> Words {
        let mut text = String::new();
        for (i, (size, part)) in self.parts(term).into_iter().enumerate() {
            let negative = size < Integer::ZERO;
            let size = if negative { -size } else { size };
            let words = self.sum(&[(size, part)])?;
            text.push_str(match (i, negative) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            });
            text.push_str(&words);
        }
        Some((text, Level::Sum))
    }

    /// The Euclidean remainder by a positive constant.
    fn modulo(&mut self, a: Term, b: Term) -> Words {
        let n = self.terms().as_int(b)?.clone();
        if n <= Integer::ZERO {
            return None;
        }
        let natural = self.natural.contains(&a) || (self.printer.natural)(a);
        let a = self.number_at(a, Level::Atom)?;
        if natural {
            return Some((format!("{a} % {n}"), Level::Product));
        }
        Some((format!("(({a} % {n}) + {n}) % {n}"), Level::Product)).map(|(s, l)| (brackets(s), l))
    }
}
