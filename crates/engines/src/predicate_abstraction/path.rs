//! A path from an initial state to a query: is it real, and which suffixes are possible?
//!
//! ```text
//! φ_n = the query's guard        φ_j = guard_j ∧ φ_{j+1}[params := post_j] ∧ the case taken
//! ```
//!
//! `φ_j` is `pre` of the path's suffix from `j`. The longest feasible suffix, and all shorter ones, are
//! what predicates are extracted from; first from those of their conjuncts that the infeasibility of
//! the next longer one rests on (`core`).

use foretell_kernel::{Answer, Cx, Halt, Model, SolverConfig, Work};
use foretell_systems::{ClauseId, Derivation, DerivationStep, Pred};
use foretell_terms::eval::Assignment;
use foretell_terms::{Sort, Substitution, Term};

use super::Setting;
use super::reach::Statement;

/// One statement of a path and the case of its `pre` that was taken.
pub(super) struct Step {
    pub(super) statement: usize,
    pub(super) case: Vec<Term>,
}

/// A path.
pub(super) struct Path<'s> {
    setting: &'s Setting<'s>,
    /// The statement it starts with.
    fact: usize,
    /// The statements after it, in order of the run; the last is a query.
    statements: Vec<usize>,
    /// `φ_j`, for every statement after the first.
    suffixes: Vec<Suffix>,
}

/// `pre` of a suffix of the path.
#[derive(Clone)]
pub(super) struct Suffix {
    /// Its conjuncts. Invariant: the first ones are those of the next shorter suffix, in their order.
    pub(super) formula: Vec<Term>,
    /// What the scalar facts of the locations passed say.
    pub(super) facts: Vec<Term>,
}

/// A feasible suffix at a location.
pub(super) struct Feasible {
    pub(super) pred: Pred,
    pub(super) suffix: Suffix,
    /// The conjuncts that matter.
    pub(super) core: Vec<Term>,
}

/// What a path turned out to be.
pub(super) enum Feasibility {
    /// A derivation of `false`.
    Real(Derivation),
    /// It is none; the feasible suffixes by location, the shortest first.
    Spurious(Vec<Feasible>),
    /// The solver's words.
    Undecided(String),
}

impl<'s> Path<'s> {
    /// The path of these steps, in order of the run.
    pub(super) fn new(
        setting: &'s Setting<'s>,
        fact: usize,
        steps: &[Step],
        cx: &Cx<'_>,
    ) -> Path<'s> {
        let terms = cx.terms;
        let mut suffixes: Vec<Suffix> = Vec::new();
        for step in steps.iter().rev() {
            let statement = &setting.statements[step.statement];
            let own = statement.from.map(|p| setting.facts[p.index()]);
            let Some(later) = suffixes.last() else {
                suffixes.push(Suffix {
                    formula: step.case.clone(),
                    facts: own.into_iter().collect(),
                });
                continue;
            };
            let locals = &setting.program.rules[statement.clause].locals;
            let fresh = locals
                .iter()
                .map(|&v| (v, terms.fresh(terms.var_name(v), terms.sort(v))));
            let mut fresh = Substitution::from_pairs(fresh);
            let mut before = substitution(setting, statement);
            let mut back = |f: Term| fresh.apply(terms, before.apply(terms, f));
            let mut formula: Vec<Term> = later.formula.iter().map(|&f| back(f)).collect();
            let facts = later.facts.iter().map(|&f| back(f)).chain(own).collect();
            formula.push(fresh.apply(terms, statement.guard));
            formula.extend(step.case.iter().map(|&f| fresh.apply(terms, f)));
            suffixes.push(Suffix { formula, facts });
        }
        suffixes.reverse();
        Path {
            setting,
            fact,
            statements: steps.iter().map(|s| s.statement).collect(),
            suffixes,
        }
    }

    /// Decides what the path is.
    pub(super) fn feasible(&self, limit: Work, cx: &Cx<'_>) -> Result<Feasibility, Halt> {
        let mut feasible = Vec::new();
        let config = SolverConfig::new("path").with_limit(limit);
        for (&index, suffix) in self.statements.iter().zip(&self.suffixes).rev() {
            if let Tested::Infeasible(core) = test(suffix, &config, cx)? {
                return Ok(Feasibility::Spurious(with_core(feasible, &core)));
            }
            let from = self.setting.statements[index].from;
            feasible.extend(from.map(|from| (from, suffix.clone())));
        }
        let fact = &self.setting.statements[self.fact];
        let mut start = substitution(self.setting, fact);
        let Some(first) = self.suffixes.first() else {
            return Ok(Feasibility::Undecided("an empty path".into()));
        };
        let mut formula: Vec<Term> = first
            .formula
            .iter()
            .map(|&f| start.apply(cx.terms, f))
            .collect();
        formula.push(fact.guard);
        match test(
            &Suffix {
                formula,
                facts: Vec::new(),
            },
            &config,
            cx,
        )? {
            Tested::Infeasible(core) => Ok(Feasibility::Spurious(with_core(feasible, &core))),
            Tested::Undecided(words) => Ok(Feasibility::Undecided(words)),
            Tested::Feasible => self.derivation(&config, cx),
        }
    }

    /// Solves the path as a chain of clauses.
    fn derivation(&self, config: &SolverConfig, cx: &Cx<'_>) -> Result<Feasibility, Halt> {
        let terms = cx.terms;
        let system = self.setting.program.system;
        let mut solver = cx.oracles.solver(config);
        let mut steps: Vec<(ClauseId, Vec<(Term, Term)>)> = Vec::new();
        let mut derived: Vec<Term> = Vec::new();
        let mut roots = Vec::new();
        for &index in [self.fact].iter().chain(&self.statements) {
            let number = self.setting.statements[index].clause;
            let id = ClauseId(u32::try_from(number).expect("invariant: fewer than 2^32 clauses"));
            let clause = system.clause(id);
            let copy = clause.renamed(terms);
            solver.assert(terms, copy.constraint)?;
            roots.push(clause.constraint);
            for (&a, &b) in copy.body.iter().flat_map(|a| &a.args).zip(&derived) {
                solver.assert(terms, terms.eq(a, b))?;
            }
            derived = copy.head.map(|h| h.args).unwrap_or_default();
            steps.push((id, clause.vars.iter().copied().zip(copy.vars).collect()));
        }
        match solver.check(&[], cx)? {
            Answer::Sat(model) => Ok(read(&steps, &roots, model.as_ref(), cx).map_or_else(
                || Feasibility::Undecided("a value has no form".into()),
                Feasibility::Real,
            )),
            Answer::Unsat(_) => Ok(Feasibility::Undecided(
                "a path is real in one form only".into(),
            )),
            Answer::Unknown(words) => Ok(Feasibility::Undecided(words)),
        }
    }
}

enum Tested {
    Feasible,
    /// The numbers of conjuncts that are unsatisfiable together.
    Infeasible(Vec<usize>),
    Undecided(String),
}

fn test(suffix: &Suffix, config: &SolverConfig, cx: &Cx<'_>) -> Result<Tested, Halt> {
    let terms = cx.terms;
    let mut solver = cx.oracles.solver(&config.clone().with_minimal_cores());
    for &fact in &suffix.facts {
        solver.assert(terms, fact)?;
    }
    let mut labels = Vec::new();
    for &part in &suffix.formula {
        let label = terms.fresh("part", Sort::BOOL);
        solver.assert(terms, terms.implies(label, part))?;
        labels.push(label);
    }
    Ok(match solver.check(&labels, cx)? {
        Answer::Sat(_) => Tested::Feasible,
        Answer::Unknown(words) => Tested::Undecided(words),
        Answer::Unsat(core) => Tested::Infeasible(
            (0..labels.len())
                .filter(|&i| core.contains(&labels[i]))
                .collect(),
        ),
    })
}

fn with_core(suffixes: Vec<(Pred, Suffix)>, core: &[usize]) -> Vec<Feasible> {
    let feasible = |(pred, suffix): (Pred, Suffix)| {
        let core = core
            .iter()
            .filter_map(|&i| suffix.formula.get(i).copied())
            .collect();
        Feasible { pred, suffix, core }
    };
    suffixes.into_iter().map(feasible).collect()
}

fn substitution(setting: &Setting<'_>, statement: &Statement) -> Substitution {
    let at = |to| setting.program.at(to, &statement.post);
    statement.to.map(at).unwrap_or_default()
}

fn read(
    steps: &[(ClauseId, Vec<(Term, Term)>)],
    roots: &[Term],
    model: &dyn Model,
    cx: &Cx<'_>,
) -> Option<Derivation> {
    let mut derivation = Derivation::default();
    if !cx.terms.functions(roots).is_empty() {
        derivation.functions = model.assignment(cx.terms, roots)?;
        derivation.functions.values.clear();
    }
    for (number, (clause, vars)) in steps.iter().enumerate() {
        let mut values = Assignment::new();
        for &(var, copy) in vars {
            values.insert(var, model.value(cx.terms, copy)?);
        }
        let premises = number.checked_sub(1).into_iter().collect();
        derivation.steps.push(DerivationStep {
            clause: *clause,
            values,
            premises,
        });
    }
    Some(derivation)
}
