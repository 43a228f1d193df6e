//! Models of clause systems and invariants of transition systems, ready to be printed.

use std::collections::BTreeSet;

use foretell_systems::{ChcSystem, Pred};
use foretell_terms::print::quote;
use foretell_terms::{FuncMap, Term, TermStore};

use crate::infix::infix;
use crate::layout::{WIDTH, layout};
use crate::lets::share;
use crate::names::{Taken, Wishes, name_bound, name_parameters};
use crate::normal::{brief, compact, is_readable_size};
use crate::sexp::{Given, Sexp, sexp};
use crate::shape::shape;
use crate::shorten::shorten;

/// A formula for readers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Readable {
    /// As SMT-LIB.
    pub text: Sexp,
    /// Each conjunct in infix notation.
    pub infix: Vec<String>,
    /// What each of them means.
    pub conjuncts: Vec<Term>,
}

/// One definition of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The predicate, quoted where it must be.
    pub name: String,
    /// Names and sorts of the parameters.
    pub params: Vec<(String, String)>,
    /// What it is defined to be.
    pub body: Readable,
}

impl Definition {
    /// The `define-fun` command.
    pub fn sexp(&self) -> Sexp {
        let params = self
            .params
            .iter()
            .map(|(name, sort)| Sexp::List(vec![Sexp::atom(name), Sexp::atom(sort)]));
        Sexp::List(vec![
            Sexp::atom("define-fun"),
            Sexp::atom(&self.name),
            Sexp::List(params.collect()),
            Sexp::atom("Bool"),
            self.body.text.clone(),
        ])
    }
}

/// The definitions of a model, one `define-fun` after the other, laid out.
pub fn model_text(definitions: &[Definition]) -> String {
    let commands = definitions.iter().map(|d| layout(&d.sexp(), WIDTH) + "\n");
    commands.collect()
}

/// The definitions of predicates by these formulas over their parameters. `avoid` are the symbols
/// that the text declares.
pub fn definitions(
    store: &TermStore,
    system: &ChcSystem,
    formulas: &[Term],
    avoid: &BTreeSet<String>,
) -> Vec<Definition> {
    let wishes = Wishes::of(store, system);
    let each = system.pred_ids().zip(&system.preds).zip(formulas);
    each.map(|((pred, decl), &formula)| {
        let mut taken = Taken::new(avoid);
        note_symbols(store, formula, &decl.params, &mut taken);
        let names = parameters(store, &wishes, pred, &decl.params, &mut taken);
        let of = |p: &Term| store.as_var(*p).and_then(|f| names.names.get(&f).cloned());
        let params = decl.params.iter().map(|p| {
            let sort = store.print_sort(store.sort(*p));
            (of(p).unwrap_or_default(), sort)
        });
        Definition {
            name: quote(store.name(decl.func)),
            params: params.collect(),
            body: readable(store, formula, names.clone(), &taken),
        }
    })
    .collect()
}

fn parameters(
    store: &TermStore,
    wishes: &Wishes,
    pred: Pred,
    params: &[Term],
    taken: &mut Taken,
) -> Given {
    let wish = |place| wishes.of_argument(pred, place).map(str::to_owned);
    Given {
        names: name_parameters(store, params, wish, taken),
        let_stem: String::new(),
    }
}

/// A formula over symbols that keep their names, but for those that are given others.
pub fn formula(
    store: &TermStore,
    formula: Term,
    given: &FuncMap<String>,
    avoid: &BTreeSet<String>,
) -> Readable {
    let mut taken = Taken::new(avoid);
    note_symbols(store, formula, &[], &mut taken);
    given.values().for_each(|name| taken.insert(name));
    let names = Given {
        names: given.clone(),
        let_stem: String::new(),
    };
    readable(store, formula, names, &taken)
}

/// Symbols that a formula mentions, other than these, keep their names: nobody else may have them.
fn note_symbols(store: &TermStore, formula: Term, params: &[Term], taken: &mut Taken) {
    let free = store.free_vars(&[formula]);
    let vars = free.iter().filter(|v| !params.contains(v));
    let vars = vars.filter_map(|&v| store.as_var(v));
    for func in vars.chain(store.functions(&[formula])) {
        taken.insert(store.name(func));
    }
}

fn readable(store: &TermStore, formula: Term, mut names: Given, taken: &Taken) -> Readable {
    if !is_readable_size(store, formula) {
        return plain(store, formula, names, taken);
    }
    let compact = compact(store, formula);
    let tree = shape(store, compact);
    name_bound(store, &tree, taken, &mut names.names);
    let text = shortest(store, [compact, brief(store, compact)], &names, taken);
    let conjuncts = match &tree {
        crate::Tree::Node(crate::Head::And, items) => items.clone(),
        other => vec![other.clone()],
    };
    Readable {
        text,
        infix: conjuncts
            .iter()
            .map(|item| infix(store, item, &names))
            .collect(),
        conjuncts: conjuncts.iter().map(|item| item.meaning(store)).collect(),
    }
}

/// The shortest text of formulas that mean the same.
fn shortest(store: &TermStore, formulas: [Term; 2], names: &Given, taken: &Taken) -> Sexp {
    let texts = formulas.map(|formula| {
        let tree = shorten(store, shape(store, formula));
        let mut names = names.clone();
        name_bound(store, &tree, taken, &mut names.names);
        let mut all = taken.clone();
        names.names.values().for_each(|name| all.insert(name));
        names.let_stem = all.stem();
        share(sexp(store, &tree, &names), &names.let_stem)
    });
    let [first, second] = texts;
    if second.width() < first.width() {
        second
    } else {
        first
    }
}

/// A formula that is too large for readers, as the store prints it.
fn plain(store: &TermStore, formula: Term, mut names: Given, taken: &Taken) -> Readable {
    let mut all = taken.clone();
    for term in store.subterms(&[formula]) {
        let args = store.args(term);
        let binds = matches!(
            store.op(term),
            foretell_terms::Op::Forall | foretell_terms::Op::Exists
        );
        for func in args
            .iter()
            .filter(|_| binds)
            .filter_map(|&v| store.as_var(v))
        {
            if !names.names.contains_key(&func) {
                names.names.insert(func, all.take("k"));
            }
        }
    }
    names.let_stem = all.stem();
    let text = store.print_with(formula, &names);
    Readable {
        infix: vec![text.clone()],
        conjuncts: vec![formula],
        text: Sexp::Atom(text),
    }
}
