//! Variables eliminated by cases, exactly, where that makes formulas little larger.
//!
//! ```text
//! ∃x. φ            becomes                    when
//! φ₁ ∨ φ₂          (∃x. φ₁) ∨ (∃x. φ₂)        φ is a disjunction                      // fn one
//! φ                ∃c. φ[x[i] := c]           x is only read, at places surely apart  // fn cells
//! φ                φ[⊤] ∨ φ[⊥]                x is a truth value                      // fn truth
//! φ                φ[-∞] ∨ ⋁ φ[t]             x is an integer, alone in its atoms     // fn tested
//! ```
//!
//! The last line is Cooper's (Machine Intelligence 7, 1972) for atoms in which `x` stands without a
//! factor: as `x` falls, `φ` can become true only at `t` for an atom `t ≤ x` or `x = t` and at `t + 1` for
//! a denied `x ≤ t` or `x = t`; below all of them atoms are what they are at -∞. Its mirror image, with
//! +∞, is taken where it has fewer points.
//!
//! Every line is an equivalence. Limits: a formula that grows beyond [`GROWTH`] stays as it was; a
//! variable below a quantifier stays.

use foretell_terms::{Op, Rational, Sort, Substitution, Term, TermMap, TermSet, TermStore};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::close::base_name;
use crate::prenex::Sign;
use crate::solve::{Equations, solve};

/// Larger formulas are left alone.
const MOST_NODES: usize = 1500;
/// How many test points a variable may have.
const MOST_POINTS: usize = 8;
/// A formula may become so many times as large, and [`SLACK`] nodes more.
const GROWTH: usize = 2;
const SLACK: usize = 20;

/// `∃vars. formula` without one of the variables at least; new ones are put among `vars`. `None` when
/// none can be eliminated here.
pub(crate) fn fewer(terms: &TermStore, formula: Term, vars: &mut Vec<Term>) -> Option<Term> {
    let size = terms.subterms(&[formula]).len();
    if size > MOST_NODES {
        return None;
    }
    let free = terms.free_vars(&[formula]);
    let occurring: Vec<Term> = vars.iter().copied().filter(|v| free.contains(v)).collect();
    let fits = |f: &Term| terms.subterms(&[*f]).len() <= GROWTH * size + SLACK;
    let mut now = formula;
    for var in occurring {
        let next = match terms.array_parts(terms.sort(var)) {
            Some(_) => cells(terms, now, var, vars),
            None => one(terms, now, var).filter(fits),
        };
        now = next.unwrap_or(now);
    }
    (now != formula).then_some(now)
}

fn mentions(terms: &TermStore, formula: Term, var: Term) -> bool {
    terms.any_subterm(formula, |_, t| t == var)
}

/// `∃var. formula`, if it can be had.
fn one(terms: &TermStore, formula: Term, var: Term) -> Option<Term> {
    if !mentions(terms, formula, var) {
        return Some(formula);
    }
    match terms.op(formula) {
        Op::Or => {
            let parts = terms.disjuncts(formula).into_iter();
            let parts: Option<Vec<Term>> = parts.map(|part| one(terms, part, var)).collect();
            Some(terms.or(parts?))
        }
        Op::And => {
            let conjuncts = terms.conjuncts(formula);
            let goes = |v: Term| v == var;
            let solved = solve(terms, &conjuncts, Equations::Linear, &goes);
            let (with, without): (Vec<Term>, Vec<Term>) =
                (solved.rest.iter()).partition(|&&c| mentions(terms, c, var));
            let done = match with[..] {
                [] => terms.tt(),
                [single] => one(terms, single, var)?,
                _ => tested(terms, terms.and(with), var)?,
            };
            Some(terms.and(without.into_iter().chain([done])))
        }
        _ => tested(terms, formula, var),
    }
}

/// The formula at the points that matter.
fn tested(terms: &TermStore, formula: Term, var: Term) -> Option<Term> {
    if terms.has_quantifier(formula) {
        return None;
    }
    let at = |value: Term| terms.substitute(formula, [(var, value)]);
    match terms.sort(var) {
        Sort::BOOL => Some(terms.or2(at(terms.tt()), at(terms.ff()))),
        Sort::INT => {
            let atoms = Atoms::read(terms, formula, var)?;
            let (end, points) = atoms.points(terms);
            let beyond = atoms.beyond(terms, end).apply(terms, formula);
            let points = (points.len() <= MOST_POINTS).then_some(points)?;
            Some(terms.or([beyond].into_iter().chain(points.into_iter().map(at))))
        }
        _ => None,
    }
}

/// What an atom says of the variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// `bound ≤ x`.
    Lower,
    /// `x ≤ bound`.
    Upper,
    /// `x = bound`.
    Equal,
}

/// An end of the number line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Low,
    High,
}

/// The atoms with a variable, and how they occur.
struct Atoms(TermMap<(Kind, Term, Vec<Sign>)>);

impl Atoms {
    /// `None` unless the variable occurs without a factor in linear atoms only.
    fn read(terms: &TermStore, formula: Term, var: Term) -> Option<Atoms> {
        let mut atoms: TermMap<(Kind, Term, Vec<Sign>)> = TermMap::default();
        let mut seen: IndexSet<(Term, Sign), FxBuildHasher> = IndexSet::default();
        let mut work = vec![(formula, Sign::Positive)];
        while let Some((term, sign)) = work.pop() {
            if !seen.insert((term, sign)) || !mentions(terms, term, var) {
                continue;
            }
            let args = terms.args(term);
            let both = |work: &mut Vec<_>, t: Term| work.extend([(t, sign), (t, sign.flip())]);
            match terms.op(term) {
                Op::And | Op::Or => work.extend(args.iter().map(|&a| (a, sign))),
                Op::Not => work.push((args[0], sign.flip())),
                Op::Ite => {
                    both(&mut work, args[0]);
                    work.extend([(args[1], sign), (args[2], sign)]);
                }
                Op::Eq if terms.sort(args[0]) == Sort::BOOL => {
                    args.iter().for_each(|&a| both(&mut work, a));
                }
                Op::Eq | Op::Le => {
                    let (kind, bound) = atom(terms, term, var)?;
                    let entry = atoms.entry(term).or_insert((kind, bound, Vec::new()));
                    entry.2.push(sign);
                }
                _ => return None,
            }
        }
        Some(Atoms(atoms))
    }

    /// The end with fewer points, and these.
    fn points(&self, terms: &TermStore) -> (End, TermSet) {
        let (low, high) = (
            self.towards(terms, End::Low),
            self.towards(terms, End::High),
        );
        match high.len() < low.len() {
            true => (End::High, high),
            false => (End::Low, low),
        }
    }

    /// Where the formula can become true on the way to an end.
    fn towards(&self, terms: &TermStore, end: End) -> TermSet {
        let mut points = TermSet::default();
        for (kind, bound, signs) in self.0.values() {
            for sign in signs {
                let next = match end {
                    End::Low => terms.int(1),
                    End::High => terms.int(-1),
                };
                let beside = match (kind, sign, end) {
                    (Kind::Equal, Sign::Positive, _)
                    | (Kind::Lower, Sign::Positive, End::Low)
                    | (Kind::Upper, Sign::Positive, End::High) => *bound,
                    (Kind::Equal, Sign::Negative, _)
                    | (Kind::Upper, Sign::Negative, End::Low)
                    | (Kind::Lower, Sign::Negative, End::High) => terms.add2(*bound, next),
                    _ => continue,
                };
                points.insert(beside);
            }
        }
        points
    }

    /// What the atoms are at the end.
    fn beyond(&self, terms: &TermStore, end: End) -> Substitution {
        let holds = |kind: Kind| {
            matches!(
                (kind, end),
                (Kind::Upper, End::Low) | (Kind::Lower, End::High)
            )
        };
        let atoms = self.0.iter();
        Substitution::from_pairs(atoms.map(|(&atom, (kind, ..))| (atom, terms.bool(holds(*kind)))))
    }
}

/// An order or an equation over the integers as a bound of a variable that has no factor.
fn atom(terms: &TermStore, atom: Term, var: Term) -> Option<(Kind, Term)> {
    let args = terms.args(atom);
    if terms.sort(args[0]) != Sort::INT {
        return None;
    }
    let mut form = terms.linear(terms.sub(args[0], args[1]));
    let at = form.terms.iter().position(|(t, _)| *t == var)?;
    let (_, factor) = form.terms.remove(at);
    if form.terms.iter().any(|(t, _)| mentions(terms, *t, var)) {
        return None;
    }
    let (plus, minus) = (factor == Rational::ONE, factor == -Rational::ONE);
    let rest = terms.linear_term(&form, Sort::INT);
    // x + rest compared with 0, or -x + rest.
    let bound = if plus { terms.neg(rest) } else { rest };
    let kind = match (terms.op(atom), plus) {
        (Op::Eq, _) => Kind::Equal,
        (_, true) => Kind::Upper,
        (_, false) => Kind::Lower,
    };
    (plus || minus).then_some((kind, bound))
}

/// The formula with a variable for each place an array is read at.
fn cells(terms: &TermStore, formula: Term, array: Term, vars: &mut Vec<Term>) -> Option<Term> {
    if terms.has_quantifier(formula) {
        return None;
    }
    let mut reads: Vec<Term> = Vec::new();
    for term in terms.subterms(&[formula]) {
        let args = terms.args(term);
        if !args.contains(&array) {
            continue;
        }
        let read = *terms.op(term) == Op::Select
            && args[0] == array
            && !args[1..].iter().any(|&i| mentions(terms, i, array));
        if !read {
            return None;
        }
        reads.push(term);
    }
    let place = |read: Term| &terms.args(read)[1..];
    let apart = |a: &[Term], b: &[Term]| {
        let mut pairs = a.iter().zip(b);
        pairs.any(|(&i, &j)| i != j && terms.is_numeral(i) && terms.is_numeral(j))
    };
    for (at, &read) in reads.iter().enumerate() {
        if !reads[..at].iter().all(|&r| apart(place(r), place(read))) {
            return None;
        }
    }
    let name = base_name(terms.var_name(array));
    let fresh = |&read: &Term| (read, terms.fresh(name, terms.sort(read)));
    let pairs: Vec<(Term, Term)> = reads.iter().map(fresh).collect();
    vars.extend(pairs.iter().map(|pair| pair.1));
    Some(terms.substitute(formula, pairs))
}
