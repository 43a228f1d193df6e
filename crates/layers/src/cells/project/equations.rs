//! Equations of arrays over cells.
//!
//! Paper: none. Part of the projection in `project.rs`.
//!
//! ```text
//! a = b asserted      a[t] = b[t] at the positions t that matter
//! a = b denied        a[d] ≠ b[d] at one position d, which is anything
//! always              t = s ⇒ a[t] = a[s] for known elements of a
//! ```

use foretell_kernel::Halt;
use foretell_terms::{Op, Sort, Term};
use indexmap::IndexSet;

use super::{Missing, Position, Projection, is_array, same_position, shape, unsupported};
use crate::cells::polarity::{Polarities, Polarity};

impl Projection<'_> {
    /// An equation of arrays.
    pub(super) fn equation(
        &mut self,
        equation: Term,
        polarities: &Polarities,
    ) -> Result<Term, Halt> {
        let terms = self.terms;
        match (polarities.of(equation), self.missing) {
            (Polarity::Asserted, _) => self.asserted(equation, polarities),
            (Polarity::Denied, Missing::Free) => self.denied(equation, polarities),
            (Polarity::Denied, Missing::Asked) if self.differences.is_some() => {
                self.denied(equation, polarities)
            }
            // Denying it says nothing then.
            (Polarity::Denied, Missing::Asked) => Ok(terms.ff()),
            (Polarity::Both, Missing::Free) => {
                let (asserted, denied) = (
                    self.asserted(equation, polarities)?,
                    self.denied(equation, polarities)?,
                );
                let choice = terms.fresh("equal", Sort::BOOL);
                self.made.push(choice);
                Ok(terms.ite(choice, asserted, denied))
            }
            (Polarity::Both, Missing::Asked) => {
                Err(unsupported("conditions on whole arrays over cells"))
            }
        }
    }

    /// What an asserted equation says about known positions.
    pub(super) fn asserted(
        &mut self,
        equation: Term,
        polarities: &Polarities,
    ) -> Result<Term, Halt> {
        let terms = self.terms;
        let args = [terms.args(equation)[0], terms.args(equation)[1]];
        self.images_below(&args, polarities)?;
        let mut conjuncts = Vec::new();
        for position in self.positions(args) {
            let (a, b) = (
                self.value(args[0], position.clone())?,
                self.value(args[1], position)?,
            );
            conjuncts.push(terms.eq(a, b));
        }
        Ok(terms.and(conjuncts))
    }

    /// The equation at one index, which is anything.
    fn denied(&mut self, equation: Term, polarities: &Polarities) -> Result<Term, Halt> {
        let terms = self.terms;
        let args = [terms.args(equation)[0], terms.args(equation)[1]];
        self.images_below(&args, polarities)?;
        let witness = self.difference(equation, args[0]);
        let (a, b) = (
            self.value(args[0], witness.clone())?,
            self.value(args[1], witness)?,
        );
        Ok(terms.eq(a, b))
    }

    /// An index at which the arrays of an equation differ, if they do.
    fn difference(&mut self, equation: Term, array: Term) -> Position {
        let terms = self.terms;
        if let Some(known) = self.differences.as_ref().and_then(|all| all.get(&equation)) {
            return known.clone();
        }
        let (indices, _) = shape(terms, terms.sort(array));
        let position: Position = indices
            .iter()
            .map(|&sort| terms.fresh("difference", sort))
            .collect();
        match &mut self.differences {
            Some(all) => {
                all.insert(equation, position.clone());
            }
            None => self.made.extend(&position),
        }
        position
    }

    fn images_below(&mut self, arrays: &[Term], polarities: &Polarities) -> Result<(), Halt> {
        for term in self.terms.subterms(arrays) {
            if !is_array(self.terms, term) {
                self.image(term, polarities)?;
            }
        }
        Ok(())
    }

    /// The positions at which an equation matters: those of the symbol it defines; else those of all
    /// symbols in it, and where it stores.
    fn positions(&self, args: [Term; 2]) -> IndexSet<Position> {
        let terms = self.terms;
        let defined: Vec<Term> = args
            .into_iter()
            .filter(|a| self.defined.contains(a))
            .collect();
        let (indices, _) = shape(terms, terms.sort(args[0]));
        let mut positions = IndexSet::new();
        let symbols = if defined.is_empty() {
            terms.free_vars(&args)
        } else {
            defined.clone()
        };
        let fits = |p: &Position| {
            p.len() == indices.len()
                && p.iter()
                    .zip(&indices)
                    .all(|(&t, &sort)| terms.sort(t) == sort)
        };
        for known in symbols.iter().filter_map(|s| self.known.get(s)) {
            positions.extend(known.iter().map(|k| k.position.clone()).filter(&fits));
        }
        if defined.is_empty() {
            for store in terms
                .subterms(&args)
                .into_iter()
                .filter(|&t| *terms.op(t) == Op::Store)
            {
                let stored = terms.args(store);
                positions.extend(
                    self.indices(&stored[1..stored.len() - 1])
                        .ok()
                        .filter(&fits),
                );
            }
        }
        positions
    }

    /// Equal positions have equal elements, for all known ones.
    pub(in crate::cells) fn congruence(&self) -> Vec<Term> {
        let terms = self.terms;
        let mut found = Vec::new();
        for known in self.known.values() {
            for (n, a) in known.iter().enumerate() {
                for b in &known[..n] {
                    let mut premise = vec![same_position(terms, &a.position, &b.position)];
                    premise.extend(a.label.iter().chain(&b.label));
                    let equal = terms.eq(a.value, b.value);
                    found.push(terms.implies(terms.and(premise), equal));
                }
            }
        }
        found.retain(|&f| !terms.is_true(f));
        found
    }
}
