//! Formulas between the strongest and the weakest: interpolants.
//!
//! Both sides of `proof.rs` may need quantifiers, one for every value that a block reads from outside,
//! and a chain of blocks nests them. Any formula between the two sides serves as well:
//!
//! ```text
//! for q in elimination order
//!   A(z)  =  ⋁ over q(t) ⇐ ⋀ p_i(s_i) ∧ φ    of  ⋀ F_pi(s_i) ∧ φ ∧ z = t
//!   B(z)  =  some path from q(z) leads to a query, or to a predicate that stayed where its F does not hold
//!   F_q   =  an interpolant of A and B
//! ```
//!
//! `A ∧ B` is unsatisfiable: for the first predicate because the resolved clauses hold, for the others
//! because the formulas of the premises exclude their own `B`, of which every such path is a part. `B` is
//! one formula for all predicates: `r_q` says that the path goes through `q`, with arguments `z_q`.
//!
//! Where the strongest formula has no quantifiers and is small it is taken; where no interpolant is found
//! it is taken as it is. Limits: uses have one body atom.

use foretell_kernel::{Cx, Halt, Interpolation, Strength, Work};
use foretell_systems::Pred;
use foretell_terms::{Sort, Term, TermMap, TermStore};
use indexmap::{IndexMap, IndexSet};

use super::InlineLift;
use super::proof::{Choice, Side, compute};
use foretell_formulas::instantiate;

/// All interpolations for one proof may take so much.
const LIMIT: Work = Work::of_millis(5000);
/// The strongest formula is taken up to this size.
const SMALL: usize = 150;

/// Formulas for a component whose uses have one body atom each; they are put among those that are known.
pub(super) fn between(
    this: &InlineLift,
    component: &[Pred],
    known: &mut [Option<Term>],
    cx: &Cx<'_>,
) -> Result<Choice, Halt> {
    let mut choice = Choice {
        made: Vec::new(),
        quantified: 0,
    };
    let paths = Paths::new(this, component, known, cx.terms);
    let slice = cx.budget.slice(LIMIT);
    for &pred in component {
        let strongest = compute(this, &[pred], Side::Strongest, known, cx)?;
        let (_, formula) = strongest.made[0];
        let size = cx.terms.subterms(&[formula]).len();
        let between = match strongest.quantified == 0 && size <= SMALL {
            true => None,
            false => cx
                .inside(&slice, |cx| paths.interpolant(this, pred, known, cx))?
                .flatten(),
        };
        if between.is_none() {
            choice.quantified += strongest.quantified;
        }
        let formula = between.unwrap_or(formula);
        known[pred.index()] = Some(formula);
        choice.made.push((pred, formula));
    }
    Ok(choice)
}

/// The paths onwards from each predicate of a component.
struct Paths {
    nodes: IndexMap<Pred, Node>,
}

/// A predicate on a path.
struct Node {
    /// The path goes through it.
    reached: Term,
    /// With these arguments.
    args: Vec<Term>,
    /// `reached` ⇒ some use follows.
    onwards: Term,
    /// The predicates of the component that may follow.
    next: Vec<Pred>,
}

impl Paths {
    fn new(
        this: &InlineLift,
        component: &[Pred],
        known: &[Option<Term>],
        terms: &TermStore,
    ) -> Paths {
        let mut nodes: IndexMap<Pred, Node> = IndexMap::new();
        for &pred in component {
            let params = &this.system.pred(pred).params;
            let args = params
                .iter()
                .map(|&p| terms.fresh(terms.var_name(p), terms.sort(p)))
                .collect();
            let reached = terms.fresh("through", Sort::BOOL);
            nodes.insert(
                pred,
                Node {
                    reached,
                    args,
                    onwards: terms.tt(),
                    next: Vec::new(),
                },
            );
        }
        for &pred in component {
            let (mut ways, mut next) = (vec![terms.not(nodes[&pred].reached)], Vec::new());
            for clause in this.uses(pred).map(|c| c.renamed(terms)) {
                let mut parts = vec![clause.constraint];
                let given = nodes[&pred].args.iter().zip(&clause.body[0].args);
                parts.extend(given.map(|(&z, &s)| terms.eq(z, s)));
                if let Some(head) = &clause.head {
                    match nodes.get(&head.pred) {
                        Some(node) => {
                            parts.push(node.reached);
                            parts.extend(
                                node.args
                                    .iter()
                                    .zip(&head.args)
                                    .map(|(&z, &t)| terms.eq(z, t)),
                            );
                            next.push(head.pred);
                        }
                        None => {
                            let formula = known[head.pred.index()].unwrap_or_else(|| terms.tt());
                            let params = &this.system.pred(head.pred).params;
                            parts.push(terms.not(instantiate(terms, formula, params, &head.args)));
                        }
                    }
                }
                ways.push(terms.and(parts));
            }
            let node = nodes
                .get_mut(&pred)
                .expect("invariant: every predicate of the component has a node");
            node.onwards = terms.or(ways);
            node.next = next;
        }
        Paths { nodes }
    }

    /// B for a predicate.
    fn onwards(&self, from: Pred, terms: &TermStore) -> Term {
        let mut seen = IndexSet::from([from]);
        let mut parts = vec![self.nodes[&from].reached];
        let mut at = 0;
        while let Some(&pred) = seen.get_index(at) {
            at += 1;
            let node = &self.nodes[&pred];
            parts.push(node.onwards);
            seen.extend(node.next.iter().copied());
        }
        terms.and(parts)
    }

    /// A formula between A and B over the parameters of a predicate, if one is found.
    fn interpolant(
        &self,
        this: &InlineLift,
        pred: Pred,
        known: &[Option<Term>],
        cx: &Cx<'_>,
    ) -> Result<Option<Term>, Halt> {
        let terms = cx.terms;
        let args = &self.nodes[&pred].args;
        let mut ways = Vec::new();
        for clause in this.definitions(pred) {
            let clause = clause.renamed(terms);
            let mut parts = vec![clause.constraint];
            for atom in &clause.body {
                let formula =
                    known[atom.pred.index()].expect("invariant: formulas are made in order");
                parts.push(instantiate(
                    terms,
                    formula,
                    &this.system.pred(atom.pred).params,
                    &atom.args,
                ));
            }
            let derived = clause.head.iter().flat_map(|h| &h.args);
            parts.extend(args.iter().zip(derived).map(|(&z, &t)| terms.eq(z, t)));
            ways.push(terms.and(parts));
        }
        let (before, after) = (terms.or(ways), self.onwards(pred, terms));
        if terms.has_quantifier(before) || terms.has_quantifier(after) {
            return Ok(None);
        }
        let mut interpolator = cx.oracles.interpolator(Strength::Weak);
        Ok(match interpolator.sequence(&[before, after], cx)? {
            Interpolation::Interpolants(found) => found.first().map(|&formula| {
                let params = this.system.pred(pred).params.iter().copied();
                let back: TermMap<Term> = args.iter().copied().zip(params).collect();
                terms.substitute(formula, back)
            }),
            _ => None,
        })
    }
}
