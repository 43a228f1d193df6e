//! Rewriting a system from nested to flat arrays.

use foretell_systems::{Atom, ChcSystem, Clause, PredDecl};
use foretell_terms::{Op, Sort, Term, TermMap, TermStore};

use super::{Round, Shape, roots};
use crate::equalities::clause_vars;

/// The flat system and the original of each new variable; `None` when some row is used as a whole.
pub(super) fn flatten(
    system: &ChcSystem,
    shape: &Shape,
    terms: &TermStore,
) -> Option<(ChcSystem, TermMap<Term>)> {
    let images = images(&roots(system), shape, TermMap::default(), terms)?;
    let flat = Flat { images, terms };
    let preds = system.preds.iter().map(|p| flat.pred(p));
    let clauses = system.clauses.iter().map(|c| flat.clause(c));
    let flattened = ChcSystem {
        preds: preds.collect::<Option<Vec<PredDecl>>>()?,
        clauses: clauses.collect::<Option<Vec<Clause>>>()?,
    };
    let is_new = |(&old, image): (&Term, &Image)| match image {
        Image::Plain(new) if terms.as_var(old).is_some() && *new != old => Some((*new, old)),
        _ => None,
    };
    Some((flattened, flat.images.iter().filter_map(is_new).collect()))
}

/// A formula over flat arrays; `None` when it uses a row as a whole.
pub(super) fn formula(round: &Round, formula: Term, terms: &TermStore) -> Option<Term> {
    let known = round.originals.iter();
    let known = known.map(|(&new, &old)| (old, Image::Plain(new)));
    let images = images(&[formula], &round.shape, known.collect(), terms)?;
    Flat { images, terms }.term(formula)
}

/// The parts of a system whose terms have flat images.
struct Flat<'a> {
    images: TermMap<Image>,
    terms: &'a TermStore,
}

impl Flat<'_> {
    fn term(&self, term: Term) -> Option<Term> {
        match self.images.get(&term)? {
            Image::Plain(new) => Some(*new),
            Image::Row { .. } => None,
        }
    }

    fn all(&self, list: &[Term]) -> Option<Vec<Term>> {
        list.iter().map(|&t| self.term(t)).collect()
    }

    fn pred(&self, decl: &PredDecl) -> Option<PredDecl> {
        let (terms, params) = (self.terms, self.all(&decl.params)?);
        if params == decl.params {
            return Some(decl.clone());
        }
        let sorts: Vec<Sort> = params.iter().map(|&p| terms.sort(p)).collect();
        let func = terms.declare(terms.name(decl.func), &sorts, Sort::BOOL);
        Some(PredDecl { func, params })
    }

    fn atom(&self, atom: &Atom) -> Option<Atom> {
        Some(Atom {
            pred: atom.pred,
            args: self.all(&atom.args)?,
        })
    }

    fn clause(&self, clause: &Clause) -> Option<Clause> {
        let body = clause.body.iter().map(|a| self.atom(a));
        let body = body.collect::<Option<Vec<Atom>>>()?;
        let head = match &clause.head {
            Some(head) => Some(self.atom(head)?),
            None => None,
        };
        let constraint = self.term(clause.constraint)?;
        Some(Clause {
            vars: clause_vars(&body, constraint, head.as_ref(), self.terms),
            body,
            constraint,
            head,
            line: clause.line,
        })
    }
}

/// What a term becomes.
#[derive(Clone)]
enum Image {
    /// A term.
    Plain(Term),
    /// The row at `index` of a flat array that differs from the image of `base` in this row only.
    Row {
        base: Term,
        index: Vec<Term>,
        array: Term,
    },
}

/// The images of all subterms, those that are known included; `None` when there is a row that does
/// not fit.
fn images(
    roots: &[Term],
    shape: &Shape,
    known: TermMap<Image>,
    terms: &TermStore,
) -> Option<TermMap<Image>> {
    let mut images = known;
    for term in terms.subterms(roots) {
        if images.contains_key(&term) {
            continue;
        }
        let image = Step {
            shape,
            terms,
            images: &images,
        }
        .image(term)?;
        images.insert(term, image);
    }
    Some(images)
}

/// One term whose arguments have images already.
struct Step<'a> {
    shape: &'a Shape,
    terms: &'a TermStore,
    images: &'a TermMap<Image>,
}

impl Step<'_> {
    fn image(&self, term: Term) -> Option<Image> {
        let (shape, terms, node) = (self.shape, self.terms, self.terms.node(term));
        let is_nested = |t: Term| terms.sort(t) == shape.nested;
        match node.op {
            Op::App(_) if node.args.is_empty() && is_nested(term) => Some(Image::Plain(
                terms.new_var(terms.var_name(term), shape.flat),
            )),
            Op::App(_) if is_nested(term) || node.args.iter().any(|&a| is_nested(a)) => None,
            Op::Select if is_nested(node.args[0]) => {
                let index = self.plain_all(&node.args[1..])?;
                Some(Image::Row {
                    base: node.args[0],
                    index,
                    array: self.plain(node.args[0])?,
                })
            }
            Op::Select if self.is_row(node.args[0]) => {
                let (_, index, array) = self.row(node.args[0])?;
                let cell = [index, &self.plain_all(&node.args[1..])?].concat();
                Some(Image::Plain(terms.select(array, &cell)))
            }
            Op::Store if is_nested(term) => self.store_row(&node.args).map(Image::Plain),
            Op::Store if self.is_row(node.args[0]) => self.store_cell(&node.args),
            Op::Ite if self.is_row(node.args[1]) => self.choose(&node.args),
            Op::ConstArray if is_nested(term) => {
                let row = terms.node(node.args[0]);
                let constant = (row.op == Op::ConstArray).then(|| self.plain(row.args[0]))??;
                Some(Image::Plain(terms.const_array(shape.flat, constant)))
            }
            _ => {
                let args = self.plain_all(&node.args)?;
                let unchanged = *args == *node.args;
                Some(Image::Plain(if unchanged {
                    term
                } else {
                    terms.rebuild(&node.op, &args, node.sort)
                }))
            }
        }
    }

    /// `store(m, i, row)` where the row is that of `m` at `i`.
    fn store_row(&self, args: &[Term]) -> Option<Term> {
        let (base, index, array) = self.row(args[args.len() - 1])?;
        let same_place = base == args[0] && *index == self.plain_all(&args[1..args.len() - 1])?;
        same_place.then_some(array)
    }

    /// `store(row, j, v)`.
    fn store_cell(&self, args: &[Term]) -> Option<Image> {
        let (base, index, array) = self.row(args[0])?;
        let cell = [index, &self.plain_all(&args[1..args.len() - 1])?].concat();
        let array = self
            .terms
            .store(array, &cell, self.plain(args[args.len() - 1])?);
        Some(Image::Row {
            base,
            index: index.to_vec(),
            array,
        })
    }

    /// `ite(c, row, row)` of one place.
    fn choose(&self, args: &[Term]) -> Option<Image> {
        let condition = self.plain(args[0])?;
        let ((base, index, then), (other_base, other_index, other)) =
            (self.row(args[1])?, self.row(args[2])?);
        let array = self.terms.ite(condition, then, other);
        (base == other_base && index == other_index).then(|| Image::Row {
            base,
            index: index.to_vec(),
            array,
        })
    }

    fn is_row(&self, term: Term) -> bool {
        self.terms.sort(term) == self.shape.row
            && matches!(self.images.get(&term), Some(Image::Row { .. }))
    }

    fn row(&self, term: Term) -> Option<(Term, &[Term], Term)> {
        match self.images.get(&term)? {
            Image::Row { base, index, array } => Some((*base, index, *array)),
            Image::Plain(_) => None,
        }
    }

    fn plain(&self, term: Term) -> Option<Term> {
        match self.images.get(&term)? {
            Image::Plain(new) => Some(*new),
            Image::Row { .. } => None,
        }
    }

    fn plain_all(&self, args: &[Term]) -> Option<Vec<Term>> {
        args.iter().map(|&a| self.plain(a)).collect()
    }
}
