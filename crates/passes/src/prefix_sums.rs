//! Sums over the cells of an array become arguments: how much lies in front of an index.
//!
//! Paper: none; it is the ghost code with which such programs are proved by hand. Invariants of loops that
//! add up cells relate an accumulator with sums over ranges, which no formula over cells expresses.
//!
//! ```text
//! p(a, i + 1, n, s + a[i])  ⇐  p(a, i, n, s) ∧ i < n
//!     F(k, a) = 0 where k ≤ base, F(k − 1, a) + a[k − 1] elsewhere
//! p(a, i + 1, n, s + a[i], f + ite(base ≤ i, a[i], 0), g)  ⇐  p(a, i, n, s, f, g) ∧ i < n ∧ axioms
//!     f is F(i, a), g is F(n, a)
//!
//! find      summands of accumulators, the counters they are read at, the points that matter  (find.rs)
//! extend    each predicate gets F at these points; each clause what follows by unfolding once (extend.rs)
//! ```
//!
//! Everything that is added is true of `F`, so the verdict stays. The way back: in a proof the arguments
//! are `F` of the others, with the definition in the model, which the checker believes because the first
//! argument descends to a bound; a derivation forgets them.
//!
//! Limits: counters go up or down by one; the array stays the same while it is added up, and sums of an
//! array before and after a write are not related. Differences of ranges are differences of `F`.

mod extend;
mod find;

use foretell_kernel::{Cx, Halt, Lift, Pass, Translation, Unsupported};
use foretell_systems::{ChcProof, ChcSystem, Derivation};
use foretell_terms::{Recursive, Sort, Substitution, TermSet, TermStore};

use crate::shared::facts::Fact;
use crate::shared::replay::complete;
use extend::Column;
use find::Sum;

/// The name of the pass.
const NAME: &str = "prefix_sums";

/// Which sums become arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Demand {
    /// Those that several clauses add to; without any the system stays as it is.
    Compared,
    /// All; without any the run ends.
    All,
}

/// The pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PrefixSums {
    /// Which sums.
    pub(crate) demand: Demand,
}

impl Pass for PrefixSums {
    type From = ChcSystem;
    type To = ChcSystem;
    type Lift = PrefixSumsLift;

    fn name(&self) -> &'static str {
        NAME
    }

    fn run(&self, from: &ChcSystem, cx: &Cx<'_>) -> Result<(ChcSystem, PrefixSumsLift), Halt> {
        let (alignment, mut sums) = find::sums(from, cx.terms);
        if self.demand == Demand::Compared {
            sums.retain(|sum| sum.adders > 1);
        } else if sums.is_empty() {
            let words = "prefix sums where no cells are added up";
            return Err(Halt::Unsupported(Unsupported(words.into())));
        }
        let (to, columns) = extend::extended(from, &alignment, &sums, cx.terms);
        let system = from.clone();
        let lift = PrefixSumsLift {
            system,
            sums,
            columns,
        };
        Ok((to, lift))
    }
}

/// The way back.
pub(crate) struct PrefixSumsLift {
    /// The system before.
    system: ChcSystem,
    sums: Vec<Sum>,
    /// What the new parameters are.
    columns: Vec<Column>,
}

impl PrefixSumsLift {
    /// The new parameters as sums over the others; defines the functions.
    fn meaning(&self, terms: &TermStore) -> Substitution {
        let funcs: Vec<_> = self.sums.iter().map(|sum| define(sum, terms)).collect();
        let pairs = self.columns.iter().map(|column| {
            let mut args = vec![column.index];
            args.extend(&column.carriers);
            (column.param, terms.app(funcs[column.sum], &args))
        });
        Substitution::from_pairs(pairs.collect::<Vec<_>>())
    }
}

/// The function of a sum with its definition.
fn define(sum: &Sum, terms: &TermStore) -> foretell_terms::Func {
    let carriers = sum.carriers.iter().map(|c| c.var);
    let params: Vec<_> = [sum.index].into_iter().chain(carriers).collect();
    let sorts: Vec<Sort> = params.iter().map(|&p| terms.sort(p)).collect();
    let func = terms.declare(&sum.name, &sorts, Sort::INT);
    let before = terms.sub(sum.index, terms.int(1));
    let mut args = params.clone();
    args[0] = before;
    let rest = terms.add2(
        terms.app(func, &args),
        sum.summand(before, &params[1..], terms),
    );
    let done = terms.le(sum.index, terms.int(sum.base.clone()));
    let body = terms.ite(done, terms.int(0), rest);
    terms.define_recursive(Recursive { func, params, body });
    func
}

/// What is said without sums holds on both sides; sums are told nobody.
impl Translation for PrefixSumsLift {
    type From = ChcSystem;
    type To = ChcSystem;

    fn up(&self, (pred, formula): Fact, cx: &Cx<'_>) -> Vec<Fact> {
        let own: TermSet = self.system.pred(pred).params.iter().copied().collect();
        let vars = cx.terms.free_vars(&[formula]);
        match vars.iter().all(|v| own.contains(v)) {
            true => vec![(pred, formula)],
            false => Vec::new(),
        }
    }

    fn down(&self, fact: Fact, _cx: &Cx<'_>) -> Vec<Fact> {
        vec![fact]
    }
}

impl Lift for PrefixSumsLift {
    fn proof(&self, proof: ChcProof, cx: &Cx<'_>) -> Result<ChcProof, Halt> {
        let mut meaning = self.meaning(cx.terms);
        let formulas = proof.formulas.iter();
        Ok(ChcProof {
            formulas: formulas.map(|&f| meaning.apply(cx.terms, f)).collect(),
            // Updates of auxiliary variables would be over variables that are not there above.
            witness: None,
        })
    }

    fn cex(&self, mut derivation: Derivation, cx: &Cx<'_>) -> Result<Derivation, Halt> {
        for step in &mut derivation.steps {
            let clause = self.system.clauses.get(step.clause.index());
            let clause = clause.ok_or(Halt::NotLifted(NAME))?;
            let own: TermSet = clause.vars.iter().copied().collect();
            step.values.values.retain(|var, _| own.contains(var));
        }
        complete(&self.system, derivation, NAME, cx)
    }
}

#[cfg(test)]
mod tests;
