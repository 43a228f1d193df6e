//! Datatypes as Z3's datatypes.
//!
//! Z3 knows datatypes by name, and its context belongs to the thread, while two term stores may
//! have different types of one name. So the names given to Z3 are numbers, and what was made before
//! in this thread is found by its structure:
//!
//! ```text
//! datatype(D):  group := the types that D reaches and that reach D (or D alone)
//!               sorts of fields outside the group first, then the group at once
//! ```
//!
//! The indices of an array with several are one tuple, so that its values in models are one list of
//! cells.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use foretell_kernel::Halt;
use foretell_terms::{Recursion, Sort, SortKind, TermStore};
use z3::datatype_builder::create_datatypes;
use z3::{DatatypeAccessor, DatatypeBuilder, DatatypeSort, DatatypeVariant, Symbol};

thread_local! {
    /// The groups made in this thread, by their structure.
    static MADE: RefCell<BTreeMap<String, Vec<Rc<DatatypeSort>>>> =
        const { RefCell::new(BTreeMap::new()) };
}

/// The Z3 sorts of the sorts of one store.
#[derive(Default)]
pub(super) struct Sorts {
    known: BTreeMap<Sort, z3::Sort>,
    datas: BTreeMap<Sort, Rc<DatatypeSort>>,
}

impl Sorts {
    /// The Z3 sort of a sort.
    pub(super) fn sort(&mut self, terms: &TermStore, of: Sort) -> Result<z3::Sort, Halt> {
        if let Some(known) = self.known.get(&of) {
            return Ok(known.clone());
        }
        let made = match terms.kind(of) {
            SortKind::Bool => z3::Sort::bool(),
            SortKind::Int => z3::Sort::int(),
            SortKind::Real => z3::Sort::real(),
            SortKind::BitVec(width) => z3::Sort::bitvector(*width),
            SortKind::Uninterpreted(name) => {
                z3::Sort::uninterpreted(Symbol::String(name.to_string()))
            }
            SortKind::Data(_) => self.data(terms, of)?.sort.clone(),
            SortKind::Array { indices, element } => {
                let indices: Vec<Sort> = indices.to_vec();
                let range = self.sort(terms, *element)?;
                z3::Sort::array(&self.index(terms, &indices)?, &range)
            }
        };
        self.known.insert(of, made.clone());
        Ok(made)
    }

    /// Constructor, tester and selectors of a constructor.
    pub(super) fn variant(
        &mut self,
        terms: &TermStore,
        of: foretell_terms::Constructor,
    ) -> Result<Variant, Halt> {
        let data = self.data(terms, of.sort)?;
        Ok(Variant {
            data,
            index: of.index as usize,
        })
    }

    /// The sort of the indices of an array: of several, their tuple.
    pub(super) fn index(&mut self, terms: &TermStore, of: &[Sort]) -> Result<z3::Sort, Halt> {
        match of {
            [only] => self.sort(terms, *only),
            _ => Ok(self.tuple(terms, of)?.data.sort.clone()),
        }
    }

    /// The tuple of several indices.
    pub(super) fn tuple(&mut self, terms: &TermStore, of: &[Sort]) -> Result<Variant, Halt> {
        let fields = of.iter().map(|&s| self.sort(terms, s));
        let fields = fields.collect::<Result<Vec<z3::Sort>, Halt>>()?;
        let words: String = fields.iter().map(|f| format!(" {f}")).collect();
        let structure = format!("[({words})]");
        let made = MADE.with(|made| made.borrow().get(&structure).cloned());
        let made = made.unwrap_or_else(|| {
            let number = MADE.with(|made| made.borrow().len());
            let own = format!("D{number}.0.C0");
            let names: Vec<String> = (0..fields.len()).map(|i| format!("{own}.{i}")).collect();
            let sorts = fields.into_iter().map(DatatypeAccessor::sort);
            let fields = names.iter().map(String::as_str).zip(sorts).collect();
            let builder = DatatypeBuilder::new(format!("D{number}.0")).variant(&own, fields);
            let made = create_datatypes(vec![builder]).into_iter().map(Rc::new);
            let made: Vec<Rc<DatatypeSort>> = made.collect();
            MADE.with(|all| all.borrow_mut().insert(structure, made.clone()));
            made
        });
        let data = made.first().cloned();
        let data = data.ok_or_else(|| Halt::Solver("a tuple of indices is one type".into()))?;
        Ok(Variant { data, index: 0 })
    }

    fn data(&mut self, terms: &TermStore, of: Sort) -> Result<Rc<DatatypeSort>, Halt> {
        if let Some(known) = self.datas.get(&of) {
            return Ok(Rc::clone(known));
        }
        let group = group(terms, of);
        let structure = self.structure(terms, &group)?;
        let made = MADE.with(|made| made.borrow().get(&structure).cloned());
        let made = match made {
            Some(made) => made,
            None => self.make(terms, &group, structure)?,
        };
        self.datas.extend(group.iter().copied().zip(made));
        self.datas
            .get(&of)
            .cloned()
            .ok_or_else(|| Halt::Solver("a datatype belongs to its group".into()))
    }

    /// What a group looks like: its names do not matter, its fields do.
    fn structure(&mut self, terms: &TermStore, group: &[Sort]) -> Result<String, Halt> {
        let mut text = String::new();
        for &sort in group {
            text.push('[');
            for constructor in terms.constructors(sort) {
                text.push('(');
                for field in &terms.constructor(constructor).fields {
                    match group.iter().position(|&s| s == field.sort) {
                        Some(member) => text += &format!(" @{member}"),
                        None => text += &format!(" {}", self.sort(terms, field.sort)?),
                    }
                }
                text.push(')');
            }
            text.push(']');
        }
        Ok(text)
    }

    fn make(
        &mut self,
        terms: &TermStore,
        group: &[Sort],
        structure: String,
    ) -> Result<Vec<Rc<DatatypeSort>>, Halt> {
        let number = MADE.with(|made| made.borrow().len());
        let name = |member: usize| format!("D{number}.{member}");
        let mut builders = Vec::new();
        for (member, &sort) in group.iter().enumerate() {
            let mut builder = DatatypeBuilder::new(name(member));
            for constructor in terms.constructors(sort) {
                let own = format!("{}.C{}", name(member), constructor.index);
                let mut fields = Vec::new();
                for (i, field) in terms.constructor(constructor).fields.iter().enumerate() {
                    let accessor = match group.iter().position(|&s| s == field.sort) {
                        Some(other) => DatatypeAccessor::datatype(name(other)),
                        None => DatatypeAccessor::sort(self.sort(terms, field.sort)?),
                    };
                    fields.push((format!("{own}.{i}"), accessor));
                }
                let fields = fields.iter_mut().map(|(n, a)| (n.as_str(), take(a)));
                builder = builder.variant(&own, fields.collect());
            }
            builders.push(builder);
        }
        let made: Vec<Rc<DatatypeSort>> = create_datatypes(builders)
            .into_iter()
            .map(Rc::new)
            .collect();
        MADE.with(|all| all.borrow_mut().insert(structure, made.clone()));
        Ok(made)
    }
}

fn take(accessor: &mut DatatypeAccessor) -> DatatypeAccessor {
    std::mem::replace(accessor, DatatypeAccessor::datatype(""))
}

/// One constructor of a datatype.
pub(super) struct Variant {
    data: Rc<DatatypeSort>,
    index: usize,
}

impl std::ops::Deref for Variant {
    type Target = DatatypeVariant;

    fn deref(&self) -> &DatatypeVariant {
        &self.data.variants[self.index]
    }
}

/// The types that must be made together with this one, in a fixed order; front ends refuse types
/// that contain themselves below an array.
fn group(terms: &TermStore, of: Sort) -> Vec<Sort> {
    if terms.recursion(of) == Recursion::Flat {
        return vec![of];
    }
    let below = |from: Sort| {
        let mut reached = vec![from];
        let mut next = 0;
        while let Some(&sort) = reached.get(next) {
            next += 1;
            for constructor in terms.constructors(sort) {
                for field in &terms.constructor(constructor).fields {
                    if terms.data(field.sort).is_some() && !reached.contains(&field.sort) {
                        reached.push(field.sort);
                    }
                }
            }
        }
        reached
    };
    below(of)
        .into_iter()
        .filter(|&other| other == of || below(other).contains(&of))
        .collect()
}
