//! Local explanations: a congruence path in which neighbouring terms always share a group.
//!
//! Fuchs, Goel, Grundy, Krstić, Tinelli, "Ground interpolation for the theory of equality", LMCS
//! 2012, and Yorsh, Musuvathi, CADE 2005, for equalities between terms of different groups.
//!
//! ```text
//! local(a, b) = the forest path a .. b, each edge (u, v) replaced:
//!   literal                      kept: input literals are local
//!   congruence, u and v mutual   the step `cong(u, v)`
//!   congruence, foreign          for every tree edge e on the way from u's groups to v's:
//!                                  t_i = the first term on local(u_i, v_i) expressible beyond e
//!                                  T_e = f(t_1 .. t_n)       shared across e
//!                                u - T_e - T_e' - .. - v, each step `cong` over the sub-paths in between
//! cong(s, t)  = the tautology  s_1 != t_1 or .. or f(s) = f(t)  of one common group,
//!               resolved with the proof of each s_i = t_i
//! prove(a, b) = the cycle leaf over local(a, b), resolved with the proof of each congruence edge
//! ```
//! `t_i` is shared across `e`: its predecessor on the path is not expressible beyond `e` and has a
//! group in common with it. Congruence edges are treated in the order of their merges, so that
//! there is no recursion.

use super::closure::{Closure, Why};
use crate::data::atoms::{Atom, Lit};
use crate::data::bank::{Node, TId, TermBank};
use crate::proof::{Step, StepId};
use crate::world::World;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

/// One edge of a local path.
#[derive(Clone, Debug)]
pub(crate) struct LocalEdge {
    /// One end.
    pub(crate) from: TId,
    /// The other end; it has a group in common with `from`.
    pub(crate) to: TId,
    /// `None`: an input literal.  Otherwise a proof of `not lits or from = to`.
    pub(crate) step: Option<StepId>,
    /// The literals that imply the edge.
    pub(crate) lits: Vec<Lit>,
}

/// How an equality was established.
enum Proved {
    /// It is an input literal.
    Literal,
    /// A step proves it from the literals.
    Step(StepId),
    /// A step refutes the literals: the two sides can never be equal.
    Refuted(StepId),
}

/// The explanation of one set of literals.
struct Explainer<'a> {
    world: &'a mut World,
    closure: Closure,
    /// The local path of every congruence edge treated so far, by time, in the direction `from ->
    /// to`.
    paths: IndexMap<u32, (TId, Vec<LocalEdge>), FxBuildHasher>,
    refuted: Option<StepId>,
    /// The ends of the contradiction that the replay met.
    ends: Option<(TId, TId)>,
}

/// What an explanation gives.
pub(crate) enum Explanation {
    /// The local path between the ends.
    Path(Vec<LocalEdge>),
    /// A step that refutes the literals by themselves.
    Refuted(StepId),
}

/// A local path between `a` and `b`, whose equality follows from `lits` by congruence.
pub(crate) fn local_path(world: &mut World, lits: &[Lit], a: TId, b: TId) -> Explanation {
    let mut explainer = Explainer::new(world, lits, a, b);
    let path = explainer.run(a, b);
    match explainer.refuted {
        Some(step) => Explanation::Refuted(step),
        None => Explanation::Path(path),
    }
}

/// A proof of the clause `not lits`, where the equality of `ends` contradicts `lits`.
pub(crate) fn refutation(world: &mut World, lits: &[Lit], ends: (TId, TId)) -> StepId {
    let mut explainer = Explainer::new(world, lits, ends.0, ends.1);
    // The replay may meet another contradiction among the same literals first.
    let ends = explainer.ends.unwrap_or(ends);
    let path = explainer.run(ends.0, ends.1);
    if let Some(step) = explainer.refuted {
        return step;
    }
    match explainer.prove(ends.0, ends.1, &path) {
        Proved::Step(s) | Proved::Refuted(s) => s,
        // A literal and its negation: the tautology of its group.
        Proved::Literal => {
            let loc = world.bank.loc(ends.0).meet(world.bank.loc(ends.1));
            world.proof.given(loc.top(), &[])
        }
    }
}

impl<'a> Explainer<'a> {
    /// Replays congruence closure on the literals alone.
    fn new(world: &'a mut World, lits: &[Lit], a: TId, b: TId) -> Explainer<'a> {
        let mut closure = Closure::default();
        closure.register(&world.bank, TermBank::FALSE);
        closure.register(&world.bank, a);
        closure.register(&world.bank, b);
        for l in lits {
            if let Atom::Eq(x, y) = world.atoms.get(l.atom()) {
                closure.register(&world.bank, *x);
                closure.register(&world.bank, *y);
            }
        }
        let ends = lits
            .iter()
            .find_map(|l| closure.assert(&world.atoms, *l).err())
            .map(|c| c.ends);
        Explainer {
            world,
            closure,
            paths: IndexMap::default(),
            refuted: None,
            ends,
        }
    }

    fn run(&mut self, a: TId, b: TId) -> Vec<LocalEdge> {
        let mut edges: Vec<(u32, TId, TId)> = Vec::new();
        let mut seen: IndexSet<u32, FxBuildHasher> = IndexSet::default();
        let mut todo = vec![(a, b)];
        while let Some((a, b)) = todo.pop() {
            for (x, y, e) in self.closure.path(a, b) {
                if e.why == Why::Congruence && seen.insert(e.time) {
                    edges.push((e.time, x, y));
                    let (xs, ys) = (self.args(x), self.args(y));
                    todo.extend(xs.into_iter().zip(ys).filter(|(p, q)| p != q));
                }
            }
        }
        edges.sort_unstable_by_key(|e| e.0);
        for (time, x, y) in edges {
            let path = self.congruence(x, y);
            self.paths.insert(time, (x, path));
            if self.refuted.is_some() {
                return Vec::new();
            }
        }
        self.assemble(a, b)
    }

    fn args(&self, t: TId) -> Vec<TId> {
        match self.world.bank.node(t) {
            Node::App(_, args) => args.to_vec(),
            _ => Vec::new(),
        }
    }

    /// The local path from `a` to `b`, from the paths of the congruence edges.
    fn assemble(&self, a: TId, b: TId) -> Vec<LocalEdge> {
        let mut out = Vec::new();
        for (x, y, e) in self.closure.path(a, b) {
            match e.why {
                Why::Lit(l) => out.push(LocalEdge {
                    from: x,
                    to: y,
                    step: None,
                    lits: vec![l],
                }),
                Why::Congruence => {
                    let Some((start, path)) = self.paths.get(&e.time) else {
                        continue;
                    };
                    if *start == x {
                        out.extend(path.iter().cloned())
                    } else {
                        out.extend(reversed(path))
                    }
                }
            }
        }
        out
    }

    /// The local path that replaces the congruence edge between two applications.
    fn congruence(&mut self, u: TId, v: TId) -> Vec<LocalEdge> {
        let (us, vs) = (self.args(u), self.args(v));
        let subs: Vec<Vec<LocalEdge>> = us
            .iter()
            .zip(&vs)
            .map(|(x, y)| self.assemble(*x, *y))
            .collect();
        let mut stops: Vec<(TId, Vec<usize>)> = vec![(u, vec![0; subs.len()])];
        if !self.world.bank.mutual(u, v) {
            stops.extend(self.virtual_terms(u, v, &us, &subs));
        }
        stops.push((v, subs.iter().map(Vec::len).collect()));
        let mut out = Vec::new();
        for pair in stops.windows(2) {
            let ((s, from), (t, to)) = (&pair[0], &pair[1]);
            if s != t {
                let parts: Vec<&[LocalEdge]> = subs
                    .iter()
                    .zip(from.iter().zip(to))
                    .map(|(sub, (i, j))| &sub[*i..*j])
                    .collect();
                let Some(edge) = self.cong(*s, *t, &parts) else {
                    return Vec::new();
                };
                out.push(edge);
            }
        }
        out
    }

    /// The terms `T_e` for the tree edges between the groups of two foreign applications, with the
    /// positions of their arguments on the argument paths.
    fn virtual_terms(
        &mut self,
        u: TId,
        v: TId,
        args: &[TId],
        subs: &[Vec<LocalEdge>],
    ) -> Vec<(TId, Vec<usize>)> {
        let Node::App(f, _) = self.world.bank.node(u) else {
            return Vec::new();
        };
        let f = *f;
        let route = self
            .world
            .shape
            .route(self.world.bank.loc(u), self.world.bank.loc(v));
        let mut out = Vec::new();
        for e in route.windows(2) {
            let side = self.world.shape.side_of(e[0], e[1]);
            let beyond = self.world.shape.others(side).clone();
            let mut terms = Vec::new();
            let mut places = Vec::new();
            for (a, sub) in args.iter().zip(subs) {
                let at = |i: usize| if i == 0 { *a } else { sub[i - 1].to };
                let i = (0..=sub.len()).find(|i| self.world.bank.loc(at(*i)).meets(&beyond));
                let i = i.unwrap_or(sub.len());
                terms.push(at(i));
                places.push(i);
            }
            out.push((self.world.bank.app(f, &terms), places));
        }
        out
    }

    /// The step `s_1 != t_1 or .. or f(s) = f(t)` with the argument equalities resolved away.
    fn cong(&mut self, s: TId, t: TId, subs: &[&[LocalEdge]]) -> Option<LocalEdge> {
        let mut clause = vec![self.world.eq(s, t)];
        let mut steps = Vec::new();
        let mut lits: Vec<Lit> = Vec::new();
        for ((x, y), sub) in self.args(s).into_iter().zip(self.args(t)).zip(subs) {
            if x == y {
                continue;
            }
            lits.extend(sub.iter().flat_map(|e| e.lits.iter().copied()));
            let eq = self.world.eq(x, y);
            match self.prove(x, y, sub) {
                Proved::Refuted(step) => {
                    self.refuted = Some(step);
                    return None;
                }
                Proved::Step(step) => steps.push((eq, step)),
                Proved::Literal => {}
            }
            clause.push(!eq);
        }
        lits.sort_unstable();
        lits.dedup();
        let group = self.world.bank.loc(s).meet(self.world.bank.loc(t)).top();
        let first = self.world.proof.given(group, &clause);
        let step = self.world.proof.chain(first, steps);
        Some(LocalEdge {
            from: s,
            to: t,
            step: Some(step),
            lits,
        })
    }

    /// Proves `a = b` along a local path.
    fn prove(&mut self, a: TId, b: TId, path: &[LocalEdge]) -> Proved {
        if let [edge] = path {
            return edge.step.map_or(Proved::Literal, Proved::Step);
        }
        let mut terms = vec![a];
        terms.extend(path.iter().map(|e| e.to));
        let first = self.world.proof.add(Step::Cycle { path: terms.into() });
        let mut steps = Vec::new();
        for e in path {
            if let Some(step) = e.step {
                steps.push((self.world.eq(e.from, e.to), step));
            }
        }
        let step = self.world.proof.chain(first, steps);
        if self.world.eq(a, b) == Lit::FALSE {
            Proved::Refuted(step)
        } else {
            Proved::Step(step)
        }
    }
}

fn reversed(path: &[LocalEdge]) -> Vec<LocalEdge> {
    let turn = |e: &LocalEdge| LocalEdge {
        from: e.to,
        to: e.from,
        ..e.clone()
    };
    path.iter().rev().map(turn).collect()
}
