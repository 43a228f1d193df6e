//! Which obligation of a proof needs which conjunct, by unsat cores. Shown, never trusted.
//!
//! ```text
//! for each obligation  premises ∧ context ⇒ conclusion
//!     (a clause; for a system, a step and the property)
//!   each conjunct of the premises is asserted under a name, then the context and ¬conclusion
//!   unsat: the names in the core are what it needs
//!   anything else: what it needs is not known, and no conjunct is called unneeded
//! ```
//!
//! A conjunct in no core can be left out: no obligation uses it as a premise, and a conclusion without it is
//! weaker. The idea is that of inductive validity cores (Ghassabani, Gacek, Whalen 2016). The conjuncts are
//! those that the page shows, so the question is another one than the one that decided the answer, which
//! stays as it was; it is asked after the answer was printed.
//! Limits: proofs without auxiliary variables and by simple induction; [`MOST_TIME`] for one solver process,
//! [`MOST_CONJUNCTS`] and [`MOST_OBLIGATIONS`]; cores are minimised by the solver, and other minimal ones may exist.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use foretell_driver::commands::script::printed_by_z3;
use foretell_driver::worker::input::{ReadInput, Rung};
use foretell_systems::{Atom, ChcSystem, TransitionSystem};
use foretell_terms::print::{Names, quote};
use foretell_terms::{Func, SortKind, Term, TermStore};

use super::words::Reading;
use crate::model::{Need, Needs, Part, PlaceOf};

/// The time of the solver process, and of one question to it.
const MOST_TIME: Duration = Duration::from_millis(300);
const ONE_QUESTION_MS: u32 = 100;
/// Larger proofs are not asked about.
const MOST_CONJUNCTS: usize = 300;
const MOST_OBLIGATIONS: usize = 300;

/// A proof in terms: for each part its conjuncts.
pub(super) struct Said<'a> {
    pub(super) terms: &'a TermStore,
    pub(super) input: &'a ReadInput<'a>,
    pub(super) parts: &'a [Part],
    pub(super) readings: &'a [Option<Reading>],
}

/// An obligation, with its premises by their places.
struct Obligation {
    what: String,
    line: Option<u32>,
    premises: Vec<(PlaceOf, Term)>,
    context: Vec<Term>,
}

/// What needs which conjuncts; `None` where that cannot be asked.
pub(super) fn needs(said: &Said<'_>, z3: &Path) -> Option<Needs> {
    let n_conjuncts: usize = said.parts.iter().map(|p| p.conjuncts.len()).sum();
    // Of a single conjunct it is known without asking, and to ask takes longer than all the rest.
    let wanted = (2..=MOST_CONJUNCTS).contains(&n_conjuncts);
    if !wanted || said.readings.iter().any(Option::is_none) {
        return None;
    }
    let obligations = match &said.input.problem {
        Rung::Clauses(system, ..) => said.of_clauses(system)?,
        Rung::System(system, _) => said.of_system(system)?,
    };
    if obligations.len() > MOST_OBLIGATIONS {
        return None;
    }
    let script = script(said.terms, &obligations)?;
    let printed = printed_by_z3(z3, &script, MOST_TIME);
    let found = obligations.iter().enumerate().map(|(number, obligation)| {
        let core = core(&printed, number);
        Need {
            what: obligation.what.clone(),
            line: obligation.line,
            known: core.is_some(),
            conjuncts: core.map_or_else(Vec::new, |names| {
                let all = obligation.premises.iter().enumerate();
                let mut places: Vec<PlaceOf> = all
                    .filter(|(n, _)| names.contains(n))
                    .map(|(_, (place, _))| *place)
                    .collect();
                places.sort_unstable();
                places.dedup();
                places
            }),
        }
    });
    Some(Needs {
        by: "z3".to_owned(),
        list: found.collect(),
    })
}

impl Said<'_> {
    /// The conjuncts of a part as they are seen through these terms for its parameters.
    fn seen(&self, part: usize, terms: &[Term]) -> Vec<(PlaceOf, Term)> {
        let Some(reading) = self.readings.get(part).and_then(Option::as_ref) else {
            return Vec::new();
        };
        let pairs: Vec<(Term, Term)> = reading
            .params
            .iter()
            .map(|(_, var)| *var)
            .zip(terms.iter().copied())
            .collect();
        let all = reading.conjuncts.iter().enumerate();
        all.map(|(conjunct, &formula)| {
            let formula = self.terms.substitute(formula, pairs.iter().copied());
            (PlaceOf { part, conjunct }, formula)
        })
        .collect()
    }

    fn negated(&self, seen: Vec<(PlaceOf, Term)>) -> Term {
        let whole = self.terms.and(seen.into_iter().map(|(_, f)| f));
        self.terms.not(whole)
    }

    fn of_clauses(&self, system: &ChcSystem) -> Option<Vec<Obligation>> {
        let atom = |atom: &Atom| {
            let name = self.terms.name(system.pred(atom.pred).func);
            let part = self.parts.iter().position(|p| p.name == name)?;
            let arity = self.readings.get(part)?.as_ref()?.params.len();
            (arity == atom.args.len()).then(|| self.seen(part, &atom.args))
        };
        let mut list = Vec::new();
        for (number, clause) in system.clauses.iter().enumerate() {
            let mut premises = Vec::new();
            for one in &clause.body {
                premises.extend(atom(one)?);
            }
            let mut context = vec![clause.constraint];
            if let Some(head) = &clause.head {
                context.push(self.negated(atom(head)?));
            }
            list.push(Obligation {
                what: format!("clause {number}"),
                line: (clause.line > 0).then_some(clause.line),
                premises,
                context,
            });
        }
        Some(list)
    }

    fn of_system(&self, system: &TransitionSystem) -> Option<Vec<Obligation>> {
        let terms = self.terms;
        let [Some(reading)] = self.readings else {
            return None;
        };
        let here = self.seen(0, &[]);
        let after = reading.conjuncts.iter().map(|&c| system.next(terms, c));
        let after = terms.and(after.collect::<Vec<_>>());
        let obligation = |what: &str, context: Vec<Term>| Obligation {
            what: what.to_owned(),
            line: None,
            premises: here.clone(),
            context,
        };
        let step = vec![system.property, system.trans, terms.not(after)];
        Some(vec![
            obligation("a step", step),
            obligation("the property", vec![terms.not(system.property)]),
        ])
    }
}

/// Symbols by their numbers, whatever they are called.
struct Numbered;

impl Names for Numbered {
    fn name(&self, _store: &TermStore, func: Func) -> String {
        format!("n!{}", func.index())
    }
}

/// The questions; `None` where a text cannot be written.
fn script(terms: &TermStore, obligations: &[Obligation]) -> Option<String> {
    let formulas = |o: &Obligation| {
        let premises = o.premises.iter().map(|(_, f)| *f);
        premises
            .chain(o.context.iter().copied())
            .collect::<Vec<_>>()
    };
    let all: Vec<Term> = obligations.iter().flat_map(formulas).collect();
    if !terms.recursives(&all).is_empty() {
        return None;
    }
    let mut text = format!(
        "(set-option :produce-unsat-cores true)\n(set-option :smt.core.minimize true)\n\
         (set-option :timeout {ONE_QUESTION_MS})\n"
    );
    declare(terms, &all, &mut text);
    for (number, obligation) in obligations.iter().enumerate() {
        text += "(push 1)\n";
        for (n, (_, premise)) in obligation.premises.iter().enumerate() {
            let shown = terms.print_with(*premise, &Numbered);
            let _ = writeln!(text, "(assert (! {shown} :named p!{n}))");
        }
        for formula in &obligation.context {
            let _ = writeln!(text, "(assert {})", terms.print_with(*formula, &Numbered));
        }
        let _ = writeln!(
            text,
            "(echo \"obligation {number}\")\n(check-sat)\n(get-unsat-core)\n(pop 1)"
        );
    }
    Some(text)
}

/// Declares the sorts and symbols of formulas.
fn declare(terms: &TermStore, formulas: &[Term], text: &mut String) {
    let vars = terms.free_vars(formulas);
    let mut symbols: Vec<Func> = vars.iter().filter_map(|&v| terms.as_var(v)).collect();
    symbols.extend(terms.functions(formulas));
    symbols.sort_unstable();
    symbols.dedup();
    let mut sorts: Vec<_> = terms
        .subterms(formulas)
        .iter()
        .map(|&t| terms.sort(t))
        .collect();
    for &func in &symbols {
        sorts.extend(terms.decl(func).args.iter().copied());
    }
    sorts.sort_unstable();
    sorts.dedup();
    for &sort in &sorts {
        if let SortKind::Uninterpreted(name) = terms.kind(sort) {
            let _ = writeln!(text, "(declare-sort {} 0)", quote(name));
        }
    }
    for command in terms.print_data_declarations(&sorts) {
        let _ = writeln!(text, "{command}");
    }
    for func in symbols {
        let decl = terms.decl(func);
        let args: Vec<String> = decl.args.iter().map(|&s| terms.print_sort(s)).collect();
        let _ = writeln!(
            text,
            "(declare-fun {} ({}) {})",
            Numbered.name(terms, func),
            args.join(" "),
            terms.print_sort(decl.sort)
        );
    }
}

/// The numbers of the premises in the core of an obligation; `None` when it was not refuted.
fn core(printed: &str, number: usize) -> Option<Vec<usize>> {
    let mark = format!("obligation {number}");
    let mut lines = printed.lines().map(|l| l.trim().trim_matches('"'));
    lines.find(|line| *line == mark)?;
    if lines.next()? != "unsat" {
        return None;
    }
    let inside = lines.next()?.strip_prefix('(')?.strip_suffix(')')?;
    let names = inside.split_whitespace();
    names.map(|n| n.strip_prefix("p!")?.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::core;

    #[test]
    fn answers_are_read_one_by_one() {
        let printed = "obligation 0\nunsat\n(p!2 p!0)\n\"obligation 1\"\nsat\n(error \"no core\")\n\
                       obligation 2\nunsat\n()\nobligation 3\nunknown\n(error \"\")\nobligation 4\nunsat\n";
        let cores: Vec<Option<Vec<usize>>> = (0..6).map(|n| core(printed, n)).collect();
        let known = [Some(vec![2, 0]), None, Some(vec![]), None, None, None];
        assert_eq!(cores, known);
    }
}
