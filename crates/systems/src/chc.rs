//! Constrained Horn clauses.
//!
//! A system is a set of clauses `p1(t1) ∧ … ∧ pn(tn) ∧ φ ⇒ h` over predicates `pi` unknown to the
//! background theory, where `h` is a predicate atom or `false`. It is **safe** when some
//! interpretation of the predicates makes every clause valid, and **unsafe** when `false` can be
//! derived. Clauses may be non-linear (several body atoms).

use foretell_kernel::Problem;
use foretell_terms::eval::Assignment;
use foretell_terms::{Func, Sort, Substitution, Term, TermStore};

/// A predicate of a system: an index into [`ChcSystem::preds`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Pred(pub u32);

impl Pred {
    /// The position in the list of predicates.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A clause of a system: an index into [`ChcSystem::clauses`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ClauseId(pub u32);

impl ClauseId {
    /// The position in the list of clauses.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A predicate and its formal parameters.
#[derive(Clone, Debug)]
pub struct PredDecl {
    /// The declaration; its name is the user's.
    pub func: Func,
    /// One variable per argument, made for this predicate; interpretations are formulas over them.
    pub params: Vec<Term>,
}

/// A predicate applied to terms.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Atom {
    /// The predicate.
    pub pred: Pred,
    /// Its arguments.
    pub args: Vec<Term>,
}

impl Atom {
    /// The atom with a substitution applied to its arguments.
    pub fn mapped(&self, map: &mut Substitution, terms: &TermStore) -> Atom {
        Atom {
            pred: self.pred,
            args: self.args.iter().map(|&t| map.apply(terms, t)).collect(),
        }
    }
}

/// `body ∧ constraint ⇒ head`, closed under ∀ over `vars`.
///
/// Invariants: `vars` are exactly the free variables of the clause, and no other clause of the
/// system uses any of them; `constraint` mentions no predicate of the system.
#[derive(Clone, Debug)]
pub struct Clause {
    /// The universally quantified variables.
    pub vars: Vec<Term>,
    /// The body atoms.
    pub body: Vec<Atom>,
    /// The rest of the body.
    pub constraint: Term,
    /// The head; `None` is `false`: the clause is a query.
    pub head: Option<Atom>,
    /// The line of the input the clause comes from, 0 when it comes from none.
    pub line: u32,
}

impl Clause {
    /// Whether the clause derives `false`.
    pub fn is_query(&self) -> bool {
        self.head.is_none()
    }

    /// Whether the clause has no body atom.
    pub fn is_fact(&self) -> bool {
        self.body.is_empty()
    }

    /// Whether the clause restricts declared functions alone.
    pub fn is_axiom(&self, terms: &TermStore) -> bool {
        let mentions = || !terms.functions(&[self.constraint]).is_empty();
        self.body.is_empty() && self.head.is_none() && mentions()
    }

    /// The clause with every variable replaced by a fresh one.
    pub fn renamed(&self, terms: &TermStore) -> Clause {
        let fresh: Vec<Term> = self
            .vars
            .iter()
            .map(|&v| terms.fresh(terms.var_name(v), terms.sort(v)))
            .collect();
        let mut map =
            Substitution::from_pairs(self.vars.iter().copied().zip(fresh.iter().copied()));
        self.mapped(fresh, &mut map, terms)
    }

    /// The clause with a substitution applied, and with these variables.
    pub fn mapped(&self, vars: Vec<Term>, map: &mut Substitution, terms: &TermStore) -> Clause {
        let body = self.body.iter().map(|a| a.mapped(map, terms)).collect();
        let head = self.head.as_ref().map(|a| a.mapped(map, terms));
        Clause {
            vars,
            body,
            constraint: map.apply(terms, self.constraint),
            head,
            line: self.line,
        }
    }
}

/// A system of Horn clauses.
#[derive(Clone, Debug, Default)]
pub struct ChcSystem {
    /// The predicates.
    pub preds: Vec<PredDecl>,
    /// The clauses.
    pub clauses: Vec<Clause>,
}

impl ChcSystem {
    /// The declaration of a predicate.
    pub fn pred(&self, pred: Pred) -> &PredDecl {
        &self.preds[pred.index()]
    }

    /// A clause.
    pub fn clause(&self, id: ClauseId) -> &Clause {
        &self.clauses[id.index()]
    }

    /// The arguments and constraints of all clauses.
    pub fn formulas(&self) -> Vec<Term> {
        let atoms = |c: &Clause| -> Vec<Term> {
            let atoms = c.body.iter().chain(&c.head);
            atoms.flat_map(|a| a.args.iter().copied()).collect()
        };
        let of_clause = |c: &Clause| atoms(c).into_iter().chain([c.constraint]);
        self.clauses.iter().flat_map(of_clause).collect()
    }

    /// Adds a predicate of this name and these argument sorts.
    pub fn add_pred(&mut self, terms: &TermStore, name: &str, sorts: &[Sort]) -> Pred {
        let func = terms.declare(name, sorts, Sort::BOOL);
        let params = sorts
            .iter()
            .enumerate()
            .map(|(i, &sort)| terms.new_var(&format!("{name}!{i}"), sort))
            .collect();
        self.preds.push(PredDecl { func, params });
        Pred(u32::try_from(self.preds.len() - 1).expect("invariant: fewer than 2^32 predicates"))
    }

    /// All clause identifiers in order.
    pub fn clause_ids(&self) -> impl Iterator<Item = ClauseId> + use<> {
        let n = u32::try_from(self.clauses.len()).expect("invariant: fewer than 2^32 clauses");
        (0..n).map(ClauseId)
    }

    /// All predicates in order.
    pub fn pred_ids(&self) -> impl Iterator<Item = Pred> + use<> {
        let n = u32::try_from(self.preds.len()).expect("invariant: fewer than 2^32 predicates");
        (0..n).map(Pred)
    }

    /// Whether every clause has at most one body atom.
    pub fn is_linear(&self) -> bool {
        self.clauses.iter().all(|c| c.body.len() <= 1)
    }

    /// The name of a predicate.
    pub fn name<'t>(&self, terms: &'t TermStore, pred: Pred) -> &'t str {
        terms.name(self.pred(pred).func)
    }

    /// Checks the invariants of the data; the words say which one is broken.
    pub fn validate(&self, terms: &TermStore) -> Result<(), String> {
        let mut owner: foretell_terms::TermMap<usize> = foretell_terms::TermMap::default();
        for (i, clause) in self.clauses.iter().enumerate() {
            let mut roots = vec![clause.constraint];
            for atom in clause.body.iter().chain(&clause.head) {
                let params = &self.pred(atom.pred).params;
                let sorts_match = atom.args.len() == params.len()
                    && atom
                        .args
                        .iter()
                        .zip(params)
                        .all(|(&a, &p)| terms.sort(a) == terms.sort(p));
                if !sorts_match {
                    return Err(format!(
                        "clause {i}: arguments of {}",
                        self.name(terms, atom.pred)
                    ));
                }
                roots.extend(&atom.args);
            }
            for var in terms.free_vars(&roots) {
                if !clause.vars.contains(&var) {
                    return Err(format!(
                        "clause {i}: {} is free but not listed",
                        terms.var_name(var)
                    ));
                }
                if *owner.entry(var).or_insert(i) != i {
                    return Err(format!(
                        "clause {i}: {} is shared with another clause",
                        terms.var_name(var)
                    ));
                }
            }
        }
        Ok(())
    }
}

/// A solution: one formula per predicate over its formal parameters, possibly quantified, and,
/// where history or prophecy variables were used, the quantifier-free witness behind it.
///
/// Contract: for every clause, `⋀ F_pi[ti] ∧ φ ⇒ F_h[t]` is valid.
#[derive(Clone, Debug)]
pub struct ChcProof {
    /// The formula of each predicate, in the order of the predicates.
    pub formulas: Vec<Term>,
    /// The witness with auxiliary variables, if any.
    pub witness: Option<ChcWitness>,
}

/// A quantifier-free witness over auxiliary variables (see [`crate::auxiliary`] for the obligations).
#[derive(Clone, Debug)]
pub struct ChcWitness {
    /// The auxiliary variables in order of introduction. Updates and targets are per clause.
    pub auxiliaries: Vec<ChcAuxiliary>,
    /// One quantifier-free formula per predicate over its parameters and the auxiliary variables.
    pub invariants: Vec<Term>,
}

/// An auxiliary variable of a clause system.
#[derive(Clone, Debug)]
pub enum ChcAuxiliary {
    /// A frozen variable; `targets[c]` instantiates it in the query clause `c` (over the clause's
    /// variables and the auxiliaries introduced before it). Other clauses have `None`.
    Prophecy {
        /// The variable.
        var: Term,
        /// The instance for each clause.
        targets: Vec<Option<Term>>,
    },
    /// A variable computed from the past; `updates[c]` is its value after the clause `c` (over the
    /// clause's variables, itself and the auxiliaries introduced before it). Queries have `None`.
    History {
        /// The variable.
        var: Term,
        /// The value after each clause.
        updates: Vec<Option<Term>>,
    },
}

/// A derivation of `false`: steps in order, each using earlier ones; the last uses a query clause.
#[derive(Clone, Debug, Default)]
pub struct Derivation {
    /// The steps.
    pub steps: Vec<DerivationStep>,
    /// Values of declared functions of the background theory, shared by all steps.
    pub functions: Assignment,
}

/// One application of a clause.
#[derive(Clone, Debug)]
pub struct DerivationStep {
    /// The clause.
    pub clause: ClauseId,
    /// Values of the clause's variables.
    pub values: Assignment,
    /// For each body atom, the step that derived it.
    pub premises: Vec<usize>,
}

impl Problem for ChcSystem {
    type Proof = ChcProof;
    type Cex = Derivation;
    /// A formula over the parameters of a predicate.
    type Fact = (Pred, Term);
}
