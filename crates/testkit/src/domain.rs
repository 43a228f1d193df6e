//! Finite domains of values.

use foretell_terms::{Integer, Natural, Sort, SortKind, Term, TermStore, Value};

/// Integers range over `0 .. INTEGERS`.
pub(crate) const INTEGERS: i64 = 3;

/// All values of a sort in its small domain: Booleans, integers below [`INTEGERS`], narrow
/// bit-vectors, and arrays from narrow bit-vectors or Booleans to such.
///
/// `None` when the domain is not small.
pub fn values(terms: &TermStore, sort: Sort) -> Option<Vec<Value>> {
    match terms.kind(sort) {
        SortKind::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
        SortKind::Int => Some(
            (0..INTEGERS)
                .map(|n| Value::Int(Integer::from(n)))
                .collect(),
        ),
        SortKind::BitVec(width) if *width <= 3 => Some(
            (0..1u64 << width)
                .map(|n| Value::BitVec(*width, Natural::from(n)))
                .collect(),
        ),
        SortKind::Array { indices, element } => arrays(terms, sort, indices, *element),
        _ => None,
    }
}

fn arrays(terms: &TermStore, sort: Sort, indices: &[Sort], element: Sort) -> Option<Vec<Value>> {
    let [index] = indices else { return None };
    if *index == Sort::INT {
        return None;
    }
    let (at, cells) = (values(terms, *index)?, values(terms, element)?);
    let mut all = vec![terms.constant_array_value(sort, terms.default_value(element))?];
    for i in at {
        let mut next = Vec::new();
        for array in &all {
            for cell in &cells {
                let mut written = array.clone();
                written.store(vec![i.clone()], cell.clone());
                next.push(written);
            }
        }
        all = next;
    }
    Some(all.into_iter().map(Value::Array).collect())
}

/// The formula that keeps an integer in its domain; `true` for other sorts.
pub fn inside(terms: &TermStore, term: Term) -> Term {
    if terms.sort(term) == Sort::INT {
        terms.and2(
            terms.le(terms.int(0), term),
            terms.lt(term, terms.int(INTEGERS)),
        )
    } else {
        terms.tt()
    }
}

/// All assignments of values to variables, as an odometer over their domains.
pub struct Assignments {
    domains: Vec<Vec<Value>>,
    at: Option<Vec<usize>>,
}

impl Assignments {
    /// The assignments of these variables; `None` when a domain is not small.
    pub fn new(terms: &TermStore, vars: &[Term]) -> Option<Assignments> {
        let domains: Vec<Vec<Value>> = vars
            .iter()
            .map(|&v| values(terms, terms.sort(v)))
            .collect::<Option<_>>()?;
        Some(Assignments {
            at: Some(vec![0; domains.len()]),
            domains,
        })
    }
}

impl Iterator for Assignments {
    type Item = Vec<Value>;

    fn next(&mut self) -> Option<Vec<Value>> {
        let at = self.at.as_mut()?;
        let current = at
            .iter()
            .zip(&self.domains)
            .map(|(&i, d)| d[i].clone())
            .collect();
        let mut place = 0;
        loop {
            if place == at.len() {
                self.at = None;
                break;
            }
            at[place] += 1;
            if at[place] < self.domains[place].len() {
                break;
            }
            at[place] = 0;
            place += 1;
        }
        Some(current)
    }
}
