//! Predicates that are functions of functional programs, and proofs by induction about them.
//!
//! After the translation of functional programs to clauses (Unno, Torii, Sakamoto, "Automating induction
//! for solving Horn clauses", CAV 2017, for induction over derivations of one atom of a goal); the
//! functions are found again, and become part of the model.
//!
//! ```text
//! check(S)                                               // fn check
//!   F ← the predicates that are functions f: p(x, y) ⇒ y = f(x)          // read.rs; in two ways
//!   for more and more candidates                                        // lemmas.rs
//!     goals seen from their atoms: for p in a goal, ∀ rest. ¬goal, calls in place of the other atoms
//!     equations between arguments; how functions get on with each other
//!     drop candidates until every clause keeps the rest (Houdini)       // fn kept
//!     if they exclude every goal: Safe(p ↦ y = f(x) ∧ candidates of p)
//!   between them: values of growing depth for what goals leave open      // search.rs
//!     a goal that the functions make true: Unsafe(derivation)
//! ```
//!
//! A candidate that is kept is proved by induction over the derivations of its predicate: a clause has
//! the candidates of its body as hypotheses. Questions are without quantifiers (prove.rs): definitions are
//! used at the calls that occur. A question that is not decided drops its candidate.
//! Limits: recursion over one argument, whose fields are the arguments of calls; hypotheses are known of
//! the atoms of a clause, not of other calls.

mod lemmas;
mod prove;
mod read;
mod search;
mod walk;

use foretell_kernel::{Cx, Engine, Halt, Peers, Reason, Unsupported, Verdict, Work};
use foretell_systems::{ChcProof, ChcSystem, Pred};
use foretell_terms::{Recursion, Term};
use indexmap::IndexSet;

use prove::{Beliefs, Lemma, Prover};
use read::Partial;
use search::Search;
use walk::Functions as Table;

foretell_kernel::options! {
    /// Options of induction over functions.
    pub struct FunctionsOptions("functions") {
        /// The most work for one question, in milliseconds of a machine of 2025.
        question: u64 = 200, 1..=1_000_000;
        /// The depth of the values that are tried for what goals leave open.
        values: usize = 6, 0..=16;
        /// The most choices of values for one depth before proofs are looked for; later four times as
        /// many for each level.
        first_choices: usize = 200, 0..=1_000_000;
    }
}

/// Induction over functions.
#[derive(Default)]
pub struct Functions {
    options: FunctionsOptions,
}

impl Functions {
    /// The engine with these options.
    pub fn new(options: FunctionsOptions) -> Functions {
        Functions { options }
    }
}

impl Engine<ChcSystem> for Functions {
    fn name(&self) -> &'static str {
        "functions"
    }

    fn accepts(&self, system: &ChcSystem, cx: &Cx<'_>) -> Result<(), Unsupported> {
        let terms = cx.terms;
        let recursive = |p: &Term| {
            let sort = terms.sort(*p);
            terms.data(sort).is_some() && terms.recursion(sort) == Recursion::Recursive
        };
        if !system.preds.iter().any(|p| p.params.iter().any(recursive)) {
            return Err(Unsupported("clauses without recursive datatypes".into()));
        }
        if system.formulas().iter().any(|&f| terms.has_quantifier(f)) {
            return Err(Unsupported("quantified constraints".into()));
        }
        Ok(())
    }

    fn check(
        &mut self,
        system: &ChcSystem,
        _peers: &dyn Peers<ChcSystem>,
        cx: &Cx<'_>,
    ) -> Result<Verdict<ChcSystem>, Halt> {
        let limit = Work::of_millis(self.options.question);
        let prover = Prover { system, cx, limit };
        let (functions, beliefs) = read::functions(&prover, Partial::Truth)?;
        let computed = read::computations(&prover, &functions)?;
        let mut search = Search::new(system, &computed, cx.terms);
        for depth in 0..=self.options.values.min(3) {
            if let Some(derivation) = search.goals(depth, self.options.first_choices, cx)? {
                return Ok(Verdict::Unsafe(derivation));
            }
        }
        if let Some(proof) = proved(&prover, &functions, beliefs)? {
            return Ok(Verdict::Safe(proof));
        }
        let (values, beliefs) = read::functions(&prover, Partial::Value)?;
        if outputs(&values) != outputs(&functions)
            && let Some(proof) = proved(&prover, &values, beliefs)?
        {
            return Ok(Verdict::Safe(proof));
        }
        for depth in 1..=self.options.values {
            let choices = self.options.first_choices << (2 * depth);
            if let Some(derivation) = search.goals(depth, choices, cx)? {
                return Ok(Verdict::Unsafe(derivation));
            }
        }
        let words = "no induction over a function of the clauses".to_string();
        Ok(Verdict::Unknown(Reason::Exhausted(words)))
    }
}

/// Which arguments are results.
fn outputs(functions: &Table) -> Vec<(Pred, Option<usize>)> {
    functions.iter().map(|(p, f)| (*p, f.output)).collect()
}

/// A proof by induction with these functions.
fn proved(
    prover: &Prover<'_>,
    functions: &Table,
    mut beliefs: Beliefs,
) -> Result<Option<ChcProof>, Halt> {
    let compared = compared(prover, functions, &mut beliefs)?;
    let mut candidates: Vec<(Pred, Lemma)> = Vec::new();
    for tier in [Tier::Goals, Tier::Equations, Tier::Homomorphisms] {
        candidates.extend(proposed(prover, tier, functions, &compared));
        let all = kept(prover, &beliefs, &candidates)?;
        if let Some(needed) = excluded(prover, &all)? {
            let needed = closed(prover, &all, needed)?;
            return Ok(Some(proof(prover.system, &needed, prover.cx)));
        }
    }
    Ok(None)
}

/// Kinds of candidates, from few to many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Tier {
    Goals,
    Equations,
    Homomorphisms,
}

fn proposed(
    prover: &Prover<'_>,
    tier: Tier,
    functions: &Table,
    compared: &Table,
) -> Vec<(Pred, Lemma)> {
    let each = |make: &dyn Fn(Pred) -> Vec<Lemma>| -> Vec<(Pred, Lemma)> {
        let preds = prover.system.pred_ids();
        preds
            .flat_map(|p| make(p).into_iter().map(move |l| (p, l)))
            .collect()
    };
    match tier {
        Tier::Goals => {
            let mut all = lemmas::goals(prover, compared);
            all.extend(lemmas::goals(prover, functions));
            let empty = lemmas::empty(prover.system, prover.cx.terms).into_iter();
            let never = |p| {
                (
                    p,
                    Lemma::candidate(Vec::new(), prover.cx.terms.ff(), prover.cx.terms),
                )
            };
            all.extend(empty.map(never));
            all
        }
        Tier::Equations => each(&|p| lemmas::equations(prover, p)),
        Tier::Homomorphisms => each(&|p| lemmas::homomorphisms(prover, p, functions)),
    }
}

/// The functions, where predicates that compare two values are just that; what is true is believed.
fn compared(prover: &Prover<'_>, functions: &Table, beliefs: &mut Beliefs) -> Result<Table, Halt> {
    let mut all = functions.clone();
    for pred in prover.system.pred_ids() {
        for function in lemmas::comparisons(prover, pred) {
            let params = &prover.system.pred(pred).params;
            let lemma = Lemma::certain(function.meaning(params, prover.cx.terms));
            let tried = kept(prover, beliefs, &[(pred, lemma.clone())])?;
            if tried.get(&pred).is_some_and(|own| own.contains(&lemma)) {
                all.insert(pred, function);
                *beliefs = tried;
                break;
            }
        }
    }
    Ok(all)
}

/// What is believed, with the candidates that all clauses keep.
fn kept(
    prover: &Prover<'_>,
    beliefs: &Beliefs,
    candidates: &[(Pred, Lemma)],
) -> Result<Beliefs, Halt> {
    let mut left: Vec<&(Pred, Lemma)> = candidates.iter().collect();
    loop {
        let mut all = beliefs.clone();
        for (pred, lemma) in &left {
            all.entry(*pred).or_default().push(lemma.clone());
        }
        let mut holding = Vec::new();
        for &candidate in &left {
            prover.cx.budget.check()?;
            if holds(prover, &all, candidate)? {
                holding.push(candidate);
            }
        }
        if holding.len() == left.len() {
            return Ok(all);
        }
        left = holding;
    }
}

/// Whether every clause keeps a candidate.
fn holds(prover: &Prover<'_>, all: &Beliefs, (pred, lemma): &(Pred, Lemma)) -> Result<bool, Halt> {
    for clause in &prover.system.clauses {
        let own = clause.head.as_ref().is_some_and(|h| h.pred == *pred);
        if own && prover.keeps(clause, Some(lemma), all)?.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The labels of the candidates that exclude every goal, if they do.
fn excluded(prover: &Prover<'_>, all: &Beliefs) -> Result<Option<IndexSet<Term>>, Halt> {
    let mut needed = IndexSet::new();
    for query in prover.system.clauses.iter().filter(|c| c.is_query()) {
        match prover.keeps(query, None, all)? {
            Some(core) => needed.extend(core),
            None => return Ok(None),
        }
    }
    Ok(Some(needed))
}

/// What is believed, of the candidates only those that are needed, for goals and for each other.
fn closed(prover: &Prover<'_>, all: &Beliefs, mut needed: IndexSet<Term>) -> Result<Beliefs, Halt> {
    let mut next = 0;
    while let Some(&label) = needed.get_index(next) {
        next += 1;
        let lemmas = all
            .iter()
            .flat_map(|(p, own)| own.iter().map(move |l| (p, l)));
        for (pred, lemma) in lemmas.filter(|(_, l)| l.label == Some(label)) {
            for clause in &prover.system.clauses {
                if clause.head.as_ref().is_some_and(|h| h.pred == *pred) {
                    needed.extend(
                        prover
                            .keeps(clause, Some(lemma), all)?
                            .into_iter()
                            .flatten(),
                    );
                }
            }
        }
    }
    let mut kept = all.clone();
    for own in kept.values_mut() {
        own.retain(|l| l.label.is_none_or(|label| needed.contains(&label)));
    }
    Ok(kept)
}

fn proof(system: &ChcSystem, all: &Beliefs, cx: &Cx<'_>) -> ChcProof {
    let formula = |pred: Pred| {
        let own = all.get(&pred).into_iter().flatten();
        let parts = own.map(|l| {
            // Variables of a binder are its own.
            let fresh = |&v: &Term| cx.terms.fresh(cx.terms.var_name(v), cx.terms.sort(v));
            let vars: Vec<Term> = l.vars.iter().map(fresh).collect();
            let pairs = l.vars.iter().copied().zip(vars.iter().copied());
            cx.terms.forall(&vars, cx.terms.substitute(l.body, pairs))
        });
        cx.terms.and(parts.collect::<Vec<Term>>())
    };
    ChcProof {
        formulas: system.pred_ids().map(formula).collect(),
        witness: None,
    }
}
