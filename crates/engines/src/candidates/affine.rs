//! Affine equations between the numeric parameters of each predicate.
//!
//! Karr, "Affine relationships among variables of a program", Acta Informatica 1976, computed by
//! symbolic abstraction (Reps, Sagiv, Yorsh, VMCAI 2004): the affine hull of the reachable values is
//! approached from below by models.
//!
//! ```text
//! hull_p ← ∅
//! while a rule p → q has a model with its pre-state in hull_p and its post-state outside hull_q
//!   add the post-state to hull_q                        // the dimension grows: at most n + 1 times
//! ```
//!
//! Contract: the equations are guesses for Houdini; an undecided query leaves the hull as it is.

use foretell_kernel::{Answer, Cx, Halt, Model, SolverConfig, Work};
use foretell_systems::Pred;
use foretell_terms::{Rational, Sort, Substitution, Term, TermStore, Value, number};

use super::program::{Program, Rule};

/// Predicates with more numeric parameters than this are skipped.
const MAX_DIMENSION: usize = 24;

/// The equations of each predicate.
pub(super) fn equations(
    program: &Program<'_>,
    limit: Work,
    cx: &Cx<'_>,
) -> Result<Vec<Vec<Term>>, Halt> {
    let mut hulls: Vec<Hull> = program
        .system
        .pred_ids()
        .map(|p| Hull::new(numeric(program, p, cx.terms)))
        .collect();
    let mut work: indexmap::IndexSet<usize> = (0..program.rules.len())
        .filter(|&r| program.rules[r].body.is_empty())
        .collect();
    while let Some(r) = work.shift_remove_index(0) {
        let rule = &program.rules[r];
        let Some(to) = rule.to else { continue };
        let mut grew = false;
        while !hulls[to.index()].is_full()
            && let Some(point) = outside(program, &hulls, rule, limit, cx)?
        {
            grew = hulls[to.index()].add(point) || grew;
            if !grew {
                break;
            }
        }
        if grew || rule.body.is_empty() {
            let uses = |n: &usize| program.rules[*n].body.iter().any(|a| a.pred == to);
            work.extend((0..program.rules.len()).filter(uses));
        }
    }
    Ok(hulls.iter().map(|h| h.equations(cx.terms)).collect())
}

fn numeric(program: &Program<'_>, pred: Pred, terms: &TermStore) -> Vec<Term> {
    let is_number = |p: &Term| terms.sort(*p) == Sort::INT || terms.sort(*p) == Sort::REAL;
    let params: Vec<Term> = program
        .params(pred)
        .iter()
        .copied()
        .filter(is_number)
        .collect();
    if params.len() > MAX_DIMENSION {
        Vec::new()
    } else {
        params
    }
}

/// A post-state of the rule from the hulls of its body that is outside the hull of its head.
fn outside(
    program: &Program<'_>,
    hulls: &[Hull],
    rule: &Rule,
    limit: Work,
    cx: &Cx<'_>,
) -> Result<Option<Vec<Rational>>, Halt> {
    let terms = cx.terms;
    let Some(to) = rule.to else { return Ok(None) };
    let mut solver = cx
        .oracles
        .solver(&SolverConfig::new("affine").with_limit(limit).direct());
    solver.assert(terms, rule.guard)?;
    for atom in &rule.body {
        let hull = &hulls[atom.pred.index()];
        if hull.points.is_empty() && !hull.vars.is_empty() {
            return Ok(None);
        }
        let params = program.params(atom.pred).iter().copied();
        let mut here = Substitution::from_pairs(params.zip(atom.args.iter().copied()));
        for equation in hull.equations(terms) {
            solver.assert(terms, here.apply(terms, equation))?;
        }
    }
    let hull = &hulls[to.index()];
    let params = program.params(to).iter().copied();
    let mut after = Substitution::from_pairs(params.zip(rule.post.iter().copied()));
    if !hull.points.is_empty() {
        let left = hull
            .equations(terms)
            .into_iter()
            .map(|e| terms.not(after.apply(terms, e)));
        solver.assert(terms, terms.or(left))?;
    }
    let values: Vec<Term> = hull.vars.iter().map(|&v| after.apply(terms, v)).collect();
    match solver.check(&[], cx)? {
        Answer::Sat(model) => Ok(values
            .iter()
            .map(|&v| value(model.as_ref(), v, terms))
            .collect()),
        Answer::Unsat(_) | Answer::Unknown(_) => Ok(None),
    }
}

fn value(model: &dyn Model, term: Term, terms: &TermStore) -> Option<Rational> {
    match model.value(terms, term)? {
        Value::Int(n) => Some(number::rational(&n)),
        Value::Real(q) => Some(q),
        _ => None,
    }
}

/// An affine space: the hull of its points.
struct Hull {
    vars: Vec<Term>,
    /// Invariant: affinely independent.
    points: Vec<Vec<Rational>>,
}

impl Hull {
    fn new(vars: Vec<Term>) -> Hull {
        Hull {
            vars,
            points: Vec::new(),
        }
    }

    fn is_full(&self) -> bool {
        self.points.len() > self.vars.len() || self.vars.is_empty()
    }

    /// Adds a point; says whether the space grew.
    fn add(&mut self, point: Vec<Rational>) -> bool {
        let before = rank(&self.differences());
        self.points.push(point);
        if self.points.len() == 1 || rank(&self.differences()) > before {
            return true;
        }
        self.points.pop();
        false
    }

    fn differences(&self) -> Vec<Vec<Rational>> {
        let Some((base, rest)) = self.points.split_first() else {
            return Vec::new();
        };
        let minus = |p: &Vec<Rational>| {
            p.iter()
                .zip(base)
                .map(|(a, b)| a.clone() - b.clone())
                .collect()
        };
        rest.iter().map(minus).collect()
    }

    /// The equations that hold on the space; none when it is empty.
    fn equations(&self, terms: &TermStore) -> Vec<Term> {
        let Some(base) = self.points.first() else {
            return Vec::new();
        };
        let normals = kernel(self.differences(), self.vars.len());
        let equation = |normal: Vec<Rational>| {
            let dot = |point: &[Rational]| {
                point
                    .iter()
                    .zip(&normal)
                    .fold(Rational::ZERO, |sum, (a, b)| sum + a.clone() * b.clone())
            };
            self.equation(&normal, &dot(base), terms)
        };
        normals.into_iter().filter_map(equation).collect()
    }

    /// `normal · vars = constant`; `None` when integers and reals are mixed.
    fn equation(
        &self,
        normal: &[Rational],
        constant: &Rational,
        terms: &TermStore,
    ) -> Option<Term> {
        let used: Vec<(Term, &Rational)> = self
            .vars
            .iter()
            .copied()
            .zip(normal)
            .filter(|(_, c)| !c.is_zero())
            .collect();
        let sort = terms.sort(used.first()?.0);
        if used.iter().any(|(v, _)| terms.sort(*v) != sort) {
            return None;
        }
        let all = normal.iter().chain([constant]);
        let scale = all.fold(Rational::ONE, |scale, c| {
            let scaled = scale.clone() * c.clone();
            scale * number::rational(&scaled.denominator().clone().into())
        });
        let parts: Vec<Term> = used
            .iter()
            .map(|(v, c)| terms.scale(&(scale.clone() * (*c).clone()), *v))
            .collect();
        let right = terms.numeral(&(scale * constant.clone()), sort)?;
        Some(terms.canonical_atom(terms.eq(terms.add(&parts), right)))
    }
}

/// The reduced row echelon form with the column of each row's leading one.
fn reduce(mut rows: Vec<Vec<Rational>>, n: usize) -> Vec<(usize, Vec<Rational>)> {
    let mut done: Vec<(usize, Vec<Rational>)> = Vec::new();
    for column in 0..n {
        let Some(at) = rows.iter().position(|r| !r[column].is_zero()) else {
            continue;
        };
        let mut row = rows.remove(at);
        let lead = row[column].clone();
        row.iter_mut().for_each(|x| *x = x.clone() / lead.clone());
        for other in rows.iter_mut().chain(done.iter_mut().map(|(_, r)| r)) {
            let factor = other[column].clone();
            other
                .iter_mut()
                .zip(&row)
                .for_each(|(x, y)| *x = x.clone() - factor.clone() * y.clone());
        }
        done.push((column, row));
    }
    done
}

fn rank(rows: &[Vec<Rational>]) -> usize {
    reduce(rows.to_vec(), rows.first().map_or(0, Vec::len)).len()
}

/// A basis of the vectors orthogonal to all rows.
fn kernel(rows: Vec<Vec<Rational>>, n: usize) -> Vec<Vec<Rational>> {
    let reduced = reduce(rows, n);
    let leading: Vec<usize> = reduced.iter().map(|(c, _)| *c).collect();
    let free = (0..n).filter(|c| !leading.contains(c));
    free.map(|f| {
        let mut vector = vec![Rational::ZERO; n];
        vector[f] = Rational::ONE;
        for (column, row) in &reduced {
            vector[*column] = -row[f].clone();
        }
        vector
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_is_orthogonal_and_complete() {
        let row = |v: &[i32]| v.iter().map(|&x| Rational::from(x)).collect::<Vec<_>>();
        let rows = vec![row(&[1, 2, 0]), row(&[2, 4, 0])];
        let basis = kernel(rows, 3);
        assert_eq!(basis, vec![row(&[-2, 1, 0]), row(&[0, 0, 1])]);
    }
}
