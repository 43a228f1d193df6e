//! Array lambdas, as far as they can be eliminated.
//!
//! Z3 writes arrays as `(lambda ((i S)) body)`. The store has no such term; a lambda is kept as the
//! application of a marker function to the free variables of its body until it meets one of the two
//! operators that give it a meaning without lambda:
//!
//! ```text
//! select(λx. b, i)          =  b[x := i]
//! a = λx. b                 =  ∀x. select(a, x) = b          (likewise for several and nested λ)
//! ```
//!
//! Reads look through `store` and `ite` on the way to a lambda. A term in which a lambda is left
//! over is refused.

use foretell_terms::{FuncMap, Op, Sort, Substitution, Term, TermMap, TermStore};

use crate::binder::fresh_binders;
use crate::diagnostic::{Code, Diagnostic, Outcome};
use crate::reader::Sexp;
use crate::sorts::MAX_DEPTH;

/// The lambdas of a file by marker function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lambdas {
    table: FuncMap<Lambda>,
}

#[derive(Clone, Debug)]
struct Lambda {
    /// The free variables of the lambda: the parameters of the marker.
    captured: Vec<Term>,
    vars: Vec<Term>,
    body: Term,
}

impl Lambdas {
    pub(crate) fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// A term that stands for `λ vars. body`.
    pub(crate) fn add(&mut self, terms: &TermStore, vars: &[Term], body: Term) -> Term {
        let mut captured = terms.free_vars(&[body]);
        captured.retain(|v| !vars.contains(v));
        let indices: Vec<Sort> = vars.iter().map(|&v| terms.sort(v)).collect();
        let sort = terms.array_sort(&indices, terms.sort(body));
        let sorts: Vec<Sort> = captured.iter().map(|&v| terms.sort(v)).collect();
        let marker = terms.declare("lambda", &sorts, sort);
        let term = terms.app(marker, &captured);
        self.table.insert(
            marker,
            Lambda {
                captured,
                vars: vars.to_vec(),
                body,
            },
        );
        term
    }

    /// Whether a lambda occurs in the term.
    pub(crate) fn occurs(&self, terms: &TermStore, term: Term) -> bool {
        !self.is_empty()
            && terms.any_subterm(term, |terms, t| {
                terms.func(t).is_some_and(|f| self.table.contains_key(&f))
            })
    }

    /// `select(array, at)`, looking through `store` and `ite` for lambdas.
    pub(crate) fn select(&self, terms: &TermStore, array: Term, at: &[Term]) -> Term {
        let mut done: TermMap<Term> = TermMap::default();
        let mut work = vec![array];
        while let Some(&term) = work.last() {
            let args = terms.args(term);
            let below: &[Term] = match terms.op(term) {
                Op::Store => &args[..1],
                Op::Ite => &args[1..],
                _ => &[],
            };
            let before = work.len();
            work.extend(below.iter().copied().filter(|t| !done.contains_key(t)));
            if work.len() > before {
                continue;
            }
            let value = match terms.op(term) {
                Op::Store => {
                    let (indices, value) = (&args[1..args.len() - 1], args[args.len() - 1]);
                    let same = indices.iter().zip(at).map(|(&i, &j)| terms.eq(i, j));
                    terms.ite(terms.and(same.collect::<Vec<_>>()), value, done[&args[0]])
                }
                Op::Ite => terms.ite(args[0], done[&args[1]], done[&args[2]]),
                _ => self.read(terms, term, at),
            };
            done.insert(term, value);
            work.pop();
        }
        done[&array]
    }

    fn read(&self, terms: &TermStore, array: Term, at: &[Term]) -> Term {
        let lambda = terms.func(array).and_then(|func| self.table.get(&func));
        let Some(lambda) = lambda else {
            return terms.select(array, at);
        };
        let outer = lambda
            .captured
            .iter()
            .copied()
            .zip(terms.args(array).iter().copied());
        let inner = lambda.vars.iter().copied().zip(at.iter().copied());
        let bound = fresh_binders(terms, lambda.body);
        Substitution::from_pairs(outer.chain(inner).chain(bound)).apply(terms, lambda.body)
    }

    /// `a = b` for two arrays, one of which has a lambda.
    pub(crate) fn equal(&self, terms: &TermStore, a: Term, b: Term) -> Term {
        let (mut a, mut b) = (a, b);
        let mut vars = Vec::new();
        while let Some((indices, _)) = terms.array_parts(terms.sort(a)) {
            if !self.occurs(terms, a) && !self.occurs(terms, b) {
                break;
            }
            let at: Vec<Term> = indices.iter().map(|&sort| terms.fresh("i", sort)).collect();
            (a, b) = (self.select(terms, a, &at), self.select(terms, b, &at));
            vars.extend(at);
        }
        terms.forall(&vars, terms.eq(a, b))
    }

    /// Refuses a finished term with a lambda in it.
    pub(crate) fn refuse(&self, terms: &TermStore, term: Term, place: Sexp<'_>) -> Outcome<()> {
        if self.occurs(terms, term) {
            let feature = "`lambda` other than in an equation or under `select`";
            return Err(Diagnostic::unsupported(place.span(), feature));
        }
        Ok(())
    }
}

/// Refuses arrays of arrays that are too deep.
pub(crate) fn check_depth(terms: &TermStore, sort: Sort, place: Sexp<'_>) -> Outcome<()> {
    let mut depth = 0;
    let mut inner = sort;
    while let Some((_, element)) = terms.array_parts(inner) {
        depth += 1;
        inner = element;
    }
    if depth < MAX_DEPTH {
        return Ok(());
    }
    let message = format!("sorts nested more than {MAX_DEPTH} levels deep");
    Err(Diagnostic::error(Code::Limit, place.span(), message))
}
