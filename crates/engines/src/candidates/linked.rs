//! Candidates about linked structures: arrays whose cells are places of arrays.
//!
//! ```text
//! new cell    n' = n + 1, a' = store(a, n + 1, v)         n counts the cells, a has a field of each
//! walk        p' = next[p]                                p points to one
//! kind        stored numerals only, compared with them    tag[p] = 4
//! ```
//!
//! What is said of all cells `1 <= y <= n`, or of those beside, before, behind a pointer or of one kind:
//!
//! ```text
//! tag[y] = k      next[y] = 0      0 <= next[y] <= n      next[y] = 0 or y < next[y]      next[y] < y
//! next[y] = p     next[y] = 0 or tag[next[y]] = k         next[y] = 0 or prev[next[y]] = y
//! ```
//!
//! and the same of the cell of a pointer, or of no cell. New cells come after old ones, so that a list that is built
//! in order has an order that needs no reachability. Which parameters count, point and tell kinds is read
//! off the rules, as greatest and least fixed points. Where no rule makes a cell, or no rule goes to where one
//! points, nothing is proposed.

use foretell_formulas::arrays::accesses;
use foretell_systems::Pred;
use foretell_terms::{Op, Rational, Sort, Term, TermSet, TermStore};
use indexmap::IndexSet;

use super::configuration::Guards;
use crate::program::{Program, Rule};

/// Pointers of one predicate that cells are compared with.
const MAX_POINTERS: usize = 6;
/// Kinds of cells.
const MAX_KINDS: usize = 4;

/// A parameter: a predicate and a position.
type Place = (Pred, usize);

/// Which parameters are what.
pub(super) struct Linked {
    counters: IndexSet<Place>,
    pointers: IndexSet<Place>,
    tags: IndexSet<Place>,
    kinds: Vec<Term>,
}

impl Linked {
    /// Reads the rules; `None` when none of them makes a cell, or none goes to where a cell points.
    pub(super) fn of(program: &Program<'_>, terms: &TermStore) -> Option<Linked> {
        let flow = Flow { program, terms };
        let made = flow.made();
        if made.is_empty() {
            return None;
        }
        let pointers = flow.pointers();
        if !flow.follows(&pointers) {
            return None;
        }
        let growing = flow.greatest(Sort::INT, |places, term| flow.grows(places, term));
        let mut counters = flow.connected(made);
        counters.retain(|place| growing.contains(place));
        let cells = terms.array_sort(&[Sort::INT], Sort::INT);
        let tags = flow.greatest(cells, |places, term| flow.is_tagged(places, term));
        Some(Linked {
            pointers,
            kinds: flow.kinds(&tags),
            counters,
            tags,
        })
    }

    /// What may hold of cells of a predicate, with `y` for the cell, and of its pointers.
    pub(super) fn atoms(&self, program: &Program<'_>, pred: Pred, terms: &TermStore) -> Vec<Term> {
        let at = At::new(self, program, pred, terms);
        let [y, _] = program.indices;
        let mut found = TermSet::default();
        let of_cells = at.of_cell(y);
        let zero = terms.int(0);
        for &p in &at.pointers {
            let none = terms.eq(p, zero);
            found.insert(terms.le(zero, p));
            found.extend(at.counter.map(|n| terms.le(p, n)));
            for &q in at.pointers.iter().filter(|&&q| q != p) {
                found.extend([terms.le(p, q), terms.lt(p, q), terms.eq(p, q)].map(|a| {
                    let either = terms.or2(none, a);
                    terms.or2(terms.eq(q, zero), either)
                }));
                found.extend([terms.le(p, q), terms.le(q, p)].map(|a| terms.or2(none, a)));
            }
            for atom in at.of_cell(p) {
                found.extend([atom, terms.or2(none, atom)]);
            }
        }
        found.extend(of_cells);
        found.into_iter().collect()
    }

    /// Which cells an atom is said of: all, those beside, before or behind a pointer, those of a kind; with
    /// two guards also those beside two pointers or between them.
    pub(super) fn guards(
        &self,
        program: &Program<'_>,
        pred: Pred,
        number: Guards,
        terms: &TermStore,
    ) -> Vec<Vec<Term>> {
        let at = At::new(self, program, pred, terms);
        let [y, _] = program.indices;
        let beside = |p: Term| vec![terms.not(terms.eq(y, p))];
        let before = |p: Term| [vec![terms.lt(y, p)], vec![terms.le(y, p)]];
        // A pointer to nothing is behind nothing.
        let points = |p: Term| terms.lt(terms.int(0), p);
        let behind = |p: Term| [terms.lt(p, y), terms.le(p, y)].map(|g| vec![points(p), g]);
        let around = |&p: &Term| [&[beside(p)][..], &before(p), &behind(p)].concat();
        let single: Vec<Vec<Term>> = at.pointers.iter().flat_map(around).collect();
        let kinds: Vec<Vec<Term>> = at.kinds_of(y).into_iter().map(|k| vec![k]).collect();
        let both = |a: &Vec<Term>, b: &Vec<Term>| [a.as_slice(), b].concat();
        let mut all: Vec<Vec<Term>> = vec![Vec::new()];
        all.extend(single.iter().chain(&kinds).cloned());
        for kind in &kinds {
            all.extend(at.pointers.iter().map(|&p| both(kind, &beside(p))));
        }
        if number == Guards::Two {
            for (i, &p) in at.pointers.iter().enumerate() {
                let later = at.pointers[i + 1..].iter();
                all.extend(later.map(|&q| both(&beside(p), &beside(q))));
                for &q in at.pointers.iter().filter(|&&q| q != p) {
                    for low in behind(p) {
                        all.extend(before(q).iter().map(|high| both(&low, high)));
                    }
                }
            }
            for kind in &kinds {
                all.extend(single.iter().map(|g| both(kind, g)));
            }
        }
        let first = terms.le(terms.int(1), y);
        let end = at.counter.map(|n| terms.le(y, n));
        let within = |guard: Vec<Term>| [first].into_iter().chain(end).chain(guard).collect();
        all.into_iter().map(within).collect()
    }
}

/// The parameters of one predicate.
struct At<'a> {
    linked: &'a Linked,
    terms: &'a TermStore,
    /// The number of cells, where a parameter has it.
    counter: Option<Term>,
    pointers: Vec<Term>,
    tags: Vec<Term>,
    fields: Vec<Term>,
}

impl<'a> At<'a> {
    fn new(linked: &'a Linked, program: &Program<'_>, pred: Pred, terms: &'a TermStore) -> At<'a> {
        let params = program.params(pred);
        let cells = terms.array_sort(&[Sort::INT], Sort::INT);
        let those = |places: &IndexSet<Place>, most: usize| -> Vec<Term> {
            let own = (0..params.len()).filter(|&i| places.contains(&(pred, i)));
            own.map(|i| params[i]).take(most).collect()
        };
        let counter = those(&linked.counters, 1).first().copied();
        let mut pointers = those(&linked.pointers, params.len());
        pointers.retain(|p| Some(*p) != counter);
        pointers.truncate(MAX_POINTERS);
        let tags = those(&linked.tags, params.len());
        let fields = params.iter().copied();
        let fields = fields.filter(|p| terms.sort(*p) == cells && !tags.contains(p));
        At {
            linked,
            terms,
            counter,
            pointers,
            fields: fields.collect(),
            tags,
        }
    }

    /// What may hold of one cell.
    fn of_cell(&self, y: Term) -> Vec<Term> {
        let terms = self.terms;
        let mut found = self.kinds_of(y);
        for &field in &self.fields {
            let next = terms.select(field, &[y]);
            let (zero, one) = (terms.int(0), terms.int(1));
            let none = terms.eq(next, zero);
            let after = terms.eq(next, terms.add2(y, one));
            let before = terms.eq(next, terms.sub(y, one));
            found.extend([none, terms.le(zero, next), terms.lt(next, y), before, after]);
            found.extend([terms.lt(y, next), before, after].map(|a| terms.or2(none, a)));
            found.extend(self.counter.map(|n| terms.le(next, n)));
            for &p in self.pointers.iter().filter(|&&p| p != y) {
                let same = terms.eq(next, p);
                found.extend([same, terms.not(same), terms.le(next, p)]);
                found.extend([same, terms.le(p, next)].map(|a| terms.or2(none, a)));
            }
            found.extend(self.kinds_of(next).into_iter().map(|a| terms.or2(none, a)));
            for &other in &self.fields {
                let back = terms.eq(terms.select(other, &[next]), y);
                found.push(terms.or2(none, back));
                if other != field {
                    found.push(terms.eq(next, terms.select(other, &[y])));
                }
            }
        }
        found
    }

    fn kinds_of(&self, cell: Term) -> Vec<Term> {
        let terms = self.terms;
        let mut found = Vec::new();
        for &tag in &self.tags {
            let kind = terms.select(tag, &[cell]);
            let is = |&k: &Term| terms.eq(kind, k);
            found.extend(self.linked.kinds.iter().map(is));
        }
        found
    }
}

/// Where the parameters of predicates come from and go to.
struct Flow<'a> {
    program: &'a Program<'a>,
    terms: &'a TermStore,
}

impl Flow<'_> {
    /// The parameter of the body that a variable of a rule is.
    fn origin(&self, rule: &Rule, var: Term) -> Option<Place> {
        rule.body.iter().find_map(|atom| {
            let at = atom.args.iter().position(|&a| a == var)?;
            Some((atom.pred, at))
        })
    }

    /// A variable and what is added to it.
    fn shifted(&self, term: Term) -> Option<(Term, Rational)> {
        let form = self.terms.linear(term);
        match form.terms.as_slice() {
            [(var, c)] if c.is_one() && self.terms.as_var(*var).is_some() => {
                Some((*var, form.constant))
            }
            _ => None,
        }
    }

    /// Parameters, and what they become, where a rule writes to the cell after as many as there are.
    fn made(&self) -> IndexSet<Place> {
        let terms = self.terms;
        let mut found = IndexSet::new();
        for rule in &self.program.rules {
            let Some(to) = rule.to else { continue };
            let stores = terms.subterms(&rule.post).into_iter();
            for store in stores.filter(|&t| *terms.op(t) == Op::Store) {
                let Some((var, by)) = self.shifted(terms.args(store)[1]) else {
                    continue;
                };
                let own = self.origin(rule, var);
                let grown = |post: &Term| {
                    let shifted = self.shifted(*post);
                    shifted.is_some_and(|(v, c)| v == var && c >= by)
                };
                if let Some(place) = own.filter(|_| by >= Rational::ONE)
                    && let Some(at) = rule.post.iter().position(grown)
                {
                    found.extend([place, (to, at)]);
                }
            }
        }
        found
    }

    /// The largest set of parameters of a sort each of which is what it may be after every rule.
    fn greatest(
        &self,
        sort: Sort,
        fits: impl Fn(&dyn Fn(Term) -> bool, Term) -> bool,
    ) -> IndexSet<Place> {
        let terms = self.terms;
        let mut found = IndexSet::new();
        for pred in self.program.system.pred_ids() {
            let params = self.program.params(pred).iter().enumerate();
            let own = params.filter(|(_, p)| terms.sort(**p) == sort);
            found.extend(own.map(|(i, _)| (pred, i)));
        }
        loop {
            let before = found.len();
            for rule in &self.program.rules {
                let Some(to) = rule.to else { continue };
                for (i, &post) in rule.post.iter().enumerate() {
                    let known =
                        |var: Term| self.origin(rule, var).is_some_and(|p| found.contains(&p));
                    if found.contains(&(to, i)) && !fits(&known, post) {
                        found.shift_remove(&(to, i));
                    }
                }
            }
            if found.len() == before {
                return found;
            }
        }
    }

    /// Whether a number is one of those known, or more, or a numeral.
    fn grows(&self, known: &dyn Fn(Term) -> bool, term: Term) -> bool {
        let terms = self.terms;
        let mut work = vec![term];
        while let Some(next) = work.pop() {
            if *terms.op(next) == Op::Ite {
                work.extend(&terms.args(next)[1..]);
                continue;
            }
            let fits = match self.shifted(next) {
                Some((var, by)) => known(var) && by >= Rational::ZERO,
                None => terms.as_int(next).is_some(),
            };
            if !fits {
                return false;
            }
        }
        true
    }

    /// Whether an array is one of those known with nothing but numerals stored.
    fn is_tagged(&self, known: &dyn Fn(Term) -> bool, term: Term) -> bool {
        let terms = self.terms;
        let mut work = vec![term];
        while let Some(next) = work.pop() {
            let args = terms.args(next);
            let fits = match terms.op(next) {
                Op::Ite => {
                    work.extend(&args[1..]);
                    true
                }
                Op::Store => {
                    work.extend([args[0], args[2]]);
                    true
                }
                Op::ConstArray => terms.as_int(args[0]).is_some(),
                Op::Select => {
                    work.push(args[0]);
                    true
                }
                _ => terms.as_int(next).is_some() || known(next),
            };
            if !fits {
                return false;
            }
        }
        true
    }

    /// The parameters that some rule makes of these, or these of, by adding to them or not.
    fn connected(&self, mut places: IndexSet<Place>) -> IndexSet<Place> {
        loop {
            let before = places.len();
            for rule in &self.program.rules {
                let Some(to) = rule.to else { continue };
                for (i, &post) in rule.post.iter().enumerate() {
                    let from = self.shifted(post).and_then(|(v, _)| self.origin(rule, v));
                    let Some(from) = from else { continue };
                    if places.contains(&from) || places.contains(&(to, i)) {
                        places.extend([from, (to, i)]);
                    }
                }
            }
            if places.len() == before {
                return places;
            }
        }
    }

    /// Parameters that are places of cells sooner or later.
    fn pointers(&self) -> IndexSet<Place> {
        let terms = self.terms;
        let mut found = IndexSet::new();
        loop {
            let before = found.len();
            for rule in &self.program.rules {
                let mut roots = rule.post.clone();
                roots.push(rule.guard);
                let mut used: Vec<Term> = accesses(terms, &roots).into_iter().flatten().collect();
                if let Some(to) = rule.to {
                    let posts = rule.post.iter().enumerate();
                    used.extend(
                        posts
                            .filter(|(i, _)| found.contains(&(to, *i)))
                            .map(|p| p.1),
                    );
                }
                let vars = terms.free_vars(&used).into_iter();
                let own = vars.filter(|&v| terms.sort(v) == Sort::INT);
                found.extend(own.filter_map(|v| self.origin(rule, v)));
            }
            if found.len() == before {
                return found;
            }
        }
    }

    /// Whether what a cell holds is a place, at once or as a pointer.
    fn follows(&self, pointers: &IndexSet<Place>) -> bool {
        let terms = self.terms;
        let reads = |t: Term| terms.any_subterm(t, |s, u| *s.op(u) == Op::Select);
        self.program.rules.iter().any(|rule| {
            let mut roots = rule.post.clone();
            roots.push(rule.guard);
            let posts = rule.post.iter().enumerate();
            let points = |i: usize| rule.to.is_some_and(|to| pointers.contains(&(to, i)));
            accesses(terms, &roots).into_iter().flatten().any(reads)
                || posts.into_iter().any(|(i, &post)| points(i) && reads(post))
        })
    }

    /// The numerals that cells of arrays that tell kinds are compared with.
    fn kinds(&self, tags: &IndexSet<Place>) -> Vec<Term> {
        let terms = self.terms;
        let mut found = TermSet::default();
        for rule in &self.program.rules {
            let tells = |t: Term| {
                let is_tag = |v: Term| self.origin(rule, v).is_some_and(|p| tags.contains(&p));
                let cells = terms.subterms(&[t]).into_iter();
                let arrays = cells.filter(|&c| *terms.op(c) == Op::Select);
                let mut arrays = arrays.map(|c| terms.args(c)[0]);
                arrays.any(|a| terms.free_vars(&[a]).into_iter().any(is_tag))
            };
            let roots: Vec<Term> = rule.post.iter().copied().chain([rule.guard]).collect();
            for term in terms.subterms(&roots) {
                if *terms.op(term) != Op::Eq || terms.sort(terms.args(term)[0]) != Sort::INT {
                    continue;
                }
                let (a, b) = (terms.args(term)[0], terms.args(term)[1]);
                for (numeral, cell) in [(a, b), (b, a)] {
                    if terms.as_int(numeral).is_some() && tells(cell) {
                        found.insert(numeral);
                    }
                }
            }
        }
        found.into_iter().take(MAX_KINDS).collect()
    }
}
