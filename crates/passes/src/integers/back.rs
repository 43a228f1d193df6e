//! Rewriting formulas from integers to words.
//!
//! | integers | words |
//! |---|---|
//! | image of a word | the word |
//! | `Σ aᵢ tᵢ + c ⋈ 0` | positive addends left, negative ones right, both at the least width at which neither wraps; decided where the intervals do not meet |
//! | `mod`, `div` by a power of two | lower and upper bits; by another numeral `bvsmod`, `bvsdiv` at a width with room |
//! | `ite`, products | at a width with room |
//! | `select a t` | at the index `t` modulo the width of the index |
//! | bound variable that is an index | bound word |
//! | atom with integers that no word stands for | integers; a word is its signed value, `ite(x < 0, nat(x) − 2^w, nat(x))` |
//!
//! What has no words is dropped, conjunct by conjunct. [`Reading::Modular`] reads equations modulo the
//! width of their words instead: that is how equations found over ideal integers hold.

use foretell_terms::linear::Linear;
use foretell_terms::number::{is_negative, to_integer};
use foretell_terms::{BvOp, Integer, Op, Sort, Term, TermMap, TermStore};

use super::forward::Exactness;
use super::interval::{Interval, power};
use super::wide::{Wide, WideSum};

/// What an equation says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reading {
    /// What it says of integers.
    Extended,
    /// The same modulo the width of the words in it.
    Modular,
}

/// What a term below is above.
#[derive(Clone, Debug)]
enum Up {
    /// A truth value, an array, or anything else that is not an integer below.
    Term(Term),
    /// An integer.
    Number(Number),
}

/// An integer, as far as it can be said.
#[derive(Clone, Debug, Default)]
struct Number {
    /// As a word.
    wide: Option<Wide>,
    /// As an integer.
    plain: Option<Term>,
}

/// Formulas over integers as formulas over words.
pub(super) struct Back<'a> {
    terms: &'a TermStore,
    reading: Reading,
    originals: TermMap<Term>,
    images: TermMap<Option<Up>>,
    /// Whether everything said so far is what was said below.
    pub(super) exactness: Exactness,
}

impl<'a> Back<'a> {
    pub(super) fn new(
        originals: &TermMap<Term>,
        reading: Reading,
        terms: &'a TermStore,
    ) -> Back<'a> {
        Back {
            terms,
            reading,
            originals: originals.clone(),
            images: TermMap::default(),
            exactness: Exactness::Exact,
        }
    }

    /// The conjuncts of a formula that can be said.
    pub(super) fn conjuncts(&mut self, formula: Term) -> Vec<Term> {
        let mut said = Vec::new();
        for conjunct in self.terms.conjuncts(formula) {
            match self.formula(conjunct) {
                Some(above) => said.push(above),
                None => self.exactness = Exactness::Candidate,
            }
        }
        said
    }

    /// A formula above; `None` when it cannot be said.
    fn formula(&mut self, root: Term) -> Option<Term> {
        self.bind(root);
        self.visit(root);
        self.plain(root)
    }

    fn visit(&mut self, root: Term) {
        for term in self.terms.subterms(&[root]) {
            if !self.images.contains_key(&term) {
                let up = self.step(term);
                self.images.insert(term, up);
            }
        }
    }

    /// Gives words to bound integers that are indices of arrays over words.
    fn bind(&mut self, root: Term) {
        let terms = self.terms;
        let mut bound: Vec<Term> = foretell_formulas::close::bound_vars(terms, root);
        bound.retain(|&v| terms.sort(v) == Sort::INT && !self.originals.contains_key(&v));
        if bound.is_empty() {
            return;
        }
        for term in terms.subterms(&[root]) {
            if *terms.op(term) != Op::Select {
                continue;
            }
            let args = terms.args(term);
            let mut array = args[0];
            while let Op::Store | Op::Ite = terms.op(array) {
                let inner = terms.args(array);
                array = inner[usize::from(*terms.op(array) == Op::Ite)];
            }
            let sort = self.originals.get(&array).map(|&old| terms.sort(old));
            let Some((indices, _)) = sort.and_then(|sort| terms.array_parts(sort)) else {
                continue;
            };
            for (&index, &sort) in args[1..].iter().zip(indices) {
                if bound.contains(&index) && terms.width(sort).is_some() {
                    let name = foretell_formulas::base_name(terms.var_name(index));
                    let word = || terms.fresh(name, sort);
                    self.originals.entry(index).or_insert_with(word);
                }
            }
        }
    }

    /// The image as a term of its sort below, integers as integers.
    fn plain(&self, term: Term) -> Option<Term> {
        match self.images.get(&term)?.as_ref()? {
            Up::Term(above) => Some(*above),
            Up::Number(number) => number.plain,
        }
    }

    fn wide(&mut self, term: Term) -> Option<Wide> {
        self.visit(term);
        match self.images.get(&term)?.as_ref()? {
            Up::Number(number) => number.wide.clone(),
            Up::Term(_) => None,
        }
    }

    fn step(&mut self, term: Term) -> Option<Up> {
        let (terms, node) = (self.terms, self.terms.node(term));
        let args = &node.args;
        match &node.op {
            Op::App(_) if args.is_empty() => Some(self.variable(term)),
            Op::Le => self.atom(term),
            Op::Eq if terms.sort(args[0]) == Sort::INT => self.atom(term),
            Op::Select => self.read(term),
            Op::Store => self.write(term),
            Op::ConstArray => {
                let sort = self.sort_above(term)?;
                let (_, element) = terms.array_parts(sort)?;
                let value = self.of_sort(args[0], element)?;
                Some(Up::Term(terms.const_array(sort, value)))
            }
            Op::Forall | Op::Exists => {
                self.exactness = Exactness::Candidate;
                let (vars, body) = args.split_at(args.len() - 1);
                let word = |v: &Term| self.originals.get(v).copied().unwrap_or(*v);
                let mut all: Vec<Term> = vars.iter().map(word).collect();
                all.push(self.plain(body[0])?);
                Some(Up::Term(terms.rebuild(&node.op, &all, node.sort)))
            }
            _ if node.sort == Sort::INT => Some(Up::Number(self.number(term))),
            _ => {
                let above: Option<Vec<Term>> = args.iter().map(|&a| self.plain(a)).collect();
                let above = above?;
                // A comparison of arrays that have become different sorts cannot be said.
                let sorts = |t: usize| above.get(t).map(|&t| terms.sort(t));
                let differ = node.op == Op::Eq && sorts(0) != sorts(1);
                (!differ).then(|| Up::Term(terms.rebuild(&node.op, &above, node.sort)))
            }
        }
    }

    fn variable(&self, var: Term) -> Up {
        let terms = self.terms;
        let original = self.originals.get(&var).copied();
        match original.and_then(|word| Some((word, terms.width(terms.sort(word))?))) {
            Some((word, width)) => Up::Number(self.word(word, width)),
            None if terms.sort(var) == Sort::INT => Up::Number(Number {
                wide: None,
                plain: Some(var),
            }),
            None => Up::Term(original.unwrap_or(var)),
        }
    }

    /// The signed value of a word.
    fn word(&self, word: Term, width: u32) -> Number {
        let terms = self.terms;
        let nat = terms.bv_op(BvOp::ToNat, &[word]);
        let negative = terms.bv_slt(word, terms.bv(0, width));
        let below = terms.sub(nat, terms.int(power(width)));
        Number {
            wide: Some(Wide {
                term: word,
                range: Interval::signed(width),
            }),
            plain: Some(terms.ite(negative, below, nat)),
        }
    }

    /// An integer term that is no variable and no cell.
    fn number(&mut self, term: Term) -> Number {
        let (terms, node) = (self.terms, self.terms.node(term));
        let above: Option<Vec<Term>> = node.args.iter().map(|&a| self.plain(a)).collect();
        let plain = above.map(|args| terms.rebuild(&node.op, &args, node.sort));
        let wide = self.wide_number(term);
        Number { wide, plain }
    }

    fn wide_number(&mut self, term: Term) -> Option<Wide> {
        let (terms, node) = (self.terms, self.terms.node(term));
        let args = &node.args;
        match &node.op {
            Op::Int(n) => Wide::numeral(terms, n),
            Op::Add => {
                let form = terms.linear(term);
                self.sum(&form)?.wide(terms)
            }
            Op::Mul => {
                let mut product = self.wide(args[0])?;
                for &factor in &args[1..] {
                    product = product.product(&self.wide(factor)?, terms)?;
                }
                Some(product)
            }
            Op::IDiv => self.wide(args[0])?.quotient(terms.as_int(args[1])?, terms),
            Op::Mod => self.wide(args[0])?.modulo(terms.as_int(args[1])?, terms),
            Op::Ite => {
                let condition = self.plain(args[0])?;
                let (a, b) = (self.wide(args[1])?, self.wide(args[2])?);
                Wide::choice(condition, &a, &b, terms)
            }
            _ => None,
        }
    }

    fn sum(&mut self, form: &Linear) -> Option<WideSum> {
        let mut sum = WideSum::default();
        for (term, factor) in &form.terms {
            sum.parts.push((to_integer(factor)?, self.wide(*term)?));
        }
        sum.constant = to_integer(&form.constant)?;
        Some(sum)
    }

    /// An order or an equation of integers.
    fn atom(&mut self, term: Term) -> Option<Up> {
        let (terms, node) = (self.terms, self.terms.node(term));
        let (a, b) = (node.args[0], node.args[1]);
        if terms.sort(a) == Sort::INT
            && let Some(above) = self.compare(&node.op, a, b)
        {
            return Some(Up::Term(above));
        }
        let above = [self.plain(a)?, self.plain(b)?];
        Some(Up::Term(terms.rebuild(&node.op, &above, node.sort)))
    }

    /// `a ⋈ b` over words.
    fn compare(&mut self, op: &Op, a: Term, b: Term) -> Option<Term> {
        let terms = self.terms;
        let form = terms.linear(terms.sub(a, b));
        let (mut left, mut right) = (WideSum::default(), WideSum::default());
        for (term, factor) in &form.terms {
            let (wide, size) = (self.wide(*term)?, to_integer(factor)?);
            match is_negative(factor) {
                true => right.parts.push((-size, wide)),
                false => left.parts.push((size, wide)),
            }
        }
        // The constant stands alone where it can, else it is added where it is positive.
        let constant = to_integer(&form.constant)?;
        let stays = left.parts.is_empty() || !right.parts.is_empty() && constant > Integer::ZERO;
        match stays {
            true => left.constant = constant,
            false => right.constant = -constant,
        }
        let width = left.widest(terms).max(right.widest(terms));
        if let (Reading::Modular, Op::Eq, Some(width)) = (self.reading, op, width) {
            return Some(terms.eq(left.at(terms, width), right.at(terms, width)));
        }
        let (l, r) = (left.range(), right.range());
        if l.low > r.high || *op == Op::Eq && l.high < r.low {
            return Some(terms.ff());
        }
        if *op == Op::Le && l.high <= r.low {
            return Some(terms.tt());
        }
        let width = l.hull(&r).width()?;
        let (l, r) = (left.at(terms, width), right.at(terms, width));
        Some(match op {
            Op::Le => terms.bv_sle(l, r),
            _ => terms.eq(l, r),
        })
    }

    /// A term as one of a sort above: a word, or what it is.
    fn of_sort(&mut self, term: Term, sort: Sort) -> Option<Term> {
        let Some(width) = self.terms.width(sort) else {
            return self.plain(term);
        };
        let wide = self.wide(term)?;
        if !wide.range.is_within(&Interval::signed(width)) {
            self.exactness = Exactness::Candidate;
        }
        Some(wide.at(self.terms, width))
    }

    fn indices(&mut self, array: Term, at: &[Term]) -> Option<(Term, Vec<Term>, Sort)> {
        let array = self.plain(array)?;
        let (indices, element) = self.terms.array_parts(self.terms.sort(array))?;
        let pairs = at.iter().zip(indices);
        let at: Option<Vec<Term>> = pairs.map(|(&i, &s)| self.of_sort(i, s)).collect();
        Some((array, at?, element))
    }

    fn read(&mut self, term: Term) -> Option<Up> {
        let (terms, args) = (self.terms, self.terms.args(term));
        let (array, at, element) = self.indices(args[0], &args[1..])?;
        let cell = terms.select(array, &at);
        Some(match terms.width(element) {
            Some(width) => Up::Number(self.word(cell, width)),
            None if element == Sort::INT => Up::Number(Number {
                wide: None,
                plain: Some(cell),
            }),
            None => Up::Term(cell),
        })
    }

    fn write(&mut self, term: Term) -> Option<Up> {
        let (terms, args) = (self.terms, self.terms.args(term));
        let (value, at) = (args[args.len() - 1], &args[1..args.len() - 1]);
        let (array, at, element) = self.indices(args[0], at)?;
        let value = self.of_sort(value, element)?;
        Some(Up::Term(terms.store(array, &at, value)))
    }

    /// The sort above of a constant array: that of the only array over words of its sort.
    fn sort_above(&mut self, term: Term) -> Option<Sort> {
        self.exactness = Exactness::Candidate;
        let (terms, sort) = (self.terms, self.terms.sort(term));
        let pairs = self.originals.iter();
        let same = pairs.filter(|(new, _)| terms.sort(**new) == sort);
        let mut sorts: Vec<Sort> = same.map(|(_, &old)| terms.sort(old)).collect();
        sorts.sort_unstable();
        sorts.dedup();
        match *sorts {
            [] => Some(sort),
            [one] => Some(one),
            _ => None,
        }
    }
}
