//! Which subterms are printed once, under a `let` name, and where the name is introduced.
//!
//! A shared subterm without bound variables is named at the top. One with bound variables is named
//! right inside the innermost quantifier that binds one of them: its home. Children are older than
//! parents, so among quantifiers that are nested in each other the oldest is the innermost.

use crate::op::Op;
use crate::store::{Term, TermStore};
use crate::{TermMap, TermSet};

/// Terms with free variables of more quantifiers than this are written out at every use.
const MAX_BINDERS: usize = 8;

/// The subterms to name, in ascending order.
#[derive(Default)]
pub(crate) struct Sharing {
    /// At the top.
    pub(crate) top: Vec<Term>,
    /// Inside a quantifier.
    pub(crate) inside: TermMap<Vec<Term>>,
}

/// The quantifiers whose variables occur free in a term; `None` when they cannot be told.
type Binders = Option<Vec<Term>>;

impl Sharing {
    pub(crate) fn of(store: &TermStore, root: Term) -> Sharing {
        let order = store.subterms(&[root]);
        let mut used = TermSet::default();
        let mut shared = TermSet::default();
        for &arg in order.iter().flat_map(|&term| store.args(term)) {
            if !used.insert(arg) && is_worth_a_name(store, arg) {
                shared.insert(arg);
            }
        }
        let free = free_binders(store, &order);
        let mut sharing = Sharing::default();
        for term in order.into_iter().filter(|t| shared.contains(t)) {
            match free.get(&term) {
                None => sharing.top.push(term),
                Some(Some(binders)) => sharing.inside.entry(binders[0]).or_default().push(term),
                Some(None) => {}
            }
        }
        sharing
    }
}

/// Compound, and not just the negation of a symbol.
fn is_worth_a_name(store: &TermStore, term: Term) -> bool {
    match (store.op(term), store.args(term)) {
        (_, []) => false,
        (Op::Not, [inner]) => !store.args(*inner).is_empty(),
        _ => true,
    }
}

/// For each term with free bound variables, the quantifiers they belong to, ascending.
fn free_binders(store: &TermStore, order: &[Term]) -> TermMap<Binders> {
    let mut free: TermMap<Binders> = TermMap::default();
    for &binder in order
        .iter()
        .filter(|t| matches!(store.op(**t), Op::Forall | Op::Exists))
    {
        let args = store.args(binder);
        for &var in &args[..args.len() - 1] {
            // A variable of two quantifiers belongs to neither for certain.
            let owner = if free.contains_key(&var) {
                None
            } else {
                Some(vec![binder])
            };
            free.insert(var, owner);
        }
    }
    if free.is_empty() {
        return free;
    }
    for &term in order {
        let args = store.args(term);
        if args.iter().any(|a| free.contains_key(a)) {
            let binders = union(args.iter().filter_map(|a| free.get(a)), term);
            if binders.as_ref().is_none_or(|binders| !binders.is_empty()) {
                free.insert(term, binders);
            }
        }
    }
    free
}

fn union<'a>(sets: impl Iterator<Item = &'a Binders>, except: Term) -> Binders {
    let mut all: Vec<Term> = Vec::new();
    for set in sets {
        for &binder in set.as_ref()? {
            if binder != except && !all.contains(&binder) {
                all.push(binder);
            }
        }
        if all.len() > MAX_BINDERS {
            return None;
        }
    }
    all.sort_unstable();
    Some(all)
}
