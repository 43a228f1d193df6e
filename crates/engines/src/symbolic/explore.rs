//! States and their successors, layer by layer.

use foretell_formulas::eliminate::eliminate;
use foretell_kernel::Cx;
use foretell_systems::Pred;
use foretell_terms::{Sort, Substitution, Term, TermMap, TermSet, TermStore};
use indexmap::{IndexMap, IndexSet};

use super::merge::merged;
use crate::program::{Program, Rule};

/// More parts of arguments than this take too much memory.
const MOST_PARTS: usize = 4_000_000;

/// A derived atom over inputs, and when it is derived.
pub(super) struct State {
    pub(super) pred: Pred,
    pub(super) args: Vec<Term>,
    pub(super) condition: Term,
    /// How it comes about: in one of these ways.
    pub(super) ways: Vec<Way>,
}

/// One step into a state.
#[derive(Clone)]
pub(super) struct Way {
    /// The state before; none for a clause without premises.
    pub(super) from: Option<usize>,
    pub(super) rule: usize,
    /// The values of the rule's open variables, in their order.
    pub(super) locals: Vec<Term>,
    pub(super) args: Vec<Term>,
    pub(super) condition: Term,
}

/// A query that a state may meet.
pub(super) struct Goal {
    pub(super) from: Option<usize>,
    pub(super) rule: usize,
    pub(super) locals: Vec<Term>,
    pub(super) condition: Term,
}

/// A rule solved for what its guard defines.
struct Step {
    guard: Term,
    post: Vec<Term>,
    /// The open variables as terms over the parameters and `inputs`.
    locals: Vec<Term>,
    inputs: Vec<Term>,
}

pub(super) struct Exploration<'p> {
    pub(super) program: &'p Program<'p>,
    pub(super) terms: &'p TermStore,
    pub(super) states: Vec<State>,
    steps: Vec<Step>,
    /// Of each predicate the parameters that decide loops.
    control: Vec<Vec<bool>>,
    layer: Vec<usize>,
    seen: IndexSet<(Pred, Vec<Term>, Term)>,
    begun: bool,
    /// The parts of all arguments, which may be long sums.
    parts: usize,
}

impl<'p> Exploration<'p> {
    pub(super) fn new(program: &'p Program<'p>, cx: &Cx<'p>) -> Exploration<'p> {
        let terms = cx.terms;
        Exploration {
            program,
            terms,
            states: Vec::new(),
            steps: program.rules.iter().map(|r| solved(r, terms)).collect(),
            control: control(program, terms),
            layer: Vec::new(),
            seen: IndexSet::new(),
            begun: false,
            parts: 0,
        }
    }

    /// Whether every state is known.
    pub(super) fn is_over(&self) -> bool {
        self.begun && self.layer.is_empty()
    }

    /// How many states there are, and how many of them have successors still to come.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.states.len(), self.layer.len())
    }

    /// Whether the arguments of all states together are long.
    pub(super) fn is_large(&self) -> bool {
        self.parts > MOST_PARTS
    }

    /// Whether the states of the last layer are reached whatever the inputs are.
    pub(super) fn is_decided(&self) -> bool {
        let mut states = self.layer.iter().map(|&s| &self.states[s]);
        states.all(|s| self.terms.is_true(s.condition))
    }

    /// The next layer; the queries that the last one may meet.
    pub(super) fn advance(&mut self) -> Vec<Goal> {
        let mut goals = Vec::new();
        let mut found: IndexMap<(Pred, Vec<Option<Term>>), Vec<Way>> = IndexMap::new();
        let sources: Vec<Option<usize>> = match self.begun {
            false => vec![None],
            true => self.layer.iter().map(|&s| Some(s)).collect(),
        };
        self.begun = true;
        for from in sources {
            let pred = from.map(|s| self.states[s].pred);
            for (rule, shape) in self.program.rules.iter().enumerate() {
                if shape.from != pred {
                    continue;
                }
                let Some(way) = self.taken(from, rule) else {
                    continue;
                };
                match shape.to {
                    None => goals.push(Goal {
                        from,
                        rule,
                        locals: way.locals,
                        condition: way.condition,
                    }),
                    Some(to) => {
                        let key = self.key(to, &way.args);
                        found.entry((to, key)).or_default().push(way);
                    }
                }
            }
        }
        self.layer.clear();
        for ((pred, _), ways) in found {
            let (args, condition) = merged(self.terms, &ways);
            if self.seen.insert((pred, args.clone(), condition)) {
                let long = args.iter().map(|&a| self.terms.args(a).len());
                self.parts += long.sum::<usize>();
                self.layer.push(self.states.len());
                self.states.push(State {
                    pred,
                    args,
                    condition,
                    ways,
                });
            }
        }
        goals
    }

    /// The constants that decide loops.
    fn key(&self, pred: Pred, args: &[Term]) -> Vec<Option<Term>> {
        let decides = self.control[pred.index()].iter();
        let constant = |(&arg, &decides): (&Term, &bool)| {
            (decides && self.terms.is_numeral(arg)).then_some(arg)
        };
        args.iter().zip(decides).map(constant).collect()
    }

    /// A rule taken from a state, unless its guard is false there.
    fn taken(&self, from: Option<usize>, rule: usize) -> Option<Way> {
        let (terms, step) = (self.terms, &self.steps[rule]);
        let mut map = Substitution::new();
        if let Some(state) = from.map(|s| &self.states[s]) {
            map = self.program.at(state.pred, &state.args);
        }
        for &input in &step.inputs {
            map.insert(input, terms.fresh("in", terms.sort(input)));
        }
        let before = from.map_or_else(|| terms.tt(), |s| self.states[s].condition);
        let condition = terms.and2(before, map.apply(terms, step.guard));
        if terms.is_false(condition) {
            return None;
        }
        let mut all = |list: &[Term]| list.iter().map(|&t| map.apply(terms, t)).collect();
        Some(Way {
            from,
            rule,
            locals: all(&step.locals),
            args: all(&step.post),
            condition,
        })
    }
}

fn solved(rule: &Rule, terms: &TermStore) -> Step {
    let open: TermSet = rule.locals.iter().copied().collect();
    let solved = eliminate(terms, rule.guard, &|v| open.contains(&v));
    let mut map = solved.substitution();
    let mut all =
        |list: &[Term]| -> Vec<Term> { list.iter().map(|&t| map.apply(terms, t)).collect() };
    let (post, locals) = (all(&rule.post), all(&rule.locals));
    let defined = |v: &&Term| !solved.definitions.contains_key(*v);
    Step {
        guard: terms.and(solved.rest.iter().copied()),
        post,
        locals,
        inputs: rule.locals.iter().filter(defined).copied().collect(),
    }
}

/// Parameters that guards of loops speak of, and those from which these come.
fn control(program: &Program<'_>, terms: &TermStore) -> Vec<Vec<bool>> {
    let preds = program.system.preds.len();
    let mut index: TermMap<(usize, usize)> = TermMap::default();
    for pred in program.system.pred_ids() {
        for (at, &param) in program.params(pred).iter().enumerate() {
            index.insert(param, (pred.index(), at));
        }
    }
    let mut control: Vec<Vec<bool>> = (program.system.pred_ids())
        .map(|p| vec![false; program.params(p).len()])
        .collect();
    let cyclic = cyclic(program, preds);
    let mut work: Vec<Term> = Vec::new();
    for rule in program.rules.iter().filter(|r| r.to.is_some()) {
        if rule.from.is_some_and(|p| cyclic[p.index()]) {
            work.push(rule.guard);
        }
    }
    while let Some(term) = work.pop() {
        for var in terms.free_vars(&[term]) {
            let Some(&(pred, at)) = index.get(&var) else {
                continue;
            };
            if control[pred][at] || terms.array_parts(terms.sort(var)).is_some() {
                continue;
            }
            control[pred][at] = true;
            let into = program
                .rules
                .iter()
                .filter(|r| r.to.map(Pred::index) == Some(pred));
            work.extend(into.map(|r| r.post[at]));
        }
    }
    control
}

/// The predicates that depend on themselves.
fn cyclic(program: &Program<'_>, preds: usize) -> Vec<bool> {
    let mut next: Vec<IndexSet<usize>> = vec![IndexSet::new(); preds];
    for rule in &program.rules {
        if let (Some(from), Some(to)) = (rule.from, rule.to) {
            next[from.index()].insert(to.index());
        }
    }
    let reaches_itself = |start: usize| {
        let mut reached: IndexSet<usize> = next[start].clone();
        let mut at = 0;
        while let Some(&pred) = reached.get_index(at) {
            reached.extend(next[pred].iter().copied());
            at += 1;
        }
        reached.contains(&start)
    };
    (0..preds).map(reaches_itself).collect()
}

/// Whether values of this sort are numbers that can be added.
pub(super) fn is_arithmetic(sort: Sort) -> bool {
    sort == Sort::INT || sort == Sort::REAL
}
