//! Formulas over arrays as formulas over single elements.
//!
//! Paper: none; the reduction of arrays to the elements at finitely many indices is folklore (Bradley,
//! Manna, Sipma, "What's decidable about arrays?", VMCAI 2006, for its completeness within one formula).
//! Part of the layer in `layer.rs`.
//!
//! ```text
//! value(store(a, i, v), p)   ite(p = i, v, value(a, p))          // fn value
//! value(const(v), p)         v
//! value(ite(c, a, b), p)     ite(c, value(a, p), value(b, p))
//! value(a[i], p)             value(a, i·p)                       an array of arrays
//! value(a, p)                the element known at p, else a new symbol r
//! a = b                      ⋀ value(a, p) = value(b, p)         where it is asserted
//!                            value(a, w) = value(b, w)           where it is denied; w is a new symbol
//! congruence                 p = q ⇒ value(a, p) = value(a, q)   for the known positions of each a
//! ```
//!
//! Every new symbol has a meaning over arrays (r is `a[p]`, w an index at which the arrays differ, if
//! there is one), and under that meaning each formula is implied by the one it stands for: the result is
//! an over-approximation. Limits: quantifiers and functions whose values are arrays are refused.

mod equations;

use foretell_formulas::arrays::{is_array, normal, shape};
use foretell_kernel::{Halt, Unsupported};
use foretell_terms::{Op, Sort, Term, TermMap, TermSet, TermStore};
use indexmap::{IndexMap, IndexSet};

use super::polarity::{Polarities, Polarity};

/// The indices that lead from an array to an element, outermost first.
pub(crate) type Position = Vec<Term>;

/// How often the positions of equations are looked for anew.
const ROUNDS: u32 = 4;

/// `a = b`, decided where the difference of two integers is a number.
pub(super) fn same(terms: &TermStore, a: Term, b: Term) -> Term {
    if terms.sort(a) == Sort::INT {
        let difference = terms.linear(terms.sub(a, b));
        if difference.terms.is_empty() {
            return terms.bool(difference.constant.is_zero());
        }
    }
    terms.eq(a, b)
}

/// `p = q` for positions.
fn same_position(terms: &TermStore, p: &[Term], q: &[Term]) -> Term {
    terms.and(p.iter().zip(q).map(|(&a, &b)| same(terms, a, b)))
}

/// An element of an array.
pub(super) struct Known {
    pub(super) position: Position,
    pub(super) value: Term,
    /// The element counts only where this holds; without it, always.
    pub(super) label: Option<Term>,
}

/// What becomes of an element that is not known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Missing {
    /// It is asked for: see [`Projection::take_missing`].
    Asked,
    /// It is a new symbol, free but for congruence.
    Free,
}

/// The translation of the formulas of one system.
pub(super) struct Projection<'a> {
    terms: &'a TermStore,
    /// The known elements of each array symbol.
    ///
    /// Invariant: the positions of unlabelled elements of one symbol are pairwise different terms.
    known: TermMap<Vec<Known>>,
    /// Scalar terms.
    images: TermMap<Term>,
    values: IndexMap<(Term, Position), Term>,
    /// Array symbols that equations define: next values and inputs.
    defined: TermSet,
    missing: Missing,
    /// Elements that were asked for.
    asked: IndexSet<(Term, Position)>,
    /// Symbols that were made.
    made: Vec<Term>,
    /// Where two arrays differ in a goal, by equation; `None` outside goals.
    differences: Option<TermMap<Position>>,
}

impl<'a> Projection<'a> {
    /// A translation that knows no element; `defined` are the array symbols that equations define.
    pub(super) fn new(terms: &'a TermStore, defined: TermSet) -> Projection<'a> {
        Projection {
            terms,
            known: TermMap::default(),
            images: TermMap::default(),
            values: IndexMap::new(),
            defined,
            missing: Missing::Asked,
            asked: IndexSet::new(),
            made: Vec::new(),
            differences: None,
        }
    }

    /// Says what becomes of unknown elements from now on.
    pub(super) fn set_missing(&mut self, missing: Missing) {
        self.missing = missing;
    }

    /// From now on formulas are goals: a difference of two arrays is at an index of its own, rigid and
    /// the same in every state.
    pub(super) fn enter_goal(&mut self) {
        self.differences = Some(TermMap::default());
        self.images.clear();
    }

    /// The rigid indices that goals made so far.
    pub(super) fn differences(&self) -> Vec<Term> {
        self.differences
            .iter()
            .flat_map(|all| all.values())
            .flatten()
            .copied()
            .collect()
    }

    /// The goals end; the rigid indices that were made.
    pub(super) fn leave_goal(&mut self) -> Vec<Position> {
        self.images.clear();
        self.differences
            .take()
            .map(|all| all.into_values().collect())
            .unwrap_or_default()
    }

    /// Adds a known element.
    pub(super) fn know(&mut self, array: Term, known: Known) {
        self.known.entry(array).or_default().push(known);
        // What was computed without it could be said better.
        self.images.clear();
        self.values.clear();
    }

    /// The element that is known at a position without any condition.
    pub(super) fn find(&self, array: Term, position: &[Term]) -> Option<Term> {
        let known = self.known.get(&array)?;
        known
            .iter()
            .find(|k| k.label.is_none() && k.position == position)
            .map(|k| k.value)
    }

    /// The element that is known at a position under a condition. Where the condition fails it is tied to
    /// nothing, so that what a state formula says about it does not matter.
    fn find_labelled(&self, array: Term, position: &[Term]) -> Option<Term> {
        self.known
            .get(&array)?
            .iter()
            .find(|k| k.position == position)
            .map(|k| k.value)
    }

    /// The elements that were asked for since the last call.
    pub(super) fn take_missing(&mut self) -> Vec<(Term, Position)> {
        std::mem::take(&mut self.asked).into_iter().collect()
    }

    /// The symbols that were made.
    pub(super) fn made(&self) -> &[Term] {
        &self.made
    }

    /// The formulas without arrays. Each is implied by the given one together with the meaning of the
    /// new symbols.
    ///
    /// # Errors
    /// When a formula has quantifiers or functions to arrays, or, without free elements, an equation of
    /// arrays that is neither only asserted nor only denied.
    pub(super) fn formulas(&mut self, roots: &[Term]) -> Result<Vec<Term>, Halt> {
        let polarities = Polarities::new(self.terms, roots);
        // The same equation may stand elsewhere in other formulas.
        self.images.clear();
        let equations: Vec<Term> = polarities.equations().collect();
        for _ in 0..ROUNDS {
            let before = self.known.values().map(Vec::len).sum::<usize>();
            for root in self.terms.subterms(roots) {
                if *self.terms.op(root) == Op::Select && !is_array(self.terms, root) {
                    self.image(root, &polarities)?;
                }
            }
            for &equation in equations
                .iter()
                .filter(|&&e| polarities.of(e) != Polarity::Denied)
            {
                self.asserted(equation, &polarities)?;
            }
            if self.known.values().map(Vec::len).sum::<usize>() == before {
                break;
            }
            self.images.clear();
        }
        roots
            .iter()
            .map(|&root| self.image(root, &polarities))
            .collect()
    }

    /// The element of an array symbol at a position, which is a new symbol where it is not known.
    pub(super) fn element_at(&mut self, array: Term, position: &Position) -> Term {
        let position: Position = position.iter().map(|&t| normal(self.terms, t)).collect();
        self.element(array, &position)
    }

    /// A scalar term without arrays.
    fn image(&mut self, root: Term, polarities: &Polarities) -> Result<Term, Halt> {
        for term in self.terms.subterms(&[root]) {
            if !is_array(self.terms, term) && !self.images.contains_key(&term) {
                let image = self.image_node(term, polarities)?;
                self.images.insert(term, image);
            }
        }
        let image = self.images.get(&root).copied();
        image.ok_or_else(|| unsupported("arrays indexed by arrays over cells"))
    }

    fn image_node(&mut self, term: Term, polarities: &Polarities) -> Result<Term, Halt> {
        let node = self.terms.node(term);
        let arrays = node.args.iter().any(|&a| is_array(self.terms, a));
        match node.op {
            Op::Forall | Op::Exists => Err(unsupported("quantifiers over cells")),
            Op::Select => {
                let position = self.indices(&node.args[1..])?;
                self.value(node.args[0], position)
            }
            Op::Eq if arrays => self.equation(term, polarities),
            Op::App(_) if arrays => Err(unsupported("functions of arrays over cells")),
            Op::Construct(_) if arrays => Err(unsupported("datatypes of arrays over cells")),
            _ => {
                let args: Vec<Term> = node.args.iter().map(|a| self.images[a]).collect();
                Ok(if args.is_empty() {
                    term
                } else {
                    self.terms.rebuild(&node.op, &args, node.sort)
                })
            }
        }
    }

    /// The images of indices.
    fn indices(&self, indices: &[Term]) -> Result<Position, Halt> {
        let image = |i: &Term| {
            let image = self.images.get(i);
            image.ok_or_else(|| unsupported("arrays indexed by arrays over cells"))
        };
        let images = indices.iter().map(|i| Ok(normal(self.terms, *image(i)?)));
        images.collect()
    }

    /// The element of an array term at a position. The scalar subterms of the array have images.
    fn value(&mut self, array: Term, position: Position) -> Result<Term, Halt> {
        let goal = (array, position);
        let mut work = vec![goal.clone()];
        while let Some(task) = work.last().cloned() {
            if self.values.contains_key(&task) {
                work.pop();
                continue;
            }
            match self.step(&task)? {
                Step::Done(value) => {
                    self.values.insert(task, value);
                    work.pop();
                }
                Step::Needs(more) => work.extend(more),
            }
        }
        Ok(self.values[&goal])
    }

    /// The element, or which others it needs first.
    fn step(&mut self, (array, position): &(Term, Position)) -> Result<Step, Halt> {
        let (terms, node) = (self.terms, self.terms.node(*array));
        let width = terms
            .array_parts(node.sort)
            .map_or(0, |(indices, _)| indices.len());
        let parts: Vec<(Term, Term, Position)> = match &node.op {
            Op::Store => {
                let last = node.args.len() - 1;
                let hit = same_position(
                    terms,
                    &position[..width],
                    &self.indices(&node.args[1..last])?,
                );
                let rest = position[width..].to_vec();
                vec![
                    (hit, node.args[last], rest),
                    (terms.tt(), node.args[0], position.clone()),
                ]
            }
            Op::ConstArray => vec![(terms.tt(), node.args[0], position[width..].to_vec())],
            Op::Ite => {
                let condition = self.images[&node.args[0]];
                vec![
                    (condition, node.args[1], position.clone()),
                    (terms.tt(), node.args[2], position.clone()),
                ]
            }
            Op::Select => {
                let mut longer = self.indices(&node.args[1..])?;
                longer.extend_from_slice(position);
                vec![(terms.tt(), node.args[0], longer)]
            }
            Op::App(_) if node.args.is_empty() => {
                return Ok(Step::Done(self.element(*array, position)));
            }
            _ => return Err(unsupported("functions to arrays over cells")),
        };
        Ok(self.cases(parts))
    }

    /// The first case whose condition holds; the condition of the last one is true.
    fn cases(&self, parts: Vec<(Term, Term, Position)>) -> Step {
        let terms = self.terms;
        let (mut needs, mut known) = (Vec::new(), Vec::new());
        for (condition, term, position) in parts {
            if terms.is_false(condition) {
                continue;
            }
            if is_array(terms, term) {
                let task = (term, position);
                match self.values.get(&task) {
                    Some(&value) => known.push((condition, value)),
                    None => needs.push(task),
                }
            } else {
                known.push((condition, self.images[&term]));
            }
            if terms.is_true(condition) {
                break;
            }
        }
        if !needs.is_empty() {
            return Step::Needs(needs);
        }
        let mut value = known
            .pop()
            .expect("invariant: the last case has no condition")
            .1;
        for (condition, case) in known.into_iter().rev() {
            value = terms.ite(condition, case, value);
        }
        Step::Done(value)
    }

    /// The element of an array symbol.
    fn element(&mut self, array: Term, position: &Position) -> Term {
        if let Some(value) = self.find(array, position) {
            return value;
        }
        if let (Missing::Asked, Some(value)) = (self.missing, self.find_labelled(array, position)) {
            return value;
        }
        let (_, sort) = shape(self.terms, self.terms.sort(array));
        let value = self
            .terms
            .fresh(&format!("{}_read", self.terms.var_name(array)), sort);
        match self.missing {
            Missing::Asked => {
                self.asked.insert((array, position.clone()));
            }
            Missing::Free => {
                self.made.push(value);
                let known = Known {
                    position: position.clone(),
                    value,
                    label: None,
                };
                self.known.entry(array).or_default().push(known);
            }
        }
        value
    }
}

/// What became of a task.
enum Step {
    Done(Term),
    Needs(Vec<(Term, Position)>),
}

fn unsupported(words: &str) -> Halt {
    Halt::Unsupported(Unsupported(words.into()))
}
