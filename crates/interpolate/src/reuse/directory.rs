//! The symbols of a query by what they are called, their times apart.

use crate::border::symbols::{Origin, Symbols};
use crate::data::bank::SymId;
use foretell_terms::{Sort as OuterSort, TermStore};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// A symbol by what it is called, not by its place in a query.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Symbol {
    /// A declared symbol, its time apart.
    Named {
        base: Box<str>,
        time: Option<u32>,
        args: Box<[OuterSort]>,
        sort: OuterSort,
    },
    /// An operator.
    Operator(Origin),
}

/// The symbols of a query, both ways.
#[derive(Debug, Default)]
pub(crate) struct Directory {
    /// The symbol of each id; `None` for names of our own.
    symbols: Vec<Option<Symbol>>,
    ids: IndexMap<Symbol, SymId, FxBuildHasher>,
    /// The times at which each base name occurs.
    times: IndexMap<Box<str>, Vec<u32>, FxBuildHasher>,
}

impl Directory {
    /// The directory of the symbols that a query has so far.
    pub(crate) fn new(store: &TermStore, symbols: &Symbols) -> Directory {
        let mut out = Directory::default();
        for (i, origin) in symbols.origins().iter().enumerate() {
            let symbol = match origin {
                Origin::Func(f) => {
                    let decl = store.decl(*f);
                    let (base, time) = untimed(&decl.name);
                    out.times.entry(base.into()).or_default().extend(time);
                    Some(Symbol::Named {
                        base: base.into(),
                        time,
                        args: (*decl.args).into(),
                        sort: decl.sort,
                    })
                }
                Origin::Op(..) => Some(Symbol::Operator(origin.clone())),
                Origin::Internal(_) => None,
            };
            if let Some(symbol) = &symbol {
                out.ids.insert(symbol.clone(), SymId(i as u32));
            }
            out.symbols.push(symbol);
        }
        out.times.values_mut().for_each(|t| t.sort_unstable());
        out
    }

    pub(super) fn symbol(&self, s: SymId) -> Option<&Symbol> {
        self.symbols.get(s.0 as usize)?.as_ref()
    }

    pub(super) fn id(&self, s: &Symbol, shift: u32) -> Option<SymId> {
        match s {
            Symbol::Named {
                base,
                time: Some(time),
                args,
                sort,
            } => {
                let (base, args, time) = (base.clone(), args.clone(), time.checked_add(shift)?);
                self.ids
                    .get(&Symbol::Named {
                        base,
                        time: Some(time),
                        args,
                        sort: *sort,
                    })
                    .copied()
            }
            _ => self.ids.get(s).copied(),
        }
    }

    /// The times at which a base name occurs.
    pub(super) fn times(&self, base: &str) -> Vec<u32> {
        self.times.get(base).cloned().unwrap_or_default()
    }
}

/// `x@3` as `x` and 3.
fn untimed(name: &str) -> (&str, Option<u32>) {
    match name
        .rsplit_once('@')
        .map(|(base, time)| (base, time.parse().ok()))
    {
        Some((base, Some(time))) => (base, Some(time)),
        _ => (name, None),
    }
}
