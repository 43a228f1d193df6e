//! A system over a fixed number of elements, as formulas over Boolean cells.
//!
//! ```text
//! element           n conditions, one for each element
//! array             a table with a row for each element
//! select, store     by cases over the conditions of the index
//! ∀x. φ, ∃x. φ      over all elements
//! f(t)              a table that is the same in all states
//! ```

use foretell_kernel::{Cx, Unsupported};
use foretell_systems::TransitionSystem;
use foretell_terms::{Func, Op, Sort, SortKind, Term, TermMap, TermSet, TermStore};
use indexmap::IndexMap;

/// More instances of one quantifier are not written down.
const INSTANCES: usize = 20_000;

/// What a term is over cells.
#[derive(Clone, Debug)]
enum Image {
    Truth(Term),
    /// For each element the condition that it is this one.
    Element(Vec<Term>),
    /// For each element the value there.
    Table(Vec<Image>),
}

/// What cells belong to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Root {
    /// A state variable or parameter.
    Var(Term),
    /// A declared function.
    Func(Func),
}

/// A state variable, parameter or function as a relation over elements.
#[derive(Clone, Debug)]
pub(super) struct Symbol {
    pub(super) root: Root,
    /// The sorts of the elements of a cell; the value, if that is an element, comes last.
    pub(super) sorts: Vec<Sort>,
    /// Whether the last element is the value.
    pub(super) valued: bool,
}

/// A cell: a truth value about elements.
#[derive(Clone, Debug)]
pub(super) struct Bit {
    pub(super) symbol: usize,
    pub(super) elements: Vec<usize>,
    pub(super) cur: Term,
    /// The same where the symbol is rigid.
    pub(super) next: Term,
}

/// The instance.
pub(super) struct Ground {
    /// The number of elements of each sort.
    pub(super) size: usize,
    pub(super) symbols: Vec<Symbol>,
    pub(super) bits: Vec<Bit>,
    /// The cells by symbol and elements.
    pub(super) places: IndexMap<(usize, Vec<usize>), usize>,
    pub(super) init: Term,
    pub(super) trans: Term,
    pub(super) property: Term,
    pub(super) property_next: Term,
    /// What is true of cells: an element is exactly one; axioms.
    pub(super) side: Term,
    /// What a step may choose: one of some cells, or the value of one.
    pub(super) choices: Vec<Vec<Term>>,
}

impl Ground {
    /// The instance with so many elements of each sort.
    pub(super) fn new(
        system: &TransitionSystem,
        size: usize,
        cx: &Cx<'_>,
    ) -> Result<Ground, Unsupported> {
        let mut make = Make {
            terms: cx.terms,
            size,
            constants: IndexMap::new(),
            images: TermMap::default(),
            functions: IndexMap::new(),
            symbols: Vec::new(),
            bits: Vec::new(),
            side: Vec::new(),
            choices: Vec::new(),
        };
        make.symbols_of(system)?;
        let formulas = [system.init, system.trans, system.property];
        let next = system.next(cx.terms, system.property);
        let mut ground = formulas
            .into_iter()
            .chain([next])
            .map(|formula| make.truth(formula))
            .collect::<Result<Vec<Term>, Unsupported>>()?
            .into_iter();
        // Axioms are part of both.
        let first: TermSet = cx.terms.conjuncts(system.init).into_iter().collect();
        for conjunct in cx.terms.conjuncts(system.trans) {
            let vars = cx.terms.free_vars(&[conjunct]);
            if first.contains(&conjunct) && vars.iter().all(|v| system.params.contains(v)) {
                let axiom = make.truth(conjunct)?;
                make.side.push(axiom);
            }
        }
        let mut take = || ground.next().unwrap_or(cx.terms.tt());
        let places = make.bits.iter().enumerate();
        let places = places.map(|(n, bit)| ((bit.symbol, bit.elements.clone()), n));
        Ok(Ground {
            size,
            places: places.collect(),
            init: take(),
            trans: take(),
            property: take(),
            property_next: take(),
            side: cx.terms.and(make.side),
            symbols: make.symbols,
            bits: make.bits,
            choices: make.choices,
        })
    }
}

/// The cells of a value under construction: path, condition.
type Cells = Vec<(Vec<usize>, Term)>;

struct Make<'a> {
    terms: &'a TermStore,
    size: usize,
    /// Symbols that stand for the elements of a sort.
    constants: IndexMap<Sort, Vec<Term>>,
    /// Of variables, and of terms without quantifiers.
    images: TermMap<Image>,
    functions: IndexMap<Func, Image>,
    symbols: Vec<Symbol>,
    bits: Vec<Bit>,
    side: Vec<Term>,
    choices: Vec<Vec<Term>>,
}

impl Make<'_> {
    fn symbols_of(&mut self, system: &TransitionSystem) -> Result<(), Unsupported> {
        let terms = self.terms;
        let moved: TermSet = terms.free_vars(&[system.trans]).into_iter().collect();
        let shown = terms.free_vars(&[system.init, system.property]);
        let shown: TermSet = shown.into_iter().collect();
        for var in &system.vars {
            let cur = self.cells(var.cur)?;
            if !moved.contains(&var.next) && !shown.contains(&var.cur) {
                self.choice(var.cur, &cur);
                continue;
            }
            let next = self.cells(var.next)?;
            self.symbol(Root::Var(var.cur), terms.sort(var.cur), cur, next);
        }
        for &input in &system.inputs {
            let cells = self.cells(input)?;
            self.choice(input, &cells);
        }
        for &param in &system.params {
            let cells = self.cells(param)?;
            self.symbol(Root::Var(param), terms.sort(param), cells.clone(), cells);
        }
        for func in terms.functions(&[system.init, system.trans, system.property]) {
            let decl = terms.decl(func);
            let (args, sort) = (decl.args.clone(), decl.sort);
            let mut cells = Vec::new();
            let image = self.table(&args, sort, &mut Vec::new(), &mut cells)?;
            self.functions.insert(func, image);
            let whole = terms.array_sort(&args, sort);
            self.symbol(Root::Func(func), whole, cells.clone(), cells);
        }
        Ok(())
    }

    /// The cells of a variable, which gets its image.
    fn cells(&mut self, var: Term) -> Result<Cells, Unsupported> {
        let mut cells = Vec::new();
        let image = self.table(&[], self.terms.sort(var), &mut Vec::new(), &mut cells)?;
        self.images.insert(var, image);
        Ok(cells)
    }

    /// A value that a step may choose: tables are left to the solver.
    fn choice(&mut self, var: Term, cells: &Cells) {
        if self.terms.array_parts(self.terms.sort(var)).is_none() {
            let cells = cells.iter().map(|(_, cell)| *cell);
            self.choices.push(cells.collect());
        }
    }

    fn symbol(&mut self, root: Root, sort: Sort, cur: Cells, next: Cells) {
        let (sorts, valued) = self.elements(sort);
        let symbol = self.symbols.len();
        self.symbols.push(Symbol {
            root,
            sorts,
            valued,
        });
        for ((elements, cur), (_, next)) in cur.into_iter().zip(next) {
            self.bits.push(Bit {
                symbol,
                elements,
                cur,
                next,
            });
        }
    }

    /// The sorts of the elements of a cell of a value, and whether the last one is the value.
    fn elements(&self, mut sort: Sort) -> (Vec<Sort>, bool) {
        let mut sorts = Vec::new();
        while let Some((indices, element)) = self.terms.array_parts(sort) {
            sorts.extend(indices);
            sort = element;
        }
        let valued = sort != Sort::BOOL;
        sorts.extend(valued.then_some(sort));
        (sorts, valued)
    }

    /// New cells for a value behind some indices.
    fn table(
        &mut self,
        indices: &[Sort],
        sort: Sort,
        path: &mut Vec<usize>,
        cells: &mut Cells,
    ) -> Result<Image, Unsupported> {
        let terms = self.terms;
        let mut row = |make: &mut Self, index: Sort, rest: &[Sort], sort: Sort| {
            make.is_element(index)?;
            let mut rows = Vec::with_capacity(make.size);
            for element in 0..make.size {
                path.push(element);
                rows.push(make.table(rest, sort, path, cells)?);
                path.pop();
            }
            Ok(Image::Table(rows))
        };
        if let Some((&index, rest)) = indices.split_first() {
            return row(self, index, rest, sort);
        }
        if let Some((indices, element)) = terms.array_parts(sort) {
            let indices = indices.to_vec();
            return row(self, indices[0], &indices[1..], element);
        }
        if sort == Sort::BOOL {
            let cell = terms.fresh("cell", Sort::BOOL);
            cells.push((path.clone(), cell));
            return Ok(Image::Truth(cell));
        }
        self.is_element(sort)?;
        let mut conditions = Vec::with_capacity(self.size);
        for element in 0..self.size {
            let cell = terms.fresh("cell", Sort::BOOL);
            path.push(element);
            cells.push((path.clone(), cell));
            path.pop();
            conditions.push(cell);
        }
        self.side.push(terms.or(conditions.iter().copied()));
        for (n, &a) in conditions.iter().enumerate() {
            for &b in &conditions[..n] {
                self.side.push(terms.not(terms.and2(a, b)));
            }
        }
        Ok(Image::Element(conditions))
    }

    fn is_element(&self, sort: Sort) -> Result<(), Unsupported> {
        match self.terms.kind(sort) {
            SortKind::Uninterpreted(_) => Ok(()),
            _ => Err(Unsupported(
                "instances with values that are no elements".into(),
            )),
        }
    }

    /// The symbols of the elements of a sort.
    fn constants(&mut self, sort: Sort) -> Result<Vec<Term>, Unsupported> {
        if let Some(known) = self.constants.get(&sort) {
            return Ok(known.clone());
        }
        let terms = self.terms;
        if sort == Sort::BOOL {
            return Ok(vec![terms.ff(), terms.tt()]);
        }
        self.is_element(sort)?;
        let mut all = Vec::with_capacity(self.size);
        for element in 0..self.size {
            let constant = terms.fresh("element", sort);
            let is = (0..self.size).map(|other| terms.bool(other == element));
            self.images.insert(constant, Image::Element(is.collect()));
            all.push(constant);
        }
        self.constants.insert(sort, all.clone());
        Ok(all)
    }

    /// A formula over cells.
    fn truth(&mut self, formula: Term) -> Result<Term, Unsupported> {
        let formula = self.expanded(formula)?;
        for term in self.terms.subterms(&[formula]) {
            if !self.images.contains_key(&term) {
                let image = self.made(term)?;
                self.images.insert(term, image);
            }
        }
        match self.images.get(&formula) {
            Some(Image::Truth(truth)) => Ok(*truth),
            _ => Err(Unsupported("instances of no formula".into())),
        }
    }

    /// The formula with quantifiers written out.
    fn expanded(&mut self, formula: Term) -> Result<Term, Unsupported> {
        let terms = self.terms;
        let mut done: TermMap<Term> = TermMap::default();
        for term in terms.subterms(&[formula]) {
            let node = terms.node(term);
            let args: Vec<Term> = node
                .args
                .iter()
                .map(|a| done.get(a).copied().unwrap_or(*a))
                .collect();
            let image = match (&node.op, args.split_last()) {
                (Op::Forall | Op::Exists, Some((&body, vars))) => {
                    let all = self.instances(vars, body)?;
                    match node.op {
                        Op::Forall => terms.and(all),
                        _ => terms.or(all),
                    }
                }
                _ if *args == *node.args => term,
                _ => terms.rebuild(&node.op, &args, node.sort),
            };
            done.insert(term, image);
        }
        Ok(done.get(&formula).copied().unwrap_or(formula))
    }

    fn instances(&mut self, vars: &[Term], body: Term) -> Result<Vec<Term>, Unsupported> {
        let mut all = vec![body];
        for &var in vars {
            let constants = self.constants(self.terms.sort(var))?;
            if all.len() * constants.len() > INSTANCES {
                return Err(Unsupported("instances of many variables".into()));
            }
            let over = |&formula: &Term| {
                let instance = |&c: &Term| self.terms.substitute(formula, [(var, c)]);
                constants.iter().map(instance).collect::<Vec<Term>>()
            };
            all = all.iter().flat_map(over).collect();
        }
        Ok(all)
    }

    fn made(&mut self, term: Term) -> Result<Image, Unsupported> {
        let (terms, node) = (self.terms, self.terms.node(term));
        let args: Vec<Image> = node
            .args
            .iter()
            .filter_map(|a| self.images.get(a).cloned())
            .collect();
        let truths = || {
            let truth = |image: &Image| match image {
                Image::Truth(truth) => Some(*truth),
                _ => None,
            };
            args.iter().map(truth).collect::<Option<Vec<Term>>>()
        };
        let image = match &node.op {
            Op::True | Op::False => Some(Image::Truth(term)),
            Op::Not | Op::And | Op::Or => {
                truths().map(|truths| Image::Truth(terms.rebuild(&node.op, &truths, node.sort)))
            }
            Op::Eq => args
                .first()
                .zip(args.get(1))
                .map(|(a, b)| Image::Truth(self.equal(a, b))),
            Op::Ite => match args.as_slice() {
                [Image::Truth(condition), a, b] => Some(self.either(*condition, a, b)),
                _ => None,
            },
            Op::Select => args.split_first().and_then(|(a, at)| self.read(a, at)),
            Op::App(func) if !args.is_empty() => {
                let table = self.functions.get(func);
                table.and_then(|table| self.read(table, &args))
            }
            Op::Store => match args.split_first() {
                Some((array, rest)) => rest
                    .split_last()
                    .and_then(|(value, at)| self.written(array, at, value)),
                None => None,
            },
            Op::ConstArray => args.first().map(|value| {
                let (indices, _) = terms.array_parts(node.sort).unwrap_or((&[], node.sort));
                let table = |inner: Image, _: &Sort| Image::Table(vec![inner; self.size]);
                indices.iter().fold(value.clone(), table)
            }),
            _ => None,
        };
        let words = || format!("instances of `{}`", terms.print(term));
        image.ok_or_else(|| Unsupported(words()))
    }

    fn equal(&self, a: &Image, b: &Image) -> Term {
        let terms = self.terms;
        match (a, b) {
            (Image::Truth(a), Image::Truth(b)) => terms.eq(*a, *b),
            (Image::Element(a), Image::Element(b)) => {
                terms.or(a.iter().zip(b).map(|(&a, &b)| terms.and2(a, b)))
            }
            (Image::Table(a), Image::Table(b)) => {
                let rows = a.iter().zip(b).map(|(a, b)| self.equal(a, b));
                terms.and(rows.collect::<Vec<Term>>())
            }
            _ => terms.ff(),
        }
    }

    fn either(&self, condition: Term, a: &Image, b: &Image) -> Image {
        let terms = self.terms;
        match (a, b) {
            (Image::Truth(a), Image::Truth(b)) => Image::Truth(terms.ite(condition, *a, *b)),
            (Image::Element(a), Image::Element(b)) => {
                let both = a.iter().zip(b);
                Image::Element(both.map(|(&a, &b)| terms.ite(condition, a, b)).collect())
            }
            (Image::Table(a), Image::Table(b)) => {
                let both = a.iter().zip(b);
                Image::Table(both.map(|(a, b)| self.either(condition, a, b)).collect())
            }
            _ => a.clone(),
        }
    }

    fn read(&self, table: &Image, at: &[Image]) -> Option<Image> {
        let mut value = table.clone();
        for index in at {
            let (Image::Table(rows), Image::Element(is)) = (&value, index) else {
                return None;
            };
            let mut found: Option<Image> = None;
            for (row, &condition) in rows.iter().zip(is).rev() {
                if self.terms.is_false(condition) {
                    continue;
                }
                found = Some(match found {
                    Some(other) => self.either(condition, row, &other),
                    None => row.clone(),
                });
            }
            value = found?;
        }
        Some(value)
    }

    fn written(&self, table: &Image, at: &[Image], value: &Image) -> Option<Image> {
        let Some((index, rest)) = at.split_first() else {
            return Some(value.clone());
        };
        let (Image::Table(rows), Image::Element(is)) = (table, index) else {
            return None;
        };
        let row = |(row, &condition): (&Image, &Term)| {
            if self.terms.is_false(condition) {
                return Some(row.clone());
            }
            let inner = self.written(row, rest, value)?;
            Some(self.either(condition, &inner, row))
        };
        let rows = rows.iter().zip(is).map(row);
        Some(Image::Table(rows.collect::<Option<Vec<Image>>>()?))
    }
}
