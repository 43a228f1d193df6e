//! The questions asked about the edges of the tree, and the solvers that answer them.
//!
//! ```text
//! step(v, r, c)       F_v ∧ [¬c] ∧ guard_r ∧ c[params := post_r]     unsatisfiable?
//! ```
//!
//! This is AbsRelInd of the TACAS paper (formula 3) for the transition of one edge. As in `ic3ia` F_v,
//! c and ¬c are formulas over the predicates of their locations, so the copies that EQ_ℙ links are left
//! out: the question without them is equisatisfiable. A rule's head is a tuple of terms over its body's
//! parameters, so there are no next values either.
//!
//! Invariant: the solver of a location holds the guard of each rule from it under the rule's label and
//! the clauses of each of its nodes under the node's label.

use foretell_kernel::{Cx, Halt, Model, SolverConfig, Work};
use foretell_systems::{ChcSystem, Pred};
use foretell_terms::{Substitution, Term};

use super::options::TreeIc3iaOptions;
use super::tree::{Entry, Life, NodeId, Tree};
use crate::abstraction::{Cube, LiteralSolver, Predicates, Preimages, Reply, Valuation};
use crate::program::{Program, Rule};

/// A rule as the solvers see it.
struct Edge {
    from: Option<Pred>,
    label: Term,
    guard: Term,
    /// The head's parameters become its arguments.
    post: Substitution,
    /// The parameters of the body and the rule's own variables.
    symbols: Vec<Term>,
    preimages: Preimages,
}

/// The edges and their solvers.
pub(super) struct Edges {
    edges: Vec<Edge>,
    /// By location, the root first; made when the first question is asked.
    solvers: Vec<Option<LiteralSolver>>,
    /// The labels of nodes.
    nodes: Vec<Term>,
    /// Knows nothing: for questions about states.
    state: LiteralSolver,
    config: SolverConfig,
    reset_every: u32,
}

/// What is assumed of the state before.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Assumed {
    /// What its node says.
    Node,
    /// The clause ¬c as well.
    Clause,
}

/// The configuration of the engine's solvers.
pub(super) fn config(
    purpose: &'static str,
    system: &ChcSystem,
    options: &TreeIc3iaOptions,
    cx: &Cx<'_>,
) -> SolverConfig {
    let logic = cx.terms.logic(&system.formulas());
    let mut config = SolverConfig::new(purpose)
        .quantifier_free()
        .with_logic(logic);
    if options.light_arithmetic && matches!(logic, Some("QF_LIA" | "QF_LRA")) {
        config = config.with_light_arithmetic();
    }
    config.seed = options.seed;
    if options.query_ms > 0 {
        config = config.with_limit(Work::of_millis(options.query_ms));
    }
    config
}

impl Edges {
    /// For the rules of a program.
    pub(super) fn new(program: &Program<'_>, options: &TreeIc3iaOptions, cx: &Cx<'_>) -> Edges {
        let state = config("tree_ic3ia-state", program.system, options, cx);
        let config = config("tree_ic3ia", program.system, options, cx);
        let locations = program.system.preds.len() + 1;
        Edges {
            edges: program.rules.iter().map(|r| edge(program, r, cx)).collect(),
            solvers: (0..locations).map(|_| None).collect(),
            nodes: Vec::new(),
            state: LiteralSolver::new(&state, options.reset_every, cx),
            config,
            reset_every: options.reset_every,
        }
    }

    /// The label of a node.
    fn label(&mut self, id: NodeId, cx: &Cx<'_>) -> Term {
        while self.nodes.len() <= id.index() {
            self.nodes.push(self.state.label("node", cx));
        }
        self.nodes[id.index()]
    }

    /// The solver of a location.
    fn solver(&mut self, at: Option<Pred>, cx: &Cx<'_>) -> Result<&mut LiteralSolver, Halt> {
        let slot = &mut self.solvers[index(at)];
        if slot.is_none() {
            let mut solver = LiteralSolver::new(&self.config, self.reset_every, cx);
            for edge in self.edges.iter().filter(|e| e.from == at) {
                solver.assert_under(edge.label, edge.guard, cx)?;
            }
            *slot = Some(solver);
        }
        Ok(slot.as_mut().expect("invariant: made above"))
    }

    /// Asserts ¬cube in a node.
    pub(super) fn add_clause(
        &mut self,
        (id, at): (NodeId, Option<Pred>),
        cube: &Cube,
        cx: &Cx<'_>,
    ) -> Result<(), Halt> {
        let label = self.label(id, cx);
        let clause = cube.clause(cx.terms);
        self.solver(at, cx)?.assert_under(label, clause, cx)
    }

    /// Rebuilds the solver of a location from the tree when it has grown stale.
    pub(super) fn refresh(
        &mut self,
        tree: &Tree,
        at: Option<Pred>,
        cx: &Cx<'_>,
    ) -> Result<(), Halt> {
        if self.state.is_stale() {
            self.state.reset(Vec::new(), cx)?;
        }
        if self.solver(at, cx)?.is_stale() {
            self.rebuild(tree, at, cx)?;
        }
        Ok(())
    }

    /// Rebuilds the solver of a location from the tree.
    pub(super) fn rebuild(
        &mut self,
        tree: &Tree,
        at: Option<Pred>,
        cx: &Cx<'_>,
    ) -> Result<(), Halt> {
        let mut labelled = Vec::new();
        for (id, &label) in tree.ids().zip(&self.nodes) {
            let node = tree.get(id);
            if node.location == at {
                let cubes = node.cubes().iter().filter(|_| node.life != Life::Gone);
                labelled.push((label, cubes.map(|c| c.clause(cx.terms)).collect()));
            }
        }
        self.solver(at, cx)?.reset(labelled, cx)
    }

    /// Is a cube after a step excluded; with which of its literals?
    pub(super) fn step(
        &mut self,
        entry: Entry,
        cube: &Cube,
        assumed: Assumed,
        cx: &Cx<'_>,
    ) -> Result<Reply<()>, Halt> {
        self.pose(entry, cube, assumed, |_, _| (), cx)
    }

    /// The same, with the state before as seen through its location's predicates.
    pub(super) fn predecessor(
        &mut self,
        entry: Entry,
        cube: &Cube,
        predicates: &Predicates,
        cx: &Cx<'_>,
    ) -> Result<Reply<Valuation>, Halt> {
        let read = |model: &dyn Model, symbols: &[Term]| {
            Valuation::read(model, predicates, symbols, &[], cx)
        };
        self.pose(entry, cube, Assumed::Node, read, cx)
    }

    fn pose<T>(
        &mut self,
        entry: Entry,
        cube: &Cube,
        assumed: Assumed,
        read: impl FnOnce(&dyn Model, &[Term]) -> T,
        cx: &Cx<'_>,
    ) -> Result<Reply<T>, Halt> {
        let node = self.label(entry.parent, cx);
        let edge = &mut self.edges[entry.rule];
        let (label, from, symbols) = (edge.label, edge.from, edge.symbols.clone());
        let lits = cube.lits().iter();
        let after: Vec<Term> = lits.map(|&l| edge.post.apply(cx.terms, l)).collect();
        let solver = self.solver(from, cx)?;
        let mut labels = vec![label, node];
        if assumed == Assumed::Clause {
            labels.push(solver.temporarily(cube.clause(cx.terms), cx)?);
        }
        let answer = solver.ask(&labels, &after, |m| read(m, &symbols), cx)?;
        let Reply::Unsat(core) = answer else {
            return Ok(answer);
        };
        let pairs = cube.lits().iter().zip(&after);
        let kept = pairs.filter(|(_, a)| core.contains(**a)).map(|(&l, _)| l);
        Ok(Reply::Unsat(Cube::new(kept.collect())))
    }

    /// A subset of a predecessor's cube that still leads to the target by this rule.
    pub(super) fn lift(
        &mut self,
        predecessor: &Valuation,
        rule: usize,
        target: &Cube,
        cx: &Cx<'_>,
    ) -> Result<Cube, Halt> {
        let preimages = &mut self.edges[rule].preimages;
        preimages.lift_predecessor(predecessor, target, &mut self.state, cx)
    }

    /// How to go back over a rule.
    pub(super) fn preimages(&mut self, rule: usize) -> &mut Preimages {
        &mut self.edges[rule].preimages
    }
}

fn index(at: Option<Pred>) -> usize {
    at.map_or(0, |pred| pred.index() + 1)
}

fn edge(program: &Program<'_>, rule: &Rule, cx: &Cx<'_>) -> Edge {
    let post = || {
        let at = |to| program.at(to, &rule.post);
        rule.to.map(at).unwrap_or_default()
    };
    let params = rule.from.map(|p| program.params(p)).unwrap_or_default();
    Edge {
        from: rule.from,
        label: cx.terms.fresh("rule", foretell_terms::Sort::BOOL),
        guard: rule.guard,
        post: post(),
        symbols: params.iter().chain(&rule.locals).copied().collect(),
        preimages: Preimages::of_step(rule.guard, post(), &rule.locals),
    }
}
