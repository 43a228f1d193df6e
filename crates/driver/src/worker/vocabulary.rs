//! The words in which workers speak of the same clauses: text to terms and back.
//!
//! ```text
//! a formula about a predicate = SMT-LIB text in which p0, p1, … are its parameters
//! ```
//!
//! All workers run the same passes on the same text, so they have the same clauses; a fingerprint of
//! the clauses makes sure of it. Where an engine runs on the transition system made of the clauses, the
//! parameters of the predicate at location `i` are state variables:
//!
//! ```text
//! down   F(params)   becomes   F[params := slots]
//! up     L(state)    becomes   L[loc := i, slots := params], if nothing else is left in it
//! ```
//!
//! What is read is not believed: it is text of bounded size, must be one formula of sort Bool over the
//! parameters, without quantifiers and functions.

use std::hash::{DefaultHasher, Hash, Hasher};

use foretell_passes::LinearProgram;
use foretell_passes::program::LOCATION;
use foretell_smtlib::{Diagnostics, Elaborator, Reader};
use foretell_systems::{Atom, ChcSystem, Pred};
use foretell_terms::print::Names;
use foretell_terms::{Func, Sort, Term, TermStore};

/// Longer texts are neither sent nor read.
const LONGEST: usize = 4000;

/// The clauses a worker works on, as far as others need to know them.
pub(crate) struct Vocabulary {
    /// Says which clauses these are.
    pub(crate) fingerprint: String,
    /// The parameters of each predicate.
    params: Vec<Vec<Term>>,
    /// Where an engine runs on the transition system.
    program: Option<LinearProgram>,
}

impl Vocabulary {
    /// The words for these clauses.
    pub(crate) fn new(system: &ChcSystem, terms: &TermStore) -> Vocabulary {
        let params = system
            .pred_ids()
            .map(|p| system.pred(p).params.clone())
            .collect();
        Vocabulary {
            fingerprint: fingerprint(system, terms),
            params,
            program: None,
        }
    }

    /// From now on the engine speaks of the states of the transition system.
    pub(crate) fn descend(&mut self, program: LinearProgram) {
        self.program = Some(program);
    }

    /// Whether the engine speaks of the states of the transition system.
    pub(crate) fn is_system(&self) -> bool {
        self.program.is_some()
    }

    /// The text of a formula about a predicate; `None` when others could not read it.
    pub(crate) fn print(
        &self,
        predicate: usize,
        formula: Term,
        terms: &TermStore,
    ) -> Option<String> {
        let params = self.params.get(predicate)?;
        let own = terms
            .free_vars(&[formula])
            .iter()
            .all(|v| params.contains(v));
        if !own || !is_shareable(formula, terms) {
            return None;
        }
        let names = Positions(params.iter().filter_map(|&p| terms.as_var(p)).collect());
        let text = terms.print_with(formula, &names);
        (text.len() <= LONGEST).then_some(text)
    }

    /// The formula of a text about a predicate; the words say what is wrong with it.
    pub(crate) fn read(
        &self,
        predicate: usize,
        text: &str,
        terms: &TermStore,
    ) -> Result<Term, String> {
        let params = self.params.get(predicate).ok_or("no such predicate")?;
        if text.len() > LONGEST {
            return Err("too long".into());
        }
        let whole = format!("(formula {text})");
        let (mut reader, mut complaints) = (Reader::new(&whole), Diagnostics::default());
        let command = reader
            .next_command(&mut complaints)
            .filter(|_| !complaints.failed());
        let command = command.ok_or("malformed")?;
        if reader.next_command(&mut complaints).is_some() || complaints.failed() {
            return Err("more than one formula".into());
        }
        let items: Vec<_> = command.sexp().items().collect();
        let [_, formula] = items.as_slice() else {
            return Err("one formula expected".into());
        };
        let mut elaborator = Elaborator::new(terms);
        for (i, &param) in params.iter().enumerate() {
            let name = elaborator.symbols().id(&format!("p{i}"));
            elaborator.symbols().bind(name, param);
        }
        let formula = elaborator
            .term_of_sort(*formula, Sort::BOOL)
            .map_err(|d| d.message)?;
        if is_shareable(formula, terms) {
            Ok(formula)
        } else {
            Err("quantifiers or functions".into())
        }
    }

    /// A formula about a predicate as one about the states at its location.
    pub(crate) fn down(&self, predicate: usize, formula: Term, terms: &TermStore) -> Term {
        let Some(program) = &self.program else {
            return formula;
        };
        let slots = program
            .places
            .iter()
            .find(|p| p.pred.is_some_and(|p| p.index() == predicate));
        let Some(place) = slots else { return formula };
        let params = self.params[predicate].iter().copied();
        terms.substitute(
            formula,
            params.zip(place.args.iter().map(|&slot| program.current(slot))),
        )
    }

    /// A formula about states as one about each predicate; only what is about parameters alone.
    pub(crate) fn up(&self, formula: Term, terms: &TermStore) -> Vec<(usize, Term)> {
        let Some(program) = &self.program else {
            return Vec::new();
        };
        let location = terms.new_var(LOCATION, Sort::INT);
        let mut found = Vec::new();
        for (at, place) in program.locations().zip(&program.places) {
            let Some(pred) = place.pred else { continue };
            let params = &self.params[pred.index()];
            let slots = place
                .args
                .iter()
                .map(|&slot| program.current(slot))
                .zip(params.iter().copied());
            let here = terms.substitute(
                formula,
                slots.chain([(location, terms.int(i64::from(at.0)))]),
            );
            let trivial = terms.is_true(here) || terms.is_false(here);
            if !trivial && terms.free_vars(&[here]).iter().all(|v| params.contains(v)) {
                found.push((pred.index(), here));
            }
        }
        found
    }
}

fn is_shareable(formula: Term, terms: &TermStore) -> bool {
    !terms.has_quantifier(formula) && terms.functions(&[formula]).is_empty()
}

/// Parameters are named by position.
struct Positions(Vec<Func>);

impl Names for Positions {
    fn name(&self, _store: &TermStore, func: Func) -> String {
        let position = self.0.iter().position(|&f| f == func);
        position.map_or_else(|| "?".to_owned(), |i| format!("p{i}"))
    }
}

/// A short text that differs when the clauses do.
fn fingerprint(system: &ChcSystem, terms: &TermStore) -> String {
    let mut hasher = DefaultHasher::new();
    let atom = |a: &Atom, hasher: &mut DefaultHasher| {
        a.pred.0.hash(hasher);
        a.args.iter().for_each(|&t| terms.print(t).hash(hasher));
    };
    for pred in system.pred_ids() {
        let sorts = system
            .pred(pred)
            .params
            .iter()
            .map(|&p| terms.print_sort(terms.sort(p)));
        sorts.collect::<Vec<String>>().hash(&mut hasher);
    }
    for clause in &system.clauses {
        clause.body.iter().for_each(|a| atom(a, &mut hasher));
        terms.print(clause.constraint).hash(&mut hasher);
        clause.head.iter().for_each(|a| atom(a, &mut hasher));
    }
    format!("{:016x}", hasher.finish())
}

/// A predicate by its number, if there is one.
pub(crate) fn pred(number: usize) -> Option<Pred> {
    u32::try_from(number).ok().map(Pred)
}
