//! Formulas over recursive functions, without quantifiers: definitions are used at the terms that occur.
//!
//! ```text
//! refuted(F)                                          // fn refuted
//!   for each call f(t) in F, and in what is added:
//!     add  f(t) = body[t]                             t made by a constructor: always; else twice in a row at most
//!   F is unsatisfiable with f as any function?        a yes holds; anything else is no answer
//! ```
//!
//! Hypotheses `∀u. φ` are used at terms of the clause and at the variables of what is to be shown.

use foretell_kernel::{Answer, Cx, Halt, SolverConfig, Work};
use foretell_systems::{ChcSystem, Clause, Pred};
use foretell_terms::{Op, Sort, Substitution, Term, TermMap, TermSet, TermStore};
use indexmap::IndexMap;

/// A formula `∀ vars. body` over the parameters of a predicate.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Lemma {
    pub(super) vars: Vec<Term>,
    pub(super) body: Term,
    /// A truth value that stands for a candidate in questions; what is certain has none.
    pub(super) label: Option<Term>,
}

impl Lemma {
    /// A candidate.
    pub(super) fn candidate(vars: Vec<Term>, body: Term, terms: &TermStore) -> Lemma {
        let label = Some(terms.fresh("lemma", Sort::BOOL));
        Lemma { vars, body, label }
    }

    /// Something certain.
    pub(super) fn certain(body: Term) -> Lemma {
        Lemma {
            vars: Vec::new(),
            body,
            label: None,
        }
    }
}

/// What is believed of each predicate.
pub(super) type Beliefs = IndexMap<Pred, Vec<Lemma>>;

/// How often in a row a call is replaced whose argument is not made by a constructor.
const DEPTH: u32 = 2;
/// The most calls that are replaced for one question.
const CALLS: usize = 240;
/// The most instances of one hypothesis.
const INSTANCES: usize = 150;
/// The most terms of one sort at which hypotheses are used.
const TERMS: usize = 12;

/// Asks about clauses.
pub(super) struct Prover<'a> {
    pub(super) system: &'a ChcSystem,
    pub(super) cx: &'a Cx<'a>,
    pub(super) limit: Work,
}

impl Prover<'_> {
    /// Whether a clause keeps a formula of its head, given what is believed of its body; for a query,
    /// whether its body is excluded. If so, the labels of the candidates that are needed.
    pub(super) fn keeps(
        &self,
        clause: &Clause,
        lemma: Option<&Lemma>,
        beliefs: &Beliefs,
    ) -> Result<Option<Vec<Term>>, Halt> {
        let terms = self.cx.terms;
        let mut formulas = terms.conjuncts(clause.constraint);
        let mut pool: Vec<Term> = Vec::new();
        if let (Some(lemma), Some(head)) = (lemma, &clause.head) {
            let mut map = self.at(head.pred, &head.args);
            for &var in &lemma.vars {
                let skolem = terms.fresh(terms.var_name(var), terms.sort(var));
                map.insert(var, skolem);
                pool.push(skolem);
            }
            formulas.push(terms.not(map.apply(terms, lemma.body)));
        }
        let atoms = clause.body.iter().chain(&clause.head);
        let roots: Vec<Term> = atoms.flat_map(|a| a.args.iter().copied()).collect();
        pool.extend(terms.subterms(&roots));
        let mut labels: Vec<Term> = Vec::new();
        for atom in &clause.body {
            for belief in beliefs.get(&atom.pred).into_iter().flatten() {
                let mut map = self.at(atom.pred, &atom.args);
                let body = map.apply(terms, belief.body);
                let instances = self.instances(&belief.vars, body, &pool).into_iter();
                match belief.label {
                    Some(label) => {
                        labels.push(label);
                        formulas.extend(instances.map(|i| terms.implies(label, i)));
                    }
                    None => formulas.extend(instances),
                }
            }
        }
        self.core(formulas, &labels)
    }

    fn at(&self, pred: Pred, args: &[Term]) -> Substitution {
        let params = self.system.pred(pred).params.iter().copied();
        Substitution::from_pairs(params.zip(args.iter().copied()))
    }

    /// A formula at terms of a pool.
    fn instances(&self, vars: &[Term], body: Term, pool: &[Term]) -> Vec<Term> {
        let terms = self.cx.terms;
        let mut choices: Vec<Vec<Term>> = vec![Vec::new()];
        for &var in vars {
            let sort = terms.sort(var);
            let fitting = pool.iter().copied().filter(|&t| terms.sort(t) == sort);
            let fitting: Vec<Term> = fitting.take(TERMS).collect();
            let longer = choices.iter().flat_map(|choice| {
                let with = |&t: &Term| choice.iter().copied().chain([t]).collect();
                fitting.iter().map(with).collect::<Vec<Vec<Term>>>()
            });
            choices = longer.take(INSTANCES).collect();
        }
        let instance = |choice: Vec<Term>| {
            let pairs = vars.iter().copied().zip(choice);
            terms.substitute(body, pairs)
        };
        choices.into_iter().map(instance).collect()
    }

    /// Whether formulas without quantifiers contradict each other and the definitions.
    pub(super) fn refuted(&self, formulas: Vec<Term>) -> Result<bool, Halt> {
        Ok(self.core(formulas, &[])?.is_some())
    }

    /// The same with labels assumed: those that are needed.
    fn core(&self, mut formulas: Vec<Term>, labels: &[Term]) -> Result<Option<Vec<Term>>, Halt> {
        let (cx, terms) = (self.cx, self.cx.terms);
        self.unfold(&mut formulas);
        let config = SolverConfig::new("functions").with_limit(self.limit);
        let mut solver = cx.oracles.solver(&config.quantifier_free().direct());
        for formula in formulas {
            solver.assert(terms, formula)?;
        }
        Ok(match solver.check(labels, cx)? {
            Answer::Unsat(core) => Some(core),
            Answer::Sat(_) | Answer::Unknown(_) => None,
        })
    }

    /// Adds definitions at the calls that occur.
    fn unfold(&self, formulas: &mut Vec<Term>) {
        let terms = self.cx.terms;
        self.solve(formulas);
        let mut generation: TermMap<u32> = TermMap::default();
        let mut work = formulas.clone();
        let mut born = 0;
        let mut opened = TermSet::default();
        let mut next: Vec<(Term, u32)> = Vec::new();
        while opened.len() < CALLS {
            for call in self.calls(&work) {
                if !generation.contains_key(&call) {
                    generation.insert(call, born);
                    next.push((call, born));
                }
            }
            work.clear();
            // Calls that compute come first.
            let computes = |(call, _): &(Term, u32)| self.computes(*call);
            let ready = next.iter().position(computes);
            let ready = ready.or_else(|| next.iter().position(|(_, age)| *age < DEPTH));
            let Some(at) = ready else { break };
            let (call, age) = next.remove(at);
            opened.insert(call);
            born = age + u32::from(!self.computes(call));
            if let Some(value) = self.opened(call) {
                let definition = terms.eq(call, value);
                formulas.push(definition);
                work.push(value);
            }
        }
    }

    /// Puts the values of variables in their place, so that calls can be computed.
    fn solve(&self, formulas: &mut Vec<Term>) {
        let terms = self.cx.terms;
        for _ in 0..64 {
            let mut all: Vec<Term> = Vec::new();
            for &formula in formulas.iter() {
                all.extend(terms.conjuncts(formula));
            }
            *formulas = all;
            let solved = formulas.iter().find_map(|&formula| {
                if *terms.op(formula) != Op::Eq {
                    return None;
                }
                let (a, b) = (terms.args(formula)[0], terms.args(formula)[1]);
                let solves = |x: Term, t: Term| {
                    let open = terms.as_var(x).is_some() && !terms.free_vars(&[t]).contains(&x);
                    open.then_some((x, t))
                };
                solves(a, b).or_else(|| solves(b, a))
            });
            let Some((var, value)) = solved else { return };
            let mut map = Substitution::from_pairs([(var, value)]);
            for formula in formulas.iter_mut() {
                *formula = map.apply(terms, *formula);
            }
        }
    }

    fn calls(&self, roots: &[Term]) -> Vec<Term> {
        let terms = self.cx.terms;
        let all = terms.subterms(roots).into_iter();
        all.filter(|&t| {
            let func = terms.func(t).filter(|_| !terms.args(t).is_empty());
            func.is_some_and(|f| terms.recursive(f).is_some())
        })
        .collect()
    }

    /// Whether the argument that recursion is over is made by a constructor.
    fn computes(&self, call: Term) -> bool {
        let (terms, args) = (self.cx.terms, self.cx.terms.args(call));
        args.first()
            .is_some_and(|&a| matches!(terms.op(a), Op::Construct(_)))
    }

    /// The body of a call's function at its arguments.
    fn opened(&self, call: Term) -> Option<Term> {
        let terms = self.cx.terms;
        let definition = terms.recursive(terms.func(call)?)?;
        let pairs = definition.params.iter().copied();
        Some(terms.substitute(definition.body, pairs.zip(terms.args(call).iter().copied())))
    }
}
