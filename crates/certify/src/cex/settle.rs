//! Values that a step of a derivation need not tell.
//!
//! ```text
//! settle(p1(t1) ∧ … ∧ φ ⇒ h, facts, σ)
//!   an argument of a body atom that is a variable without a value: what the premise derived
//!   until nothing changes, for the conjuncts of φ, where a disjunction all of whose parts but one
//!   are false is that part:
//!     x = t, and x has no value and t has one: that of t;   x or ¬x, and x has none: true or false
//!
//! short(step)   the values, chosen ones before those of the head, that do not follow from others
//! ```
//!
//! A run of 300,000 steps was a text of more than 256 MB in full, the most that a message may have; one that
//! fills an array of n cells in n steps would take n² cells. Nothing rests on it: values are settled when a
//! text is read, before anything looks at them, and the replay knows told values only.

use foretell_systems::{ChcSystem, Clause, Derivation, DerivationStep};
use foretell_terms::eval::Assignment;
use foretell_terms::{Op, Term, TermStore, Value};

use super::replay::{Fact, derive, joined, replayed, restricted};

/// Derivations with more values and cells than this are written short.
const MOST_VALUES: usize = 2_000_000;

/// Gives values to variables of a clause without one, where they follow from others.
fn settle(
    terms: &TermStore,
    clause: &Clause,
    premises: &[usize],
    facts: &[Fact],
    values: &mut Assignment,
) {
    for (atom, &premise) in clause.body.iter().zip(premises) {
        let fact = facts.get(premise).and_then(Option::as_ref);
        let Some((_, derived)) = fact.filter(|(pred, _)| *pred == atom.pred) else {
            continue;
        };
        for (&arg, value) in atom.args.iter().zip(derived) {
            if is_open(terms, arg, values) {
                values.insert(arg, value.clone());
            }
        }
    }
    while clause.vars.iter().any(|&v| values.get(v).is_none())
        && progress(terms, clause.constraint, values)
    {}
}

fn is_open(terms: &TermStore, term: Term, values: &Assignment) -> bool {
    terms.as_var(term).is_some() && values.get(term).is_none()
}

/// One pass over a constraint that holds; whether something got a value.
fn progress(terms: &TermStore, constraint: Term, values: &mut Assignment) -> bool {
    let before = values.values.len();
    let mut open = vec![constraint];
    while let Some(formula) = open.pop() {
        let args = terms.args(formula);
        match (terms.op(formula), args) {
            (Op::And, _) => open.extend(args),
            (Op::Or, _) => {
                let may = |&&part: &&Term| terms.eval_bool(part, values) != Ok(false);
                let mut left = args.iter().filter(may);
                if let (Some(&only), None) = (left.next(), left.next()) {
                    open.push(only);
                }
            }
            (Op::Eq, &[a, b]) => {
                for (var, term) in [(a, b), (b, a)] {
                    if is_open(terms, var, values)
                        && let Ok(value) = terms.eval(term, values)
                    {
                        values.insert(var, value);
                    }
                }
            }
            (Op::Not, &[var]) if is_open(terms, var, values) => {
                values.insert(var, Value::Bool(false));
            }
            _ if is_open(terms, formula, values) => {
                values.insert(formula, Value::Bool(true));
            }
            _ => {}
        }
    }
    values.values.len() > before
}

/// Whether a derivation is so long that it is written short: values and cells of arrays count.
pub(crate) fn is_long(derivation: &Derivation) -> bool {
    let values = derivation.steps.iter();
    is_larger(values.flat_map(|s| s.values.values.values()), MOST_VALUES)
}

/// Whether these are more values than that, with the cells of arrays.
pub(crate) fn is_larger<'a>(values: impl Iterator<Item = &'a Value>, most: usize) -> bool {
    let mut left = most;
    for value in values {
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            if left == 0 {
                return true;
            }
            left -= 1;
            if let Value::Array(array) = value {
                open.push(array.default_value());
                open.extend(array.entries().map(|(_, cell)| cell).take(left));
            }
        }
    }
    false
}

/// The derivation without the values that follow from others.
pub fn short(terms: &TermStore, system: &ChcSystem, derivation: &Derivation) -> Derivation {
    let (_, facts) = replayed(terms, system, derivation);
    shortened(terms, system, derivation, &facts)
}

/// The same; `facts` are what the steps derive.
pub(crate) fn shortened(
    terms: &TermStore,
    system: &ChcSystem,
    derivation: &Derivation,
    facts: &[Fact],
) -> Derivation {
    let orders: Vec<Vec<Term>> = system.clauses.iter().map(|c| order(terms, c)).collect();
    // What was told of a clause the last time is mostly what has to be told of it the next time.
    let mut told: Vec<Vec<Term>> = vec![Vec::new(); system.clauses.len()];
    let steps = derivation.steps.iter().map(|step| {
        let at = step.clause.index();
        let (Some(clause), Some(order)) = (system.clauses.get(at), orders.get(at)) else {
            return step.clone();
        };
        let follows = |kept: &[Term]| {
            let given = restricted(&step.values, kept);
            let mut values = joined(&derivation.functions, given);
            settle(terms, clause, &step.premises, facts, &mut values);
            values
        };
        let is_all = |kept: &[Term]| {
            let values = follows(kept);
            let mut vars = clause.vars.iter();
            vars.all(|&v| step.values.get(v).is_none() || values.get(v) == step.values.get(v))
        };
        let mut fits = is_all(&told[at]);
        if !fits {
            let mut kept = Vec::new();
            for &var in order {
                let wanted = step.values.get(var);
                if wanted.is_some() && follows(&kept).get(var) != wanted {
                    kept.push(var);
                }
            }
            fits = is_all(&kept);
            told[at] = kept;
        }
        DerivationStep {
            clause: step.clause,
            values: match fits {
                true => restricted(&step.values, &told[at]),
                false => step.values.clone(),
            },
            premises: step.premises.clone(),
        }
    });
    Derivation {
        steps: steps.collect(),
        functions: derivation.functions.clone(),
    }
}

/// What the steps of a short derivation derive, to be written: predicates without arguments.
pub(crate) fn names(facts: &[Fact]) -> Vec<Fact> {
    let name = |fact: &Fact| fact.as_ref().map(|(pred, _)| (*pred, Vec::new()));
    facts.iter().map(name).collect()
}

/// The derivation with the values that follow from others.
pub(super) fn completed(
    terms: &TermStore,
    system: &ChcSystem,
    mut derivation: Derivation,
) -> Derivation {
    let mut facts: Vec<Fact> = Vec::new();
    for step in &mut derivation.steps {
        let Some(clause) = system.clauses.get(step.clause.index()) else {
            break;
        };
        let mut values = joined(&derivation.functions, std::mem::take(&mut step.values));
        settle(terms, clause, &step.premises, &facts, &mut values);
        step.values = restricted(&values, &clause.vars);
        let Ok(fact) = derive(terms, system, &derivation.functions, step, &facts) else {
            break;
        };
        facts.push(fact);
    }
    derivation
}

/// The variables of a clause: those of neither head nor body, then those of the head.
fn order(terms: &TermStore, clause: &Clause) -> Vec<Term> {
    let head = clause.head.iter().flat_map(|h| h.args.iter().copied());
    let head = terms.free_vars(&head.collect::<Vec<_>>());
    let (last, first): (Vec<Term>, Vec<Term>) = clause.vars.iter().partition(|v| head.contains(*v));
    first.into_iter().chain(last).collect()
}
