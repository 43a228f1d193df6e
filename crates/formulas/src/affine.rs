//! Affine hulls: all linear equations that some points have in common.
//!
//! ```text
//! (0, 1, 7) (1, 3, 7) (2, 5, 7)   over x, y, z     y - 2x - 1 = 0,  z - 7 = 0
//! ```
//!
//! The equations are the orthogonal complement of the differences to the first point, read off their
//! reduced row echelon form, with coprime integer coefficients.

use foretell_terms::linear::Linear;
use foretell_terms::{Rational, Sort, Term, TermStore};

type Row = Vec<Rational>;

/// The affine hull of points over some variables.
pub struct Hull {
    vars: Vec<Term>,
    /// Invariant: affinely independent.
    points: Vec<Row>,
}

impl Hull {
    /// The empty hull over these variables.
    pub fn new(vars: Vec<Term>) -> Hull {
        Hull {
            vars,
            points: Vec::new(),
        }
    }

    /// The variables.
    pub fn vars(&self) -> &[Term] {
        &self.vars
    }

    /// Whether it has no point.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Whether no point can make it grow in a way that an equation shows.
    pub fn is_full(&self) -> bool {
        self.points.len() > self.vars.len() || self.vars.is_empty()
    }

    /// Adds a point; says whether the hull grew.
    pub fn add(&mut self, point: Row) -> bool {
        self.points.push(point);
        let grew = echelon(self.differences()).len() + 1 == self.points.len();
        if !grew {
            self.points.pop();
        }
        grew
    }

    fn differences(&self) -> Vec<Row> {
        let Some((base, rest)) = self.points.split_first() else {
            return Vec::new();
        };
        let minus = |p: &Row| {
            let pairs = p.iter().zip(base);
            pairs.map(|(a, b)| a.clone() - b.clone()).collect()
        };
        rest.iter().map(minus).collect()
    }

    /// A basis of the forms that are zero on all points; none when there is no point.
    pub fn equations(&self) -> Vec<Linear> {
        let Some(base) = self.points.first() else {
            return Vec::new();
        };
        let reduced = echelon(self.differences());
        let is_pivot = |column: &usize| reduced.iter().any(|(pivot, _)| pivot == column);
        let free = (0..self.vars.len()).filter(|column| !is_pivot(column));
        free.map(|column| {
            // v_column = Σ over pivots of row[column] * v_pivot, up to a constant.
            let mut normal = vec![Rational::ZERO; self.vars.len()];
            normal[column] = Rational::ONE;
            for (pivot, row) in &reduced {
                normal[*pivot] = -row[column].clone();
            }
            let at_base = normal.iter().zip(base);
            let constant = at_base.fold(Rational::ZERO, |sum, (c, v)| sum - c.clone() * v.clone());
            let mut terms: Vec<(Term, Rational)> = self.vars.iter().copied().zip(normal).collect();
            terms.retain(|(_, c)| !c.is_zero());
            let mut equation = Linear { terms, constant };
            equation.make_primitive();
            equation
        })
        .collect()
    }
}

/// The two sides of `form = 0`: the form and zero. `None` when integers and reals are mixed.
pub fn sides(terms: &TermStore, form: &Linear) -> Option<(Term, Term)> {
    let sort = terms.sort(form.terms.first()?.0);
    let same = |(v, _): &(Term, Rational)| terms.sort(*v) == sort;
    let numeric = sort == Sort::INT || sort == Sort::REAL;
    if !numeric || !form.terms.iter().all(same) {
        return None;
    }
    let zero = terms.numeral(&Rational::ZERO, sort)?;
    Some((terms.linear_term(form, sort), zero))
}

/// The rows of the reduced row echelon form that are not zero, each with the column of its leading one.
fn echelon(mut rows: Vec<Row>) -> Vec<(usize, Row)> {
    let mut done: Vec<(usize, Row)> = Vec::new();
    for column in 0..rows.first().map_or(0, Vec::len) {
        let Some(at) = rows.iter().position(|r| !r[column].is_zero()) else {
            continue;
        };
        let mut row = rows.remove(at);
        let lead = row[column].clone();
        row.iter_mut().for_each(|x| *x = x.clone() / lead.clone());
        for other in rows.iter_mut().chain(done.iter_mut().map(|(_, r)| r)) {
            let factor = other[column].clone();
            if !factor.is_zero() {
                let pairs = other.iter_mut().zip(&row);
                pairs.for_each(|(x, y)| *x -= factor.clone() * y.clone());
            }
        }
        done.push((column, row));
    }
    done
}

#[cfg(test)]
mod tests {
    use super::{Hull, sides};
    use foretell_terms::{Rational, Sort, TermStore};

    #[test]
    fn hulls_of_lines_and_points() {
        let s = TermStore::new();
        let vars = ["x", "y", "z"].map(|n| s.new_var(n, Sort::INT));
        let equations = |points: &[[i64; 3]]| -> Vec<String> {
            let mut hull = Hull::new(vars.to_vec());
            for point in points {
                hull.add(point.map(Rational::from).to_vec());
            }
            let forms = hull.equations();
            let print = |f| s.print(sides(&s, f).unwrap().0);
            forms.iter().map(print).collect()
        };
        let line = equations(&[[0, 1, 7], [1, 3, 7], [2, 5, 7]]);
        assert_eq!(line, ["(- y (* 2 x) 1)", "(- z 7)"]);
        let plane = equations(&[[0, 0, 0], [1, 0, 1], [0, 1, -1]]);
        assert_eq!(plane.len(), 1);
        assert!(equations(&[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]).is_empty());
        assert!(equations(&[]).is_empty());
    }

    #[test]
    fn only_points_outside_make_it_grow() {
        let s = TermStore::new();
        let mut hull = Hull::new(vec![s.new_var("x", Sort::INT), s.new_var("r", Sort::REAL)]);
        let point = |x: i64, r: i64| vec![Rational::from(x), Rational::from(r)];
        assert!(hull.add(point(1, 1)) && !hull.add(point(1, 1)) && hull.add(point(2, 2)));
        assert!(!hull.add(point(5, 5)) && !hull.is_full());
        assert_eq!(sides(&s, &hull.equations()[0]), None, "mixed sorts");
        assert!(hull.add(point(0, 1)) && hull.is_full());
    }
}
