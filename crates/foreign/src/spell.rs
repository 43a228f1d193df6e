//! Clauses as text for another solver, in names that every solver reads alike.
//!
//! ```text
//! predicate i  ↦  Ri      variable j of a clause  ↦  xj      a query derives  goal
//! ```
//!
//! A part of [`crate::engine`]. Two dialects: HORN asks for a model, rules ask for a refutation.

use foretell_systems::{Atom, ChcSystem, Clause, Pred};
use foretell_terms::{Func, Sort, Substitution, Term, TermStore};

/// The name of what every query derives, in the rules dialect.
const GOAL: &str = "goal";

/// A system in words of its own.
pub(crate) struct Spelling<'a> {
    terms: &'a TermStore,
    system: &'a ChcSystem,
    /// The stand-in of each predicate.
    relations: Vec<Func>,
}

impl<'a> Spelling<'a> {
    /// The words for a system.
    pub(crate) fn new(system: &'a ChcSystem, terms: &'a TermStore) -> Spelling<'a> {
        let relations = system.pred_ids().map(|p| {
            let sorts: Vec<Sort> = system
                .pred(p)
                .params
                .iter()
                .map(|&v| terms.sort(v))
                .collect();
            terms.declare(&name(p), &sorts, Sort::BOOL)
        });
        let relations = relations.collect();
        Spelling {
            terms,
            system,
            relations,
        }
    }

    /// HORN text that asks for an answer and its model.
    pub(crate) fn horn(&self) -> String {
        let mut text = String::from("(set-logic HORN)\n") + &self.datatypes();
        for p in self.system.pred_ids() {
            text += &format!("(declare-fun {} ({}) Bool)\n", name(p), self.sorts(p));
        }
        for clause in &self.system.clauses {
            text += &format!("(assert {})\n", self.clause(clause, self.terms.ff()));
        }
        text + "(check-sat)\n(get-model)\n"
    }

    /// Rules that ask for an answer and its refutation.
    pub(crate) fn rules(&self) -> String {
        let mut text = self.datatypes() + &format!("(declare-rel {GOAL} ())\n");
        for p in self.system.pred_ids() {
            text += &format!("(declare-rel {} ({}))\n", name(p), self.sorts(p));
        }
        let goal = self
            .terms
            .app(self.terms.declare(GOAL, &[], Sort::BOOL), &[]);
        for clause in &self.system.clauses {
            text += &format!("(rule {})\n", self.clause(clause, goal));
        }
        text + &format!("(query {GOAL} :print-certificate true)\n")
    }

    /// The declarations of the datatypes that occur.
    fn datatypes(&self) -> String {
        let terms = self.terms;
        let mut sorts: Vec<Sort> = Vec::new();
        for decl in &self.system.preds {
            sorts.extend(decl.params.iter().map(|&p| terms.sort(p)));
        }
        for clause in &self.system.clauses {
            let atoms = clause.body.iter().chain(&clause.head);
            let roots = atoms.flat_map(|a| a.args.iter().copied());
            let roots: Vec<Term> = roots.chain([clause.constraint]).collect();
            sorts.extend(terms.subterms(&roots).into_iter().map(|t| terms.sort(t)));
        }
        sorts.sort_unstable();
        sorts.dedup();
        let commands = terms.print_data_declarations(&sorts).into_iter();
        commands.map(|command| command + "\n").collect()
    }

    fn sorts(&self, pred: Pred) -> String {
        let params = self.system.pred(pred).params.iter();
        let sorts: Vec<String> = params
            .map(|&v| self.terms.print_sort(self.terms.sort(v)))
            .collect();
        sorts.join(" ")
    }

    /// `∀ x0 … . body ∧ constraint ⇒ head`, where a query has `goal` as its head.
    fn clause(&self, clause: &Clause, goal: Term) -> String {
        let terms = self.terms;
        let fresh: Vec<Term> = clause
            .vars
            .iter()
            .enumerate()
            .map(|(i, &v)| terms.new_var(&format!("x{i}"), terms.sort(v)))
            .collect();
        let pairs = clause.vars.iter().copied().zip(fresh.iter().copied());
        let mut map = Substitution::from_pairs(pairs);
        let mut atom = |a: &Atom| {
            let args: Vec<Term> = a.args.iter().map(|&t| map.apply(terms, t)).collect();
            terms.app(self.relations[a.pred.index()], &args)
        };
        let mut body: Vec<Term> = clause.body.iter().map(&mut atom).collect();
        let head = clause.head.as_ref().map_or(goal, &mut atom);
        body.push(map.apply(terms, clause.constraint));
        let (body, head) = (terms.print(terms.and(body)), terms.print(head));
        let vars: Vec<String> = fresh
            .iter()
            .map(|&v| {
                format!(
                    "({} {})",
                    terms.var_name(v),
                    terms.print_sort(terms.sort(v))
                )
            })
            .collect();
        match vars.is_empty() {
            true => format!("(=> {body} {head})"),
            false => format!("(forall ({}) (=> {body} {head}))", vars.join(" ")),
        }
    }
}

/// Whether the store has a datatype with a name that is used here for something else.
pub(crate) fn is_taken(terms: &TermStore) -> bool {
    let own = |name: &str| {
        let number = name.strip_prefix(['R', 'x']).unwrap_or_default();
        name == GOAL || (!number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
    };
    let mut constructors = terms.data_sorts().into_iter().flat_map(|sort| {
        let all = terms.constructors(sort).map(|c| terms.constructor(c));
        all.collect::<Vec<_>>()
    });
    constructors.any(|c| own(&c.name) || c.fields.iter().any(|f| own(&f.selector)))
}

/// The name of a predicate for the other solver.
fn name(pred: Pred) -> String {
    format!("R{}", pred.0)
}

/// The predicate of a name.
pub(crate) fn pred(name: &str, system: &ChcSystem) -> Option<Pred> {
    let number: u32 = name.strip_prefix('R')?.parse().ok()?;
    ((number as usize) < system.preds.len()).then_some(Pred(number))
}
