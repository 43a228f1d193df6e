//! Arrays: their shapes, where formulas look into them, and one spelling for index terms.

use foretell_terms::{Op, Sort, Term, TermStore};

/// Whether a term is an array.
pub fn is_array(terms: &TermStore, term: Term) -> bool {
    terms.array_parts(terms.sort(term)).is_some()
}

/// The indices and the element of an array sort, arrays of arrays opened.
pub fn shape(terms: &TermStore, sort: Sort) -> (Vec<Sort>, Sort) {
    let (mut indices, mut element) = (Vec::new(), sort);
    while let Some((more, below)) = terms.array_parts(element) {
        indices.extend_from_slice(more);
        element = below;
    }
    (indices, element)
}

/// One spelling for integer terms.
pub fn normal(terms: &TermStore, term: Term) -> Term {
    if terms.sort(term) == Sort::INT {
        terms.linear_term(&terms.linear(term), Sort::INT)
    } else {
        term
    }
}

/// All index tuples of reads and writes below the roots, in order of occurrence.
pub fn accesses(terms: &TermStore, roots: &[Term]) -> Vec<Vec<Term>> {
    let mut found: indexmap::IndexSet<Vec<Term>> = indexmap::IndexSet::new();
    for term in terms.subterms(roots) {
        let args = terms.args(term);
        match terms.op(term) {
            Op::Select => found.insert(args[1..].to_vec()),
            Op::Store => found.insert(args[1..args.len() - 1].to_vec()),
            _ => continue,
        };
    }
    found.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::{accesses, shape};
    use foretell_terms::{Sort, TermStore};

    #[test]
    fn nested_arrays_are_opened_and_both_reads_and_writes_found() {
        let t = TermStore::new();
        let row = t.array_sort(&[Sort::INT], Sort::BOOL);
        let table = t.array_sort(&[Sort::INT], row);
        let expected = (vec![Sort::INT, Sort::INT], Sort::BOOL);
        assert_eq!(shape(&t, table), expected);
        assert_eq!(shape(&t, Sort::REAL), (Vec::new(), Sort::REAL));
        let (a, i, j) = (
            t.new_var("a", row),
            t.new_var("i", Sort::INT),
            t.new_var("j", Sort::INT),
        );
        let b = t.new_var("b", row);
        let formula = t.and2(t.select(a, &[i]), t.eq(b, t.store(a, &[j], t.tt())));
        assert_eq!(accesses(&t, &[formula]), [vec![i], vec![j]]);
    }
}
