//! Values as text.

use std::collections::BTreeMap;

use foretell_terms::eval::Assignment;
use foretell_terms::print::quote;
use foretell_terms::{Func, Sort, TermStore, Value};

/// Values as text; elements of uninterpreted sorts become different constants.
pub(super) struct Spelled<'a> {
    terms: &'a TermStore,
    /// The constants that stand for elements: sort, number.
    elements: Vec<(Sort, u64)>,
}

impl<'a> Spelled<'a> {
    /// No element so far.
    pub(super) fn new(terms: &'a TermStore) -> Spelled<'a> {
        Spelled {
            terms,
            elements: Vec::new(),
        }
    }

    /// A value; elements in it will be declared.
    pub(super) fn value(&mut self, value: &Value, sort: Sort) -> String {
        let mut work = vec![value];
        while let Some(part) = work.pop() {
            match part {
                Value::Element(sort, n) if !self.elements.contains(&(*sort, *n)) => {
                    self.elements.push((*sort, *n));
                }
                Value::Data(_, fields) => work.extend(fields),
                Value::Array(array) => {
                    work.push(array.default_value());
                    work.extend(array.entries().flat_map(|(i, v)| i.iter().chain([v])));
                }
                _ => {}
            }
        }
        self.terms.print_value(value, sort)
    }

    /// Declarations of the elements, and that those of one sort differ.
    pub(super) fn declarations(&self) -> (String, String) {
        let (mut declared, mut distinct) = (String::new(), String::new());
        let mut by_sort: BTreeMap<Sort, Vec<String>> = BTreeMap::new();
        for &(sort, n) in &self.elements {
            let name = self.terms.print_value(&Value::Element(sort, n), sort);
            declared += &format!("(declare-fun {name} () {})\n", self.terms.print_sort(sort));
            by_sort.entry(sort).or_default().push(name);
        }
        for names in by_sort.values().filter(|names| names.len() > 1) {
            distinct += &format!("(assert (distinct {}))\n", names.join(" "));
        }
        (declared, distinct)
    }

    /// `define-fun` of a declared function by its table.
    pub(super) fn table(&mut self, func: Func, values: &Assignment) -> Option<String> {
        let table = values.functions.get(&func)?;
        let decl = self.terms.decl(func);
        let mut body = self.value(table.default.as_ref()?, decl.sort);
        for (args, value) in &table.entries {
            let equal: Vec<String> = args
                .iter()
                .zip(&decl.args)
                .enumerate()
                .map(|(i, (v, &sort))| format!("(= arg!{i} {})", self.value(v, sort)))
                .collect();
            body = format!(
                "(ite (and {}) {} {body})",
                equal.join(" "),
                self.value(value, decl.sort)
            );
        }
        let params: Vec<String> = decl
            .args
            .iter()
            .enumerate()
            .map(|(i, &sort)| format!("(arg!{i} {})", self.terms.print_sort(sort)))
            .collect();
        let sort = self.terms.print_sort(decl.sort);
        Some(format!(
            "(define-fun {} ({}) {sort} {body})\n",
            quote(&decl.name),
            params.join(" ")
        ))
    }
}

/// Sorts first, then the constants for their elements, then the rest.
pub(super) fn place_elements(declarations: &[String], elements: &str) -> String {
    let is_sort = |d: &&String| {
        let words = ["(declare-sort", "(define-sort", "(declare-datatype"];
        words.iter().any(|word| d.starts_with(word))
    };
    let sorts: String = declarations
        .iter()
        .filter(is_sort)
        .map(String::as_str)
        .collect();
    let rest: String = declarations
        .iter()
        .filter(|d| !is_sort(d))
        .map(String::as_str)
        .collect();
    sorts + elements + &rest
}
