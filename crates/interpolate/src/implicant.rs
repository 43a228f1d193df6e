//! Implicants: literals that make a formula true and are true in a model.
//!
//! ```text
//! true  (and f ..)   all of f ..          false (and f ..)   one false f
//! true  (ite c a b)  c and a, or not c and b;   (= p q) over truth values: both, with their values
//! atoms              kept with their truth value; conditions of `ite` inside them are fixed as well
//! ```

use foretell_kernel::Model;
use foretell_terms::{Op, Sort, Term, TermSet, TermStore};

/// A cube that implies the formulas and holds in the model; `None` if the model leaves a choice open.
pub(crate) fn implicant(
    store: &TermStore,
    formulas: &[Term],
    model: &dyn Model,
) -> Option<Vec<Term>> {
    let mut cube = TermSet::default();
    let mut seen = indexmap::IndexSet::<(Term, bool), rustc_hash::FxBuildHasher>::default();
    let mut todo: Vec<(Term, bool)> = formulas.iter().map(|f| (*f, true)).collect();
    while let Some((t, value)) = todo.pop() {
        if !seen.insert((t, value)) {
            continue;
        }
        let args = store.args(t);
        match store.op(t) {
            Op::True | Op::False => {}
            Op::Not => todo.push((args[0], !value)),
            Op::And | Op::Or => {
                let every = (*store.op(t) == Op::And) == value;
                if every {
                    todo.extend(args.iter().map(|a| (*a, value)));
                } else {
                    let one = args
                        .iter()
                        .find(|a| model.holds(store, **a) == Some(value))?;
                    todo.push((*one, value));
                }
            }
            Op::Ite if store.sort(t) == Sort::BOOL => {
                let c = model.holds(store, args[0])?;
                todo.push((args[0], c));
                todo.push((args[if c { 1 } else { 2 }], value));
            }
            Op::Eq if store.sort(args[0]) == Sort::BOOL => {
                for a in args {
                    todo.push((*a, model.holds(store, *a)?));
                }
            }
            _ => {
                cube.insert(if value { t } else { store.not(t) });
                for s in store.subterms(args) {
                    if *store.op(s) == Op::Ite && store.sort(s) != Sort::BOOL {
                        let c = store.args(s)[0];
                        todo.push((c, model.holds(store, c)?));
                    }
                }
            }
        }
    }
    Some(cube.into_iter().collect())
}
