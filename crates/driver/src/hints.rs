//! What a user knows beforehand: candidate invariants in the syntax of models.
//!
//! ```text
//! hints   ::= (definition | "(" word? definition* ")" | turns | claim)*
//! definition ::= (define-fun p ((x S) …) Bool φ)       clauses: a formula about the predicate p
//!              | (define-fun name () Bool φ)           VMT: a formula about the state variables
//! turns      ::= (turns (configuration seconds tries?)*)  who was not through in an earlier run
//! claim      ::= (claim property verdict witness)         what is to be checked first (claims.rs)
//! ```
//!
//! A predicate may have several definitions. Each conjunct goes to the workers as if another worker had
//! said it (`worker/exchange.rs`): it is proved before it is used, so that no hint can change a verdict.
//! What cannot be read is a located error; quantified formulas `∀k. φ` are candidates of the engine
//! `candidates`; other quantifiers and functions are counted and left out, because the exchange does not
//! take them.

use std::time::Duration;

use foretell_smtlib::{Code, Diagnostic, Diagnostics, Elaborator, Outcome, Reader, Sexp, decode};
use foretell_systems::Pred;
use foretell_terms::{Sort, Term, TermStore};

use crate::claims::{self, Claimed};
use crate::error::Error;
use crate::protocol::{Ask, Refusal, Shared, SharedItem};
use crate::resume::Unfinished;
use crate::worker::input::{Rung, read_input};
use crate::worker::vocabulary::Vocabulary;

/// So many formulas are sent in one message.
const BATCH: usize = 500;

/// Hints that were read.
#[derive(Default)]
pub struct Hints {
    /// In the words of the workers.
    pub shared: Vec<Shared>,
    /// The turns that were not over in an earlier run.
    pub turns: Vec<Unfinished>,
    /// What is to be checked first.
    pub claims: Vec<Claimed>,
    /// How many formulas are of use.
    pub n_used: usize,
    /// How many are not: they have inner quantifiers or functions, or are too long.
    pub n_left_out: usize,
}

/// Why hints were not read.
pub enum HintError {
    /// The problem they are about was refused.
    Problem(Error),
    /// What is wrong with them, and where.
    Hints(Vec<Diagnostic>),
}

/// Reads hints about a problem.
///
/// # Errors
/// When either of the texts cannot be read.
pub fn read(problem: &[u8], hints: &[u8]) -> Result<Hints, HintError> {
    let (hints, diagnostics) = read_all(problem, hints)?;
    match diagnostics.failed() {
        true => Err(HintError::Hints(diagnostics.into_vec())),
        false => Ok(hints),
    }
}

/// What workers told each other in earlier runs, as far as it is about a problem.
pub struct Told {
    /// In the words of the workers.
    pub shared: Vec<Shared>,
    /// How many lines are no messages.
    pub n_unread: usize,
    /// How many messages are about other problems.
    pub n_others: usize,
}

/// Reads what workers told each other: one message per line, as the protocol has it. Like any hint it is
/// proved before it is used.
///
/// # Errors
/// When the problem is refused.
pub fn told(problem: &[u8], lines: &[u8]) -> Result<Told, Error> {
    let terms = TermStore::new();
    let input = read_input(problem, &Ask::default(), &terms).map_err(Error::Refused)?;
    let words = match &input.problem {
        Rung::Clauses(system, ..) => Vocabulary::of_clauses(system, &terms),
        Rung::System(system, _) => Vocabulary::of_system(system, &terms),
    };
    let mut told = Told {
        shared: Vec::new(),
        n_unread: 0,
        n_others: 0,
    };
    let lines = lines.split(|&b| b == b'\n').map(<[u8]>::trim_ascii);
    for line in lines.filter(|line| !line.is_empty()) {
        match serde_json::from_slice::<Shared>(line) {
            Ok(message) if message.fingerprint == words.fingerprint => told.shared.push(message),
            Ok(_) => told.n_others += 1,
            Err(_) => told.n_unread += 1,
        }
    }
    Ok(told)
}

/// Those among the definitions that fit a problem; none when it cannot be read.
pub(crate) fn fitting(problem: &[u8], hints: &[u8]) -> Vec<Shared> {
    read_all(problem, hints).map_or_else(|_| Vec::new(), |(hints, _)| hints.shared)
}

/// What could be read, and what is wrong with the rest.
fn read_all(problem: &[u8], hints: &[u8]) -> Result<(Hints, Diagnostics), HintError> {
    let terms = TermStore::new();
    let refused = |refusal: Refusal| HintError::Problem(Error::Refused(refusal));
    let input = read_input(problem, &Ask::default(), &terms).map_err(refused)?;
    let text = decode(hints).map_err(|diagnostic| HintError::Hints(vec![*diagnostic]))?;
    let (words, names) = match &input.problem {
        Rung::Clauses(system, ..) => {
            let names = system.preds.iter().map(|p| terms.name(p.func).to_owned());
            (
                Vocabulary::of_clauses(system, &terms),
                Some(names.collect()),
            )
        }
        Rung::System(system, _) => (Vocabulary::of_system(system, &terms), None),
    };
    let mut definitions = Definitions {
        terms: &terms,
        words: &words,
        names,
        found: Vec::new(),
        turns: Vec::new(),
        claims: Vec::new(),
    };
    let (mut reader, mut diagnostics) = (Reader::new(text), Diagnostics::default());
    while let Some(command) = reader.next_command(&mut diagnostics) {
        definitions.top(command.sexp(), text, &mut diagnostics);
    }
    Ok((definitions.hints(), diagnostics))
}

/// The definitions of a text.
struct Definitions<'a> {
    terms: &'a TermStore,
    words: &'a Vocabulary,
    /// The names of the predicates; `None` for a transition system.
    names: Option<Vec<String>>,
    found: Vec<(Pred, Term)>,
    turns: Vec<Unfinished>,
    claims: Vec<Claimed>,
}

impl Definitions<'_> {
    /// A definition, or a list of them with or without a word in front.
    fn top(&mut self, sexp: Sexp<'_>, text: &str, diagnostics: &mut Diagnostics) {
        let first = sexp.items().next();
        if first.is_some_and(|word| word.is_word("define-fun")) {
            diagnostics.absorb(self.definition(sexp));
            return;
        }
        if first.is_some_and(|word| word.is_word("turns")) {
            for item in sexp.items().skip(1) {
                diagnostics.absorb(self.turn(item));
            }
            return;
        }
        if first.is_some_and(|word| word.is_word("claim")) {
            let claim = claims::read(sexp, text);
            diagnostics.absorb(claim.map(|claim| self.claims.push(claim)));
            return;
        }
        let word = usize::from(first.is_some_and(|first| first.symbol().is_some()));
        for item in sexp.items().skip(word) {
            diagnostics.absorb(self.definition(item));
        }
    }

    /// `(configuration seconds tries?)`.
    fn turn(&mut self, sexp: Sexp<'_>) -> Outcome<()> {
        let malformed = || sexp.malformed("`(configuration seconds)` expected");
        let items: Vec<Sexp<'_>> = sexp.items().collect();
        let &[name, seconds, ref tries @ ..] = items.as_slice() else {
            return Err(malformed());
        };
        let tries = match tries {
            [] => 1,
            [tries] => tries.small_number().map(u64::from).ok_or_else(malformed)?,
            _ => return Err(malformed()),
        };
        let had = seconds.number().ok_or_else(malformed)?;
        let had = Duration::try_from_secs_f64(had).map_err(|_| malformed())?;
        let configuration = name.symbol().ok_or_else(malformed)?.to_owned();
        self.turns.push(Unfinished {
            configuration,
            had,
            tries,
        });
        Ok(())
    }

    /// `(define-fun name ((x sort) …) Bool formula)`.
    fn definition(&mut self, sexp: Sexp<'_>) -> Outcome<()> {
        let malformed = || sexp.malformed("`(define-fun name ((x sort) …) Bool formula)` expected");
        let items: Vec<Sexp<'_>> = sexp.items().collect();
        let &[word, name, params, _, body] = items.as_slice() else {
            return Err(malformed());
        };
        if !word.is_word("define-fun") || !params.is_list() {
            return Err(malformed());
        }
        let pred = self.pred(name)?;
        let variables = &self.words.params[pred.index()];
        let names: Option<Vec<&str>> = match self.names {
            Some(_) => params.items().map(|p| p.items().next()?.symbol()).collect(),
            None => Some(Vec::new()),
        };
        let names = names.ok_or_else(malformed)?;
        let expected = if self.names.is_some() {
            variables.len()
        } else {
            0
        };
        if params.items().count() != expected {
            let message = format!("{expected} parameters expected");
            return Err(Diagnostic::error(Code::Arity, params.span(), message));
        }
        let mut elaborator = Elaborator::new(self.terms);
        elaborator.know_datatypes();
        for (i, &variable) in variables.iter().enumerate() {
            let name = names
                .get(i)
                .copied()
                .unwrap_or_else(|| self.terms.var_name(variable));
            let id = elaborator.symbols().id(name);
            elaborator.symbols().bind(id, variable);
        }
        let formula = elaborator.term_of_sort(body, Sort::BOOL)?;
        let conjuncts = self.terms.conjuncts(formula).into_iter();
        self.found.extend(conjuncts.map(|c| (pred, c)));
        Ok(())
    }

    /// What a definition is about.
    fn pred(&self, name: Sexp<'_>) -> Outcome<Pred> {
        let symbol = name.symbol();
        let Some(names) = &self.names else {
            return Ok(Pred(0));
        };
        let place = names.iter().position(|n| Some(n.as_str()) == symbol);
        let pred = place.and_then(|place| u32::try_from(place).ok()).map(Pred);
        pred.ok_or_else(|| {
            let message = "the problem has no predicate of this name";
            Diagnostic::error(Code::UnknownSymbol, name.span(), message)
        })
    }

    fn hints(self) -> Hints {
        let n_found = self.found.len();
        let item = |&(pred, formula): &(Pred, Term)| {
            let formula = self.words.print(pred, formula, self.terms)?;
            let predicate = pred.index();
            Some(SharedItem { predicate, formula })
        };
        let items: Vec<SharedItem> = self.found.iter().filter_map(item).collect();
        let message = |items: &[SharedItem]| Shared {
            fingerprint: self.words.fingerprint.clone(),
            items: items.to_vec(),
        };
        Hints {
            turns: self.turns,
            claims: self.claims,
            n_used: items.len(),
            n_left_out: n_found - items.len(),
            shared: items.chunks(BATCH).map(message).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{HintError, read};

    const CLAUSES: &str = "(set-logic HORN)(declare-fun p (Int Int) Bool)
        (assert (p 0 0))(assert (forall ((x Int) (y Int)) (=> (p x y) (<= x y))))(check-sat)";
    const SYSTEM: &str = "(declare-fun x () Int)(declare-fun y () Int)
        (define-fun a () Int (! x :next y)) (define-fun i () Bool (! (= x 0) :init true))
        (define-fun t () Bool (! (= y x) :trans true))
        (define-fun q () Bool (! (= x 0) :invar-property 0))";

    fn place(problem: &str, hints: &str) -> String {
        match read(problem.as_bytes(), hints.as_bytes()) {
            Ok(hints) => format!("{} {}", hints.n_used, hints.n_left_out),
            Err(HintError::Problem(error)) => error.to_string(),
            Err(HintError::Hints(list)) => format!("{} {}", list[0].code, list[0].span.start),
        }
    }

    #[test]
    fn definitions_are_split_and_what_is_wrong_has_a_place() {
        for (problem, hints, expected) in [
            (CLAUSES, "", "0 0"),
            (
                CLAUSES,
                "(define-fun p ((a Int) (b Int)) Bool (and (<= a b) (>= a 0)))",
                "2 0",
            ),
            (
                CLAUSES,
                "((define-fun p ((a Int) (b Int)) Bool (= a b)))",
                "1 0",
            ),
            (
                CLAUSES,
                "(candidates (define-fun p ((a Int) (b Int)) Bool (= a b)))",
                "1 0",
            ),
            (
                CLAUSES,
                "(define-fun p ((a Int) (b Int)) Bool (forall ((k Int)) (= k a)))",
                "1 0",
            ),
            (
                CLAUSES,
                "(define-fun p ((a Int) (b Int)) Bool (exists ((k Int)) (= k a)))",
                "0 1",
            ),
            (CLAUSES, "(claim all safe (define-fun p))", "0 0"),
            (CLAUSES, "(claim 0 unsafe (counterexample))", "0 0"),
            (CLAUSES, " (claim all safe)", "E011 1"),
            (CLAUSES, "(claim all maybe true)", "E011 0"),
            (CLAUSES, "(claim one safe true)", "E011 0"),
            (CLAUSES, "(define-fun q ((a Int)) Bool true)", "E013 12"),
            (CLAUSES, "(define-fun p ((a Int)) Bool true)", "E015 14"),
            (
                CLAUSES,
                "(define-fun p ((a Int) (b Int)) Bool c)",
                "E013 37",
            ),
            (
                CLAUSES,
                "(define-fun p ((a Int) (b Int)) Bool (+ a b))",
                "E014 37",
            ),
            (CLAUSES, "(assert true)", "E011 8"),
            (CLAUSES, "(define-fun p", "E004 0"),
            (
                SYSTEM,
                "(define-fun any () Bool (and (>= x 0) (<= x 0)))",
                "2 0",
            ),
            (SYSTEM, "(define-fun any () Bool (= y 0))", "E013 27"),
        ] {
            assert_eq!(place(problem, hints), expected, "{hints}");
        }
    }

    #[test]
    fn turns_have_a_time_and_maybe_a_number() {
        for (turns, expected) in [
            ("(ic3ia 1.5) (|no such| 2)", "0 0"),
            ("(ic3ia 1.5 2)", "0 0"),
            ("(ic3ia 1.5 2 3)", "E011 7"),
            ("(ic3ia 1.5 2.5)", "E011 7"),
            ("(ic3ia x)", "E011 7"),
            ("(ic3ia -1)", "E011 7"),
            ("ic3ia", "E011 7"),
        ] {
            let hints = format!("(turns {turns})");
            assert_eq!(place(CLAUSES, &hints), expected, "{hints}");
        }
    }
}
