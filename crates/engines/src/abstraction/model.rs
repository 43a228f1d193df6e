//! Reading abstract states off models.

use std::rc::Rc;

use foretell_kernel::{Cx, Model};
use foretell_terms::eval::Assignment;
use foretell_terms::{Term, Value};

use super::cube::Cube;
use super::predicates::Predicates;

/// A state of a model, seen through ℙ.
pub(crate) struct Valuation {
    /// Every predicate with its truth value; predicates without one are left out, and so are the
    /// locations where control is not.
    pub(crate) cube: Cube,
    /// The values of all symbols, when the model could be spelled out.
    pub(crate) values: Option<Rc<Assignment>>,
}

impl Valuation {
    /// The valuation of the current state in a model; `formulas` name the functions to be spelled out.
    pub(crate) fn read(
        model: &dyn Model,
        predicates: &Predicates,
        symbols: &[Term],
        formulas: &[Term],
        cx: &Cx<'_>,
    ) -> Valuation {
        let roots: Vec<Term> = symbols.iter().chain(formulas).copied().collect();
        let values = model.assignment(cx.terms, &roots).map(|mut values| {
            values.values.retain(|t, _| cx.terms.as_var(*t).is_some());
            values
        });
        let atoms: Vec<Term> = predicates.atoms().iter().copied().collect();
        let known = values.as_ref().map(|v| cx.terms.eval_all(&atoms, v));
        let mut lits = Vec::with_capacity(atoms.len());
        for atom in atoms {
            let evaluated = match known.as_ref().and_then(|k| k.get(&atom)) {
                Some(Ok(Value::Bool(b))) => Some(*b),
                _ => model.holds(cx.terms, atom),
            };
            match evaluated {
                Some(true) => lits.push(atom),
                Some(false) if !predicates.is_location(atom) => lits.push(cx.terms.not(atom)),
                _ => {}
            }
        }
        Valuation {
            cube: Cube::new(lits),
            values: values.map(Rc::new),
        }
    }
}
