//! Scalar templates: bounds, differences, sums, remainders and the program's own conditions.
//!
//! | template | over |
//! |---|---|
//! | `x <= c`, `c <= x` | parameters and the program's numerals |
//! | `x <= y + c` | pairs of parameters, small c |
//! | `x + y <= w + c`, `w + c <= x + y` | triples, small c, few parameters |
//! | `x <= k*y`, `k*y <= x` | pairs, small numerals k of the program |
//! | `x mod k = r` | the program's divisors k, and how far its loops step |
//! | conditions of rules, and what they become after the rule | both signs |
//! | `condition or x <= k*y` and back | equations of the program, few parameters (on request) |
//! | `b`, `not b`, `b => condition` | Boolean parameters |
//! | `x = v`, `x <= v` | bit-vector parameters and numerals |

use foretell_kernel::Cx;
use foretell_systems::Pred;
use foretell_terms::{Integer, Op, Sort, Term, TermSet, TermStore};

use super::Pool;
use crate::program::Program;

/// More parameters than this get no triples.
const TRIPLES_UP_TO: usize = 6;
/// Equations that are treated as cases.
const MAX_CASES: usize = 2;
/// Numerals of the program that serve as bounds.
const MAX_NUMERALS: usize = 10;

/// Adds the scalar candidates of every predicate.
pub(crate) fn propose(program: &Program<'_>, pool: &mut Pool, limit: usize, cx: &Cx<'_>) {
    let vocabulary = Vocabulary::new(program, cx.terms);
    for pred in program.system.pred_ids() {
        let mut sink = Sink {
            pool: &mut *pool,
            pred,
            limit,
            terms: cx.terms,
        };
        conditions(program, &mut sink);
        booleans(program, &mut sink);
        for sort in [Sort::INT, Sort::REAL] {
            let vars = program.params_of_sort(pred, sort, cx.terms);
            bounds(&vars, sort, &vocabulary, &mut sink);
            pairs(&vars, sort, &vocabulary, &mut sink);
            if vars.len() <= TRIPLES_UP_TO {
                triples(&vars, sort, &mut sink);
            }
        }
        remainders(
            &program.params_of_sort(pred, Sort::INT, cx.terms),
            &vocabulary,
            &mut sink,
        );
        vectors(program, &vocabulary, &mut sink);
    }
}

/// Adds the scalar candidates that may need facts about cells: conditions and bounds.
pub(crate) fn propose_again(program: &Program<'_>, pool: &mut Pool, limit: usize, cx: &Cx<'_>) {
    let vocabulary = Vocabulary::new(program, cx.terms);
    for pred in program.system.pred_ids() {
        let mut sink = Sink {
            pool: &mut *pool,
            pred,
            limit,
            terms: cx.terms,
        };
        goals(program, &mut sink);
        conditions(program, &mut sink);
        for sort in [Sort::INT, Sort::REAL] {
            let vars = program.params_of_sort(pred, sort, cx.terms);
            bounds(&vars, sort, &vocabulary, &mut sink);
        }
    }
}

/// Equations about one parameter of a predicate in the rules from it: cases that loops treat apart.
pub(crate) fn cases(program: &Program<'_>, pred: Pred, terms: &TermStore) -> Vec<Term> {
    let params = program.params(pred);
    let mut found = TermSet::default();
    for rule in program.rules_from(pred) {
        let roots = [rule.post.as_slice(), &[rule.guard]].concat();
        for atom in terms.atoms(&roots) {
            let vars = terms.free_vars(&[atom]);
            let own =
                matches!(vars.as_slice(), [x] if params.contains(x) && terms.sort(*x) == Sort::INT);
            if own && *terms.op(atom) == Op::Eq {
                found.insert(terms.canonical_atom(atom));
            }
        }
    }
    found.into_iter().take(MAX_CASES).collect()
}

/// Adds comparisons that hold but in one case, such as the first round of a loop.
pub(crate) fn propose_conditional(
    program: &Program<'_>,
    pool: &mut Pool,
    limit: usize,
    cx: &Cx<'_>,
) {
    let vocabulary = Vocabulary::new(program, cx.terms);
    let terms = cx.terms;
    for pred in program.system.pred_ids() {
        let vars = program.params_of_sort(pred, Sort::INT, terms);
        if vars.len() > TRIPLES_UP_TO {
            continue;
        }
        let mut sink = Sink {
            pool: &mut *pool,
            pred,
            limit,
            terms,
        };
        for case in cases(program, pred, terms) {
            for &x in &vars {
                for n in &vocabulary.integers {
                    let n = terms.int(n.clone());
                    sink.add(&[case, terms.le(x, n)]);
                    sink.add(&[case, terms.le(n, x)]);
                    for &y in vars.iter().filter(|&&y| y != x) {
                        let multiple = terms.mul(&[n, y]);
                        sink.add(&[case, terms.le(x, multiple)]);
                        sink.add(&[case, terms.le(multiple, x)]);
                    }
                }
            }
        }
    }
}

/// What the queries deny, transported by name of the frozen parameters or stated over own parameters.
fn goals(program: &Program<'_>, sink: &mut Sink<'_>) {
    let pred = sink.pred;
    let params = program.params(pred);
    for rule in program.queries().filter(|r| r.from == Some(pred)) {
        let parts = sink.terms.conjuncts(rule.guard);
        let own = parts.into_iter().filter(|&c| {
            sink.terms
                .free_vars(&[c])
                .iter()
                .all(|v| params.contains(v))
        });
        let denied: Vec<Term> = own.map(|c| sink.terms.not(c)).collect();
        sink.add(&denied);
        for literal in denied {
            sink.add(&[literal]);
        }
    }
}

/// Where candidates of one predicate go, up to a limit.
struct Sink<'a> {
    pool: &'a mut Pool,
    pred: Pred,
    limit: usize,
    terms: &'a TermStore,
}

impl Sink<'_> {
    fn add(&mut self, literals: &[Term]) {
        if self.pool.count(self.pred) < self.limit {
            self.pool.add(self.pred, literals, 0, self.terms);
        }
    }

    fn both_signs(&mut self, atom: Term) {
        self.add(&[atom]);
        self.add(&[self.terms.not(atom)]);
    }
}

/// Numerals that occur in the program.
struct Vocabulary {
    integers: Vec<Integer>,
    divisors: Vec<Integer>,
    vectors: Vec<Term>,
}

impl Vocabulary {
    fn new(program: &Program<'_>, terms: &TermStore) -> Vocabulary {
        let roots: Vec<Term> = program
            .rules
            .iter()
            .flat_map(|r| r.post.iter().copied().chain([r.guard]))
            .collect();
        let mut integers = indexmap::IndexSet::new();
        integers.extend([Integer::ZERO, Integer::ONE]);
        let mut divisors = indexmap::IndexSet::new();
        let mut vectors = TermSet::default();
        for term in terms.subterms(&roots) {
            match terms.op(term) {
                Op::Int(n) => {
                    integers.insert(n.clone());
                }
                Op::BitVec(..) => {
                    vectors.insert(term);
                }
                Op::Mod | Op::IDiv => {
                    divisors.extend(terms.as_int(terms.args(term)[1]).cloned());
                }
                _ => {}
            }
        }
        divisors.extend(strides(program, terms).into_iter().map(Integer::from));
        Vocabulary {
            integers: integers.into_iter().take(MAX_NUMERALS).collect(),
            divisors: divisors
                .into_iter()
                .filter(|n| *n > Integer::ONE && *n <= Integer::from(8))
                .collect(),
            vectors: vectors.into_iter().take(2 * MAX_NUMERALS).collect(),
        }
    }
}

/// How far loops step: the constants from 2 to 8 that a round adds to a parameter or takes from it.
pub(crate) fn strides(program: &Program<'_>, terms: &TermStore) -> Vec<i64> {
    let mut found = indexmap::IndexSet::new();
    for rule in program.rules.iter().filter(|r| r.from == r.to) {
        let Some(pred) = rule.from else { continue };
        for (&param, &post) in program.params(pred).iter().zip(&rule.post) {
            if terms.sort(param) == Sort::INT && param != post {
                let step = terms.sub(post, param);
                found.extend((2..=8).find(|&k| {
                    let is = |n: i64| terms.as_int(step) == Some(&Integer::from(n));
                    is(k) || is(-k)
                }));
            }
        }
    }
    found.into_iter().collect()
}

fn numeral(n: &Integer, sort: Sort, terms: &TermStore) -> Term {
    if sort == Sort::REAL {
        terms.to_real(terms.int(n.clone()))
    } else {
        terms.int(n.clone())
    }
}

fn bounds(vars: &[Term], sort: Sort, vocabulary: &Vocabulary, sink: &mut Sink<'_>) {
    let terms = sink.terms;
    for &x in vars {
        for n in &vocabulary.integers {
            let c = numeral(n, sort, terms);
            sink.add(&[terms.le(x, c)]);
            sink.add(&[terms.le(c, x)]);
        }
    }
}

fn pairs(vars: &[Term], sort: Sort, vocabulary: &Vocabulary, sink: &mut Sink<'_>) {
    let terms = sink.terms;
    let small = |n: &&Integer| **n > Integer::ONE && **n <= Integer::from(8);
    for &x in vars {
        for &y in vars.iter().filter(|&&y| y != x) {
            for c in [0, -1, 1] {
                sink.add(&[terms.le(x, terms.add2(y, numeral(&c.into(), sort, terms)))]);
            }
            for k in vocabulary.integers.iter().filter(small) {
                let multiple = terms.mul(&[numeral(k, sort, terms), y]);
                sink.add(&[terms.le(x, multiple)]);
                sink.add(&[terms.le(multiple, x)]);
            }
        }
    }
}

fn triples(vars: &[Term], sort: Sort, sink: &mut Sink<'_>) {
    let terms = sink.terms;
    for (i, &x) in vars.iter().enumerate() {
        for &y in &vars[i + 1..] {
            for &w in vars.iter().filter(|&&w| w != x && w != y) {
                for c in [0, -1, 1] {
                    let (sum, bound) = (
                        terms.add2(x, y),
                        terms.add2(w, numeral(&c.into(), sort, terms)),
                    );
                    sink.add(&[terms.le(sum, bound)]);
                    sink.add(&[terms.le(bound, sum)]);
                }
            }
        }
    }
}

fn remainders(vars: &[Term], vocabulary: &Vocabulary, sink: &mut Sink<'_>) {
    let terms = sink.terms;
    for &x in vars {
        for k in &vocabulary.divisors {
            let mut r = Integer::ZERO;
            while r < *k {
                sink.add(&[terms.eq(terms.modulo(x, terms.int(k.clone())), terms.int(r.clone()))]);
                r += Integer::ONE;
            }
        }
    }
}

/// Conditions of rules that leave a predicate, over its parameters, and conditions of rules that
/// enter it, over the head's parameters.
fn conditions(program: &Program<'_>, sink: &mut Sink<'_>) {
    for atom in condition_atoms(program, sink.pred, sink.terms) {
        sink.both_signs(atom);
    }
}

/// The scalar atoms of the rules around a predicate, over its parameters.
pub(crate) fn condition_atoms(program: &Program<'_>, pred: Pred, terms: &TermStore) -> Vec<Term> {
    let params = program.params(pred);
    let mut found = TermSet::default();
    let scalar =
        |atom: Term| !terms.any_subterm(atom, |s, t| matches!(s.op(t), Op::Select | Op::Store));
    let over_params = |atom: Term| terms.free_vars(&[atom]).iter().all(|v| params.contains(v));
    for rule in program.rules_from(pred) {
        let atoms = terms.atoms(&[rule.guard]).into_iter();
        found.extend(
            atoms
                .filter(|&a| scalar(a) && over_params(a))
                .map(|a| terms.canonical_atom(a)),
        );
    }
    for rule in program.rules_into(pred) {
        let inverse = rule.inverse(program, terms);
        for atom in terms
            .atoms(&[rule.guard])
            .into_iter()
            .filter(|&a| scalar(a))
        {
            if terms
                .free_vars(&[atom])
                .iter()
                .all(|v| inverse.contains_key(v))
            {
                let moved = terms.substitute(atom, inverse.iter().map(|(&a, &b)| (a, b)));
                found.insert(terms.canonical_atom(moved));
            }
        }
    }
    found
        .into_iter()
        .map(|a| terms.strip_not(a).0)
        .filter(|&a| terms.is_atom(a))
        .collect()
}

fn booleans(program: &Program<'_>, sink: &mut Sink<'_>) {
    let terms = sink.terms;
    let flags = program.params_of_sort(sink.pred, Sort::BOOL, terms);
    let atoms = condition_atoms(program, sink.pred, terms);
    for &b in &flags {
        sink.both_signs(b);
        for &a in flags.iter().filter(|&&a| a != b).chain(&atoms).take(24) {
            for flag in [b, terms.not(b)] {
                sink.add(&[flag, a]);
                sink.add(&[flag, terms.not(a)]);
            }
        }
    }
}

fn vectors(program: &Program<'_>, vocabulary: &Vocabulary, sink: &mut Sink<'_>) {
    let terms = sink.terms;
    let vars: Vec<Term> = program
        .params(sink.pred)
        .iter()
        .copied()
        .filter(|&p| terms.width(terms.sort(p)).is_some())
        .collect();
    for &x in &vars {
        let others = vocabulary
            .vectors
            .iter()
            .chain(&vars)
            .filter(|&&v| v != x && terms.sort(v) == terms.sort(x));
        for &v in others {
            sink.add(&[terms.eq(x, v)]);
            sink.add(&[terms.bv_ule(x, v)]);
            sink.add(&[terms.bv_ule(v, x)]);
            sink.add(&[terms.bv_sle(x, v)]);
            sink.add(&[terms.bv_sle(v, x)]);
        }
    }
}
