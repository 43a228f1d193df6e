//! What expressions and functions do, read off the tree: effects, calls, names that are assigned.

use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};

use crate::error::Span;
use crate::syntax::tree::{Derived, Expr, ExprKind, FunctionDef, Unary};
use crate::syntax::walk;

/// What a function mentions.
#[derive(Default)]
struct Mentions {
    calls: IndexSet<String>,
    assigned: IndexSet<String>,
    /// Where each name is assigned.
    places: Vec<(String, Span)>,
    jumps: bool,
    locals: IndexSet<String>,
}

/// What all functions mention.
#[derive(Default)]
pub(super) struct Effects {
    functions: IndexMap<String, Mentions>,
}

impl Effects {
    pub(super) fn of(defs: &IndexMap<String, Rc<FunctionDef>>) -> Effects {
        let mut functions = IndexMap::new();
        for (name, def) in defs {
            let mut mentions = Mentions::default();
            if let Some(Derived::Function(params)) = def.ty.derived.first() {
                mentions
                    .locals
                    .extend(params.iter().filter_map(|p| p.name.clone()));
            }
            walk::names(&def.body, &mut |name| {
                mentions.locals.insert(name.to_owned());
            });
            walk::stmt(&def.body, &mut |e| match &e.kind {
                ExprKind::Call(callee, _) => {
                    if let ExprKind::Name(name) = &callee.kind {
                        mentions.calls.insert(name.clone());
                    }
                }
                ExprKind::Assign(_, place, _) | ExprKind::Step(_, place) => {
                    mentions.assigned.extend(root(place).map(str::to_owned));
                    mentions
                        .places
                        .extend(root(place).map(|name| (name.to_owned(), e.span)));
                }
                ExprKind::Unary(Unary::Address, place) => {
                    if let ExprKind::Name(name) = &place.kind {
                        mentions.assigned.insert(name.clone());
                        // Whoever has the address may assign at any time.
                        mentions
                            .places
                            .push((name.clone(), Span::new(usize::MAX, usize::MAX)));
                    }
                }
                _ => {}
            });
            mentions.jumps = walk::has_label(&def.body);
            functions.insert(name.clone(), mentions);
        }
        Effects { functions }
    }

    /// Whether some function calls this one.
    pub(super) fn calls(&self, name: &str) -> bool {
        self.functions.values().any(|m| m.calls.contains(name))
    }

    /// The functions that some function calls.
    pub(super) fn called(&self) -> IndexSet<String> {
        let calls = self.functions.values().flat_map(|m| &m.calls);
        calls.cloned().collect()
    }

    /// The functions that can come to call themselves.
    pub(super) fn recursive(&self) -> IndexSet<String> {
        self.functions
            .keys()
            .filter(|name| self.below(name).contains(*name))
            .cloned()
            .collect()
    }

    /// Everything a function may call, itself only if it is recursive.
    fn below(&self, name: &str) -> IndexSet<String> {
        let mut seen: IndexSet<String> = IndexSet::new();
        let mut work = vec![name.to_owned()];
        while let Some(next) = work.pop() {
            let Some(mentions) = self.functions.get(&next) else {
                continue;
            };
            for callee in &mentions.calls {
                if seen.insert(callee.clone()) {
                    work.push(callee.clone());
                }
            }
        }
        seen
    }

    /// The names of the file that a call of a function may assign, in it or below it.
    pub(super) fn assigned_by(&self, name: &str) -> IndexSet<String> {
        let mut names = IndexSet::new();
        for function in self.below(name).iter().map(String::as_str).chain([name]) {
            if let Some(mentions) = self.functions.get(function) {
                let global = |name: &&String| !mentions.locals.contains(*name);
                names.extend(mentions.assigned.iter().filter(global).cloned());
            }
        }
        names
    }

    /// Whether a name does not change any more behind a place of a function that is in no loop: every
    /// assignment to it stands in this function, before the place, and nothing jumps back.
    pub(super) fn frozen(&self, name: &str, function: &str, place: Span) -> bool {
        self.functions.iter().all(|(other, mentions)| {
            let mut places = mentions.places.iter().filter(|(n, _)| n == name);
            if other == function {
                !mentions.jumps && places.all(|(_, at)| at.end <= place.start)
            } else {
                places.next().is_none() || mentions.locals.contains(name)
            }
        })
    }

    /// Whether a function assigns a name itself, as a whole or in parts.
    pub(super) fn assigns(&self, function: &str, name: &str) -> bool {
        self.functions
            .get(function)
            .is_some_and(|m| m.assigned.contains(name))
    }
}

/// The name an assignment changes: `a` in `a`, `a.f`; none for `a[i]` and `*p`.
pub(super) fn root(place: &Expr) -> Option<&str> {
    match &place.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Member(inner, _) => root(inner),
        _ => None,
    }
}

/// Whether evaluating an expression can change anything, or is more than a value.
pub(super) fn has_effect(e: &Expr) -> bool {
    let mut found = false;
    walk::expr(e, &mut |e| {
        let effect = matches!(
            e.kind,
            ExprKind::Call(..) | ExprKind::Assign(..) | ExprKind::Step(..) | ExprKind::Block(_)
        );
        found |= effect;
    });
    found
}
