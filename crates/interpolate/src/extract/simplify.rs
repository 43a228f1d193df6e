//! Simplification of interpolants: an irredundant normal form where that is smaller.
//!
//! ```text
//! f over its atoms as a decision diagram;  T = what the comparisons of one form say of each other
//! DNF: isop(f and T, f or not T);  CNF: the negation of isop(not f and T, not f or not T)
//! keep the smallest of f, DNF and CNF, by number of literals
//! literals of one form are joined:  l <= c, l >= c  to  l = c,  l <= c, l != c  to  l < c,  and dually
//! ```
//! The result is equivalent to `f` in the theory.

use super::bdd::{Bdd, Cube, Diagrams, ONE};
use super::formula::{FId, Form, Formulas};
use super::line::{Edge, OnLine, Span, disjoint, on_line};
use crate::data::atoms::{AtomId, Bound, Lit};
use crate::data::bank::Sort;
use crate::data::linear::Lin;
use crate::data::rational::Rat;
use crate::world::World;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

/// Cubes, or clauses.
type Cover = Vec<Vec<Lit>>;

/// The number of nodes of a diagram beyond which a formula is left as it is.
const NODES: usize = 200_000;

/// The number of atoms beyond which a formula is left as it is.
const ATOMS: usize = 300;

/// An equivalent formula, no larger.
pub(crate) fn simplify(world: &mut World, formulas: &mut Formulas, f: FId) -> FId {
    let below = formulas.below(&[f]);
    let atoms = ordered_atoms(world, formulas, &below);
    if atoms.is_empty() || atoms.len() > ATOMS {
        return f;
    }
    let mut s = Simplifier {
        world,
        formulas,
        atoms,
        diagrams: Diagrams::new(NODES),
    };
    let size = s.size(&below, f);
    let Some((dnf, cnf)) = s.normal_forms(&below, f) else {
        return f;
    };
    let count = |cubes: &[Vec<Lit>]| cubes.iter().map(Vec::len).sum::<usize>() as u64;
    let (d, c) = (count(&dnf), count(&cnf));
    if c <= d && c <= size {
        s.clauses(&cnf)
    } else if d <= size {
        s.cubes(&dnf)
    } else {
        f
    }
}

/// The atoms of the formula, those about one linear form next to each other.
fn ordered_atoms(
    world: &World,
    formulas: &Formulas,
    below: &[FId],
) -> IndexSet<AtomId, FxBuildHasher> {
    let mut keyed: Vec<(Option<AtomId>, AtomId)> = Vec::new();
    let mut firsts: IndexMap<Vec<(crate::data::bank::TId, Rat)>, AtomId, FxBuildHasher> =
        IndexMap::default();
    for f in below {
        if let Form::Lit(l) = formulas.get(*f) {
            let a = l.atom();
            let first = on_line(world, a.pos()).map(|o| *firsts.entry(o.form).or_insert(a));
            keyed.push((Some(first.unwrap_or(a)), a));
        }
    }
    keyed.sort_unstable();
    keyed.into_iter().map(|k| k.1).collect()
}

/// The state of one simplification.
struct Simplifier<'a> {
    world: &'a mut World,
    formulas: &'a mut Formulas,
    atoms: IndexSet<AtomId, FxBuildHasher>,
    diagrams: Diagrams,
}

impl Simplifier<'_> {
    /// The number of literals of the formula written as a tree.
    fn size(&self, below: &[FId], f: FId) -> u64 {
        let mut sizes: IndexMap<FId, u64, FxBuildHasher> = IndexMap::default();
        for g in below {
            let n = match self.formulas.get(*g) {
                Form::And(a, b) | Form::Or(a, b) => sizes[&a].saturating_add(sizes[&b]),
                Form::Lit(_) => 1,
                _ => 0,
            };
            sizes.insert(*g, n);
        }
        sizes[&f]
    }

    fn var(&mut self, l: Lit) -> Option<Bdd> {
        let i = self.atoms.get_index_of(&l.atom())? as u32;
        let v = self.diagrams.var(i)?;
        if l.is_pos() {
            Some(v)
        } else {
            self.diagrams.not(v)
        }
    }

    /// Cubes of the formula, and cubes of its negation turned into clauses.
    fn normal_forms(&mut self, below: &[FId], f: FId) -> Option<(Cover, Cover)> {
        let mut known: IndexMap<FId, Bdd, FxBuildHasher> = IndexMap::default();
        for g in below {
            let d = match self.formulas.get(*g) {
                Form::True => 1,
                Form::False => 0,
                Form::Lit(l) => self.var(l)?,
                Form::And(a, b) => self.diagrams.and(known[&a], known[&b])?,
                Form::Or(a, b) => self.diagrams.or(known[&a], known[&b])?,
            };
            known.insert(*g, d);
        }
        let f = known[&f];
        let facts = self.facts()?;
        let gap = self.diagrams.not(facts)?;
        let n = self.diagrams.not(f)?;
        let mut covers = Vec::new();
        for g in [f, n] {
            let lower = self.diagrams.and(g, facts)?;
            let upper = self.diagrams.or(g, gap)?;
            covers.push(self.diagrams.isop(lower, upper)?.0);
        }
        let clauses = covers.pop()?;
        let cubes = covers.pop()?;
        let lits = |cubes: Vec<Cube>, flip: u32| -> Vec<Vec<Lit>> {
            let lit = |(v, pos): &(u32, bool)| {
                let l = self.atoms[*v as usize].pos();
                Lit(if *pos { l.0 } else { (!l).0 } ^ flip)
            };
            cubes.iter().map(|c| c.iter().map(lit).collect()).collect()
        };
        Some((lits(cubes, 0), lits(clauses, 1)))
    }

    /// What the comparisons of one linear form say of each other.
    fn facts(&mut self) -> Option<Bdd> {
        let atoms: Vec<AtomId> = self.atoms.iter().copied().collect();
        let lines: Vec<Option<(OnLine, OnLine)>> = atoms
            .iter()
            .map(|a| {
                Some((
                    on_line(self.world, a.pos())?,
                    on_line(self.world, !a.pos())?,
                ))
            })
            .collect();
        let mut facts = ONE;
        for (i, a) in lines.iter().enumerate() {
            for (j, b) in lines.iter().enumerate().skip(i + 1) {
                let (Some(a), Some(b)) = (a, b) else { continue };
                if a.0.form != b.0.form {
                    continue;
                }
                for (x, l) in [(&a.0, atoms[i].pos()), (&a.1, !atoms[i].pos())] {
                    for (y, m) in [(&b.0, atoms[j].pos()), (&b.1, !atoms[j].pos())] {
                        if disjoint(&x.span, &y.span) {
                            let (p, q) = (self.var(!l)?, self.var(!m)?);
                            let fact = self.diagrams.or(p, q)?;
                            facts = self.diagrams.and(facts, fact)?;
                        }
                    }
                }
            }
        }
        Some(facts)
    }

    fn cubes(&mut self, cubes: &[Vec<Lit>]) -> FId {
        let mut f = Formulas::FALSE;
        for c in cubes {
            let mut g = Formulas::TRUE;
            for l in self.join_halves(c, Halves::Conjoined) {
                let l = self.formulas.lit(l);
                g = self.formulas.and(g, l);
            }
            f = self.formulas.or(f, g);
        }
        f
    }

    fn clauses(&mut self, clauses: &[Vec<Lit>]) -> FId {
        let mut f = Formulas::TRUE;
        for c in self.join_neighbours(clauses) {
            let mut g = Formulas::FALSE;
            for l in self.join_halves(&c, Halves::Disjoined) {
                let l = self.formulas.lit(l);
                g = self.formulas.or(g, l);
            }
            f = self.formulas.and(f, g);
        }
        f
    }

    /// `l <= c and l >= c` is `l = c`; `l <= c and l != c` is `l < c`; and dually.
    fn join_halves(&mut self, lits: &[Lit], how: Halves) -> Vec<Lit> {
        let mut lits = lits.to_vec();
        let mut i = 0;
        while i < lits.len() {
            let partner =
                (i + 1..lits.len()).find_map(|j| Some((j, self.joined(lits[i], lits[j], how)?)));
            match partner {
                Some((j, l)) => {
                    lits.remove(j);
                    lits[i] = l;
                }
                None => i += 1,
            }
        }
        lits
    }

    /// Clauses `X or l <= c` and `X or l >= c` become `X or l = c`.
    fn join_neighbours(&mut self, clauses: &[Vec<Lit>]) -> Vec<Vec<Lit>> {
        let mut clauses = clauses.to_vec();
        let mut i = 0;
        while i < clauses.len() {
            let partner = (i + 1..clauses.len())
                .find_map(|j| Some((j, self.neighbour(&clauses[i], &clauses[j])?)));
            match partner {
                Some((j, c)) => {
                    clauses.remove(j);
                    clauses[i] = c;
                }
                None => i += 1,
            }
        }
        clauses
    }

    fn neighbour(&mut self, a: &[Lit], b: &[Lit]) -> Option<Vec<Lit>> {
        if a.len() != b.len() {
            return None;
        }
        let only = |x: &[Lit], y: &[Lit]| -> Option<Lit> {
            let mut rest = x.iter().filter(|l| !y.contains(l));
            rest.next().copied().filter(|_| rest.next().is_none())
        };
        let (l, m) = (only(a, b)?, only(b, a)?);
        let eq = self.joined(l, m, Halves::Conjoined)?;
        let mut out: Vec<Lit> = a.iter().copied().filter(|x| *x != l).collect();
        out.push(eq);
        Some(out)
    }

    /// The literal two literals of one form amount to, if one says it.
    fn joined(&mut self, a: Lit, b: Lit, how: Halves) -> Option<Lit> {
        let (x, y) = (on_line(self.world, a)?, on_line(self.world, b)?);
        if x.form != y.form {
            return None;
        }
        let int = x
            .form
            .iter()
            .all(|(t, _)| self.world.bank.sort(*t) == Sort::Int);
        let sort = if int { Sort::Int } else { Sort::Real };
        let span = match how {
            Halves::Conjoined => meet(&x.span, &y.span, sort)?,
            // By duality: the complements meet in the complement.
            Halves::Disjoined => {
                complement(&meet(&complement(&x.span), &complement(&y.span), sort)?)
            }
        };
        let lin = Lin {
            terms: x.form,
            k: Rat::ZERO,
        };
        Some(self.spanned(&lin, &span, sort))
    }

    /// `form in span` as a literal.
    fn spanned(&mut self, form: &Lin, span: &Span, sort: Sort) -> Lit {
        let (bound, upper) = match span {
            Span::Point(p) => return self.equality(form.terms.clone(), p, sort),
            Span::Not(p) => return !self.equality(form.terms.clone(), p, sort),
            Span::Below(b, e) => (
                Bound {
                    lin: form.shifted(&-b),
                    strict: *e == Edge::Open,
                },
                true,
            ),
            Span::Above(b, e) => (
                Bound {
                    lin: form.shifted(&-b),
                    strict: *e == Edge::Open,
                },
                false,
            ),
        };
        let lin = if upper {
            bound.lin
        } else {
            bound.lin.negated()
        };
        self.world.atoms.bound(
            &self.world.bank,
            &Bound {
                lin,
                strict: bound.strict,
            },
        )
    }

    /// `form = point` as a literal: a single term against the rest where possible.
    fn equality(
        &mut self,
        form: Vec<(crate::data::bank::TId, Rat)>,
        point: &Rat,
        sort: Sort,
    ) -> Lit {
        let lin = Lin {
            terms: form,
            k: -point,
        };
        let t = self.world.bank.term_of(lin, sort);
        let zero = self.world.bank.term_of(Lin::zero(), sort);
        self.world.eq(t, zero)
    }
}

/// How two halves are read together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Halves {
    /// Both must hold.
    Conjoined,
    /// One must hold.
    Disjoined,
}

/// The intersection of two spans where it is a span again and smaller than both. Over integers ends
/// may be moved to the next integer.
fn meet(a: &Span, b: &Span, sort: Sort) -> Option<Span> {
    use Span::{Above, Below, Not};
    match (a, b) {
        (Below(h, e), Above(l, f)) | (Above(l, f), Below(h, e)) => {
            let (h, e) = if sort == Sort::Int && *e == Edge::Open {
                (h - &Rat::ONE, Edge::Closed)
            } else {
                (h.clone(), *e)
            };
            let (l, f) = if sort == Sort::Int && *f == Edge::Open {
                (l + &Rat::ONE, Edge::Closed)
            } else {
                (l.clone(), *f)
            };
            (h == l && e == Edge::Closed && f == Edge::Closed).then_some(Span::Point(h))
        }
        (Below(h, Edge::Closed), Not(p)) | (Not(p), Below(h, Edge::Closed)) if h == p => {
            Some(Below(p.clone(), Edge::Open))
        }
        (Above(l, Edge::Closed), Not(p)) | (Not(p), Above(l, Edge::Closed)) if l == p => {
            Some(Above(p.clone(), Edge::Open))
        }
        _ => None,
    }
}

fn complement(a: &Span) -> Span {
    let turn = |e: &Edge| {
        if *e == Edge::Open {
            Edge::Closed
        } else {
            Edge::Open
        }
    };
    match a {
        Span::Below(h, e) => Span::Above(h.clone(), turn(e)),
        Span::Above(l, e) => Span::Below(l.clone(), turn(e)),
        Span::Point(p) => Span::Not(p.clone()),
        Span::Not(p) => Span::Point(p.clone()),
    }
}
