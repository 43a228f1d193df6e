//! Formulas in infix notation, for pages and explanations: `∀k. 0 ≤ k < i → a[k] = 0`.
//!
//! Parentheses stand wherever a reader could doubt, and nothing can be read in two ways: variables of
//! quantifiers that are no integers have their sort (`∀k: Real. …`), and a name keeps its bars where it
//! could be taken for something else. A test has a parser for it (`tests/infix`); the product has none.

use foretell_terms::number::{is_negative, magnitude};
use foretell_terms::print::{Names, bit_vector};
use foretell_terms::{BvOp, Op, Sort, Term, TermStore};

use crate::sexp::Given;
use crate::tree::{Binder, Head, Tree};

/// How strongly a part holds together; a weaker part inside a stronger one gets parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Quantifier,
    Implication,
    Or,
    And,
    Comparison,
    Sum,
    Product,
    Unary,
    Closed,
}

/// Words that are no names here.
const WORDS: [&str; 7] = ["if", "then", "else", "mod", "div", "true", "false"];

/// A symbol of SMT-LIB as a name: without bars where it cannot be taken for anything else.
fn spelled(symbol: &str) -> String {
    let bare = symbol.strip_prefix('|').and_then(|s| s.strip_suffix('|'));
    let bare = bare.unwrap_or(symbol);
    let inside = |c: char| c.is_alphanumeric() || "_!@$%^&~?.'#:-".contains(c);
    let first = |c: char| inside(c) && !c.is_numeric() && !"'#:-".contains(c);
    let is_name = bare.starts_with(first)
        && bare.chars().all(inside)
        && !bare.ends_with(['.', ':'])
        && !WORDS.contains(&bare);
    match is_name {
        true => bare.to_owned(),
        false => format!("|{bare}|"),
    }
}

/// The tree in infix notation.
pub fn infix(store: &TermStore, tree: &Tree, names: &Given) -> String {
    Writer { store, names }.text(tree).0
}

struct Writer<'a> {
    store: &'a TermStore,
    names: &'a Given,
}

impl Writer<'_> {
    fn text(&self, tree: &Tree) -> (String, Strength) {
        match tree {
            Tree::Leaf(term) => self.leaf(*term),
            Tree::Bind(binder, vars, body) => {
                let sign = match binder {
                    Binder::Forall => '∀',
                    Binder::Exists => '∃',
                };
                let vars: Vec<String> = vars.iter().map(|&v| self.bound(v)).collect();
                let text = format!("{sign}{}. {}", vars.join(", "), self.text(body).0);
                (text, Strength::Quantifier)
            }
            Tree::Node(head, items) => self.node(*head, items),
        }
    }

    /// A variable of a quantifier: the sort is said unless it is the usual one.
    fn bound(&self, var: Term) -> String {
        let name = self.name(var);
        match self.store.sort(var) {
            Sort::INT => name,
            sort => format!("{name}: {}", self.store.print_sort(sort)),
        }
    }

    fn name(&self, var: Term) -> String {
        let name = self.store.func(var);
        let name = name.map(|f| self.names.name(self.store, f));
        spelled(&name.unwrap_or_default())
    }

    fn leaf(&self, term: Term) -> (String, Strength) {
        let text = match self.store.op(term) {
            Op::Int(n) => n.to_string(),
            Op::Real(q) if q.denominator().is_one() => q.numerator().to_string(),
            Op::Real(q) => {
                let sign = if is_negative(q) { "-" } else { "" };
                let text = format!("{sign}{}/{}", magnitude(q.numerator()), q.denominator());
                return (text, Strength::Product);
            }
            Op::BitVec(width, bits) => bit_vector(*width, bits),
            Op::True => "true".into(),
            Op::False => "false".into(),
            Op::App(_) => self.name(term),
            _ => self.operator(term),
        };
        let strength = if text.starts_with('-') {
            Strength::Unary
        } else {
            Strength::Closed
        };
        (text, strength)
    }

    /// A part in a place that needs at least this strength.
    fn within(&self, tree: &Tree, least: Strength) -> String {
        let (text, strength) = self.text(tree);
        if strength >= least {
            text
        } else {
            format!("({text})")
        }
    }

    fn list(&self, items: &[Tree], sign: &str, least: Strength) -> String {
        let parts: Vec<String> = items.iter().map(|item| self.within(item, least)).collect();
        parts.join(sign)
    }

    fn node(&self, head: Head, items: &[Tree]) -> (String, Strength) {
        match (head, items) {
            (Head::Not, [Tree::Node(Head::Equal, sides)]) => {
                (self.list(sides, " ≠ ", Strength::Sum), Strength::Comparison)
            }
            (Head::Not, [inner]) => {
                let text = format!("¬{}", self.within(inner, Strength::Unary));
                (text, Strength::Unary)
            }
            (Head::And, _) => self.conjunction(items),
            (Head::Or, _) => (self.list(items, " ∨ ", Strength::And), Strength::Or),
            (Head::Implies, [guard, conclusion]) => {
                let guard = self.within(guard, Strength::Or);
                let conclusion = self.within(conclusion, Strength::Quantifier);
                (format!("{guard} → {conclusion}"), Strength::Implication)
            }
            (Head::Equal, _) => (self.list(items, " = ", Strength::Sum), Strength::Comparison),
            (Head::Le, _) => (self.list(items, " ≤ ", Strength::Sum), Strength::Comparison),
            (Head::Lt, _) => (self.list(items, " < ", Strength::Sum), Strength::Comparison),
            (Head::UnsignedLt, _) => (
                self.list(items, " <ᵤ ", Strength::Sum),
                Strength::Comparison,
            ),
            (Head::SignedLt, _) => (
                self.list(items, " <ₛ ", Strength::Sum),
                Strength::Comparison,
            ),
            (Head::Plus, _) => (self.list(items, " + ", Strength::Product), Strength::Sum),
            (Head::Minus, _) => (self.list(items, " - ", Strength::Product), Strength::Sum),
            (Head::Negative, [inner]) => {
                let text = format!("-{}", self.within(inner, Strength::Closed));
                (text, Strength::Unary)
            }
            (Head::Times, _) => (self.list(items, " · ", Strength::Unary), Strength::Product),
            (Head::Like(term), _) => self.like(term, items),
            _ => (self.call("?", items), Strength::Closed),
        }
    }

    /// `0 ≤ k ∧ k < i` is written `0 ≤ k < i`.
    fn conjunction(&self, items: &[Tree]) -> (String, Strength) {
        let mut parts: Vec<String> = Vec::new();
        let mut end: Option<&Tree> = None;
        for item in items {
            let order = match item {
                Tree::Node(Head::Le, sides) => Some(("≤", sides)),
                Tree::Node(Head::Lt, sides) => Some(("<", sides)),
                _ => None,
            };
            match (order, parts.last_mut()) {
                (Some((sign, sides)), Some(last)) if end == sides.first() => {
                    for side in &sides[1..] {
                        *last += &format!(" {sign} {}", self.within(side, Strength::Sum));
                    }
                }
                _ => parts.push(self.within(item, Strength::Comparison)),
            }
            end = order.and_then(|(_, sides)| sides.last());
        }
        let strength = if parts.len() == 1 {
            Strength::Comparison
        } else {
            Strength::And
        };
        (parts.join(" ∧ "), strength)
    }

    fn call(&self, name: &str, items: &[Tree]) -> String {
        let args = self.list(items, ", ", Strength::Quantifier);
        format!("{name}({args})")
    }

    fn like(&self, term: Term, items: &[Tree]) -> (String, Strength) {
        let closed = |text| (text, Strength::Closed);
        match (self.store.op(term), items) {
            (Op::Select, [array, at @ ..]) => {
                let array = self.within(array, Strength::Closed);
                closed(format!(
                    "{array}[{}]",
                    self.list(at, ", ", Strength::Quantifier)
                ))
            }
            (Op::Store, [array, at @ .., value]) => {
                let array = self.within(array, Strength::Closed);
                let at = self.list(at, ", ", Strength::Quantifier);
                closed(format!("{array}[{at} := {}]", self.text(value).0))
            }
            (Op::ConstArray, [value]) => closed(format!("[else {}]", self.text(value).0)),
            (Op::Ite, [c, a, b]) => {
                let (c, a, b) = (self.text(c).0, self.text(a).0, self.text(b).0);
                closed(format!("(if {c} then {a} else {b})"))
            }
            (Op::Mod, _) => (
                self.list(items, " mod ", Strength::Unary),
                Strength::Product,
            ),
            (Op::IDiv, _) => (
                self.list(items, " div ", Strength::Unary),
                Strength::Product,
            ),
            (Op::RDiv, _) => (self.list(items, " / ", Strength::Unary), Strength::Product),
            (Op::Bv(BvOp::Ule), _) => (
                self.list(items, " ≤ᵤ ", Strength::Sum),
                Strength::Comparison,
            ),
            (Op::Bv(BvOp::Sle), _) => (
                self.list(items, " ≤ₛ ", Strength::Sum),
                Strength::Comparison,
            ),
            (Op::App(_), _) => closed(self.call(&self.name(term), items)),
            _ => closed(self.call(&self.operator(term), items)),
        }
    }

    /// The name of an operator without a sign of its own.
    fn operator(&self, term: Term) -> String {
        let text = self.store.print_operator(term, self.names);
        match self.store.op(term) {
            Op::Construct(_) | Op::Field(_) if !text.starts_with('(') => spelled(&text),
            _ => text,
        }
    }
}
