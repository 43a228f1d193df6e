//! Formulas to Horn clauses.
//!
//! An asserted formula is a conjunction of clauses written as people write it: with implications,
//! equivalences, `ite`, negated conjunctions, quantifiers in odd places. A [`Partial`] clause is a
//! disjunction of which some disjuncts are already sorted into body atoms, constraint and head, and
//! the rest waits. One disjunct at a time is opened:
//!
//! ```text
//! disjunct            asserted                          denied (it belongs to the body)
//! no predicate in it  ¬t joins the constraint           t joins the constraint
//! P(t)                the head; two heads: not Horn     a body atom
//! ¬f                  f denied                          f asserted
//! f ∨ g               both wait                         one clause each
//! f ∧ g               one clause each                   both wait
//! ite(c, f, g)        clauses ¬c ∨ f and c ∨ g          clauses for c ∧ f and ¬c ∧ g
//! f = g               clauses ¬f ∨ g and f ∨ ¬g         clauses for f ∧ g and ¬f ∧ ¬g
//! ∀x. f               x joins the clause's variables    refused: a universal premise
//! ∃x. f               refused, unless x = t is in f     x joins the clause's variables
//! ```
//!
//! Parts without a predicate stay together in the constraint, so only connectives over predicates
//! multiply clauses. A formula that would become too many gets a predicate of its own for each
//! choice in a body (`cases.rs`). Afterwards the existential quantifiers of the constraint
//! become variables of the clause (`formulas/src/prenex.rs`), and variables that another clause uses are renamed
//! (`apart.rs`): free constants of the input are thereby read as universally quantified in each
//! clause.

mod apart;
mod cases;
mod goals;

use std::cell::OnceCell;

use foretell_smtlib::{Code, Diagnostic, Outcome, Span, excerpt};
use foretell_systems::{Atom, ChcSystem, Clause, Pred, PredDecl};
use foretell_terms::{Func, FuncMap, Op, Sort, Term, TermMap, TermSet, TermStore};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::clauses::cases::{Cases, Choices};
use crate::properties::Goal;
use foretell_formulas::prenex::{Binders, Opening, Sign, pull_existentials};

/// The parts of clauses that one formula may be copied to.
const COPY_LIMIT: usize = 2_000_000;

/// Where a formula comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    pub(crate) span: Span,
    pub(crate) line: u32,
}

/// Collects the clauses of a file.
pub(crate) struct Clauses<'s> {
    terms: &'s TermStore,
    pub(crate) system: ChcSystem,
    preds: FuncMap<Pred>,
    /// Variables that belong to a finished clause.
    owned: TermSet,
    /// Constants of the whole input, which every clause replaces by variables of its own, and
    /// whether one did.
    constants: TermMap<Used>,
    /// How many formulas contain a goal, be it one that can never be reached.
    pub(crate) n_goals: usize,
    /// The commands that are goals.
    pub(crate) goals: Vec<Goal>,
    /// How many commands there were.
    n_commands: u32,
    /// What is read.
    text: &'s str,
    /// What the names of predicates for choices start with, once it is needed: no symbol of the text does.
    stem: OnceCell<String>,
    /// Whether functions that are no predicates, or sorts, are declared.
    pub(crate) declares_more: bool,
}

/// Whether a constant occurs in a clause.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Used {
    Yes,
    No,
}

/// A disjunction on its way to a clause.
#[derive(Clone, Default)]
struct Partial {
    body: Vec<Atom>,
    constraint: Vec<Term>,
    head: Option<Atom>,
    waiting: Vec<(Term, Sign)>,
    /// Disjuncts with a predicate that were opened: the same one a second time adds nothing.
    opened: IndexSet<(Term, Sign), FxBuildHasher>,
}

impl Partial {
    fn size(&self) -> usize {
        self.body.len() + self.constraint.len() + self.waiting.len() + self.opened.len() + 1
    }
}

/// Which subterms of one formula mention a predicate.
struct Mentions(TermMap<()>);

/// What is known while one formula is taken apart.
struct Scope<'s> {
    origin: Origin,
    mentions: Mentions,
    binders: Binders<'s>,
    cases: Cases,
}

/// How a clause ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Finished {
    /// It was added, or is a tautology.
    Clause,
    /// A variable would be free and bound at once: the formula must be taken apart again with
    /// fresh variables.
    Conflict,
    /// There would be too many clauses.
    TooMany,
}

impl<'s> Clauses<'s> {
    /// No clauses of a text.
    pub(crate) fn new(text: &'s str, terms: &'s TermStore) -> Clauses<'s> {
        Clauses {
            terms,
            text,
            stem: OnceCell::new(),
            declares_more: false,
            system: ChcSystem::default(),
            preds: FuncMap::default(),
            owned: TermSet::default(),
            constants: TermMap::default(),
            n_goals: 0,
            goals: Vec::new(),
            n_commands: 0,
        }
    }

    /// Makes a declared function with result Bool a predicate.
    pub(crate) fn add_pred(&mut self, func: Func) {
        let decl = self.terms.decl(func);
        let param =
            |(i, &sort): (usize, &Sort)| self.terms.new_var(&format!("{}!{i}", decl.name), sort);
        let params = decl.args.iter().enumerate().map(param).collect();
        let index =
            u32::try_from(self.system.preds.len()).expect("invariant: fewer than 2^32 predicates");
        self.system.preds.push(PredDecl { func, params });
        self.preds.insert(func, Pred(index));
    }

    /// Makes a declared constant one that clauses quantify.
    pub(crate) fn add_constant(&mut self, func: Func) {
        self.constants.insert(self.terms.app(func, &[]), Used::No);
    }

    /// Whether a constant occurs in a clause.
    pub(crate) fn is_used(&self, constant: Term) -> bool {
        self.constants.get(&constant) == Some(&Used::Yes)
    }

    fn assert_opening(
        &mut self,
        formula: Term,
        origin: Origin,
        (choices, opening): (Choices, Opening),
    ) -> Outcome<Finished> {
        let mut scope = Scope {
            origin,
            mentions: Mentions(TermMap::default()),
            binders: Binders::new(self.terms, opening),
            cases: Cases::new(choices),
        };
        self.extend_mentions(&mut scope.mentions, formula);
        let waiting = vec![(formula, Sign::Positive)];
        let mut partials = vec![Partial {
            waiting,
            ..Partial::default()
        }];
        let (mut copied, first) = (0, self.system.clauses.len());
        while let Some(mut partial) = partials.pop() {
            let Some((term, sign)) = partial.waiting.pop() else {
                if self.finish(partial, &mut scope) == Finished::Conflict {
                    return Ok(Finished::Conflict);
                }
                if self.system.clauses.len() - first > scope.cases.most_clauses() {
                    return Ok(Finished::TooMany);
                }
                continue;
            };
            if !scope.mentions.0.contains_key(&term) {
                let part = if sign == Sign::Positive {
                    self.terms.not(term)
                } else {
                    term
                };
                partial.constraint.push(part);
                partials.push(partial);
                continue;
            }
            if !partial.opened.insert((term, sign)) {
                partials.push(partial);
                continue;
            }
            let mut split = self.open(&mut partial, (term, sign), &mut scope)?;
            if scope.cases.are_named() && sign == Sign::Negative && split.len() > 1 {
                partials.extend(self.name_choice(&mut partial, term, split, &mut scope));
                split = Vec::new();
            }
            if split.is_empty() {
                partials.push(partial);
                continue;
            }
            copied += partial.size() * (split.len() - 1);
            if copied > COPY_LIMIT {
                return Ok(Finished::TooMany);
            }
            partials.extend(split.into_iter().rev().map(|waiting| {
                let mut copy = partial.clone();
                copy.waiting.extend(waiting.into_iter().rev());
                copy
            }));
        }
        Ok(Finished::Clause)
    }

    fn extend_mentions(&self, found: &mut Mentions, formula: Term) {
        for term in self.terms.subterms(&[formula]) {
            let is_pred = self
                .terms
                .func(term)
                .is_some_and(|f| self.preds.contains_key(&f));
            if is_pred
                || self
                    .terms
                    .args(term)
                    .iter()
                    .any(|a| found.0.contains_key(a))
            {
                found.0.insert(term, ());
            }
        }
    }

    /// Opens one disjunct that mentions a predicate. The result says what waits in each copy of the
    /// clause; empty when there is one copy only, which was changed in place.
    fn open(
        &self,
        partial: &mut Partial,
        (term, sign): (Term, Sign),
        scope: &mut Scope<'s>,
    ) -> Outcome<Vec<Vec<(Term, Sign)>>> {
        let args = self.terms.args(term);
        let both = |a: (Term, Sign), b: (Term, Sign)| vec![a, b];
        match (self.terms.op(term), sign) {
            (Op::App(func), _) => {
                self.atom(partial, *func, (term, sign), scope)?;
                Ok(Vec::new())
            }
            (Op::Not, _) => {
                partial.waiting.push((args[0], sign.flip()));
                Ok(Vec::new())
            }
            (Op::Or, Sign::Positive) | (Op::And, Sign::Negative) => {
                partial
                    .waiting
                    .extend(args.iter().rev().map(|&a| (a, sign)));
                Ok(Vec::new())
            }
            (Op::And, Sign::Positive) | (Op::Or, Sign::Negative) => {
                Ok(self.alternatives(term, sign, &scope.mentions))
            }
            (Op::Ite, _) if self.terms.sort(term) == Sort::BOOL => Ok(vec![
                both((args[0], Sign::Negative), (args[1], sign)),
                both((args[0], Sign::Positive), (args[2], sign)),
            ]),
            (Op::Eq, Sign::Positive) if self.terms.sort(args[0]) == Sort::BOOL => Ok(vec![
                both((args[0], Sign::Negative), (args[1], Sign::Positive)),
                both((args[1], Sign::Negative), (args[0], Sign::Positive)),
            ]),
            (Op::Eq, Sign::Negative) if self.terms.sort(args[0]) == Sort::BOOL => Ok(vec![
                both((args[0], Sign::Negative), (args[1], Sign::Negative)),
                both((args[0], Sign::Positive), (args[1], Sign::Positive)),
            ]),
            (Op::Forall | Op::Exists, _) => {
                let body = self.open_quantifier(term, sign, scope)?;
                partial.waiting.push((body, sign));
                Ok(Vec::new())
            }
            _ => {
                let feature = format!("the predicate {} inside a term", self.some_pred(term));
                Err(Diagnostic::unsupported(scope.origin.span, feature))
            }
        }
    }

    /// The body of a quantifier over predicates: its variables join those of the clause.
    fn open_quantifier(&self, term: Term, sign: Sign, scope: &mut Scope<'s>) -> Outcome<Term> {
        let body = match (self.terms.op(term), sign) {
            (Op::Exists, Sign::Positive) => self.eliminate(term, scope.origin)?,
            (Op::Forall, Sign::Negative) => {
                let name = self.some_pred(term);
                let feature =
                    format!("a universal quantifier over the predicate {name} in a clause body");
                return Err(Diagnostic::unsupported(scope.origin.span, feature));
            }
            _ => scope.binders.open(term),
        };
        if !scope.mentions.0.contains_key(&body) {
            self.extend_mentions(&mut scope.mentions, body);
        }
        Ok(body)
    }

    /// One alternative per argument with a predicate, and one for all the others together.
    fn alternatives(&self, term: Term, sign: Sign, mentions: &Mentions) -> Vec<Vec<(Term, Sign)>> {
        let (with, without): (Vec<Term>, Vec<Term>) = self
            .terms
            .args(term)
            .iter()
            .partition(|a| mentions.0.contains_key(*a));
        let mut split: Vec<Vec<(Term, Sign)>> = with.into_iter().map(|a| vec![(a, sign)]).collect();
        if !without.is_empty() {
            let rest = if *self.terms.op(term) == Op::And {
                self.terms.and(without)
            } else {
                self.terms.or(without)
            };
            split.push(vec![(rest, sign)]);
        }
        split
    }

    fn atom(
        &self,
        partial: &mut Partial,
        func: Func,
        (term, sign): (Term, Sign),
        scope: &Scope<'s>,
    ) -> Outcome<()> {
        let origin = scope.origin;
        let args = self.terms.args(term).to_vec();
        let inside = args.iter().find(|a| scope.mentions.0.contains_key(*a));
        let (Some(&pred), None) = (self.preds.get(&func), inside) else {
            let name = inside.map_or_else(|| self.some_pred(term), |&a| self.some_pred(a));
            let message = format!("the predicate {name} inside an argument");
            return Err(Diagnostic::unsupported(origin.span, message));
        };
        let atom = Atom { pred, args };
        if sign == Sign::Negative {
            if !partial.body.contains(&atom) {
                partial.body.push(atom);
            }
            return Ok(());
        }
        match &partial.head {
            Some(head) if *head != atom => {
                let name = |p: Pred| excerpt(self.system.name(self.terms, p));
                let message = format!(
                    "not a Horn clause: both `{}` and `{}` occur positively",
                    name(head.pred),
                    name(pred)
                );
                Err(Diagnostic::error(Code::NotHorn, origin.span, message))
            }
            _ => {
                partial.head = Some(atom);
                Ok(())
            }
        }
    }

    /// The body of an existential head, if its variables are determined by equations of the body.
    fn eliminate(&self, binder: Term, origin: Origin) -> Outcome<Term> {
        let args = self.terms.args(binder);
        let (&body, vars) = args.split_last().expect("invariant: a binder has a body");
        let mut body = body;
        for &var in vars {
            let definition = self
                .terms
                .conjuncts(body)
                .into_iter()
                .find_map(|c| self.defines(c, var));
            if let Some(value) = definition {
                body = self.terms.substitute(body, [(var, value)]);
            } else if self.terms.free_vars(&[body]).contains(&var) {
                let feature = format!(
                    "an existential quantifier over the predicate {} in a head",
                    self.some_pred(binder)
                );
                return Err(Diagnostic::unsupported(origin.span, feature));
            }
        }
        Ok(body)
    }

    /// The term a conjunct equates the variable with.
    fn defines(&self, conjunct: Term, var: Term) -> Option<Term> {
        let args = self.terms.args(conjunct);
        if *self.terms.op(conjunct) != Op::Eq || !args.contains(&var) {
            return None;
        }
        let value = if args[0] == var { args[1] } else { args[0] };
        (!self.terms.free_vars(&[value]).contains(&var)).then_some(value)
    }

    fn some_pred(&self, term: Term) -> String {
        let inside = self
            .terms
            .subterms(&[term])
            .into_iter()
            .filter_map(|t| self.terms.func(t));
        let name = inside
            .filter(|f| self.preds.contains_key(f))
            .map(|f| self.terms.name(f))
            .next();
        format!("`{}`", excerpt(name.unwrap_or("?")))
    }

    fn finish(&mut self, partial: Partial, scope: &mut Scope<'s>) -> Finished {
        let constraint = pull_existentials(&mut scope.binders, self.terms.and(partial.constraint));
        let constraint = self.flatten(constraint);
        if partial.head.is_none() {
            self.n_goals += 1;
        }
        if self.terms.is_false(constraint)
            || partial
                .head
                .as_ref()
                .is_some_and(|h| partial.body.contains(h))
        {
            return Finished::Clause;
        }
        let line = scope.origin.line;
        let clause = Clause {
            vars: Vec::new(),
            body: partial.body,
            constraint,
            head: partial.head,
            line,
        };
        let mut roots = vec![clause.constraint];
        roots.extend(
            clause
                .body
                .iter()
                .chain(&clause.head)
                .flat_map(|a| a.args.iter().copied()),
        );
        let subterms = self.terms.subterms(&roots);
        if scope.binders.conflict(&subterms) {
            return Finished::Conflict;
        }
        let clause = self.rename_apart(clause, &subterms);
        self.owned.extend(clause.vars.iter().copied());
        self.system.clauses.push(clause);
        Finished::Clause
    }

    /// The constraint as one conjunction: negated disjunctions are opened, nested conjunctions
    /// merged.
    fn flatten(&self, constraint: Term) -> Term {
        let mut seen: IndexSet<(Term, Sign), FxBuildHasher> = IndexSet::default();
        let mut work = vec![(constraint, Sign::Positive)];
        let mut parts = Vec::new();
        while let Some((term, sign)) = work.pop() {
            if !seen.insert((term, sign)) {
                continue;
            }
            let args = self.terms.args(term);
            match (self.terms.op(term), sign) {
                (Op::Not, _) => work.push((args[0], sign.flip())),
                (Op::And, Sign::Positive) | (Op::Or, Sign::Negative) => {
                    work.extend(args.iter().rev().map(|&a| (a, sign)));
                }
                (_, Sign::Positive) => parts.push(term),
                (_, Sign::Negative) => parts.push(self.terms.not(term)),
            }
        }
        self.terms.and(parts)
    }
}
