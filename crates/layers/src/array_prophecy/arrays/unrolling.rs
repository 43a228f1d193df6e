//! Abstract paths of one length, with axiom instances under labels.
//!
//! Paper: Mann et al., LMCS 18(3), 2022, section 4.2 (BMC in Algorithm 3). Part of the refinement.
//!
//! ```text
//! I@0 ∧ T@0 ∧ … ∧ T@(k-1) ∧ ¬P@k ∧ ⋀ label ⇒ instance
//! ```

use foretell_kernel::{Answer, Cx, Halt, Model, Solver, SolverConfig};
use foretell_systems::{TransitionSystem, Unroller};
use foretell_terms::{Sort, Term, TermMap, TermSet};

use super::index_set::Timing;

/// The paths of one length.
pub(crate) struct Unrolling {
    solver: Box<dyn Solver>,
    unroller: Unroller,
    /// The number of steps.
    length: u32,
    /// Labels in order of introduction, with what is under them.
    labels: TermMap<Vec<Term>>,
    /// The formulas that hold on every path.
    roots: Vec<Term>,
}

/// What a query about the paths came to.
pub(crate) enum Paths<T> {
    /// There is one; what was read off it.
    Some(T),
    /// There is none under these labels.
    None(TermSet),
    /// Not decided.
    Unknown(String),
}

impl Unrolling {
    /// The paths of a system as it is now.
    pub(crate) fn new(
        system: &TransitionSystem,
        length: u32,
        purpose: &'static str,
        cx: &Cx<'_>,
    ) -> Result<Unrolling, Halt> {
        let config = SolverConfig::new(purpose).with_minimal_cores();
        let mut solver = cx.oracles.solver(&config);
        let mut unroller = Unroller::new(system);
        let mut roots = vec![unroller.at(cx.terms, system.init, 0)];
        roots.extend((0..length).map(|step| unroller.at(cx.terms, system.trans, step)));
        roots.push(unroller.at(cx.terms, cx.terms.not(system.property), length));
        for &root in &roots {
            solver.assert(cx.terms, root)?;
        }
        Ok(Unrolling {
            solver,
            unroller,
            length,
            labels: TermMap::default(),
            roots,
        })
    }

    /// The formulas that hold on every path: the start, each step, the end.
    pub(crate) fn roots(&self) -> &[Term] {
        &self.roots
    }

    /// The number of steps.
    pub(crate) fn length(&self) -> u32 {
        self.length
    }

    /// All labels.
    pub(crate) fn labels(&self) -> TermSet {
        self.labels.keys().copied().collect()
    }

    /// The term at a time.
    pub(crate) fn at(&mut self, term: Term, time: u32, cx: &Cx<'_>) -> Term {
        self.unroller.at(cx.terms, term, time)
    }

    /// The formulas of the paths, and those under the labels, by the latest time they speak of; the
    /// end of the path last.
    pub(crate) fn parts(&self, labels: &TermSet, cx: &Cx<'_>) -> Vec<Term> {
        let mut parts: Vec<Vec<Term>> = vec![Vec::new(); self.length as usize + 2];
        let under = self
            .labels
            .iter()
            .filter(|(label, _)| labels.contains(*label));
        let instances = under.flat_map(|(_, formulas)| formulas);
        let last = self.roots.len() - 1;
        for &formula in self.roots[..last].iter().chain(instances) {
            parts[self.latest(formula, cx)].push(formula);
        }
        parts[self.length as usize + 1].push(self.roots[last]);
        parts.into_iter().map(|part| cx.terms.and(part)).collect()
    }

    /// The latest time a timed term speaks of.
    fn latest(&self, term: Term, cx: &Cx<'_>) -> usize {
        let times = cx
            .terms
            .free_vars(&[term])
            .into_iter()
            .filter_map(|v| self.unroller.untimed_symbol(v));
        times.map(|(_, time)| time as usize).max().unwrap_or(0)
    }

    /// The symbols at each time.
    pub(crate) fn unroller(&self) -> &Unroller {
        &self.unroller
    }

    /// Puts formulas under a new label.
    pub(crate) fn add(&mut self, formulas: &[Term], cx: &Cx<'_>) -> Result<Term, Halt> {
        let label = cx.terms.fresh("instance", Sort::BOOL);
        for &formula in formulas {
            self.solver
                .assert(cx.terms, cx.terms.implies(label, formula))?;
        }
        self.labels.insert(label, formulas.to_vec());
        Ok(label)
    }

    /// Is there a path under these labels? `read` looks at it.
    pub(crate) fn check<T>(
        &mut self,
        labels: &TermSet,
        read: impl FnOnce(&dyn Model, &mut Unroller) -> T,
        cx: &Cx<'_>,
    ) -> Result<Paths<T>, Halt> {
        let assumptions: Vec<Term> = labels.iter().copied().collect();
        let unroller = &mut self.unroller;
        Ok(match self.solver.check(&assumptions, cx)? {
            Answer::Sat(model) => Paths::Some(read(model.as_ref(), unroller)),
            Answer::Unsat(core) => Paths::None(core.into_iter().collect()),
            Answer::Unknown(words) => Paths::Unknown(words),
        })
    }
}

/// The times at which a term of this timing has a value on a path of so many steps.
pub(crate) fn times(timing: Timing, length: u32) -> std::ops::Range<u32> {
    match timing {
        Timing::Rigid => 0..1,
        Timing::State => 0..length + 1,
        Timing::Step => 0..length,
    }
}
