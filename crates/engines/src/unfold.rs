//! Bounded unfolding of Horn clauses: finds derivations of `false`, linear or not.
//!
//! The bounded case of McMillan's unwinding ("Lazy annotation revisited", CAV 2014, §2): the tree of
//! all derivations up to a height, one Boolean per node.
//!
//! ```text
//! check(S)                                               // fn check
//!   root ← node(false)
//!   for height = 1, 2, …
//!     for each open node n of a predicate p              // fn expand
//!       assert b_n ⇒ ⋁_c s_{n,c}                         c ranges over the clauses with head p
//!       assert s_{n,c} ⇒ φ_c ∧ args_n = head_c ∧ ⋀ b_m ∧ args_m = body_c,m
//!     satisfiable with b_root and ¬b_n for open n?
//!       return Unsafe(derivation read off the model)     // fn derivation
//! ```
//!
//! Alternatives share children: the clauses of one node use the same child for the i-th occurrence of
//! a predicate, and in a linear system all nodes of one height use the same child per predicate, so
//! a linear system unfolds into a path, not a tree. Where no predicate depends on itself the tree is finite,
//! and the strongest formulas are a proof (`strongest.rs`). Limits: it answers `Safe` nowhere else.

use foretell_kernel::{
    Answer, Cx, Engine, Event, Halt, Model, Peers, Reason, Solver, SolverConfig, Unsupported,
    Verdict,
};
use foretell_systems::{Atom, ChcSystem, Clause, ClauseId, Derivation, DerivationStep, Pred};
use foretell_terms::eval::Assignment;
use foretell_terms::{Sort, Term, TermMap, TermSet};
use indexmap::IndexMap;

use crate::strongest;

foretell_kernel::options! {
    /// Options of bounded unfolding.
    pub struct UnfoldOptions("unfold") {
        /// The greatest height of derivations to look for.
        max_height: u32 = u32::MAX, 0..=u32::MAX;
        /// Undecided heights in a row after which the engine gives up.
        patience: u32 = 3, 0..=1_000_000;
        /// The most nodes before the engine gives up (non-linear systems grow exponentially).
        max_nodes: usize = 200_000, 0..=100_000_000;
    }
}

/// Bounded unfolding of clause systems.
#[derive(Default)]
pub struct Unfold {
    options: UnfoldOptions,
}

impl Unfold {
    /// The engine with these options.
    pub fn new(options: UnfoldOptions) -> Unfold {
        Unfold { options }
    }
}

impl Engine<ChcSystem> for Unfold {
    fn name(&self) -> &'static str {
        "unfold"
    }

    fn accepts(&self, _system: &ChcSystem, _cx: &Cx<'_>) -> Result<(), Unsupported> {
        Ok(())
    }

    fn check(
        &mut self,
        system: &ChcSystem,
        _peers: &dyn Peers<ChcSystem>,
        cx: &Cx<'_>,
    ) -> Result<Verdict<ChcSystem>, Halt> {
        let mut tree = Unfolding::new(system, cx);
        let mut undecided = 0;
        for height in 1..=self.options.max_height {
            tree.grow(system, cx)?;
            if tree.nodes.len() > self.options.max_nodes {
                return Ok(Verdict::Unknown(Reason::BoundReached(height)));
            }
            match tree.query(system, cx)? {
                Height::Derivation(derivation) => return Ok(Verdict::Unsafe(derivation)),
                Height::Clean => {
                    undecided = 0;
                    cx.events.emit(Event::Bound(height));
                }
                Height::Exhausted => {
                    if let Some(proof) = strongest::of_clauses(system, cx)? {
                        return Ok(Verdict::Safe(proof));
                    }
                    let words = format!("no derivation of any height (complete at {height})");
                    return Ok(Verdict::Unknown(Reason::Exhausted(words)));
                }
                Height::Undecided(words) => {
                    undecided += 1;
                    if undecided >= self.options.patience {
                        return Ok(Verdict::Unknown(Reason::SolverUnknown(words)));
                    }
                }
            }
        }
        Ok(Verdict::Unknown(Reason::BoundReached(
            self.options.max_height,
        )))
    }
}

enum Height {
    Derivation(Derivation),
    Clean,
    Exhausted,
    Undecided(String),
}

/// A node: an instance of a predicate (or of `false` at the root) that may have to be derived.
struct Node {
    /// The predicate; `None` at the root.
    pred: Option<Pred>,
    /// `b_n`: the node has to be derived.
    needed: Term,
    /// The arguments of the instance.
    args: Vec<Term>,
    /// The ways to derive it, once expanded.
    ways: Vec<Way>,
}

/// A clause used at a node.
struct Way {
    /// `s_{n,c}`.
    chosen: Term,
    clause: ClauseId,
    /// The clause's own variables and their copies here.
    vars: Vec<(Term, Term)>,
    children: Vec<usize>,
}

/// The unfolding so far.
///
/// Invariant: the solver holds the assertions of the header for every expanded node; `open` lists
/// the nodes without.
struct Unfolding {
    nodes: Vec<Node>,
    open: Vec<usize>,
    solver: Box<dyn Solver>,
    /// Clauses by the predicate of their head; queries under `None`.
    by_head: IndexMap<Option<Pred>, Vec<ClauseId>>,
    linear: Linearity,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Linearity {
    Linear,
    NonLinear,
}

impl Unfolding {
    fn new(system: &ChcSystem, cx: &Cx<'_>) -> Unfolding {
        let mut by_head: IndexMap<Option<Pred>, Vec<ClauseId>> = IndexMap::new();
        for id in system.clause_ids() {
            by_head
                .entry(system.clause(id).head.as_ref().map(|h| h.pred))
                .or_default()
                .push(id);
        }
        let needed = cx.terms.fresh("derive", Sort::BOOL);
        let root = Node {
            pred: None,
            needed,
            args: Vec::new(),
            ways: Vec::new(),
        };
        let linear = if system.is_linear() {
            Linearity::Linear
        } else {
            Linearity::NonLinear
        };
        let solver = cx.oracles.solver(&SolverConfig::new("unfold"));
        Unfolding {
            nodes: vec![root],
            open: vec![0],
            solver,
            by_head,
            linear,
        }
    }

    /// Expands every open node by one clause.
    fn grow(&mut self, system: &ChcSystem, cx: &Cx<'_>) -> Result<(), Halt> {
        let frontier = std::mem::take(&mut self.open);
        let mut shared: IndexMap<(Pred, usize), usize> = IndexMap::new();
        for node in frontier {
            cx.budget.check()?;
            if self.linear == Linearity::NonLinear {
                shared.clear();
            }
            self.expand(system, node, &mut shared, cx)?;
        }
        Ok(())
    }

    fn expand(
        &mut self,
        system: &ChcSystem,
        index: usize,
        shared: &mut IndexMap<(Pred, usize), usize>,
        cx: &Cx<'_>,
    ) -> Result<(), Halt> {
        let clauses = self
            .by_head
            .get(&self.nodes[index].pred)
            .cloned()
            .unwrap_or_default();
        let mut choices = vec![cx.terms.not(self.nodes[index].needed)];
        for id in clauses {
            let way = self.way(system, index, id, shared, cx)?;
            choices.push(way.chosen);
            self.nodes[index].ways.push(way);
        }
        self.solver.assert(cx.terms, cx.terms.or(choices))
    }

    /// Asserts what choosing a clause at a node means.
    fn way(
        &mut self,
        system: &ChcSystem,
        index: usize,
        id: ClauseId,
        shared: &mut IndexMap<(Pred, usize), usize>,
        cx: &Cx<'_>,
    ) -> Result<Way, Halt> {
        let terms = cx.terms;
        let clause = system.clause(id);
        let copy = clause.renamed(cx.terms);
        let vars = clause.vars.iter().copied().zip(copy.vars).collect();
        let chosen = terms.fresh("use", Sort::BOOL);
        let mut parts = vec![copy.constraint];
        if let Some(head) = &copy.head {
            parts.extend(
                head.args
                    .iter()
                    .zip(&self.nodes[index].args)
                    .map(|(&a, &b)| terms.eq(a, b)),
            );
        }
        let mut occurrences: IndexMap<Pred, usize> = IndexMap::new();
        let mut children = Vec::new();
        for atom in &copy.body {
            let occurrence = occurrences.entry(atom.pred).or_insert(0);
            let child = *shared
                .entry((atom.pred, *occurrence))
                .or_insert_with(|| self.node(system, atom, cx));
            *occurrence += 1;
            let child_node = &self.nodes[child];
            parts.push(child_node.needed);
            parts.extend(
                atom.args
                    .iter()
                    .zip(&child_node.args)
                    .map(|(&a, &b)| terms.eq(a, b)),
            );
            children.push(child);
        }
        self.solver
            .assert(terms, terms.implies(chosen, terms.and(parts)))?;
        Ok(Way {
            chosen,
            clause: id,
            vars,
            children,
        })
    }

    fn node(&mut self, system: &ChcSystem, atom: &Atom, cx: &Cx<'_>) -> usize {
        let params = &system.pred(atom.pred).params;
        let args = params
            .iter()
            .map(|&p| cx.terms.fresh(cx.terms.var_name(p), cx.terms.sort(p)))
            .collect();
        let needed = cx.terms.fresh("derive", Sort::BOOL);
        self.nodes.push(Node {
            pred: Some(atom.pred),
            needed,
            args,
            ways: Vec::new(),
        });
        self.open.push(self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    fn query(&mut self, system: &ChcSystem, cx: &Cx<'_>) -> Result<Height, Halt> {
        let mut assumptions = vec![self.nodes[0].needed];
        assumptions.extend(
            self.open
                .iter()
                .map(|&n| cx.terms.not(self.nodes[n].needed)),
        );
        let nodes = &self.nodes;
        match self.solver.check(&assumptions, cx)? {
            Answer::Sat(model) => Ok(Height::Derivation(derivation(
                nodes,
                system,
                model.as_ref(),
                cx,
            )?)),
            Answer::Unsat(core) => {
                let root_only: TermSet =
                    core.into_iter().filter(|&t| t != nodes[0].needed).collect();
                Ok(if root_only.is_empty() {
                    Height::Exhausted
                } else {
                    Height::Clean
                })
            }
            Answer::Unknown(words) => Ok(Height::Undecided(words)),
        }
    }
}

/// Reads the derivation of the root off a model: premises first.
fn derivation(
    nodes: &[Node],
    system: &ChcSystem,
    model: &dyn Model,
    cx: &Cx<'_>,
) -> Result<Derivation, Halt> {
    let unreadable = || Halt::Solver("the model has a value that cannot be represented".into());
    let mut result = Derivation {
        functions: functions(system, model, cx).ok_or_else(unreadable)?,
        ..Derivation::default()
    };
    let mut step_of: IndexMap<usize, usize> = IndexMap::new();
    let mut work = vec![0usize];
    while let Some(&index) = work.last() {
        let way = nodes[index]
            .ways
            .iter()
            .find(|w| model.holds(cx.terms, w.chosen) == Some(true));
        let way = way.ok_or_else(unreadable)?;
        let missing: Vec<usize> = way
            .children
            .iter()
            .copied()
            .filter(|c| !step_of.contains_key(c))
            .collect();
        if !missing.is_empty() {
            work.extend(missing);
            continue;
        }
        let mut values = Assignment::new();
        for &(var, copy) in &way.vars {
            values.insert(var, model.value(cx.terms, copy).ok_or_else(unreadable)?);
        }
        let premises = way.children.iter().map(|c| step_of[c]).collect();
        result.steps.push(DerivationStep {
            clause: way.clause,
            values,
            premises,
        });
        step_of.insert(index, result.steps.len() - 1);
        work.pop();
    }
    Ok(result)
}

/// The values of background functions that occur in the clauses.
fn functions(system: &ChcSystem, model: &dyn Model, cx: &Cx<'_>) -> Option<Assignment> {
    let roots: Vec<Term> = system.clauses.iter().flat_map(roots).collect();
    if cx.terms.functions(&roots).is_empty() {
        return Some(Assignment::new());
    }
    let mut assignment = model.assignment(cx.terms, &roots)?;
    assignment.values = TermMap::default();
    Some(assignment)
}

fn roots(clause: &Clause) -> Vec<Term> {
    let atoms = clause.body.iter().chain(&clause.head);
    atoms
        .flat_map(|a| a.args.iter().copied())
        .chain([clause.constraint])
        .collect()
}
