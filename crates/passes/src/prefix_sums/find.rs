//! Which sums a system computes, and where their values matter.
//!
//! ```text
//! a clause  p(… v ± 1 … s + Σ cⱼ·mⱼ …) ⇐ p(… v … s …) ∧ guard
//!     mⱼ reads a cell and mentions only v and arguments that stay       a summand
//!     the cell's index is v + d                                        counted from there
//!     points   v + d going up, v + d + 1 going down: F there has what was added, or what is left
//!              what v is when the guard fails, what v starts with      in the same units
//! ```
//!
//! Coefficients and signs are left to the engines: an accumulator is a linear combination of sums.
//! Arguments of different predicates are the same variable where they are aligned.

use foretell_systems::{Atom, ChcSystem, Clause};
use foretell_terms::{Op, Sort, Term, TermStore, number};

use crate::alignment::Alignment;

type Integer = number::Integer;
type Rational = number::Rational;

/// At most so many sums, and points of each.
const SUMS: usize = 4;
const POINTS: usize = 6;
/// How deeply conditionals of an accumulator are looked into.
const DEPTH: usize = 6;

/// Something that stays the same while a sum is computed.
#[derive(Clone, Debug)]
pub(super) struct Carrier {
    /// What stands for it in the summand.
    pub(super) var: Term,
    /// The class of the arguments that hold it.
    pub(super) class: usize,
}

/// A place at which a sum is looked at: a linear form over classes of arguments.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Point {
    pub(super) terms: Vec<(usize, Rational)>,
    pub(super) constant: Rational,
}

impl Point {
    /// The index at the arguments of an atom; `None` where one is missing.
    pub(super) fn at(&self, atom: &Atom, classes: &Alignment, terms: &TermStore) -> Option<Term> {
        let mut parts = vec![terms.numeral(&self.constant, Sort::INT)?];
        for (class, factor) in &self.terms {
            let position = classes.position(*class, atom.pred)?;
            parts.push(terms.scale(factor, atom.args[position]));
        }
        Some(terms.add(&parts))
    }
}

/// A sum over the indices from its base on.
#[derive(Clone, Debug)]
pub(super) struct Sum {
    /// The name of its function.
    pub(super) name: String,
    /// What stands for the index in the summand.
    pub(super) index: Term,
    /// What is added for each index.
    summand: Term,
    pub(super) carriers: Vec<Carrier>,
    /// Nothing lies in front of it.
    pub(super) base: Integer,
    pub(super) points: Vec<Point>,
    /// How many clauses add to it.
    pub(super) adders: usize,
}

impl Sum {
    /// What is added for an index.
    pub(super) fn summand(&self, index: Term, carriers: &[Term], terms: &TermStore) -> Term {
        let own = self.carriers.iter().map(|c| c.var);
        let pairs = own.zip(carriers.iter().copied());
        terms.substitute(self.summand, pairs.chain([(self.index, index)]))
    }

    /// Where the carriers are among the arguments of an atom.
    pub(super) fn at(&self, atom: &Atom, classes: &Alignment) -> Option<Vec<Term>> {
        let held = self.carriers.iter().map(|carrier| {
            let position = classes.position(carrier.class, atom.pred)?;
            Some(atom.args[position])
        });
        held.collect()
    }
}

/// The sums of a system; none when there are too many.
pub(super) fn sums(system: &ChcSystem, terms: &TermStore) -> (Alignment, Vec<Sum>) {
    let classes = Alignment::new(system, terms);
    let named = classes.classes.iter().enumerate();
    let named = named.map(|(n, c)| terms.new_var(&format!("{}.{n}", c.name), c.sort));
    let mut search = Search {
        system,
        classes: &classes,
        terms,
        sums: Vec::new(),
        starts: Vec::new(),
        index: terms.new_var("k.sum", Sort::INT),
        held: named.collect(),
    };
    for clause in &system.clauses {
        search.clause(clause);
    }
    let sums = search.finished();
    match sums.len() <= SUMS && sums.iter().all(|s| s.points.len() <= POINTS) {
        true => (classes, sums),
        false => (classes, Vec::new()),
    }
}

/// Up or down.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Up,
    Down,
}

/// A variable that a clause moves by one.
struct Counter {
    var: Term,
    class: usize,
    way: Way,
}

struct Search<'a> {
    system: &'a ChcSystem,
    classes: &'a Alignment,
    terms: &'a TermStore,
    sums: Vec<Sum>,
    /// For each sum, numerals its counters start with.
    starts: Vec<Vec<Integer>>,
    /// What stands for the index in summands.
    index: Term,
    /// What stands for the arguments of each class.
    held: Vec<Term>,
}

impl Search<'_> {
    fn clause(&mut self, clause: &Clause) {
        let ([body], Some(head)) = (clause.body.as_slice(), &clause.head) else {
            return;
        };
        for (position, &to) in head.args.iter().enumerate() {
            if self.terms.sort(to) != Sort::INT {
                continue;
            }
            let class = self.classes.class(head.pred, position);
            let from = self.classes.position(class, body.pred);
            let Some(from) = from.map(|at| body.args[at]) else {
                continue;
            };
            let Some(added) = self.increment(to, from, DEPTH) else {
                continue;
            };
            for (part, _) in self.terms.linear(added).terms {
                self.summand(self.unsigned(part), from, clause, body, head);
            }
        }
    }

    /// `to − from`, with conditionals around it; `None` when `from` is still in it.
    fn increment(&self, to: Term, from: Term, depth: usize) -> Option<Term> {
        let terms = self.terms;
        if *terms.op(to) == Op::Ite && depth > 0 {
            let args = terms.args(to);
            let yes = self.increment(args[1], from, depth - 1)?;
            let no = self.increment(args[2], from, depth - 1)?;
            return Some(terms.ite(args[0], yes, no));
        }
        let added = terms.sub(to, from);
        let free = !terms.free_vars(&[added]).contains(&from);
        free.then_some(added)
    }

    /// A choice of two numerals whose first one that is not 0 is positive: the other sign is a factor.
    fn unsigned(&self, part: Term) -> Term {
        let terms = self.terms;
        let (Op::Ite, &[condition, yes, no]) = (terms.op(part), terms.args(part)) else {
            return part;
        };
        let (Some(a), Some(b)) = (terms.as_int(yes), terms.as_int(no)) else {
            return part;
        };
        let first = if a.is_zero() { b } else { a };
        match *first < Integer::ZERO {
            true => terms.ite(condition, terms.neg(yes), terms.neg(no)),
            false => part,
        }
    }

    fn summand(&mut self, part: Term, from: Term, clause: &Clause, body: &Atom, head: &Atom) {
        let terms = self.terms;
        let vars = terms.free_vars(&[part]);
        let reads = terms.any_subterm(part, |terms, t| *terms.op(t) == Op::Select);
        if !reads || vars.contains(&from) || terms.has_quantifier(part) {
            return;
        }
        let counters = vars.iter().filter_map(|&v| self.counter(v, body, head));
        let Some(counter) = counters.into_iter().next() else {
            return;
        };
        let mut carriers = Vec::new();
        for &var in vars.iter().filter(|&&v| v != counter.var) {
            let Some(class) = self.staying(var, body, head) else {
                return;
            };
            let var = self.held[class];
            carriers.push(Carrier { var, class });
        }
        let offset = self.offset(part, counter.var);
        let index = self.index;
        let shift = terms.numeral(&-offset.clone(), Sort::INT);
        let Some(shift) = shift else { return };
        let own = vars.iter().copied().filter(|&v| v != counter.var);
        let pairs = own.zip(carriers.iter().map(|c| c.var));
        let summand =
            terms.substitute(part, pairs.chain([(counter.var, terms.add2(index, shift))]));
        let known = self.sums.iter().position(|s| {
            s.summand == summand
                && s.carriers
                    .iter()
                    .zip(&carriers)
                    .all(|(a, b)| a.class == b.class)
        });
        let at = known.unwrap_or_else(|| {
            self.sums.push(Sum {
                name: String::new(),
                index,
                summand,
                carriers,
                base: Integer::ZERO,
                points: Vec::new(),
                adders: 0,
            });
            self.starts.push(Vec::new());
            self.sums.len() - 1
        });
        self.sums[at].adders += 1;
        self.points(at, &counter, offset, clause, body);
    }

    /// The class of a variable that the clause moves by one.
    fn counter(&self, var: Term, body: &Atom, head: &Atom) -> Option<Counter> {
        let (class, to) = self.passed_on(var, body, head)?;
        if self.terms.sort(var) != Sort::INT {
            return None;
        }
        let moved = self.terms.linear(self.terms.sub(to, var));
        let way = match moved.terms.is_empty() {
            true if moved.constant == Rational::ONE => Way::Up,
            true if moved.constant == -Rational::ONE => Way::Down,
            _ => return None,
        };
        Some(Counter { var, class, way })
    }

    /// The class of a variable that the clause leaves as it is.
    fn staying(&self, var: Term, body: &Atom, head: &Atom) -> Option<usize> {
        let (class, to) = self.passed_on(var, body, head)?;
        (to == var).then_some(class)
    }

    /// The class of a variable of the body, and what the head has in it.
    fn passed_on(&self, var: Term, body: &Atom, head: &Atom) -> Option<(usize, Term)> {
        let position = body.args.iter().position(|&a| a == var)?;
        let class = self.classes.class(body.pred, position);
        let to = self.classes.position(class, head.pred)?;
        Some((class, head.args[to]))
    }

    /// `d` where a cell at `counter + d` is read.
    fn offset(&self, part: Term, counter: Term) -> Rational {
        let terms = self.terms;
        for read in terms.subterms(&[part]) {
            if let (Op::Select, [_, index]) = (terms.op(read), terms.args(read))
                && terms.sort(*index) == Sort::INT
            {
                let form = terms.linear(terms.sub(*index, counter));
                if form.terms.is_empty() {
                    return form.constant;
                }
            }
        }
        Rational::ZERO
    }

    /// The points of a sum that a clause adds to.
    fn points(
        &mut self,
        sum: usize,
        counter: &Counter,
        offset: Rational,
        clause: &Clause,
        body: &Atom,
    ) {
        let offset = match counter.way {
            Way::Up => offset,
            Way::Down => offset + Rational::ONE,
        };
        let own = Point {
            terms: vec![(counter.class, Rational::ONE)],
            constant: offset.clone(),
        };
        self.point(sum, own);
        for end in self.ends(counter, clause) {
            let end = self.terms.add2(end, self.numeral(&offset));
            if let Some(end) = self.over_classes(end, body) {
                self.point(sum, end);
            }
        }
        for entry in &self.system.clauses {
            let Some(start) = self.start(counter, entry) else {
                continue;
            };
            let start = self.terms.add2(start, self.numeral(&offset));
            if let Some(numeral) = self.terms.as_int(start) {
                if counter.way == Way::Up {
                    self.starts[sum].push(numeral.clone());
                }
            } else if let [from] = entry.body.as_slice()
                && let Some(start) = self.over_classes(start, from)
            {
                self.point(sum, start);
            }
        }
    }

    fn numeral(&self, value: &Rational) -> Term {
        let integer = number::to_integer(value).unwrap_or(Integer::ZERO);
        self.terms.int(integer)
    }

    fn point(&mut self, sum: usize, point: Point) {
        let known = &mut self.sums[sum].points;
        if !point.terms.is_empty() && !known.contains(&point) {
            known.push(point);
        }
    }

    /// What the counter is when a guard of the clause is about to fail.
    fn ends(&self, counter: &Counter, clause: &Clause) -> Vec<Term> {
        let terms = self.terms;
        let mut ends = Vec::new();
        for conjunct in terms.conjuncts(clause.constraint) {
            let (atom, negated) = terms.strip_not(conjunct);
            let args = terms.args(atom);
            let one = terms.int(1);
            // What is at most 0, or is not 0.
            let (form, way) = match (terms.op(atom), negated) {
                (Op::Le, false) => (terms.sub(args[0], args[1]), Some(())),
                (Op::Le, true) => (terms.add2(terms.sub(args[1], args[0]), one), Some(())),
                (Op::Eq, true) if terms.sort(args[0]) == Sort::INT => {
                    (terms.sub(args[0], args[1]), None)
                }
                _ => continue,
            };
            let own = terms.linear(form);
            let factor = own.terms.iter().find(|(t, _)| *t == counter.var);
            let Some((_, factor)) = factor else { continue };
            let (rest, bound) = if *factor == Rational::ONE {
                (terms.sub(counter.var, form), Way::Up)
            } else if *factor == -Rational::ONE {
                (terms.add2(counter.var, form), Way::Down)
            } else {
                continue;
            };
            match way {
                None => ends.push(rest),
                Some(()) if bound != counter.way => {}
                Some(()) => ends.push(match bound {
                    Way::Up => terms.add2(rest, one),
                    Way::Down => terms.sub(rest, one),
                }),
            }
        }
        ends
    }

    /// What a clause gives a counter that does not come from it.
    fn start(&self, counter: &Counter, entry: &Clause) -> Option<Term> {
        let head = entry.head.as_ref()?;
        let value = head.args[self.classes.position(counter.class, head.pred)?];
        let comes_from = |body: &Atom| {
            let position = self.classes.position(counter.class, body.pred);
            position.is_some_and(|at| self.terms.free_vars(&[value]).contains(&body.args[at]))
        };
        (!entry.body.iter().any(comes_from)).then_some(value)
    }

    /// A linear form over the arguments of an atom.
    fn over_classes(&self, term: Term, body: &Atom) -> Option<Point> {
        let form = self.terms.linear(term);
        let parts = form.terms.iter().map(|(var, factor)| {
            let position = body.args.iter().position(|a| a == var)?;
            Some((self.classes.class(body.pred, position), factor.clone()))
        });
        let mut parts = parts.collect::<Option<Vec<_>>>()?;
        parts.sort_by_key(|(class, _)| *class);
        Some(Point {
            terms: parts,
            constant: form.constant,
        })
    }

    fn finished(self) -> Vec<Sum> {
        let (mut sums, classes) = (self.sums, self.classes);
        for (n, (sum, starts)) in sums.iter_mut().zip(self.starts).enumerate() {
            let held = sum.carriers.first();
            let held = held.map_or("", |c| classes.classes[c.class].name.as_str());
            sum.name = format!("sum.{held}.{n}");
            sum.base = starts.into_iter().min().unwrap_or(Integer::ZERO);
        }
        sums
    }
}
