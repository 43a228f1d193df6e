//! The annotation α: what is known of the facts derivable up to a height.
//!
//! By height, α(p, i) is the conjunction of the lemmas of `p` whose level is at least i, so that α is a chain.
//! In a graph, the node (p, i) has the lemmas that were shown for it and no others (CAV 2014, section 2:
//! "unlike in PDR, we don't require that the annotation be an expanding chain").

use foretell_systems::{ChcSystem, Pred};
use foretell_terms::{Sort, Term, TermStore};

use super::options::Unwinding;

/// A formula over the parameters of a predicate.
#[derive(Clone, Debug)]
pub(super) struct Lemma {
    pub(super) formula: Term,
    /// Invariant: every fact derivable by a derivation of height ≤ `level` satisfies the formula.
    pub(super) level: u32,
    /// The greatest level it was tried at when the search came back to its predicate.
    pub(super) tried: u32,
    /// Stands for the lemma in the solvers.
    pub(super) on: Term,
}

/// All lemmas: α(p, i) is the conjunction of the lemmas of `p` that hold at level `i`, and `false` for
/// `i = 0`, since nothing has a derivation of height 0.
#[derive(Clone, Debug)]
pub(super) struct Annotation {
    /// By predicate. Lemmas are only added, and their levels only grow.
    lemmas: Vec<Vec<Lemma>>,
    /// The parameters of each predicate.
    params: Vec<Vec<Term>>,
    /// Lemmas that were added since somebody asked.
    news: Vec<(Pred, Term)>,
    /// By predicate, the greatest level of a lemma that was learnt since the count began.
    grown: Vec<u32>,
    pub(super) unwinding: Unwinding,
}

impl Annotation {
    /// α = true everywhere.
    pub(super) fn new(system: &ChcSystem, unwinding: Unwinding) -> Annotation {
        let params = system.preds.iter().map(|p| p.params.clone()).collect();
        Annotation {
            lemmas: vec![Vec::new(); system.preds.len()],
            params,
            news: Vec::new(),
            grown: vec![0; system.preds.len()],
            unwinding,
        }
    }

    /// Whether a lemma is part of α at a level.
    pub(super) fn holds_at(&self, lemma: &Lemma, level: u32) -> bool {
        match self.unwinding {
            Unwinding::Height => lemma.level >= level,
            Unwinding::Graph => lemma.level == level,
        }
    }

    /// Adds a lemma that was shown at these levels, from the first to the last.
    pub(super) fn add_at(
        &mut self,
        pred: Pred,
        formula: Term,
        (first, last): (u32, u32),
        terms: &TermStore,
    ) {
        let from = match self.unwinding {
            Unwinding::Height => last,
            Unwinding::Graph => first,
        };
        for level in from..=last {
            self.add(pred, formula, level, terms);
        }
    }

    /// The lemmas of a predicate.
    pub(super) fn of(&self, pred: Pred) -> &[Lemma] {
        &self.lemmas[pred.index()]
    }

    /// Adds a lemma, or raises its level.
    fn add(&mut self, pred: Pred, formula: Term, level: u32, terms: &TermStore) {
        let grown = &mut self.grown[pred.index()];
        *grown = level.max(*grown);
        let list = &mut self.lemmas[pred.index()];
        let mut known = list.iter_mut().filter(|l| l.formula == formula).peekable();
        if known.peek().is_none() {
            self.news.push((pred, formula));
        }
        let same = match self.unwinding {
            Unwinding::Height => known.next(),
            Unwinding::Graph => known.find(|l| l.level == level),
        };
        if let Some(lemma) = same {
            lemma.level = lemma.level.max(level);
            return;
        }
        list.push(Lemma {
            formula,
            level,
            tried: 0,
            on: terms.fresh("lemma", Sort::BOOL),
        });
    }

    /// Adds a formula that is not known to hold: as a lemma of level 0, where there are no facts.
    pub(super) fn offer(&mut self, pred: Pred, formula: Term, terms: &TermStore) {
        let list = &mut self.lemmas[pred.index()];
        if !list.iter().any(|l| l.formula == formula) {
            list.push(Lemma {
                formula,
                level: 0,
                tried: 0,
                on: terms.fresh("lemma", Sort::BOOL),
            });
        }
    }

    /// How many lemmas were added since they were asked for.
    pub(super) fn n_news(&self) -> usize {
        self.news.len()
    }

    /// The lemmas that were added since the last call.
    pub(super) fn news(&mut self) -> Vec<(Pred, Term)> {
        std::mem::take(&mut self.news)
    }

    /// Begins to count up to which levels the annotation of a predicate grows.
    pub(super) fn count_growth(&mut self, pred: Pred) {
        self.grown[pred.index()] = 0;
    }

    /// Whether the annotation of a predicate at a level grew since the count began.
    pub(super) fn has_grown(&self, pred: Pred, level: u32) -> bool {
        level <= self.grown[pred.index()]
    }

    /// Raises the level of a lemma that was shown to hold there.
    pub(super) fn raise(&mut self, pred: Pred, number: usize, level: u32, terms: &TermStore) {
        let lemma = &mut self.lemmas[pred.index()][number];
        let formula = lemma.formula;
        match self.unwinding {
            Unwinding::Height => lemma.level = lemma.level.max(level),
            Unwinding::Graph => self.add(pred, formula, level, terms),
        }
    }

    /// The lemmas of a predicate that hold just below a level and were not tried there; now they are.
    pub(super) fn take_untried(&mut self, pred: Pred, level: u32) -> Vec<usize> {
        let mut numbers = Vec::new();
        for (number, lemma) in self.lemmas[pred.index()].iter_mut().enumerate() {
            if lemma.level + 1 == level && lemma.tried < level {
                lemma.tried = level;
                numbers.push(number);
            }
        }
        numbers
    }

    /// α(p, level) over the parameters of `p`.
    pub(super) fn formula(&self, pred: Pred, level: u32, terms: &TermStore) -> Term {
        if level == 0 {
            return terms.ff();
        }
        terms.and(
            self.of(pred)
                .iter()
                .filter(|l| self.holds_at(l, level))
                .map(|l| l.formula),
        )
    }

    /// Whether α(·, level) and α(·, level + 1) are the same, by height.
    pub(super) fn is_closed_at(&self, level: u32) -> bool {
        self.lemmas.iter().flatten().all(|l| l.level != level)
    }

    /// A formula over the parameters of a predicate, at arguments.
    pub(super) fn at(&self, pred: Pred, args: &[Term], formula: Term, terms: &TermStore) -> Term {
        let params = self.params[pred.index()].iter().copied();
        terms.substitute(formula, params.zip(args.iter().copied()))
    }

    /// All predicates.
    pub(super) fn preds(&self) -> impl Iterator<Item = Pred> + use<> {
        (0..u32::try_from(self.params.len()).expect("invariant: fewer than 2^32 predicates"))
            .map(Pred)
    }
}
