//! Arrays as elements of uninterpreted sorts, and back.
//!
//! Paper: Mann et al., "Counterexample-Guided Prophecy for Model Checking Modulo the Theory of
//! Arrays", LMCS 18(3), 2022, section 4.1 (Abstract-Arrays) and 6.1 (weak and strong abstraction).
//!
//! ```text
//! a, a' : Array Int Int                â, â' : Arr
//! select(store(a, i, v), j)            read(write(â, i, v), j)
//! const(0)                             const(0), an uninterpreted function of the element
//! a = b                                â = b̂ (strong)   or   equal(â, b̂) (weak)
//! a = ite(c, b, d)                     ite(ĉ, equal(â, b̂), equal(â, d̂)) (weak)
//! ```
//!
//! Departures: a constant array is a function of its element rather than a frozen variable. For a
//! numeral the two are the same; an element that changes over time is covered too.
//!
//! The way back replaces the functions by the operators they stand for. Every axiom instance becomes
//! a theorem of the array theory that way, so an invariant found with the help of instances needs no
//! trust in them. Limits: formulas with quantifiers are refused; the witness of a difference is no term
//! over arrays (`lift.rs` removes it before).

use foretell_kernel::{Halt, Unsupported};
use foretell_systems::TransitionSystem;
use foretell_terms::{Func, FuncMap, Op, Sort, SortKind, Term, TermMap, TermStore};
use indexmap::IndexMap;

/// What becomes of equality between arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Equality {
    /// It stays equality, with congruence.
    Strong,
    /// It becomes an uninterpreted predicate.
    Weak,
}

/// What a function of the abstraction stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// `select`.
    Read,
    /// `store`.
    Write,
    /// A constant array.
    Constant,
    /// One index at which two different arrays differ.
    Witness,
    /// Weak equality.
    Equal,
}

/// The symbols of one array sort.
#[derive(Clone, Debug)]
pub(crate) struct ArraySymbols {
    /// The array sort.
    pub(crate) concrete: Sort,
    /// The sort that stands for it.
    pub(crate) sort: Sort,
    /// The sorts of the indices, abstracted.
    pub(crate) indices: Vec<Sort>,
    /// `read(a, i)`.
    pub(crate) read: Func,
    /// `write(a, i, v)`.
    pub(crate) write: Func,
    /// `const(v)`.
    pub(crate) constant: Func,
    /// `witness(a, b)`, one function per index.
    pub(crate) witness: Vec<Func>,
    /// `equal(a, b)`.
    pub(crate) equal: Func,
}

/// The translation of one system.
///
/// Invariant: `forward` and `backward` are inverse to each other on variables and functions.
pub(crate) struct ArrayAbstraction {
    equality: Equality,
    sorts: IndexMap<Sort, ArraySymbols>,
    /// The functions of the abstraction: array sort and role.
    roles: FuncMap<(Sort, Role)>,
    forward: TermMap<Term>,
    variables: TermMap<Term>,
    functions: FuncMap<Func>,
    backward: TermMap<Term>,
    backward_functions: FuncMap<Func>,
}

impl ArrayAbstraction {
    /// A translation that knows no symbol yet.
    pub(crate) fn new(equality: Equality) -> ArrayAbstraction {
        ArrayAbstraction {
            equality,
            sorts: IndexMap::new(),
            roles: FuncMap::default(),
            forward: TermMap::default(),
            variables: TermMap::default(),
            functions: FuncMap::default(),
            backward: TermMap::default(),
            backward_functions: FuncMap::default(),
        }
    }

    /// Whether no array was met so far.
    pub(crate) fn is_identity(&self) -> bool {
        self.sorts.is_empty()
    }

    /// The role of the outermost function of an abstract term, with the symbols of its array sort.
    pub(crate) fn role(&self, terms: &TermStore, term: Term) -> Option<(&ArraySymbols, Role)> {
        let &(sort, role) = self.roles.get(&terms.func(term)?)?;
        Some((self.sorts.get(&sort)?, role))
    }

    /// Whether an abstract term is a write, a constant array or the witness of a difference.
    pub(crate) fn makes_array(&self, terms: &TermStore, term: Term) -> bool {
        matches!(
            self.role(terms, term),
            Some((_, Role::Write | Role::Constant | Role::Witness))
        )
    }

    /// Whether a witness of a difference occurs in an abstract term.
    pub(crate) fn has_witness(&self, terms: &TermStore, term: Term) -> bool {
        terms.any_subterm(term, |terms, t| {
            matches!(self.role(terms, t), Some((_, Role::Witness)))
        })
    }

    /// The symbols of an abstract sort.
    pub(crate) fn symbols(&self, sort: Sort) -> Option<&ArraySymbols> {
        self.sorts.values().find(|s| s.sort == sort)
    }

    /// The system without arrays.
    pub(crate) fn system(
        &mut self,
        terms: &TermStore,
        concrete: &TransitionSystem,
    ) -> Result<TransitionSystem, Halt> {
        concrete.map(&mut |term| self.abstracted(terms, term))
    }

    /// The term without arrays.
    pub(crate) fn abstracted(&mut self, terms: &TermStore, root: Term) -> Result<Term, Halt> {
        for term in terms.subterms(&[root]) {
            if !self.forward.contains_key(&term) {
                self.meet(terms, term);
                let image = self.image(terms, term, &|t| self.forward[&t]);
                let image = image.ok_or_else(|| {
                    Halt::Unsupported(Unsupported(
                        "quantifiers under the array abstraction".into(),
                    ))
                })?;
                self.forward.insert(term, image);
            }
        }
        Ok(self.forward[&root])
    }

    /// The term without arrays, if it has no symbols but those met so far.
    pub(crate) fn known(&self, terms: &TermStore, root: Term) -> Option<Term> {
        let mut images: TermMap<Term> = TermMap::default();
        for term in terms.subterms(&[root]) {
            let image = match self.forward.get(&term) {
                Some(&image) => image,
                None => self.image(terms, term, &|t| images[&t])?,
            };
            images.insert(term, image);
        }
        Some(images[&root])
    }

    /// Whether an abstract term has no variables but images.
    pub(crate) fn is_image(&self, terms: &TermStore, term: Term) -> bool {
        let vars = terms.free_vars(&[term]);
        vars.iter().all(|v| self.backward.contains_key(v))
    }

    /// Makes the symbols that the image of a node needs.
    fn meet(&mut self, terms: &TermStore, term: Term) {
        let node = terms.node(term);
        match &node.op {
            Op::App(func) if node.args.is_empty() => self.abstract_var(terms, term, *func),
            Op::App(func) => self.abstract_function(terms, *func),
            Op::Select => _ = self.of(terms, terms.sort(node.args[0])),
            Op::Store | Op::ConstArray => _ = self.of(terms, node.sort),
            Op::Eq if terms.array_parts(terms.sort(node.args[0])).is_some() => {
                self.of(terms, terms.sort(node.args[0]));
            }
            _ => {}
        }
    }

    /// The image of a node whose arguments have images; `None` for quantifiers and for symbols that
    /// were not met.
    fn image(&self, terms: &TermStore, term: Term, done: &dyn Fn(Term) -> Term) -> Option<Term> {
        let node = terms.node(term);
        let args: Vec<Term> = node.args.iter().map(|&a| done(a)).collect();
        let of = |sort: Sort| self.sorts.get(&sort);
        Some(match &node.op {
            Op::Forall | Op::Exists => return None,
            Op::App(_) if args.is_empty() => *self.variables.get(&term)?,
            Op::App(func) => terms.app(*self.functions.get(func)?, &args),
            Op::Select => terms.app(of(terms.sort(node.args[0]))?.read, &args),
            Op::Store => terms.app(of(node.sort)?.write, &args),
            Op::ConstArray => terms.app(of(node.sort)?.constant, &args),
            Op::Eq if self.is_weak(terms, node.args[0], &args) => {
                weakly_equal(terms, of(terms.sort(node.args[0]))?.equal, args[0], args[1])
            }
            op => terms.rebuild(op, &args, node.sort),
        })
    }

    /// Equations with many conditionals stay equations.
    fn is_weak(&self, terms: &TermStore, concrete: Term, args: &[Term]) -> bool {
        self.equality == Equality::Weak
            && foretell_formulas::arrays::is_array(terms, concrete)
            && conditionals(terms, args) <= MOST_CONDITIONALS
    }

    fn abstract_var(&mut self, terms: &TermStore, var: Term, func: Func) {
        let (sort, image) = (terms.sort(var), self.abstract_sort(terms, terms.sort(var)));
        let abstracted = if image == sort {
            var
        } else {
            terms.new_var(terms.name(func), image)
        };
        self.backward.insert(abstracted, var);
        self.variables.insert(var, abstracted);
    }

    fn abstract_function(&mut self, terms: &TermStore, func: Func) {
        if self.functions.contains_key(&func) {
            return;
        }
        let decl = terms.decl(func);
        let args: Vec<Sort> = decl
            .args
            .iter()
            .map(|&s| self.abstract_sort(terms, s))
            .collect();
        let sort = self.abstract_sort(terms, decl.sort);
        let same = *args == *decl.args && sort == decl.sort;
        let image = if same {
            func
        } else {
            terms.declare(&decl.name, &args, sort)
        };
        self.functions.insert(func, image);
        self.backward_functions.insert(image, func);
    }

    /// Sorts nest only as deep as they were written down, hence the recursion.
    fn abstract_sort(&mut self, terms: &TermStore, sort: Sort) -> Sort {
        match terms.array_parts(sort) {
            None => sort,
            Some(_) => self.of(terms, sort).sort,
        }
    }

    /// The symbols of an array sort, made at first use.
    fn of(&mut self, terms: &TermStore, concrete: Sort) -> &ArraySymbols {
        if !self.sorts.contains_key(&concrete) {
            let (indices, element) = terms
                .array_parts(concrete)
                .expect("invariant: an array sort");
            let indices: Vec<Sort> = indices
                .iter()
                .map(|&s| self.abstract_sort(terms, s))
                .collect();
            let element = self.abstract_sort(terms, element);
            let symbols = declare(terms, concrete, indices, element);
            let all = [
                (symbols.read, Role::Read),
                (symbols.write, Role::Write),
                (symbols.constant, Role::Constant),
                (symbols.equal, Role::Equal),
            ];
            let witnesses = symbols.witness.iter().map(|&w| (w, Role::Witness));
            self.roles.extend(
                all.into_iter()
                    .chain(witnesses)
                    .map(|(f, role)| (f, (concrete, role))),
            );
            self.sorts.insert(concrete, symbols);
        }
        &self.sorts[&concrete]
    }

    /// The term over arrays again; auxiliary variables without arrays stay.
    ///
    /// # Errors
    /// When a witness of a difference occurs.
    pub(crate) fn concretized(&self, terms: &TermStore, root: Term) -> Result<Term, Halt> {
        let mut images: TermMap<Term> = TermMap::default();
        for term in terms.subterms(&[root]) {
            let node = terms.node(term);
            let args: Vec<Term> = node.args.iter().map(|a| images[a]).collect();
            let image = match (&node.op, self.role(terms, term)) {
                (_, Some((_, Role::Read))) => terms.select(args[0], &args[1..]),
                (_, Some((_, Role::Write))) => {
                    terms.store(args[0], &args[1..args.len() - 1], args[args.len() - 1])
                }
                (_, Some((symbols, Role::Constant))) => {
                    terms.const_array(symbols.concrete, args[0])
                }
                (_, Some((_, Role::Equal))) => terms.eq(args[0], args[1]),
                (_, Some((_, Role::Witness))) => return Err(Halt::NotLifted("arrays")),
                (Op::App(_), None) if args.is_empty() => {
                    self.backward.get(&term).copied().unwrap_or(term)
                }
                (Op::App(func), None) => terms.app(
                    self.backward_functions.get(func).copied().unwrap_or(*func),
                    &args,
                ),
                (op, None) => terms.rebuild(op, &args, node.sort),
            };
            images.insert(term, image);
        }
        Ok(images[&root])
    }
}

/// How many conditionals the two sides of an equation may be made of.
const MOST_CONDITIONALS: usize = 8;

/// The conditionals that arrays are made of, not counting those inside writes; those of a term that occurs
/// twice count twice.
fn conditionals(terms: &TermStore, arrays: &[Term]) -> usize {
    let mut work = arrays.to_vec();
    let mut found = 0;
    while let Some(term) = work.pop().filter(|_| found <= MOST_CONDITIONALS) {
        if *terms.op(term) == Op::Ite {
            found += 1;
            work.extend(&terms.args(term)[1..]);
        }
    }
    found
}

/// `equal(a, b)`, with the conditionals outside: no equation is about one. At most
/// [`MOST_CONDITIONALS`] nest.
fn weakly_equal(terms: &TermStore, equal: Func, a: Term, b: Term) -> Term {
    let (choice, other) = if *terms.op(a) == Op::Ite {
        (a, b)
    } else {
        (b, a)
    };
    if *terms.op(choice) != Op::Ite {
        return terms.app(equal, &[a, b]);
    }
    let args = terms.args(choice);
    let branch = |side: Term| match choice == a {
        true => weakly_equal(terms, equal, side, other),
        false => weakly_equal(terms, equal, other, side),
    };
    terms.ite(args[0], branch(args[1]), branch(args[2]))
}

fn declare(terms: &TermStore, concrete: Sort, indices: Vec<Sort>, element: Sort) -> ArraySymbols {
    let sort = terms.mk_sort(SortKind::Uninterpreted(
        format!("Abstract {}", terms.print_sort(concrete)).into(),
    ));
    let with = |first: &[Sort], last: &[Sort]| -> Vec<Sort> { [first, &indices, last].concat() };
    ArraySymbols {
        concrete,
        sort,
        read: terms.declare("read", &with(&[sort], &[]), element),
        write: terms.declare("write", &with(&[sort], &[element]), sort),
        constant: terms.declare("const", &[element], sort),
        witness: indices
            .iter()
            .map(|&i| terms.declare("witness", &[sort, sort], i))
            .collect(),
        equal: terms.declare("equal", &[sort, sort], Sort::BOOL),
        indices,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{ArrayAbstraction, Equality, Role};
    use crate::array_prophecy::arrays::axioms;
    use foretell_kernel::Halt;
    use foretell_terms::{Op, Sort, Term, TermStore};

    /// `store(n, i, store(n[i], j, 1))[k] = m` over arrays of arrays, and a two-index read.
    fn formula(terms: &TermStore) -> Term {
        let row = terms.array_sort(&[Sort::INT], Sort::INT);
        let nested = terms.array_sort(&[Sort::INT], row);
        let table = terms.array_sort(&[Sort::INT, Sort::BOOL], Sort::INT);
        let (n, m, t) = (
            terms.new_var("n", nested),
            terms.new_var("m", row),
            terms.new_var("t", table),
        );
        let [i, j, k] = ["i", "j", "k"].map(|name| terms.new_var(name, Sort::INT));
        let inner = terms.store(terms.select(n, &[i]), &[j], terms.int(1));
        let outer = terms.select(terms.store(n, &[i], inner), &[k]);
        let cell = terms.select(t, &[i, terms.tt()]);
        let zeros = terms.const_array(row, terms.int(0));
        let same = terms.or2(terms.eq(outer, m), terms.eq(m, zeros));
        terms.and2(same, terms.le(cell, terms.int(3)))
    }

    #[test]
    fn the_way_back_is_inverse() {
        for equality in [Equality::Strong, Equality::Weak] {
            let terms = TermStore::new();
            let mut arrays = ArrayAbstraction::new(equality);
            let concrete = formula(&terms);
            let image = arrays.abstracted(&terms, concrete).unwrap();
            assert!(!terms.any_subterm(image, |s, t| s.array_parts(s.sort(t)).is_some()));
            assert_eq!(arrays.concretized(&terms, image).unwrap(), concrete);
        }
    }

    #[test]
    fn weak_equations_are_about_no_conditional() {
        let terms = TermStore::new();
        let row = terms.array_sort(&[Sort::INT], Sort::INT);
        let [a, b, d] = ["a", "b", "d"].map(|name| terms.new_var(name, row));
        let [p, q] = ["p", "q"].map(|name| terms.new_var(name, Sort::BOOL));
        let inner = terms.ite(q, b, d);
        let equation = terms.eq(terms.ite(p, a, b), inner);
        let mut arrays = ArrayAbstraction::new(Equality::Weak);
        let image = arrays.abstracted(&terms, equation).unwrap();
        let equations = |image: Term| terms.subterms(&[image]).into_iter();
        let is_equal = |t: &Term| matches!(arrays.role(&terms, *t), Some((_, Role::Equal)));
        assert!(equations(image).filter(is_equal).count() >= 3);
        let is_array = |t: Term| arrays.symbols(terms.sort(t)).is_some();
        assert!(!equations(image).any(|t| is_array(t) && *terms.op(t) == Op::Ite));
        // The same formula again, case by case.
        let back = arrays.concretized(&terms, image).unwrap();
        for (first, then) in [(true, a), (false, b)] {
            for (second, value) in [(true, b), (false, d)] {
                let values = [(p, terms.bool(first)), (q, terms.bool(second))];
                assert_eq!(terms.substitute(back, values), terms.eq(then, value));
            }
        }
    }

    #[test]
    fn instances_become_theorems() {
        let terms = TermStore::new();
        let mut arrays = ArrayAbstraction::new(Equality::Strong);
        let image = arrays.abstracted(&terms, formula(&terms)).unwrap();
        let writes: Vec<Term> = terms
            .subterms(&[image])
            .into_iter()
            .filter(|&t| matches!(arrays.role(&terms, t), Some((_, Role::Write))))
            .collect();
        assert_eq!(writes.len(), 2);
        for write in writes {
            let hit = axioms::of_trigger(&arrays, &terms, write).unwrap();
            assert!(!terms.is_true(hit.formula));
            assert!(terms.is_true(arrays.concretized(&terms, hit.formula).unwrap()));
        }
    }

    #[test]
    fn quantifiers_and_witnesses_are_refused() {
        let terms = TermStore::new();
        let mut arrays = ArrayAbstraction::new(Equality::Strong);
        let x = terms.new_var("x", Sort::INT);
        let quantified = terms.forall(&[x], terms.le(x, terms.int(0)));
        assert!(matches!(
            arrays.abstracted(&terms, quantified),
            Err(Halt::Unsupported(_))
        ));
        let row = terms.array_sort(&[Sort::INT], Sort::INT);
        let equation = terms.eq(terms.new_var("a", row), terms.new_var("b", row));
        let image = arrays.abstracted(&terms, equation).unwrap();
        let different = axioms::of_trigger(&arrays, &terms, image).unwrap();
        assert!(matches!(
            arrays.concretized(&terms, different.formula),
            Err(Halt::NotLifted(_))
        ));
    }
}
