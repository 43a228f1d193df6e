//! Large constants as rigid symbols.
//!
//! Paper: Mann et al., LMCS 18(3), 2022, section 6.1 (Abstract Values Refinement Loop).
//!
//! ```text
//! initial(S)     each numeral n with |n| > threshold becomes k·K + d, with few symbols K: 1000 = 2·500,
//!                99999 = 100000 - 1; K > 1, and the order of the symbols, are kept
//! refine(π)      π has K = value(K) for all K?  genuine
//!                else raise the lower bound of a K that is too small, a few times; then K = value(K)
//! lift(Inv)      K := value(K)
//! ```
//!
//! A loop up to 100000 has abstract counterexamples as long as it is; with a symbol in place of the
//! bound they are short, and the proof seldom needs the number. Departures: the paper abstracts every
//! large number by a symbol of its own; problems in which two numbers are related would become false.
//!
//! Limits: integers only; numerals that multiply or divide are left alone, since they would make linear
//! terms non-linear; nothing beyond 64 bits is abstracted.

use foretell_kernel::{Abstraction, Cx, Event, Halt, Refinement, Translation, options};
use foretell_systems::{Invariant, Trace, TransitionSystem};
use foretell_terms::{Op, Sort, Substitution, Term, TermMap, TermStore, Value};

options! {
    /// Options of the abstraction of large constants.
    pub struct ValuesOptions("values") {
        /// Numerals further from zero than this become symbols; 0 turns the abstraction off.
        threshold: u32 = 60, 0..=u32::MAX;
        /// How often the lower bound of a symbol is raised before the symbol gets its value.
        raises: u32 = 2, 0..=1_000;
    }
}

/// The largest factor of a symbol in a numeral.
const LARGEST_FACTOR: i64 = 4;
/// The largest distance of a numeral from a multiple of a symbol.
const LARGEST_DISTANCE: i64 = 8;

/// A symbol for a number.
struct Constant {
    symbol: Term,
    value: i64,
    /// How often its lower bound was raised.
    raised: u32,
}

/// The abstraction of large constants.
pub struct Values {
    options: ValuesOptions,
    constants: Vec<Constant>,
    /// The numerals that are replaced.
    images: TermMap<Term>,
}

impl Values {
    /// A layer with these options.
    pub fn new(options: ValuesOptions) -> Values {
        Values {
            options,
            constants: Vec::new(),
            images: TermMap::default(),
        }
    }

    /// The large numerals that neither multiply nor divide, those near zero first.
    fn numerals(&self, system: &TransitionSystem, terms: &TermStore) -> Vec<i64> {
        let mut found = Vec::new();
        let threshold = i64::from(self.options.threshold);
        for term in terms.subterms(&[system.init, system.trans, system.property]) {
            if is_rigid_use(terms, term) {
                continue;
            }
            for &arg in terms.args(term) {
                found.extend(small(terms, arg).filter(|n| threshold > 0 && n.abs() > threshold));
            }
        }
        found.sort_by_key(|n| (n.abs(), *n));
        found.dedup();
        found
    }

    /// The numerals as terms over symbols, which are made as needed.
    fn make_images(&mut self, numerals: &[i64], terms: &TermStore) -> TermMap<Term> {
        let mut images = TermMap::default();
        for &number in numerals {
            let known = self.constants.iter().find_map(|c| {
                let (factor, distance) = relation(number, c.value)?;
                let multiple = terms.mul(&[terms.int(factor), c.symbol]);
                Some(terms.add2(multiple, terms.int(distance)))
            });
            let image = known.unwrap_or_else(|| {
                let symbol = terms.fresh("constant", Sort::INT);
                let value = number.abs();
                self.constants.push(Constant {
                    symbol,
                    value,
                    raised: 0,
                });
                if number < 0 {
                    terms.neg(symbol)
                } else {
                    symbol
                }
            });
            images.insert(terms.int(number), image);
        }
        images
    }

    /// What is kept of the values: each is more than 1, and more than those before it.
    fn kept(&self, terms: &TermStore) -> Term {
        let mut facts = Vec::new();
        let mut below = terms.int(1);
        for constant in &self.constants {
            facts.push(terms.lt(below, constant.symbol));
            below = constant.symbol;
        }
        terms.and(facts)
    }

    fn values(&self, terms: &TermStore) -> Substitution {
        Substitution::from_pairs(
            self.constants
                .iter()
                .map(|c| (c.symbol, terms.int(c.value))),
        )
    }
}

/// `number = factor · value + distance` with small numbers.
fn relation(number: i64, value: i64) -> Option<(i64, i64)> {
    let nearest = |factor: &i64| (number - factor * value).abs();
    let factor = (-LARGEST_FACTOR..=LARGEST_FACTOR)
        .filter(|f| *f != 0)
        .min_by_key(nearest)?;
    let distance = number - factor * value;
    (distance.abs() <= LARGEST_DISTANCE).then_some((factor, distance))
}

/// A numeral of moderate size.
fn small(terms: &TermStore, term: Term) -> Option<i64> {
    terms
        .as_int(term)
        .and_then(|n| i64::try_from(n.clone()).ok())
        .filter(|n| n.unsigned_abs() <= i64::MAX.unsigned_abs() / 8)
}

/// Whether numerals below this operator must stay.
fn is_rigid_use(terms: &TermStore, term: Term) -> bool {
    matches!(
        terms.op(term),
        Op::Mul | Op::IDiv | Op::Mod | Op::Bv(_) | Op::ToReal
    )
}

/// The term with numerals replaced where they may be.
fn replaced(
    terms: &TermStore,
    root: Term,
    images: &TermMap<Term>,
    done: &mut TermMap<Term>,
) -> Term {
    for term in terms.subterms(&[root]) {
        if done.contains_key(&term) {
            continue;
        }
        let node = terms.node(term);
        let keep = is_rigid_use(terms, term);
        let arg = |a: &Term| match images.get(a) {
            Some(&image) if !keep => image,
            _ => done[a],
        };
        let args: Vec<Term> = node.args.iter().map(arg).collect();
        let same = args.iter().eq(node.args.iter());
        let image = if same {
            term
        } else {
            terms.rebuild(&node.op, &args, node.sort)
        };
        done.insert(term, image);
    }
    done[&root]
}

impl Translation for Values {
    type From = TransitionSystem;
    type To = TransitionSystem;

    fn up(&self, fact: Term, cx: &Cx<'_>) -> Vec<Term> {
        vec![self.values(cx.terms).apply(cx.terms, fact)]
    }

    fn down(&self, fact: Term, cx: &Cx<'_>) -> Vec<Term> {
        let mut done = TermMap::default();
        vec![replaced(cx.terms, fact, &self.images, &mut done)]
    }
}

impl Abstraction for Values {
    fn initial(
        &mut self,
        concrete: &TransitionSystem,
        cx: &Cx<'_>,
    ) -> Result<TransitionSystem, Halt> {
        let terms = cx.terms;
        self.constants.clear();
        self.images.clear();
        let numerals = self.numerals(concrete, terms);
        if numerals.is_empty() || terms.has_quantifier(concrete.trans) {
            return Ok(concrete.clone());
        }
        self.images = self.make_images(&numerals, terms);
        let mut done = TermMap::default();
        let image = |t: Term| Ok(replaced(terms, t, &self.images, &mut done));
        let mut system = concrete.map(&mut { image })?;
        let kept = self.kept(terms);
        system.init = terms.and2(system.init, kept);
        system.trans = terms.and2(system.trans, kept);
        let symbols = self.constants.iter().map(|c| c.symbol);
        system.params.extend(symbols);
        for constant in &self.constants {
            let words = format!(
                "the number {} is treated as an unknown number",
                constant.value
            );
            cx.events.emit(Event::Explain(&words));
        }
        Ok(system)
    }

    fn refine(
        &mut self,
        _concrete: &TransitionSystem,
        system: &mut TransitionSystem,
        cex: &Trace,
        cx: &Cx<'_>,
    ) -> Result<Refinement<Trace>, Halt> {
        let terms = cx.terms;
        let seen = |c: &Constant| match cex.rigid.get(c.symbol) {
            Some(Value::Int(n)) => i64::try_from(n.clone()).ok(),
            _ => None,
        };
        let wrong = self.constants.iter().position(|c| seen(c) != Some(c.value));
        let Some(wrong) = wrong else {
            let mut trace = cex.clone();
            trace
                .rigid
                .values
                .retain(|t, _| !self.constants.iter().any(|c| c.symbol == *t));
            return Ok(Refinement::Genuine(trace));
        };
        let small = seen(&self.constants[wrong]).filter(|n| *n < self.constants[wrong].value);
        let constant = &mut self.constants[wrong];
        let fact = match small {
            Some(n) if constant.raised < self.options.raises => {
                constant.raised += 1;
                terms.lt(terms.int(n), constant.symbol)
            }
            _ => {
                let words = format!("the number {} matters after all", constant.value);
                cx.events.emit(Event::Explain(&words));
                terms.eq(constant.symbol, terms.int(constant.value))
            }
        };
        system.strengthen_init(terms, fact);
        system.strengthen_trans(terms, fact);
        Ok(Refinement::Refined)
    }

    fn lift(&self, proof: Invariant, cx: &Cx<'_>) -> Result<Invariant, Halt> {
        let mut values = self.values(cx.terms);
        proof.map(&mut |term| Ok(values.apply(cx.terms, term)))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{Values, ValuesOptions, relation, replaced};
    use foretell_systems::{StateVar, TransitionSystem};
    use foretell_terms::{Sort, TermMap, TermStore};

    #[test]
    fn related_numbers_share_a_symbol() {
        assert_eq!(relation(1000, 500), Some((2, 0)));
        assert_eq!(relation(99_999, 100_000), Some((1, -1)));
        assert_eq!(relation(-100_000, 100_000), Some((-1, 0)));
        assert_eq!(relation(700, 500), None);
    }

    /// `x' = x + 3·y`, `x ≤ 100000`, `y mod 4096 = 0`: one symbol for one of the three numbers.
    #[test]
    fn factors_and_divisors_stay() {
        let terms = TermStore::new();
        let var = |name: &str| StateVar {
            cur: terms.new_var(name, Sort::INT),
            next: terms.new_var(&format!("{name}.n"), Sort::INT),
        };
        let (x, y) = (var("x"), var("y"));
        let sum = terms.add2(x.cur, terms.mul(&[terms.int(300), y.cur]));
        let guard = terms.le(x.cur, terms.int(100_000));
        let even = terms.eq(terms.modulo(y.cur, terms.int(4096)), terms.int(0));
        let trans = terms.and([terms.eq(x.next, sum), guard, even]);
        let system = TransitionSystem::new(vec![x, y], terms.tt(), trans, terms.tt());
        let mut values = Values::new(ValuesOptions::default());
        let numerals = values.numerals(&system, &terms);
        assert_eq!(numerals, [100_000]);
        let images = values.make_images(&numerals, &terms);
        let image = replaced(&terms, trans, &images, &mut TermMap::default());
        assert!(
            terms
                .free_vars(&[image])
                .contains(&values.constants[0].symbol)
        );
        assert_eq!(values.values(&terms).apply(&terms, image), trans);
    }
}
