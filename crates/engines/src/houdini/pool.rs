//! Candidates, by predicate.

use foretell_formulas::arrays::accesses;
use foretell_formulas::{Quantifier, close_as};
use foretell_systems::Pred;
use foretell_terms::{Op, Sort, Term, TermSet, TermStore};

use crate::program::Program;

/// A candidate: a disjunction of literals over a predicate's parameters and the first `arity` index
/// variables, universally quantified over these.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Candidate {
    pub(crate) literals: Vec<Term>,
    pub(crate) arity: usize,
}

impl Candidate {
    /// The disjunction.
    pub(crate) fn formula(&self, terms: &TermStore) -> Term {
        terms.or(self.literals.iter().copied())
    }

    /// `∀y. candidate` with index variables of its own.
    pub(crate) fn closed(&self, program: &Program<'_>, terms: &TermStore) -> Term {
        let body = self.formula(terms);
        close_as(terms, "k", Quantifier::Forall, &program.indices, body)
    }
}

/// A formula under its universal quantifier, said of the index variables of candidates, and how many of
/// them it is about; `None` when it has other quantifiers, more variables, or other sorts.
fn opened(program: &Program<'_>, formula: Term, terms: &TermStore) -> Option<(Term, usize)> {
    let (vars, body) = match terms.op(formula) {
        Op::Forall => {
            let (body, vars) = terms.args(formula).split_last()?;
            (vars.to_vec(), *body)
        }
        _ => (Vec::new(), formula),
    };
    let fits = vars.len() <= program.indices.len()
        && vars.iter().all(|&v| terms.sort(v) == Sort::INT)
        && !terms.has_quantifier(body);
    let pairs = vars.iter().copied().zip(program.indices);
    fits.then(|| (terms.substitute(body, pairs), vars.len()))
}

/// The candidates of each predicate, and which are still in the race.
#[derive(Clone)]
pub(crate) struct Pool {
    pub(super) candidates: Vec<indexmap::IndexSet<Candidate>>,
    active: Vec<Vec<bool>>,
}

impl Pool {
    pub(crate) fn new(program: &Program<'_>) -> Pool {
        let n = program.system.preds.len();
        Pool {
            candidates: vec![indexmap::IndexSet::new(); n],
            active: vec![Vec::new(); n],
        }
    }

    /// Adds a candidate unless it is trivially true.
    pub(crate) fn add(&mut self, pred: Pred, formula: &[Term], arity: usize, terms: &TermStore) {
        let clause = terms.or(formula.iter().copied());
        if terms.is_true(clause) || terms.is_false(clause) {
            return;
        }
        let mut literals = terms.disjuncts(clause);
        literals.sort_unstable();
        if self.candidates[pred.index()].insert(Candidate { literals, arity }) {
            self.active[pred.index()].push(true);
        }
    }

    /// Adds the conjuncts of somebody's formula, quantified ones as candidates with indices.
    pub(crate) fn add_formula(
        &mut self,
        program: &Program<'_>,
        (pred, formula): (Pred, Term),
        terms: &TermStore,
    ) {
        let conjuncts = terms.conjuncts(formula).into_iter();
        for (body, arity) in conjuncts.filter_map(|c| opened(program, c, terms)) {
            for part in terms.conjuncts(body) {
                self.add(pred, &[part], arity, terms);
            }
        }
    }

    pub(crate) fn count(&self, pred: Pred) -> usize {
        self.candidates[pred.index()].len()
    }

    pub(crate) fn len(&self) -> usize {
        self.candidates.iter().map(indexmap::IndexSet::len).sum()
    }

    pub(crate) fn n_active(&self) -> usize {
        self.active.iter().flatten().filter(|a| **a).count()
    }

    /// The candidates still in the race of a predicate, with their numbers.
    pub(crate) fn active(&self, pred: Pred) -> impl Iterator<Item = (usize, &Candidate)> {
        let flags = &self.active[pred.index()];
        self.candidates[pred.index()]
            .iter()
            .enumerate()
            .filter(|(i, _)| flags[*i])
    }

    pub(crate) fn get(&self, pred: Pred, number: usize) -> &Candidate {
        &self.candidates[pred.index()][number]
    }

    pub(super) fn drop_candidate(&mut self, pred: Pred, number: usize) {
        self.active[pred.index()][number] = false;
    }

    /// Cells of cells: the index terms of a predicate's candidates that are read at the first index.
    pub(super) fn chained(
        &self,
        program: &Program<'_>,
        pred: Pred,
        terms: &TermStore,
    ) -> Vec<Term> {
        let [y, _] = program.indices;
        let mut found = TermSet::default();
        let mut seen = TermSet::default();
        for literal in self.candidates[pred.index()]
            .iter()
            .flat_map(|c| &c.literals)
        {
            if !seen.insert(*literal) {
                continue;
            }
            for tuple in accesses(terms, &[*literal]) {
                if let [at] = tuple.as_slice()
                    && *terms.op(*at) == Op::Select
                    && terms.args(*at)[1..] == [y]
                    && terms.sort(*at) == Sort::INT
                {
                    found.insert(*at);
                }
            }
        }
        found.into_iter().collect()
    }

    /// A pool of just those still in the race.
    pub(crate) fn kept(&self) -> Pool {
        let mut kept = Pool {
            candidates: Vec::new(),
            active: Vec::new(),
        };
        for (set, flags) in self.candidates.iter().zip(&self.active) {
            let left: indexmap::IndexSet<Candidate> = set
                .iter()
                .zip(flags)
                .filter(|(_, a)| **a)
                .map(|(c, _)| c.clone())
                .collect();
            kept.active.push(vec![true; left.len()]);
            kept.candidates.push(left);
        }
        kept
    }

    /// What those still in the race of a predicate say.
    pub(crate) fn formulas<'a>(
        &'a self,
        program: &'a Program<'_>,
        pred: Pred,
        terms: &'a TermStore,
    ) -> impl Iterator<Item = Term> + 'a {
        self.active(pred).map(|(_, c)| c.closed(program, terms))
    }
}
