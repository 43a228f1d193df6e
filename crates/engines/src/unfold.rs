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
//!       return Unsafe(derivation read off the model)     // fn read_off
//! ```
//!
//! With `lazy`, as stratified inlining does it (Lal, Qadeer, Lahiri, CAV 2012), a height expands only what
//! models use:
//!
//! ```text
//!   loop                                                 // fn lazily
//!     satisfiable with b_root and ¬b_n for open n at this depth or deeper?
//!       no: no derivation of this height
//!       the model derives the root from expanded nodes alone: Unsafe
//!       expand the open nodes that it uses               // fn used
//! ```
//!
//! Invariant: an open node that is not blocked may hold of anything, so what has no model has no derivation.
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
use indexmap::{IndexMap, IndexSet};

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
        /// Whether only the nodes that models use are expanded (stratified inlining), not all of a height.
        lazy: bool = false;
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
            let found = if self.options.lazy {
                tree.lazily(system, height, self.options.max_nodes, cx)?
            } else {
                tree.grow(system, height, cx)?;
                tree.query(system, height, cx)?
            };
            if tree.nodes.len() > self.options.max_nodes {
                return Ok(Verdict::Unknown(Reason::BoundReached(height)));
            }
            match found {
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
                Height::Open(_) => {}
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
    /// A model uses these open nodes.
    Open(Vec<usize>),
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
    /// The distance from the root.
    depth: u32,
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
    open: IndexSet<usize>,
    /// Children by whom they are shared among, predicate and occurrence.
    shared: IndexMap<(usize, Pred, usize), usize>,
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
            depth: 0,
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
            open: IndexSet::from([0]),
            shared: IndexMap::new(),
            solver,
            by_head,
            linear,
        }
    }

    /// Expands every open node above a height by one clause.
    fn grow(&mut self, system: &ChcSystem, height: u32, cx: &Cx<'_>) -> Result<(), Halt> {
        let above = |n: &usize| self.nodes[*n].depth < height;
        let frontier: Vec<usize> = self.open.iter().copied().filter(above).collect();
        for node in frontier {
            cx.budget.check()?;
            self.expand(system, node, cx)?;
        }
        Ok(())
    }

    /// Expands what models use, until there is none with open nodes above a height.
    fn lazily(
        &mut self,
        system: &ChcSystem,
        height: u32,
        max_nodes: usize,
        cx: &Cx<'_>,
    ) -> Result<Height, Halt> {
        loop {
            let found = self.query(system, height, cx)?;
            let Height::Open(used) = found else {
                let undecided = matches!(found, Height::Undecided(_));
                let above = self.open.iter().any(|&n| self.nodes[n].depth < height);
                if undecided && above {
                    self.grow(system, height, cx)?;
                    continue;
                }
                return Ok(found);
            };
            for node in used {
                cx.budget.check()?;
                self.expand(system, node, cx)?;
            }
            if self.nodes.len() > max_nodes {
                return Ok(Height::Undecided("too many nodes".into()));
            }
        }
    }

    fn expand(&mut self, system: &ChcSystem, index: usize, cx: &Cx<'_>) -> Result<(), Halt> {
        self.open.swap_remove(&index);
        let clauses = self
            .by_head
            .get(&self.nodes[index].pred)
            .cloned()
            .unwrap_or_default();
        let mut choices = vec![cx.terms.not(self.nodes[index].needed)];
        for id in clauses {
            let way = self.way(system, index, id, cx)?;
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
        let depth = self.nodes[index].depth + 1;
        let sharers = match self.linear {
            Linearity::Linear => depth as usize,
            Linearity::NonLinear => index,
        };
        let mut occurrences: IndexMap<Pred, usize> = IndexMap::new();
        let mut children = Vec::new();
        for atom in &copy.body {
            let occurrence = occurrences.entry(atom.pred).or_insert(0);
            let key = (sharers, atom.pred, *occurrence);
            let child = match self.shared.get(&key) {
                Some(&child) => child,
                None => self.node(system, atom, depth, cx),
            };
            self.shared.insert(key, child);
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

    fn node(&mut self, system: &ChcSystem, atom: &Atom, depth: u32, cx: &Cx<'_>) -> usize {
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
            depth,
            ways: Vec::new(),
        });
        self.open.insert(self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    /// Is there a derivation without open nodes at this depth or deeper?
    fn query(&mut self, system: &ChcSystem, height: u32, cx: &Cx<'_>) -> Result<Height, Halt> {
        let mut assumptions = vec![self.nodes[0].needed];
        let blocked = self.open.iter().map(|&n| &self.nodes[n]);
        let blocked = blocked.filter(|n| n.depth >= height);
        assumptions.extend(blocked.map(|n| cx.terms.not(n.needed)));
        let (nodes, open) = (&self.nodes, &self.open);
        match self.solver.check(&assumptions, cx)? {
            Answer::Sat(model) => {
                let used = used(nodes, open, model.as_ref(), cx)?;
                if !used.is_empty() {
                    return Ok(Height::Open(used));
                }
                let derivation = read_off(nodes, system, model.as_ref(), cx)?;
                Ok(Height::Derivation(derivation))
            }
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

/// A derivation of `false` of at most this height, if there is one and the solver finds it.
pub(crate) fn derivation(
    system: &ChcSystem,
    most: u32,
    cx: &Cx<'_>,
) -> Result<Option<Derivation>, Halt> {
    let mut tree = Unfolding::new(system, cx);
    for height in 1..=most {
        tree.grow(system, height, cx)?;
        match tree.query(system, height, cx)? {
            Height::Derivation(derivation) => return Ok(Some(derivation)),
            Height::Clean => {}
            Height::Exhausted | Height::Open(_) | Height::Undecided(_) => break,
        }
    }
    Ok(None)
}

fn unreadable() -> Halt {
    Halt::Solver("the model has a value that cannot be represented".into())
}

/// The way a model derives an expanded node.
fn way<'a>(node: &'a Node, model: &dyn Model, cx: &Cx<'_>) -> Result<&'a Way, Halt> {
    let is_chosen = |w: &&Way| model.holds(cx.terms, w.chosen) == Some(true);
    node.ways.iter().find(is_chosen).ok_or_else(unreadable)
}

/// The open nodes that a model derives the root from.
fn used(
    nodes: &[Node],
    open: &IndexSet<usize>,
    model: &dyn Model,
    cx: &Cx<'_>,
) -> Result<Vec<usize>, Halt> {
    let mut reached: IndexSet<usize> = IndexSet::from([0]);
    let mut position = 0;
    while let Some(&node) = reached.get_index(position) {
        position += 1;
        if !open.contains(&node) {
            reached.extend(&way(&nodes[node], model, cx)?.children);
        }
    }
    Ok(reached.into_iter().filter(|n| open.contains(n)).collect())
}

/// Reads the derivation of the root off a model: premises first.
fn read_off(
    nodes: &[Node],
    system: &ChcSystem,
    model: &dyn Model,
    cx: &Cx<'_>,
) -> Result<Derivation, Halt> {
    let mut result = Derivation {
        functions: functions(system, model, cx).ok_or_else(unreadable)?,
        ..Derivation::default()
    };
    let mut step_of: IndexMap<usize, usize> = IndexMap::new();
    let mut work = vec![0usize];
    while let Some(&index) = work.last() {
        let way = way(&nodes[index], model, cx)?;
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
