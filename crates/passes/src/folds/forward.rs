//! Clauses over lists and trees as clauses over their components.
//!
//! ```text
//! variable            a variable per component, and what is known of them
//! C(t)                the expressions of the components over those of t
//! t = u               componentwise; where it is no conjunct of the clause, a new Boolean that implies it
//! is_C(t)             the tag
//! sel(x), sel of C    new variables, and  tag(x) = C ⇒ components of x are those of C(sel₁ x, …)
//! anything else       a new variable of its sort; one per term
//! ```
//!
//! Each new variable has a meaning under which the clause below is implied by the one above: the
//! result is an over-approximation. Formulas with quantifiers over or about such terms are new
//! Booleans as a whole. Arguments that hold lists or trees inside arrays or sums are dropped.

use foretell_systems::{Atom, ChcSystem, Clause, PredDecl};
use foretell_terms::{Constructor, Op, Selector, Sort, Term, TermMap, TermStore};
use indexmap::IndexSet;

use super::vocabulary::{Component, Sums, Vocabulary, is_recursive, mentions_recursive};
use crate::equalities::clause_vars;

/// What a term is below.
#[derive(Clone, Debug)]
enum Image {
    /// A term.
    Plain(Term),
    /// Its components.
    Components(Vec<Term>),
    /// Nothing is said about it.
    Lost,
}

/// The parameters of the system below: the parameter above, and which component of it.
pub(super) type Origins = TermMap<(Term, Option<Component>)>;

/// The system over components, with where its parameters come from.
pub(super) fn folded(system: &ChcSystem, sums: Sums, terms: &TermStore) -> (ChcSystem, Origins) {
    let mut words = Vocabulary::new(terms, sums);
    let mut origins = Origins::default();
    let mut to = ChcSystem::default();
    for decl in &system.preds {
        let mut params = Vec::new();
        for &param in &decl.params {
            let sort = terms.sort(param);
            if is_recursive(terms, sort) {
                for (k, component) in words.of(sort).into_iter().enumerate() {
                    let own = part(terms, param, k);
                    origins.insert(own, (param, Some(component)));
                    params.push(own);
                }
            } else if !mentions_recursive(terms, sort) {
                origins.insert(param, (param, None));
                params.push(param);
            }
        }
        let sorts: Vec<Sort> = params.iter().map(|&p| terms.sort(p)).collect();
        let func = terms.declare(terms.name(decl.func), &sorts, Sort::BOOL);
        to.preds.push(PredDecl { func, params });
    }
    for clause in &system.clauses {
        let mut step = Step {
            terms,
            words: &mut words,
            images: TermMap::default(),
            opened: IndexSet::new(),
            side: Vec::new(),
        };
        to.clauses.push(step.clause(clause));
    }
    (to, origins)
}

fn part(terms: &TermStore, of: Term, number: usize) -> Term {
    terms.new_var(&format!("{}.{number}", terms.var_name(of)), Sort::INT)
}

/// One clause.
struct Step<'s, 'a> {
    terms: &'s TermStore,
    words: &'s mut Vocabulary<'a>,
    images: TermMap<Image>,
    /// Terms whose fields of a constructor have images.
    opened: IndexSet<(Term, Constructor)>,
    side: Vec<Term>,
}

impl Step<'_, '_> {
    fn clause(&mut self, clause: &Clause) -> Clause {
        let terms = self.terms;
        let conjuncts = terms.conjuncts(clause.constraint).into_iter();
        let mut conditions: Vec<Term> = conjuncts.map(|c| self.conjunct(c)).collect();
        let mut atom = |a: &Atom| {
            let mut args = Vec::new();
            for &arg in &a.args {
                match self.image(arg) {
                    Image::Plain(term) => args.push(term),
                    Image::Components(all) => args.extend(all),
                    Image::Lost => {}
                }
            }
            Atom { pred: a.pred, args }
        };
        let body: Vec<Atom> = clause.body.iter().map(&mut atom).collect();
        let head = clause.head.as_ref().map(&mut atom);
        conditions.append(&mut self.side);
        let constraint = terms.and(conditions);
        let vars = clause_vars(&body, constraint, head.as_ref(), terms);
        Clause {
            vars,
            body,
            constraint,
            head,
            line: clause.line,
        }
    }

    /// A conjunct of the constraint, where equations are only asserted.
    fn conjunct(&mut self, formula: Term) -> Term {
        let (terms, args) = (self.terms, self.terms.args(formula));
        if *terms.op(formula) == Op::Eq
            && let (Image::Components(a), Image::Components(b)) =
                (self.image(args[0]), self.image(args[1]))
        {
            return equal(terms, &a, &b);
        }
        match self.image(formula) {
            Image::Plain(term) => term,
            Image::Components(_) | Image::Lost => terms.tt(),
        }
    }

    fn image(&mut self, root: Term) -> Image {
        for term in self.terms.subterms(&[root]) {
            if !self.images.contains_key(&term) {
                let image = self.made(term);
                self.images.insert(term, image);
            }
        }
        self.images.get(&root).cloned().unwrap_or(Image::Lost)
    }

    fn made(&mut self, term: Term) -> Image {
        let terms = self.terms;
        let node = terms.node(term);
        if is_recursive(terms, node.sort) {
            return self.components(term);
        }
        if mentions_recursive(terms, node.sort) {
            return Image::Lost;
        }
        let about = |t: Term| mentions_recursive(terms, terms.sort(t));
        match &node.op {
            Op::Forall | Op::Exists => match terms.any_subterm(term, |_, t| about(t)) {
                true => self.fresh(node.sort),
                false => Image::Plain(term),
            },
            Op::Is(of) => match self.images.get(&node.args[0]).cloned() {
                Some(Image::Components(all)) => Image::Plain(self.words.is(*of, &all)),
                _ => self.rebuilt(term),
            },
            Op::Field(selector) => match self.images.get(&node.args[0]) {
                Some(Image::Components(_)) => self.field(term, *selector),
                _ => self.rebuilt(term),
            },
            Op::Eq => match (
                self.images.get(&node.args[0]),
                self.images.get(&node.args[1]),
            ) {
                (Some(Image::Components(a)), Some(Image::Components(b))) => {
                    let same = equal(terms, a, b);
                    if self.words.is_natural(terms.sort(node.args[0])) {
                        return Image::Plain(same);
                    }
                    let holds = terms.fresh("same", Sort::BOOL);
                    self.side.push(terms.implies(holds, same));
                    Image::Plain(holds)
                }
                _ => self.rebuilt(term),
            },
            _ => self.rebuilt(term),
        }
    }

    /// The term over the images of its arguments; a new variable where one has none.
    fn rebuilt(&mut self, term: Term) -> Image {
        let (terms, node) = (self.terms, self.terms.node(term));
        let mut args = Vec::new();
        for arg in &node.args {
            match self.images.get(arg) {
                Some(Image::Plain(image)) => args.push(*image),
                _ => return self.fresh(node.sort),
            }
        }
        Image::Plain(match *args == *node.args {
            true => term,
            false => terms.rebuild(&node.op, &args, node.sort),
        })
    }

    fn fresh(&mut self, sort: Sort) -> Image {
        if is_recursive(self.terms, sort) {
            let number = self.words.of(sort).len();
            let parts = (0..number).map(|_| self.terms.fresh("part", Sort::INT));
            let parts: Vec<Term> = parts.collect();
            let known = self.words.known(sort, &parts);
            self.side.extend(known);
            return Image::Components(parts);
        }
        if mentions_recursive(self.terms, sort) {
            return Image::Lost;
        }
        Image::Plain(self.terms.fresh("open", sort))
    }

    /// The components of a term of a recursive sort.
    fn components(&mut self, term: Term) -> Image {
        let terms = self.terms;
        let node = terms.node(term);
        match &node.op {
            Op::App(_) if node.args.is_empty() => {
                let number = self.words.of(node.sort).len();
                let parts: Vec<Term> = (0..number).map(|k| part(terms, term, k)).collect();
                let known = self.words.known(node.sort, &parts);
                self.side.extend(known);
                Image::Components(parts)
            }
            Op::Construct(of) => {
                let args: Vec<(Sort, Image)> = node
                    .args
                    .iter()
                    .map(|a| (terms.sort(*a), self.images[a].clone()))
                    .collect();
                Image::Components(self.built(*of, &args))
            }
            Op::Ite => match (&self.images[&node.args[0]], &self.images[&node.args[1]]) {
                (Image::Plain(condition), Image::Components(a)) => {
                    let Image::Components(b) = &self.images[&node.args[2]] else {
                        return self.fresh(node.sort);
                    };
                    let pairs = a.iter().zip(b);
                    let parts = pairs.map(|(&a, &b)| terms.ite(*condition, a, b));
                    Image::Components(parts.collect())
                }
                _ => self.fresh(node.sort),
            },
            Op::Field(selector) => match self.images.get(&node.args[0]) {
                Some(Image::Components(_)) => self.field(term, *selector),
                _ => self.fresh(node.sort),
            },
            _ => self.fresh(node.sort),
        }
    }

    /// The components of a constructor over its arguments.
    fn built(&mut self, of: Constructor, args: &[(Sort, Image)]) -> Vec<Term> {
        let mut parts = Vec::new();
        for component in self.words.of(of.sort) {
            let mut own: Vec<Option<Term>> = Vec::new();
            for (sort, image) in args {
                own.push(match image {
                    Image::Plain(term) => Some(*term),
                    Image::Components(all) => {
                        let at = self.words.of(*sort).iter().position(|c| *c == component);
                        at.map(|at| all[at])
                    }
                    Image::Lost => None,
                });
            }
            let mut part = |i: usize, _: Component| own.get(i).copied().flatten();
            parts.push(self.words.built(component, of, &mut part));
        }
        parts
    }

    /// A field of a term of a recursive sort: all fields of the constructor get images, which are tied
    /// to those of the term where it has this constructor.
    fn field(&mut self, term: Term, of: Selector) -> Image {
        let (terms, constructor) = (self.terms, of.constructor);
        let whole = terms.args(term)[0];
        if self.opened.insert((whole, constructor)) {
            let Some(Image::Components(own)) = self.images.get(&whole).cloned() else {
                return self.fresh(terms.sort(term));
            };
            let mut fields = Vec::new();
            for selector in terms.selectors(constructor).collect::<Vec<_>>() {
                let field = terms.field(selector, whole);
                let sort = terms.sort(field);
                let image = match self.images.get(&field) {
                    Some(known) => known.clone(),
                    None => self.fresh(sort),
                };
                self.images.insert(field, image.clone());
                fields.push((sort, image));
            }
            let built = self.built(constructor, &fields);
            let is = self.words.is(constructor, &own);
            self.side
                .push(terms.implies(is, equal(terms, &own, &built)));
        }
        match self.images.get(&term) {
            Some(image) => image.clone(),
            None => self.fresh(terms.sort(term)),
        }
    }
}

fn equal(terms: &TermStore, a: &[Term], b: &[Term]) -> Term {
    terms.and(a.iter().zip(b).map(|(&a, &b)| terms.eq(a, b)))
}
