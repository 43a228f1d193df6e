//! The words in which workers speak of the same problem: text to terms and back.
//!
//! ```text
//! a formula about a predicate = SMT-LIB text in which p0, p1, … are its parameters
//! ```
//!
//! All workers read the same text, so they have the same clauses; a fingerprint makes sure of it. Goals
//! and properties do not count: what is said about reachable states is said whatever is asked. A
//! transition system has one predicate, its state.
//!
//! What is read is not believed: it is text of bounded size, must be one formula of sort Bool over the
//! parameters, without functions, a conjunction of formulas without quantifiers and of such under one
//! universal quantifier.

use std::hash::{DefaultHasher, Hash, Hasher};

use foretell_formulas::bound_vars;
use foretell_smtlib::{Diagnostics, Elaborator, Reader};
use foretell_systems::{Atom, ChcSystem, Pred, TransitionSystem};
use foretell_terms::print::Names;
use foretell_terms::{Func, Op, Sort, Term, TermStore};

/// Longer texts are neither sent nor read.
const LONGEST: usize = 4000;

/// The problem a worker works on, as far as others need to know it.
pub(crate) struct Vocabulary {
    /// Says which problem this is.
    pub(crate) fingerprint: String,
    /// The parameters of each predicate.
    pub(crate) params: Vec<Vec<Term>>,
}

impl Vocabulary {
    /// The words for these clauses.
    pub(crate) fn of_clauses(system: &ChcSystem, terms: &TermStore) -> Vocabulary {
        let mut hasher = DefaultHasher::new();
        let atom = |a: &Atom, hasher: &mut DefaultHasher| {
            a.pred.0.hash(hasher);
            a.args.iter().for_each(|&t| terms.print(t).hash(hasher));
        };
        for clause in system.clauses.iter().filter(|c| c.head.is_some()) {
            clause.body.iter().for_each(|a| atom(a, &mut hasher));
            terms.print(clause.constraint).hash(&mut hasher);
            clause.head.iter().for_each(|a| atom(a, &mut hasher));
        }
        let params = system.preds.iter().map(|p| p.params.clone()).collect();
        Vocabulary::new(params, hasher, terms)
    }

    /// The words for this transition system.
    pub(crate) fn of_system(system: &TransitionSystem, terms: &TermStore) -> Vocabulary {
        let mut hasher = DefaultHasher::new();
        for formula in [system.init, system.trans] {
            terms.print(formula).hash(&mut hasher);
        }
        let state = [system.current(), system.params.clone()].concat();
        Vocabulary::new(vec![state], hasher, terms)
    }

    fn new(params: Vec<Vec<Term>>, mut hasher: DefaultHasher, terms: &TermStore) -> Vocabulary {
        for list in &params {
            let sorts = list.iter().map(|&p| terms.print_sort(terms.sort(p)));
            sorts.collect::<Vec<String>>().hash(&mut hasher);
        }
        Vocabulary {
            fingerprint: format!("{:016x}", hasher.finish()),
            params,
        }
    }

    /// The text of a formula about a predicate; `None` when others could not read it.
    pub(crate) fn print(&self, pred: Pred, formula: Term, terms: &TermStore) -> Option<String> {
        let params = self.params.get(pred.index())?;
        let own = terms
            .free_vars(&[formula])
            .iter()
            .all(|v| params.contains(v));
        if !own || !is_shareable(formula, terms) {
            return None;
        }
        let funcs = |vars: &[Term]| vars.iter().filter_map(|&v| terms.as_var(v)).collect();
        let names = Positions {
            params: funcs(params),
            bound: funcs(&bound_vars(terms, formula)),
        };
        let text = terms.print_with(formula, &names);
        (text.len() <= LONGEST).then_some(text)
    }

    /// The fact a text says about a predicate; the words say what is wrong with it.
    pub(crate) fn read(
        &self,
        predicate: usize,
        text: &str,
        terms: &TermStore,
    ) -> Result<(Pred, Term), String> {
        let params = self.params.get(predicate).ok_or("no such predicate")?;
        let pred = u32::try_from(predicate)
            .map(Pred)
            .map_err(|e| e.to_string())?;
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
        elaborator.know_datatypes();
        for (i, &param) in params.iter().enumerate() {
            let name = elaborator.symbols().id(&format!("p{i}"));
            elaborator.symbols().bind(name, param);
        }
        let formula = elaborator
            .term_of_sort(*formula, Sort::BOOL)
            .map_err(|d| d.message)?;
        if is_shareable(formula, terms) {
            Ok((pred, formula))
        } else {
            Err("quantifiers or functions".into())
        }
    }
}

fn is_shareable(formula: Term, terms: &TermStore) -> bool {
    let plain = |&part: &Term| {
        let inner = match (terms.op(part), terms.args(part).last()) {
            (Op::Forall, Some(&body)) => body,
            _ => part,
        };
        !terms.has_quantifier(inner)
    };
    terms.conjuncts(formula).iter().all(plain) && terms.functions(&[formula]).is_empty()
}

/// Variables are named by position.
struct Positions {
    params: Vec<Func>,
    bound: Vec<Func>,
}

impl Names for Positions {
    fn name(&self, _store: &TermStore, func: Func) -> String {
        let place = |list: &[Func]| list.iter().position(|&f| f == func);
        match (place(&self.params), place(&self.bound)) {
            (Some(i), _) => format!("p{i}"),
            (None, Some(i)) => format!("k{i}"),
            (None, None) => "?".to_owned(),
        }
    }
}
