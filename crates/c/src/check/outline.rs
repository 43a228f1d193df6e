//! Which functions of the input may get a contract.

use super::builtin::{Meaning, meaning};
use super::lower::Lowering;
use crate::program::outline::{Outline, Role};
use crate::syntax::tree::{Derived, Item, Param, Unit};

/// A declared function: its name, where the declaration starts, the names of its parameters.
pub(super) type Signature = (String, u32, Vec<Option<String>>);

/// The declared functions of a text, each once.
pub(super) fn declared(unit: &Unit) -> Vec<Signature> {
    let names = |params: &[Param]| params.iter().map(|p| p.name.clone()).collect();
    let mut list: Vec<(bool, Signature)> = Vec::new();
    for (item, span) in unit.items.iter().zip(&unit.spans) {
        let (name, ty) = match item {
            Item::Function(def) => (&def.name, &def.ty),
            Item::Declare(found) => match found.as_slice() {
                [only] => (&only.name, &only.ty),
                _ => continue,
            },
        };
        if let Some(Derived::Function(params)) = ty.derived.first() {
            let bodyless = matches!(item, Item::Declare(_));
            list.push((bodyless, (name.clone(), span.start, names(params))));
        }
    }
    // A definition comes before declarations of the same function.
    list.sort_by_key(|(bodyless, _)| *bodyless);
    let mut functions: Vec<Signature> = Vec::new();
    for (_, signature) in list {
        if !functions.iter().any(|(known, ..)| *known == signature.0) {
            functions.push(signature);
        }
    }
    functions.sort_by_key(|(_, start, _)| *start);
    functions
}

impl Lowering {
    /// What contracts can be about. Contract: all functions were lowered.
    pub(super) fn outlines(&self, declared: Vec<Signature>) -> Vec<Outline> {
        let mut outlines = Vec::new();
        for name in self.effects.called() {
            if declared.iter().any(|(known, ..)| *known == name) {
                continue;
            }
            outlines.extend(self.role(&name).map(|role| Outline {
                name,
                start: None,
                params: Vec::new(),
                role,
            }));
        }
        for (name, start, params) in declared {
            if !self.effects.calls(&name) || self.contracts.contains_key(&name) {
                continue;
            }
            let Some(role) = self.role(&name) else {
                continue;
            };
            outlines.push(Outline {
                name,
                start: Some(start),
                params,
                role,
            });
        }
        outlines
    }

    fn role(&self, name: &str) -> Option<Role> {
        if self.recursive.contains(name) {
            return Some(Role::Recursive);
        }
        if self.defs.contains_key(name) && name != "reach_error" {
            return Some(Role::Inlined);
        }
        Some(match meaning(name) {
            Some(Meaning::Input) => Role::Input,
            None if self.settings.extern_inputs => Role::Input,
            Some(Meaning::Assume) => Role::Assume,
            Some(Meaning::Assert) => Role::Assert,
            Some(Meaning::Error) => Role::Error,
            Some(Meaning::Stop) => Role::Stop,
            _ => return None,
        })
    }
}
