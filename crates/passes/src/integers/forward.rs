//! Rewriting clauses from words to integers.
//!
//! Sorts: `BitVec w` becomes Int, arrays go sort by sort. Each clause assumes the ranges of its
//! variables and of the cells it reads. A variable that a clause only hands on from a body atom needs
//! none: what was derived is in range.
//!
//! Arrays that are compared as a whole, or constant, are a coarser matter: integers have more indices
//! than words. Such systems are translated, and their witnesses are checked ([`Exactness`]).

use foretell_systems::{Atom, ChcSystem, Clause, PredDecl};
use foretell_terms::{BvOp, Op, Sort, Term, TermMap, TermSet, TermStore};

use super::Flavour;
use super::bounds::bounds;
use super::interval::{Interval, Sum};
use super::words::{Word, Words};
use crate::equalities::clause_vars;

/// Whether the clauses below derive exactly what the clauses above derive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Exactness {
    Exact,
    /// A witness from below is one above only if a check says so.
    Candidate,
}

/// What the translation gives.
pub(super) struct Translated {
    pub(super) system: ChcSystem,
    /// Each new variable (parameters and clause variables) with the one it replaces.
    pub(super) originals: TermMap<Term>,
    pub(super) exactness: Exactness,
}

impl Translated {
    /// A system without words.
    pub(super) fn unchanged(system: &ChcSystem) -> Translated {
        Translated {
            system: system.clone(),
            originals: TermMap::default(),
            exactness: Exactness::Exact,
        }
    }
}

/// Whether a sort is one of words, or of arrays with words.
pub(super) fn has_words(terms: &TermStore, sort: Sort) -> bool {
    let mut work = vec![sort];
    while let Some(sort) = work.pop() {
        if terms.width(sort).is_some() {
            return true;
        }
        if let Some((indices, element)) = terms.array_parts(sort) {
            work.extend(indices);
            work.push(element);
        }
    }
    false
}

/// Whether words occur in a system.
pub(super) fn mentions_words(system: &ChcSystem, terms: &TermStore) -> bool {
    let params = system.preds.iter().flat_map(|p| p.params.iter().copied());
    let mut roots: Vec<Term> = params.collect();
    roots.extend(system.formulas());
    let all = terms.subterms(&roots);
    all.into_iter().any(|t| has_words(terms, terms.sort(t)))
}

/// The system over integers; `None` when some operator has no image.
pub(super) fn translate(
    system: &ChcSystem,
    flavour: Flavour,
    terms: &TermStore,
) -> Option<Translated> {
    let mut step = Step::new(terms, flavour);
    let mut to = ChcSystem::default();
    for decl in &system.preds {
        let params: Vec<Term> = decl.params.iter().map(|&p| step.variable(p)).collect();
        let func = if params == decl.params {
            decl.func
        } else {
            let sorts: Vec<Sort> = params.iter().map(|&p| terms.sort(p)).collect();
            terms.declare(terms.name(decl.func), &sorts, Sort::BOOL)
        };
        to.preds.push(PredDecl { func, params });
    }
    for clause in &system.clauses {
        to.clauses.push(step.clause(clause)?);
    }
    let originals = step.below.iter().filter(|(old, new)| old != new);
    Some(Translated {
        originals: originals.map(|(&old, &new)| (new, old)).collect(),
        system: to,
        exactness: step.exactness,
    })
}

/// A formula about words as one about integers; `None` when some operator has no image.
pub(super) fn formula(
    originals: &TermMap<Term>,
    flavour: Flavour,
    formula: Term,
    terms: &TermStore,
) -> Option<Term> {
    let mut step = Step::new(terms, flavour);
    step.below = originals.iter().map(|(&new, &old)| (old, new)).collect();
    step.value(formula)
}

/// What a term becomes.
#[derive(Clone)]
enum Image {
    /// A term of the sort below.
    Plain(Term),
    /// A word.
    Word(Sum),
}

/// The images of terms.
struct Step<'a> {
    terms: &'a TermStore,
    words: Words<'a>,
    /// The variables below.
    below: TermMap<Term>,
    images: TermMap<Image>,
    /// What the clause says of its words.
    bounds: TermMap<Interval>,
    /// The ranges of cells that are read.
    reads: TermSet,
    exactness: Exactness,
}

impl<'a> Step<'a> {
    fn new(terms: &'a TermStore, flavour: Flavour) -> Step<'a> {
        Step {
            terms,
            words: Words { terms, flavour },
            below: TermMap::default(),
            images: TermMap::default(),
            bounds: TermMap::default(),
            reads: TermSet::default(),
            exactness: match flavour {
                Flavour::Exact => Exactness::Exact,
                Flavour::Ideal => Exactness::Candidate,
            },
        }
    }

    fn sort(&self, sort: Sort) -> Sort {
        if self.terms.width(sort).is_some() {
            return Sort::INT;
        }
        match self.terms.array_parts(sort) {
            Some((indices, element)) if has_words(self.terms, sort) => {
                let indices: Vec<Sort> = indices.iter().map(|&i| self.sort(i)).collect();
                self.terms.array_sort(&indices, self.sort(element))
            }
            _ => sort,
        }
    }

    fn variable(&mut self, var: Term) -> Term {
        let terms = self.terms;
        let sort = self.sort(terms.sort(var));
        let known = self.below.entry(var);
        *known.or_insert_with(|| match sort == terms.sort(var) {
            true => var,
            false => terms.new_var(terms.var_name(var), sort),
        })
    }

    fn clause(&mut self, clause: &Clause) -> Option<Clause> {
        let terms = self.terms;
        self.reads.clear();
        self.images.clear();
        self.bounds = bounds(terms, clause.constraint);
        let mut conditions = vec![self.value(clause.constraint)?];
        let mut atom = |a: &Atom| {
            let args: Option<Vec<Term>> = a.args.iter().map(|&t| self.value(t)).collect();
            Some(Atom {
                pred: a.pred,
                args: args?,
            })
        };
        let body: Option<Vec<Atom>> = clause.body.iter().map(&mut atom).collect();
        let (body, head) = (body?, clause.head.as_ref().map(&mut atom));
        let head = match head {
            Some(head) => Some(head?),
            None => None,
        };
        if self.words.flavour == Flavour::Exact {
            conditions.extend(self.ranges(clause));
            conditions.extend(self.reads.iter().copied());
        }
        let constraint = terms.and(
            conditions
                .into_iter()
                .flat_map(|c| terms.conjuncts(c))
                .collect::<Vec<_>>(),
        );
        Some(Clause {
            vars: clause_vars(&body, constraint, head.as_ref(), terms),
            body,
            constraint,
            head,
            line: clause.line,
        })
    }

    /// The ranges of the variables that are computed with, or chosen.
    fn ranges(&mut self, clause: &Clause) -> Vec<Term> {
        let terms = self.terms;
        let atoms = clause.body.iter().chain(&clause.head);
        let args = atoms.flat_map(|a| a.args.iter().copied());
        let mut roots: Vec<Term> = args.filter(|&t| terms.as_var(t).is_none()).collect();
        roots.push(clause.constraint);
        let used: TermSet = terms.subterms(&roots).into_iter().collect();
        let handed = clause.body.iter().flat_map(|a| a.args.iter().copied());
        let handed: TermSet = handed.collect();
        let mut ranges = Vec::new();
        for &var in &clause.vars {
            if let Some(width) = terms.width(terms.sort(var))
                && (used.contains(&var) || !handed.contains(&var))
            {
                let var = self.variable(var);
                ranges.push(in_range(terms, var, width));
            }
        }
        ranges
    }

    /// The image of a term, of a word its signed value.
    fn value(&mut self, root: Term) -> Option<Term> {
        for term in self.terms.subterms(&[root]) {
            if !self.images.contains_key(&term) {
                let image = self.image(term)?;
                self.images.insert(term, image);
            }
        }
        self.made(root)
    }

    /// The value of a term that has an image.
    fn made(&self, term: Term) -> Option<Term> {
        Some(match self.images.get(&term)? {
            Image::Plain(new) => *new,
            Image::Word(sum) => {
                let width = self.terms.bv_width(term);
                self.words.signed(Word { sum, width }).0
            }
        })
    }

    fn all(&self, list: &[Term]) -> Option<Vec<Term>> {
        list.iter().map(|&t| self.made(t)).collect()
    }

    fn word(&self, term: Term) -> Option<Word<'_>> {
        match self.images.get(&term)? {
            Image::Word(sum) => Some(Word {
                sum,
                width: self.terms.bv_width(term),
            }),
            Image::Plain(_) => None,
        }
    }

    fn image(&mut self, term: Term) -> Option<Image> {
        let (terms, node) = (self.terms, self.terms.node(term));
        let args = &node.args;
        let width = terms.width(node.sort);
        let words = |t: Term| has_words(terms, terms.sort(t));
        let any_words = words(term) || args.iter().any(|&a| words(a));
        match (&node.op, width) {
            (Op::App(_), _) if args.is_empty() => {
                let var = self.variable(term);
                let known = self.bounds.get(&term).cloned();
                Some(match known.or_else(|| width.map(Interval::signed)) {
                    Some(range) => Image::Word(Sum::of(terms, var, Some(range))),
                    None => Image::Plain(var),
                })
            }
            (Op::BitVec(width, bits), _) => {
                let n = foretell_terms::number::signed(bits, *width);
                Some(Image::Word(Sum::constant(n)))
            }
            (Op::Bv(op), _) => self.operator(*op, term),
            (Op::Forall | Op::Exists, _) => {
                let below = terms.subterms(&[term]);
                let plain = !below.into_iter().any(words);
                plain.then_some(Image::Plain(term))
            }
            (Op::Eq, _) if terms.width(terms.sort(args[0])).is_some() => {
                let equation = self.words.eq(self.word(args[0])?, self.word(args[1])?);
                Some(Image::Plain(equation))
            }
            (Op::Eq, _) if words(args[0]) => {
                self.exactness = Exactness::Candidate;
                let (a, b) = (self.made(args[0])?, self.made(args[1])?);
                Some(Image::Plain(terms.eq(a, b)))
            }
            (Op::Ite, Some(_)) => self.choice(args),
            (Op::Select, _) => self.read(term),
            (Op::ConstArray, _) if any_words => {
                self.exactness = Exactness::Candidate;
                let value = self.made(args[0])?;
                let sort = self.sort(node.sort);
                Some(Image::Plain(terms.const_array(sort, value)))
            }
            (Op::Store | Op::Ite, _) => {
                let args = self.all(args)?;
                Some(Image::Plain(terms.rebuild(&node.op, &args, node.sort)))
            }
            _ if any_words => None,
            _ => {
                let below = self.all(args)?;
                let same = *below == **args;
                Some(Image::Plain(match same {
                    true => term,
                    false => terms.rebuild(&node.op, &below, node.sort),
                }))
            }
        }
    }

    fn choice(&self, args: &[Term]) -> Option<Image> {
        let condition = self.made(args[0])?;
        let (a, a_range) = self.words.signed(self.word(args[1])?);
        let (b, b_range) = self.words.signed(self.word(args[2])?);
        let term = self.terms.ite(condition, a, b);
        let range = Some(a_range.hull(&b_range));
        Some(Image::Word(Sum::of(self.terms, term, range)))
    }

    fn read(&mut self, term: Term) -> Option<Image> {
        let (terms, args) = (self.terms, self.terms.args(term));
        let (array, at) = (self.made(args[0])?, self.all(&args[1..])?);
        let cell = terms.select(array, &at);
        let Some(width) = terms.width(terms.sort(term)) else {
            return Some(Image::Plain(cell));
        };
        if *terms.op(cell) == Op::Select {
            self.reads.insert(in_range(terms, cell, width));
        }
        let range = Some(Interval::signed(width));
        Some(Image::Word(Sum::of(terms, cell, range)))
    }

    fn operator(&self, op: BvOp, term: Term) -> Option<Image> {
        let (terms, args) = (self.terms, self.terms.args(term));
        if let BvOp::FromInt(_) = op {
            let value = self.made(args[0])?;
            return Some(Image::Word(Sum::of(terms, value, None)));
        }
        let words: Option<Vec<Word<'_>>> = args.iter().map(|&a| self.word(a)).collect();
        let words = words?;
        Some(match (op, &*words) {
            (BvOp::Ule, &[a, b]) => Image::Plain(self.words.ule(a, b)),
            (BvOp::Sle, &[a, b]) => Image::Plain(self.words.sle(a, b)),
            (BvOp::ToNat, &[a]) => Image::Plain(self.words.unsigned(a).0),
            _ => Image::Word(self.words.apply(op, &words, terms.bv_width(term))?),
        })
    }
}

fn in_range(terms: &TermStore, term: Term, width: u32) -> Term {
    let range = Interval::signed(width);
    let (low, high) = (terms.int(range.low), terms.int(range.high));
    terms.and2(terms.le(low, term), terms.le(term, high))
}
