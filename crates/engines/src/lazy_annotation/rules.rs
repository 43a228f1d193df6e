//! The rules of one head: `F_{p,i}(x) = ⋁_c ∃ … φ_c ∧ x = head_c ∧ ⋀ α(q, i−1)(body_c,q)`.
//!
//! One solver per head holds all its rules; lemmas hang on the labels of the annotation, so a level is
//! a choice of assumptions and no formula is ever taken back. A query that this solver does not decide
//! can be asked of one that is made for it, with general arithmetic and another seed.

use foretell_kernel::{Answer, Cx, Halt, Model, Solver, SolverConfig};
use foretell_systems::{Atom, ChcSystem, Clause, ClauseId, Pred};
use foretell_terms::{Sort, Term};

use super::annotation::{Annotation, Lemma};
use super::options::Unwinding;

/// A clause over copies of its variables that belong to its head's solver.
pub(super) struct Rule {
    pub(super) clause: ClauseId,
    /// Chosen in a model: the head is derived by this rule.
    pub(super) chosen: Term,
    /// The clause's constraint, and the head's parameters equal to its head arguments.
    pub(super) constraint: Term,
    /// The clause's variables and their copies.
    pub(super) vars: Vec<(Term, Term)>,
    pub(super) body: Vec<Atom>,
}

/// The rules of a head, over its parameters.
pub(super) struct Rules {
    pub(super) params: Vec<Term>,
    pub(super) list: Vec<Rule>,
}

/// The rules of a head and their solver.
///
/// Invariant: the solver holds `⋁ chosen`, `chosen ⇒ constraint` of every rule and, for the first
/// `synced[q]` lemmas of each body predicate q, `on ∧ chosen ⇒ lemma(args)`.
pub(super) struct Head {
    pub(super) rules: Rules,
    solver: Box<dyn Solver>,
    /// How a solver for one query is made.
    other: SolverConfig,
    synced: Vec<usize>,
    /// Names for the extra formulas of a query.
    labels: Vec<Term>,
}

/// Which lemmas are assumed of the body atoms.
pub(super) enum Assumed<'a> {
    /// α(·, level).
    Level(u32),
    /// The lemmas with these numbers, by predicate.
    Numbers(&'a [Vec<usize>]),
}

/// Is `F(params) ∧ extra` satisfiable, with these lemmas of the body atoms?
pub(super) struct Query<'a> {
    pub(super) assumed: Assumed<'a>,
    /// Which rules may be chosen.
    pub(super) allowed: Allowed<'a>,
    pub(super) extra: &'a [Term],
}

impl<'a> Query<'a> {
    /// By any rule.
    pub(super) fn new(assumed: Assumed<'a>, extra: &'a [Term]) -> Query<'a> {
        Query {
            assumed,
            allowed: Allowed::All,
            extra,
        }
    }
}

/// Which rules may be chosen.
#[derive(Clone, Copy)]
pub(super) enum Allowed<'a> {
    All,
    /// Those at these positions.
    Only(&'a [usize]),
}

/// Who answers a query.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// The solver of the head.
    Incremental,
    /// One made for the query, with general arithmetic and another seed.
    Anew,
}

/// What a query came to.
pub(super) enum Found<T> {
    /// A model, and what was read off it.
    Sat(T),
    /// None, and the positions of the extra formulas that sufficed.
    Unsat(Vec<usize>),
    /// The solver's words.
    Unknown(String),
}

impl Head {
    /// The rules with this head; `None` is `false`.
    pub(super) fn new(
        system: &ChcSystem,
        head: Option<Pred>,
        config: &SolverConfig,
        cx: &Cx<'_>,
    ) -> Result<Head, Halt> {
        let params = head
            .map(|p| system.pred(p).params.clone())
            .unwrap_or_default();
        let mut solver = cx.oracles.solver(config);
        let mut list = Vec::new();
        for id in system.clause_ids() {
            if system.clause(id).head.as_ref().map(|h| h.pred) == head {
                let rule = rule(system.clause(id), id, &params, cx);
                solver.assert(cx.terms, cx.terms.implies(rule.chosen, rule.constraint))?;
                list.push(rule);
            }
        }
        solver.assert(cx.terms, cx.terms.or(list.iter().map(|r| r.chosen)))?;
        Ok(Head {
            rules: Rules { params, list },
            solver,
            other: other_than(config),
            synced: vec![0; system.preds.len()],
            labels: Vec::new(),
        })
    }

    /// `lemma` at every body atom of its predicate, where the rule is chosen.
    fn instances(&self, annotation: &Annotation, pred: Pred, formula: Term, cx: &Cx<'_>) -> Term {
        let terms = cx.terms;
        let mut parts = Vec::new();
        for rule in &self.rules.list {
            for atom in rule.body.iter().filter(|a| a.pred == pred) {
                parts.push(
                    terms.implies(rule.chosen, annotation.at(pred, &atom.args, formula, terms)),
                );
            }
        }
        terms.and(parts)
    }

    /// Tells the solver the lemmas it has not seen.
    fn sync(&mut self, annotation: &Annotation, cx: &Cx<'_>) -> Result<(), Halt> {
        for pred in annotation.preds() {
            if !self
                .rules
                .list
                .iter()
                .any(|r| r.body.iter().any(|a| a.pred == pred))
            {
                continue;
            }
            let known = self.synced[pred.index()];
            for lemma in &annotation.of(pred)[known..] {
                let here = self.instances(annotation, pred, lemma.formula, cx);
                self.solver
                    .assert(cx.terms, cx.terms.implies(lemma.on, here))?;
            }
            self.synced[pred.index()] = annotation.of(pred).len();
        }
        Ok(())
    }

    fn assumptions(&self, annotation: &Annotation, query: &Query<'_>, cx: &Cx<'_>) -> Vec<Term> {
        let mut result = Vec::new();
        if let Allowed::Only(positions) = query.allowed {
            let others = (0..self.rules.list.len()).filter(|r| !positions.contains(r));
            result.extend(others.map(|r| cx.terms.not(self.rules.list[r].chosen)));
        }
        if let Assumed::Level(0) = query.assumed {
            let composed = self.rules.list.iter().filter(|r| !r.body.is_empty());
            result.extend(composed.map(|r| cx.terms.not(r.chosen)));
            return result;
        }
        for (pred, lemma) in self.assumed(annotation, &query.assumed) {
            if self.synced[pred.index()] > 0 {
                result.push(lemma.on);
            }
        }
        result
    }

    /// The lemmas that are assumed of the body atoms.
    fn assumed<'a>(
        &self,
        annotation: &'a Annotation,
        assumed: &Assumed<'_>,
    ) -> Vec<(Pred, &'a Lemma)> {
        let mut result = Vec::new();
        for pred in annotation.preds() {
            let holds = |(number, lemma): &(usize, &Lemma)| match assumed {
                Assumed::Level(level) => annotation.holds_at(lemma, *level),
                Assumed::Numbers(sets) => sets[pred.index()].contains(number),
            };
            let lemmas = annotation.of(pred).iter().enumerate().filter(holds);
            result.extend(lemmas.map(|(_, lemma)| (pred, lemma)));
        }
        result
    }

    /// Answers a query.
    pub(super) fn query<T>(
        &mut self,
        annotation: &Annotation,
        query: &Query<'_>,
        asked: Asked,
        read: impl FnOnce(&Rules, &dyn Model) -> T,
        cx: &Cx<'_>,
    ) -> Result<Found<T>, Halt> {
        self.sync(annotation, cx)?;
        while self.labels.len() < query.extra.len() {
            self.labels.push(cx.terms.fresh("extra", Sort::BOOL));
        }
        let mut assumptions = self.assumptions(annotation, query, cx);
        let labels = &self.labels[..query.extra.len()];
        assumptions.extend(labels);
        let mut made;
        let solver = match asked {
            Asked::Incremental => {
                self.solver.push();
                &mut self.solver
            }
            Asked::Anew => {
                made = self.anew(annotation, &query.assumed, cx)?;
                &mut made
            }
        };
        for (&label, &part) in labels.iter().zip(query.extra) {
            solver.assert(cx.terms, cx.terms.implies(label, part))?;
        }
        let found = match solver.check(&assumptions, cx)? {
            Answer::Sat(model) => Found::Sat(read(&self.rules, model.as_ref())),
            Answer::Unsat(core) => {
                let needed = labels.iter().enumerate().filter(|(_, l)| core.contains(l));
                Found::Unsat(needed.map(|(position, _)| position).collect())
            }
            Answer::Unknown(words) => Found::Unknown(words),
        };
        if asked == Asked::Incremental {
            self.solver.pop();
        }
        Ok(found)
    }

    /// A solver that holds what the invariant says, for the lemmas that are assumed.
    fn anew(
        &self,
        annotation: &Annotation,
        assumed: &Assumed<'_>,
        cx: &Cx<'_>,
    ) -> Result<Box<dyn Solver>, Halt> {
        let mut solver = cx.oracles.solver(&self.other);
        for rule in &self.rules.list {
            solver.assert(cx.terms, cx.terms.implies(rule.chosen, rule.constraint))?;
        }
        let any = cx.terms.or(self.rules.list.iter().map(|r| r.chosen));
        solver.assert(cx.terms, any)?;
        for (pred, lemma) in self.assumed(annotation, assumed) {
            let here = self.instances(annotation, pred, lemma.formula, cx);
            solver.assert(cx.terms, cx.terms.implies(lemma.on, here))?;
        }
        Ok(solver)
    }

    /// Does a formula over the parameters hold of everything derived from α(·, level − 1), assuming
    /// it of the body atoms (relative induction)? In a graph it is not assumed: a lemma of a node says
    /// nothing of the nodes below it.
    pub(super) fn implies(
        &mut self,
        annotation: &Annotation,
        (pred, formula): (Pred, Term),
        level: u32,
        cx: &Cx<'_>,
    ) -> Result<bool, Halt> {
        let here = match annotation.unwinding {
            Unwinding::Height => self.instances(annotation, pred, formula, cx),
            Unwinding::Graph => cx.terms.tt(),
        };
        let extra = [here, cx.terms.not(formula)];
        let query = Query::new(Assumed::Level(level - 1), &extra);
        let found = self.query(annotation, &query, Asked::Incremental, |_, _| (), cx)?;
        Ok(matches!(found, Found::Unsat(_)))
    }

    /// `F_{·,level}` as a formula over the parameters and the rules' own variables.
    pub(super) fn formula(&self, annotation: &Annotation, level: u32, cx: &Cx<'_>) -> Term {
        let rules = 0..self.rules.list.len();
        cx.terms
            .or(rules.map(|rule| self.one(annotation, rule, level, cx)))
    }

    /// The part of `F_{·,level}` that one rule makes.
    pub(super) fn one(
        &self,
        annotation: &Annotation,
        rule: usize,
        level: u32,
        cx: &Cx<'_>,
    ) -> Term {
        let rule = &self.rules.list[rule];
        let alpha = |atom: &Atom| {
            let formula = annotation.formula(atom.pred, level - 1, cx.terms);
            annotation.at(atom.pred, &atom.args, formula, cx.terms)
        };
        let mut parts: Vec<Term> = rule.body.iter().map(alpha).collect();
        parts.push(rule.constraint);
        cx.terms.and(parts)
    }
}

/// How to ask again what a solver of this configuration did not decide.
fn other_than(config: &SolverConfig) -> SolverConfig {
    let mut other = SolverConfig::new(config.purpose);
    other.query_limit = config.query_limit;
    other.seed = config.seed.wrapping_add(1);
    other
}

fn rule(clause: &Clause, id: ClauseId, params: &[Term], cx: &Cx<'_>) -> Rule {
    let terms = cx.terms;
    let copy = clause.renamed(terms);
    let mut parts = vec![copy.constraint];
    for (&param, &arg) in params.iter().zip(copy.head.iter().flat_map(|h| &h.args)) {
        parts.push(terms.eq(param, arg));
    }
    Rule {
        clause: id,
        chosen: terms.fresh("rule", Sort::BOOL),
        constraint: terms.and(parts),
        vars: clause.vars.iter().copied().zip(copy.vars).collect(),
        body: copy.body,
    }
}
