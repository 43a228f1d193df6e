//! Houdini: the greatest inductive subset of a finite set of candidates.
//!
//! Paper: Flanagan, Leino, "Houdini, an annotation assistant for ESC/Java", FME 2001.
//!
//! ```text
//! run                                                        // fn run
//!   work ← all rules with a head
//!   while work has a rule r : p → q
//!     while C_p(instances) ∧ guard ∧ ¬⋀C_q(post, y0) has a model m     // fn refute
//!       drop from C_q every candidate that m falsifies
//!     if something was dropped: work ← work ∪ rules from q
//! ```
//!
//! `C_p` is assumed at the index terms of the rule, at `y0` and without index. An undecided query
//! drops the candidates it was about one by one, unless each can be proved alone: an unknown is never
//! read as unsat.

mod affine;
mod facts;
pub(crate) mod index;
mod pool;
pub(crate) mod scalars;

use foretell_kernel::{Answer, Cx, Halt, Model, Solver, SolverConfig, Work};
use foretell_systems::Pred;
use foretell_terms::{Sort, Substitution, Term, TermMap, TermSet, TermStore};

use crate::program::{Program, Rule};
pub(crate) use affine::propose as propose_equations;
pub use facts::inductive_facts;
pub(crate) use facts::scalar_facts;
pub(crate) use pool::{Candidate, Pool};

/// The state of a Houdini run: one solver per rule, made when it is asked first (to make one takes longer than
/// a small query, and while facts are sought nobody asks the queries of a system).
///
/// Invariant: solver `r` holds the rule's guard, `on ⇒ instance` for every candidate of its body
/// predicate and instance, and `sel ⇒ ¬literal` for every candidate of its head predicate.
pub(crate) struct Houdini<'p> {
    program: &'p Program<'p>,
    pub(crate) pool: Pool,
    /// `on` labels, shared by all rules: `labels[pred][candidate]`.
    labels: Vec<Vec<Term>>,
    /// Cells of cells that candidates of each predicate read.
    chained: Vec<Vec<Term>>,
    queries: Vec<Option<RuleQuery>>,
    limit: Work,
}

struct RuleQuery {
    solver: Box<dyn Solver>,
    /// For each candidate of the head predicate: its `sel` label and its literals after the rule.
    heads: Vec<(Term, Vec<Term>)>,
}

impl<'p> Houdini<'p> {
    pub(crate) fn new(
        program: &'p Program<'p>,
        pool: Pool,
        limit: Work,
        cx: &Cx<'_>,
    ) -> Result<Houdini<'p>, Halt> {
        let label = |_: &Candidate| cx.terms.fresh("on", Sort::BOOL);
        let labels: Vec<Vec<Term>> = pool
            .candidates
            .iter()
            .map(|set| set.iter().map(label).collect())
            .collect();
        let preds = program.system.pred_ids();
        let chained = preds.map(|p| pool.chained(program, p, cx.terms)).collect();
        cx.budget.check()?;
        Ok(Houdini {
            program,
            pool,
            labels,
            chained,
            queries: program.rules.iter().map(|_| None).collect(),
            limit,
        })
    }

    /// The solver of a rule.
    fn query(&mut self, r: usize, cx: &Cx<'_>) -> Result<&mut RuleQuery, Halt> {
        let query = match self.queries[r].take() {
            Some(query) => query,
            None => self.rule_query(&self.program.rules[r], cx)?,
        };
        Ok(self.queries[r].insert(query))
    }

    fn rule_query(&self, rule: &Rule, cx: &Cx<'_>) -> Result<RuleQuery, Halt> {
        cx.budget.check()?;
        let terms = cx.terms;
        let config = SolverConfig::new("houdini").with_limit(self.limit);
        let mut solver = cx.oracles.solver(&config.direct());
        solver.assert(terms, rule.guard)?;
        let skolems: Vec<Term> = (0..2).map(|_| terms.fresh("y", Sort::INT)).collect();
        let chained = self.chained_at(rule, skolems[0], terms);
        let instances = Instances::new(self.program, rule, (&skolems, &chained), terms);
        for atom in &rule.body {
            let mut here = self.program.at(atom.pred, &atom.args);
            for (number, candidate) in self.pool.candidates[atom.pred.index()].iter().enumerate() {
                let on = self.labels[atom.pred.index()][number];
                let clause = here.apply(terms, terms.or(candidate.literals.iter().copied()));
                let body = instances.of(clause, candidate.arity, terms);
                solver.assert(terms, terms.implies(on, terms.and(body)))?;
            }
        }
        let mut heads = Vec::new();
        if let Some(to) = rule.to {
            let mut after = self.program.at(to, &rule.post);
            for (&index, &skolem) in self.program.indices.iter().zip(&skolems) {
                after.insert(index, skolem);
            }
            for candidate in &self.pool.candidates[to.index()] {
                let sel = terms.fresh("sel", Sort::BOOL);
                let literals: Vec<Term> = candidate
                    .literals
                    .iter()
                    .map(|&l| after.apply(terms, l))
                    .collect();
                let violated = terms.and(literals.iter().map(|&l| terms.not(l)));
                solver.assert(terms, terms.implies(sel, violated))?;
                heads.push((sel, literals));
            }
        }
        Ok(RuleQuery { solver, heads })
    }

    /// The cells of cells of a rule's predicates, before and after it, at a term.
    fn chained_at(&self, rule: &Rule, at: Term, terms: &TermStore) -> Vec<Term> {
        let [y, _] = self.program.indices;
        let mut found = TermSet::default();
        let head = rule.to.map(|to| (to, rule.post.as_slice()));
        let body = rule.body.iter().map(|a| (a.pred, a.args.as_slice()));
        for (pred, args) in body.chain(head) {
            let mut here = self.program.at(pred, args);
            here.insert(y, at);
            let own = self.chained[pred.index()].iter();
            found.extend(own.map(|&t| here.apply(terms, t)));
        }
        found.into_iter().take(MAX_CHAINED).collect()
    }

    /// Drops candidates until the rest is inductive.
    pub(crate) fn run(&mut self, cx: &Cx<'_>) -> Result<(), Halt> {
        let rules = &self.program.rules;
        let mut work: indexmap::IndexSet<usize> = (0..rules.len())
            .filter(|&r| rules[r].to.is_some())
            .collect();
        while let Some(r) = work.shift_remove_index(0) {
            let Some(to) = rules[r].to else { continue };
            if self.refute(r, to, cx)? == Change::Some {
                let uses = |n: &usize| {
                    rules[*n].to.is_some() && rules[*n].body.iter().any(|a| a.pred == to)
                };
                work.extend((0..rules.len()).filter(uses));
            }
        }
        Ok(())
    }

    /// Drops what one rule does not preserve.
    fn refute(&mut self, r: usize, to: Pred, cx: &Cx<'_>) -> Result<Change, Halt> {
        let mut change = Change::None;
        loop {
            let active: Vec<usize> = self.pool.active(to).map(|(i, _)| i).collect();
            if active.is_empty() {
                return Ok(change);
            }
            let round = cx.terms.fresh("round", Sort::BOOL);
            let mut assumptions = self.assumed(r);
            assumptions.push(round);
            let query = self.query(r, cx)?;
            let choices = active.iter().map(|&i| query.heads[i].0);
            let choice = cx.terms.implies(round, cx.terms.or(choices));
            query.solver.assert(cx.terms, choice)?;
            let heads = &query.heads;
            let refuted = match query.solver.check(&assumptions, cx)? {
                Answer::Unsat(_) => return Ok(change),
                Answer::Sat(model) => Some(falsified(heads, &active, model.as_ref(), cx.terms)),
                Answer::Unknown(_) => None,
            };
            let dropped = match refuted {
                Some(dropped) => dropped,
                None => self.unproved(r, &active, cx)?,
            };
            for number in dropped {
                self.pool.drop_candidate(to, number);
                change = Change::Some;
            }
            if change == Change::None {
                return Ok(change);
            }
        }
    }

    /// The predicates of a rule's body, each once.
    fn sources(&self, r: usize) -> indexmap::IndexSet<Pred> {
        self.program.rules[r].body.iter().map(|a| a.pred).collect()
    }

    /// The labels of the body predicates' candidates that are still in the race.
    fn assumed(&self, r: usize) -> Vec<Term> {
        let labels = |p: Pred| {
            self.pool
                .active(p)
                .map(move |(i, _)| self.labels[p.index()][i])
        };
        self.sources(r).into_iter().flat_map(labels).collect()
    }

    /// The candidates that cannot be proved alone.
    fn unproved(&mut self, r: usize, active: &[usize], cx: &Cx<'_>) -> Result<Vec<usize>, Halt> {
        let mut assumptions = self.assumed(r);
        let mut failed = Vec::new();
        for &number in active {
            let query = self.query(r, cx)?;
            assumptions.push(query.heads[number].0);
            if !matches!(query.solver.check(&assumptions, cx)?, Answer::Unsat(_)) {
                failed.push(number);
            }
            assumptions.pop();
        }
        Ok(failed)
    }

    /// Which body candidates suffice for a rule to preserve a candidate (or, for a query, to be
    /// unsatisfiable); `None` when they do not.
    pub(crate) fn support(
        &mut self,
        r: usize,
        head: Option<usize>,
        cx: &Cx<'_>,
    ) -> Result<Option<Vec<(Pred, usize)>>, Halt> {
        let mut assumptions = self.assumed(r);
        let query = self.query(r, cx)?;
        assumptions.extend(head.map(|h| query.heads[h].0));
        let Answer::Unsat(core) = query.solver.check(&assumptions, cx)? else {
            return Ok(None);
        };
        let core = shrink(query.solver.as_mut(), core, cx)?;
        let mut support = Vec::new();
        for pred in self.sources(r) {
            let labels = &self.labels[pred.index()];
            support.extend(
                (0..labels.len())
                    .filter(|&i| core.contains(&labels[i]))
                    .map(|i| (pred, i)),
            );
        }
        Ok(Some(support))
    }
}

/// A smaller core by deleting one assumption after another.
fn shrink(solver: &mut dyn Solver, core: Vec<Term>, cx: &Cx<'_>) -> Result<TermSet, Halt> {
    let mut core = core;
    let mut at = 0;
    while at < core.len() && core.len() > 1 {
        let mut fewer = core.clone();
        fewer.remove(at);
        match solver.check(&fewer, cx)? {
            Answer::Unsat(smaller) => core.retain(|t| smaller.contains(t)),
            Answer::Sat(_) | Answer::Unknown(_) => at += 1,
        }
    }
    Ok(core.into_iter().collect())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    None,
    Some,
}

/// The candidates a model falsifies; each literal is evaluated once.
fn falsified(
    heads: &[(Term, Vec<Term>)],
    active: &[usize],
    model: &dyn Model,
    terms: &TermStore,
) -> Vec<usize> {
    let mut values: TermMap<Option<bool>> = TermMap::default();
    let mut dropped = Vec::new();
    for &number in active {
        let (sel, literals) = &heads[number];
        let mut false_everywhere = true;
        for &literal in literals {
            let (atom, negated) = terms.strip_not(literal);
            let value = *values
                .entry(atom)
                .or_insert_with(|| model.holds(terms, atom));
            if value != Some(negated) {
                false_everywhere = false;
                break;
            }
        }
        if false_everywhere || model.holds(terms, *sel) == Some(true) {
            dropped.push(number);
        }
    }
    dropped
}

/// The instances at which a rule assumes candidates.
struct Instances {
    none: Substitution,
    single: Vec<Substitution>,
    double: Vec<Substitution>,
}

/// The most instances per candidate with one index.
const MAX_INSTANCES: usize = 12;
/// And with two.
const MAX_PAIRS: usize = 32;
/// The most cells of cells beside these.
const MAX_CHAINED: usize = 4;

impl Instances {
    fn new(
        program: &Program<'_>,
        rule: &Rule,
        (skolems, chained): (&[Term], &[Term]),
        terms: &TermStore,
    ) -> Instances {
        let [y, y2] = program.indices;
        let mut points = TermSet::default();
        points.insert(skolems[0]);
        points.extend(chained);
        points.extend(index::rule_terms(rule, terms));
        let locals = rule
            .locals
            .iter()
            .copied()
            .filter(|&v| rule.to.is_none() && terms.sort(v) == Sort::INT);
        points.extend(locals);
        let single = points
            .iter()
            .take(MAX_INSTANCES + chained.len())
            .map(|&t| Substitution::from_pairs([(y, t)]))
            .collect();
        let mut pairs: indexmap::IndexSet<(Term, Term)> = indexmap::IndexSet::new();
        pairs.insert((skolems[0], skolems[1]));
        pairs.extend(
            index::rule_tuples(rule, 2, terms)
                .into_iter()
                .map(|t| (t[0], t[1])),
        );
        let own = |t: &Term| *t != skolems[0] && !chained.contains(t);
        let others = points.iter().copied().filter(own);
        let few: Vec<Term> = skolems.iter().copied().chain(others).take(6).collect();
        for &a in &few {
            pairs.extend(few.iter().filter(|&&b| b != a).map(|&b| (a, b)));
        }
        let double = pairs.into_iter().take(MAX_PAIRS);
        let double = double
            .map(|(a, b)| Substitution::from_pairs([(y, a), (y2, b)]))
            .collect();
        Instances {
            none: Substitution::new(),
            single,
            double,
        }
    }

    fn of(&self, clause: Term, arity: usize, terms: &TermStore) -> Vec<Term> {
        let maps: &[Substitution] = match arity {
            0 => std::slice::from_ref(&self.none),
            1 => &self.single,
            _ => &self.double,
        };
        maps.iter()
            .map(|map| map.clone().apply(terms, clause))
            .collect()
    }
}
