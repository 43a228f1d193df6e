//! Against divergence: predicates of another kind when refinement only finds new constants.
//!
//! Interpolants of longer and longer unrollings of a loop tend to be `x <= 1`, `x <= 2`, …: new
//! bounds on linear forms that ℙ bounds already. After a row of such refinements other predicates
//! are added, whether or not they exclude the path at hand, stage by stage:
//!
//! ```text
//! stage 1   e <= c, e >= c    for the affine hull e = c of states reached in a few steps (after Karr,
//!                             Acta Informatica 1976; bounded, by sampling and checking)
//! stage 2   x <= y, y <= x    for state variables of one sort
//! stage 3   x mod c = 0       for the constants c by which T changes integers
//! ```
//!
//! The hull is exact for runs of the sampled length: an equation that some run violates is dropped
//! by taking that run into the sample. It need not hold for longer runs; as half-spaces its sides
//! often still do.

use crate::abstraction::{LiteralSolver, Predicates, Reply};
use foretell_formulas::affine::{self, Hull};
use foretell_kernel::{Cx, Halt, Model};
use foretell_systems::{TransitionSystem, Unroller};
use foretell_terms::number::magnitude;
use foretell_terms::{Integer, Op, Rational, Sort, Term, TermSet};

/// The number of steps of sampled runs.
const STEPS: u32 = 6;
/// No hull is computed over more variables than this.
const MAX_VARS: usize = 40;
/// At most so many pairs of variables are compared.
const MAX_PAIRS: usize = 60;
/// The largest modulus.
const MAX_MODULUS: u64 = 16;

/// How long refinement has found nothing but new constants.
#[derive(Default)]
pub(super) struct Divergence {
    row: u32,
    stage: u32,
}

impl Divergence {
    /// Takes note of new atoms; whether it is time for the next stage, and which.
    pub(super) fn note(
        &mut self,
        new: &TermSet,
        predicates: &Predicates,
        after: u32,
        cx: &Cx<'_>,
    ) -> Option<u32> {
        let known: TermSet = predicates
            .atoms()
            .iter()
            .filter_map(|&a| form(a, cx))
            .collect();
        let only_constants = new
            .iter()
            .all(|&a| form(a, cx).is_some_and(|f| known.contains(&f)));
        self.row = if only_constants { self.row + 1 } else { 0 };
        // Finding nothing at all is worse than finding constants: the next stage comes at once.
        let due = new.is_empty() || self.row >= after;
        if after == 0 || !due || self.stage == 3 {
            return None;
        }
        self.row = 0;
        self.stage += 1;
        Some(self.stage)
    }
}

/// The linear form that an atom in canonical spelling bounds.
fn form(atom: Term, cx: &Cx<'_>) -> Option<Term> {
    let node = cx.terms.node(atom);
    let bounds = matches!(node.op, Op::Le | Op::Eq) && cx.terms.sort(node.args[0]) != Sort::BOOL;
    let sides = bounds.then(|| (node.args[0], node.args[1]))?;
    match (cx.terms.is_numeral(sides.0), cx.terms.is_numeral(sides.1)) {
        (true, _) => Some(sides.1),
        (_, true) => Some(sides.0),
        _ => None,
    }
}

/// `x <= y` and `y <= x` for state variables and parameters of one arithmetic sort.
pub(super) fn comparisons(system: &TransitionSystem, cx: &Cx<'_>) -> Vec<Term> {
    let mut found = Vec::new();
    for sort in [Sort::INT, Sort::REAL] {
        let vars = variables(system, sort, cx);
        let pairs = vars
            .iter()
            .enumerate()
            .flat_map(|(i, &a)| vars[i + 1..].iter().map(move |&b| (a, b)));
        for (a, b) in pairs.take(MAX_PAIRS) {
            found.extend([cx.terms.le(a, b), cx.terms.le(b, a)]);
        }
    }
    found
}

/// `x mod c = 0` for integer variables and small constants of T.
pub(super) fn remainders(system: &TransitionSystem, cx: &Cx<'_>) -> Vec<Term> {
    let mut moduli = std::collections::BTreeSet::new();
    for term in cx.terms.subterms(&[system.trans]) {
        let size = cx
            .terms
            .as_int(term)
            .and_then(|n| u64::try_from(magnitude(n)).ok());
        moduli.extend(size.filter(|n| (2..=MAX_MODULUS).contains(n)));
    }
    let zero = cx.terms.int(0);
    let vars = variables(system, Sort::INT, cx);
    let atom = |&x: &Term, &c: &u64| {
        cx.terms
            .eq(cx.terms.modulo(x, cx.terms.int(Integer::from(c))), zero)
    };
    vars.iter()
        .flat_map(|x| moduli.iter().map(move |c| atom(x, c)))
        .take(MAX_PAIRS)
        .collect()
}

fn variables(system: &TransitionSystem, sort: Sort, cx: &Cx<'_>) -> Vec<Term> {
    let control = system.guide.control.as_ref().map(|c| c.var);
    let all = system
        .current()
        .into_iter()
        .chain(system.params.iter().copied());
    all.filter(|&v| cx.terms.sort(v) == sort && Some(v) != control)
        .collect()
}

/// Half-spaces of the affine hull of what is reached within a few steps. The solver holds I@0, and
/// T@i under the i-th label.
pub(super) fn hull(
    system: &TransitionSystem,
    unroller: &mut Unroller,
    solver: &mut LiteralSolver,
    steps: &[Term],
    cx: &Cx<'_>,
) -> Result<Vec<Term>, Halt> {
    let mut found = Vec::new();
    for sort in [Sort::INT, Sort::REAL] {
        let vars = variables(system, sort, cx);
        if vars.is_empty() || vars.len() > MAX_VARS {
            continue;
        }
        let mut sampler = Sampler {
            unroller,
            solver,
            steps,
            vars: &vars,
        };
        for (form, zero) in sampler.equations(cx)? {
            found.extend([cx.terms.le(form, zero), cx.terms.le(zero, form)]);
        }
    }
    Ok(found)
}

/// Draws states from bounded runs.
struct Sampler<'a> {
    unroller: &'a mut Unroller,
    solver: &'a mut LiteralSolver,
    steps: &'a [Term],
    vars: &'a [Term],
}

impl Sampler<'_> {
    /// The equations that hold in all states of runs of up to [`STEPS`] steps, by their sides.
    fn equations(&mut self, cx: &Cx<'_>) -> Result<Vec<(Term, Term)>, Halt> {
        let length = self.steps.len().min(STEPS as usize);
        let mut hull = Hull::new(self.vars.to_vec());
        let mut states = self.draw(length, cx.terms.tt(), cx)?;
        // Every further sample lowers the number of equations.
        for _ in 0..=self.vars.len() {
            for state in states {
                hull.add(state);
            }
            let equations = sides(&hull, cx);
            if equations.is_empty() {
                return Ok(equations);
            }
            let mut violated = Vec::new();
            for &(form, zero) in &equations {
                let broken = cx.terms.not(cx.terms.eq(form, zero));
                for time in 0..=length {
                    let time = u32::try_from(time).expect("invariant: few steps");
                    violated.push(self.unroller.at(cx.terms, broken, time));
                }
            }
            states = self.draw(length, cx.terms.or(violated), cx)?;
            if states.is_empty() {
                return Ok(equations);
            }
        }
        for state in states {
            hull.add(state);
        }
        Ok(sides(&hull, cx))
    }

    /// The states of a run that satisfies a condition; none if there is no such run.
    fn draw(
        &mut self,
        length: usize,
        condition: Term,
        cx: &Cx<'_>,
    ) -> Result<Vec<Vec<Rational>>, Halt> {
        let mut labels = self.steps[..length].to_vec();
        labels.push(self.solver.temporarily(condition, cx)?);
        let (unroller, vars) = (&mut *self.unroller, self.vars);
        let read = |model: &dyn Model| {
            let mut states = Vec::new();
            for time in 0..=length {
                let time = u32::try_from(time).expect("invariant: few steps");
                let mut value = |v: Term| model.value(cx.terms, unroller.at(cx.terms, v, time));
                let state = vars.iter().map(|&v| value(v)?.number());
                states.extend(state.collect::<Option<Vec<Rational>>>());
            }
            states
        };
        Ok(match self.solver.ask(&labels, &[], read, cx)? {
            Reply::Sat(states) => states,
            Reply::Unsat(_) | Reply::Unknown(_) => Vec::new(),
        })
    }
}

/// The equations of a hull over one sort, by their sides.
fn sides(hull: &Hull, cx: &Cx<'_>) -> Vec<(Term, Term)> {
    let equations = hull.equations();
    let sides = equations.iter().map(|e| affine::sides(cx.terms, e));
    sides.flatten().collect()
}
