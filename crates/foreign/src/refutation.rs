//! Reads the ground facts of a refutation and how they depend on each other.
//!
//! ```text
//! proof ::= (let ((name proof-or-term) …) proof)
//!         | ((_ hyper-res …) rule proof … fact)        fact from the proofs before it
//!         | (mp proof …)                               what the first one shows
//! ```
//!
//! A part of [`crate::engine`]. Nothing is believed: which clause derives a fact from its premises
//! is found again by [`crate::rebuild`]. Proofs are as deep as the derivation is long, so reading is
//! a loop over the list of brackets, not a recursion.

use foretell_smtlib::{Diagnostics, Elaborator, Reader, Sexp};
use foretell_systems::{ChcSystem, Pred};
use foretell_terms::{Term, TermMap, TermStore};

use crate::spell;

/// A fact of a refutation.
pub(crate) struct Fact {
    /// The predicate; `None`: what the queries derive.
    pub(crate) pred: Option<Pred>,
    /// Its arguments, closed terms.
    pub(crate) args: Vec<Term>,
    /// The facts it was derived from, by their place in the list: all before it.
    pub(crate) premises: Vec<usize>,
}

/// The facts of a refutation, premises first; `None` when the text is not understood.
pub(crate) fn read(text: &str, system: &ChcSystem, terms: &TermStore) -> Option<Vec<Fact>> {
    let (mut reader, mut complaints) = (Reader::new(text), Diagnostics::default());
    let command = reader
        .next_command(&mut complaints)
        .filter(|_| !complaints.failed())?;
    let mut elaborator = Elaborator::new(terms);
    elaborator.know_datatypes();
    for p in system.pred_ids() {
        let sorts: Vec<_> = system
            .pred(p)
            .params
            .iter()
            .map(|&v| terms.sort(v))
            .collect();
        elaborator.declare_function(&format!("R{}", p.0), &sorts, foretell_terms::Sort::BOOL);
    }
    let mut proof = Proof {
        system,
        terms,
        elaborator,
        facts: Vec::new(),
        known: TermMap::default(),
        names: Vec::new(),
    };
    proof.walk(command.sexp())?;
    Some(proof.facts)
}

/// What a subexpression of the proof is.
#[derive(Clone)]
enum Part {
    /// A proof of a fact.
    Fact(usize),
    /// Something that derives nothing: a rule, a side condition.
    Other,
}

struct Proof<'a> {
    system: &'a ChcSystem,
    terms: &'a TermStore,
    elaborator: Elaborator<'a>,
    facts: Vec<Fact>,
    /// The fact of a conclusion that was derived already.
    known: TermMap<usize>,
    /// What `let` names stand for, innermost last.
    names: Vec<(String, Part)>,
}

/// What is still to be done.
enum Task<'s> {
    /// Read an expression; its part is pushed.
    Read(Sexp<'s>),
    /// The last `n` parts are premises of this conclusion.
    Conclude(usize, Sexp<'s>),
    /// The last part gets this name.
    Name(&'s str),
    /// The names from here on are forgotten.
    Forget(usize),
    /// Of the last `n` parts only the first counts.
    First(usize),
}

impl Proof<'_> {
    fn walk(&mut self, root: Sexp<'_>) -> Option<()> {
        let (mut tasks, mut parts) = (vec![Task::Read(root)], Vec::new());
        while let Some(task) = tasks.pop() {
            match task {
                Task::Read(sexp) => self.read(sexp, &mut tasks, &mut parts)?,
                Task::Conclude(n, conclusion) => {
                    let premises = parts.split_off(parts.len() - n);
                    parts.push(self.conclude(&premises, conclusion)?);
                }
                Task::Name(name) => self.names.push((name.to_string(), parts.pop()?)),
                Task::Forget(length) => self.names.truncate(length),
                Task::First(n) => {
                    let first = parts.split_off(parts.len() - n).into_iter().next();
                    parts.push(first?);
                }
            }
        }
        Some(())
    }

    /// Pushes the part an expression is, or what has to be done to know it.
    fn read<'s>(
        &mut self,
        sexp: Sexp<'s>,
        tasks: &mut Vec<Task<'s>>,
        parts: &mut Vec<Part>,
    ) -> Option<()> {
        if let Some(name) = sexp.symbol() {
            let named = self.names.iter().rev().find(|(n, _)| n == name);
            parts.push(named.map_or(Part::Other, |(_, part)| part.clone()));
            return Some(());
        }
        let items: Vec<Sexp<'s>> = sexp.items().collect();
        let Some((head, rest)) = items.split_first() else {
            parts.push(Part::Other);
            return Some(());
        };
        if head.is_word("let") {
            let [bindings, body] = rest else { return None };
            tasks.push(Task::Forget(self.names.len()));
            tasks.push(Task::Read(*body));
            let bindings: Vec<Sexp<'s>> = bindings.items().collect();
            for binding in bindings.iter().rev() {
                self.bind(*binding, tasks)?;
            }
        } else if head.items().nth(1).is_some_and(|w| w.is_word("hyper-res")) {
            let (conclusion, proofs) = rest.split_last()?;
            tasks.push(Task::Conclude(proofs.len(), *conclusion));
            tasks.extend(proofs.iter().rev().map(|&p| Task::Read(p)));
        } else if head.is_word("mp") {
            tasks.push(Task::First(1));
            tasks.push(Task::Read(*rest.first()?));
        } else {
            parts.push(Part::Other);
        }
        Some(())
    }

    /// A `let` name may stand for a proof or for a term of later conclusions.
    fn bind<'s>(&mut self, binding: Sexp<'s>, tasks: &mut Vec<Task<'s>>) -> Option<()> {
        let pair: Vec<Sexp<'s>> = binding.items().collect();
        let [name, value] = pair.as_slice() else {
            return None;
        };
        let name = name.symbol()?;
        tasks.push(Task::Name(name));
        tasks.push(Task::Read(*value));
        // Proofs and rules are no terms; values are, and later conclusions use them.
        if let Ok(term) = self.elaborator.term(*value) {
            let id = self.elaborator.symbols().id(name);
            self.elaborator.symbols().bind(id, term);
        }
        Some(())
    }

    /// The fact a step derives from its premises.
    fn conclude(&mut self, premises: &[Part], conclusion: Sexp<'_>) -> Option<Part> {
        let premises = premises.iter().filter_map(|p| match p {
            Part::Fact(at) => Some(*at),
            Part::Other => None,
        });
        let premises: Vec<usize> = premises.collect();
        let atom = self.elaborator.term(conclusion).ok();
        let relation = atom.and_then(|a| self.terms.func(a));
        let pred = relation.and_then(|f| spell::pred(self.terms.name(f), self.system));
        let (Some(atom), Some(_)) = (atom, pred) else {
            // The goal, or a name the solver made for it: the same fact under another name.
            if let [only] = premises.as_slice()
                && self.facts[*only].pred.is_none()
            {
                return Some(Part::Fact(*only));
            }
            self.facts.push(Fact {
                pred: None,
                args: Vec::new(),
                premises,
            });
            return Some(Part::Fact(self.facts.len() - 1));
        };
        if let Some(&at) = self.known.get(&atom) {
            return Some(Part::Fact(at));
        }
        let args = self.terms.args(atom).to_vec();
        self.facts.push(Fact {
            pred,
            args,
            premises,
        });
        self.known.insert(atom, self.facts.len() - 1);
        Some(Part::Fact(self.facts.len() - 1))
    }
}
