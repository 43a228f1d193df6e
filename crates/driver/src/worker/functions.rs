//! A meaning for declared functions that axioms speak of.
//!
//! ```text
//! axioms(S) = clauses without a predicate that mention a declared function
//! choose(S)
//!   f = v  ← a model of ∀x. axiom, for all axioms together: tables of values         // a solver
//!   S[f := table], and the definitions of f for the model of the answer
//! ```
//!
//! `check-sat` asks for some meaning of the functions, so a proof about one that was chosen is an
//! answer, with that choice in its model, and is checked with it on the text: nothing here is
//! believed. A derivation about one choice says nothing of others and is no answer. Without axioms
//! functions stay free, and a proof holds for every meaning of them; so they do where rules are queried,
//! which asks what can be reached whatever the functions are. Limits: tables only; one choice;
//! hints are not read where a choice was made.

use foretell_certify::CheckReport;
use foretell_frontends::{Format, FreeSymbols};
use foretell_kernel::{Answer, Cx, Halt, SolverConfig, Work};
use foretell_systems::{Atom, ChcSystem, Clause};
use foretell_terms::eval::FuncValue;
use foretell_terms::print::quote;
use foretell_terms::{Func, Substitution, Term, TermStore};

use crate::protocol::Outcome;

/// What the search for a meaning may take.
const WORK: Work = Work::of_millis(2000);

/// Clauses whose functions have a meaning.
pub(crate) struct Chosen {
    pub(crate) system: ChcSystem,
    /// The meaning as definitions in the words of the text.
    pub(crate) definitions: String,
}

/// A function and what it is.
struct Meaning {
    func: Func,
    params: Vec<Term>,
    body: Term,
}

/// The clauses with a meaning of the functions that their axioms speak of; `None` when there are no
/// axioms, no meaning was found, or none may be chosen.
///
/// # Errors
/// When time is over.
pub(crate) fn choose(
    format: Format,
    system: &ChcSystem,
    cx: &Cx<'_>,
) -> Result<Option<Chosen>, Halt> {
    if format != Format::Horn {
        return Ok(None);
    }
    let axioms = system.clauses.iter().filter(|c| c.is_axiom(cx.terms));
    let axioms: Vec<Clause> = axioms.map(|c| c.renamed(cx.terms)).collect();
    if axioms.is_empty() {
        return Ok(None);
    }
    let meanings = cx.within(WORK, |cx| meanings(&axioms, cx))?.flatten();
    Ok(meanings.map(|meanings| {
        let definition = |m: &Meaning| m.definition(cx.terms);
        Chosen {
            definitions: meanings.iter().map(definition).collect(),
            system: with_meanings(system, &meanings, cx.terms),
        }
    }))
}

fn meanings(axioms: &[Clause], cx: &Cx<'_>) -> Result<Option<Vec<Meaning>>, Halt> {
    let terms = cx.terms;
    let constraints: Vec<Term> = axioms.iter().map(|c| c.constraint).collect();
    let funcs = terms.functions(&constraints);
    let mut solver = cx.oracles.solver(&SolverConfig::new("axioms"));
    for axiom in axioms {
        let holds = terms.not(axiom.constraint);
        solver.assert(terms, terms.forall(&axiom.vars, holds))?;
    }
    let Answer::Sat(model) = solver.check(&[], cx)? else {
        return Ok(None);
    };
    // An application at fresh arguments makes the model speak of the function.
    let apply = |&func: &Func| {
        let sorts = terms.decl(func).args.clone();
        let params: Vec<Term> = sorts.iter().map(|&s| terms.fresh("x", s)).collect();
        let applied = terms.app(func, &params);
        (func, params, applied)
    };
    let applied: Vec<(Func, Vec<Term>, Term)> = funcs.iter().map(apply).collect();
    let roots: Vec<Term> = applied.iter().map(|(_, _, term)| *term).collect();
    let Some(values) = model.assignment(terms, &roots) else {
        return Ok(None);
    };
    let meaning = |(func, params, _): (Func, Vec<Term>, Term)| {
        let body = table(values.functions.get(&func)?, func, &params, terms)?;
        Some(Meaning { func, params, body })
    };
    Ok(applied.into_iter().map(meaning).collect())
}

/// A table as a term over its arguments; `None` when a value has no name.
fn table(table: &FuncValue, func: Func, params: &[Term], terms: &TermStore) -> Option<Term> {
    let decl = terms.decl(func);
    let mut body = terms.value_term(table.default.as_ref()?, decl.sort)?;
    for (args, value) in &table.entries {
        let mut equal = Vec::new();
        for ((arg, &param), &sort) in args.iter().zip(params).zip(&decl.args) {
            equal.push(terms.eq(param, terms.value_term(arg, sort)?));
        }
        let value = terms.value_term(value, decl.sort)?;
        body = terms.ite(terms.and(equal), value, body);
    }
    Some(body)
}

impl Meaning {
    fn definition(&self, terms: &TermStore) -> String {
        let sort = |t: Term| terms.print_sort(terms.sort(t));
        let param = |&p: &Term| format!("({} {})", quote(terms.var_name(p)), sort(p));
        let params: Vec<String> = self.params.iter().map(param).collect();
        let (name, body) = (quote(terms.name(self.func)), terms.print(self.body));
        format!(
            "(define-fun {name} ({}) {} {body})\n",
            params.join(" "),
            sort(self.body)
        )
    }
}

/// The clauses with every application replaced by what it means.
fn with_meanings(system: &ChcSystem, meanings: &[Meaning], terms: &TermStore) -> ChcSystem {
    let mut map = Substitution::new();
    // Terms come after their parts, so arguments have been replaced before.
    for term in terms.subterms(&system.formulas()) {
        let func = terms.func(term);
        let meaning = meanings.iter().find(|m| func == Some(m.func));
        if let Some(meaning) = meaning {
            let args: Vec<Term> = terms.args(term).to_vec();
            let args = args.into_iter().map(|a| map.apply(terms, a));
            let pairs: Vec<(Term, Term)> = meaning.params.iter().copied().zip(args).collect();
            map.insert(term, terms.substitute(meaning.body, pairs));
        }
    }
    let mut replaced = system.clone();
    for clause in &mut replaced.clauses {
        let change = |atom: &mut Atom| *atom = atom.mapped(&mut map, terms);
        clause
            .body
            .iter_mut()
            .chain(&mut clause.head)
            .for_each(change);
        clause.constraint = map.apply(terms, clause.constraint);
        let mut roots = vec![clause.constraint];
        let atoms = clause.body.iter().chain(&clause.head);
        roots.extend(atoms.flat_map(|a| a.args.iter().copied()));
        let free = terms.free_vars(&roots);
        clause.vars.retain(|v| free.contains(v));
    }
    replaced
}

/// A proof holds for every meaning of the symbols that clauses leave open; a derivation does not, so
/// with such symbols it is no answer.
pub(super) fn respecting(
    free: FreeSymbols,
    answer: (Outcome, Vec<CheckReport>),
) -> (Outcome, Vec<CheckReport>) {
    match (free, answer) {
        (
            FreeSymbols::Constants | FreeSymbols::FunctionsOrSorts,
            (Outcome::Unsafe { .. }, checks),
        ) => left_open(checks),
        (_, answer) => answer,
    }
}

/// What is said where only some meaning of free symbols was refuted.
pub(super) fn left_open(checks: Vec<CheckReport>) -> (Outcome, Vec<CheckReport>) {
    let (reason, rejected) = (FREE_SYMBOLS.to_owned(), None);
    (Outcome::Unknown { reason, rejected }, checks)
}

/// Why a derivation from clauses with free symbols is no answer.
pub(crate) const FREE_SYMBOLS: &str = "free symbols: false is derivable for some meaning of the \
    declared constants, functions or sorts";
