//! Predicates as functions: which argument is the result, and over which one recursion goes.
//!
//! ```text
//! append(nil, y, y)                                      append(x, y) = x = nil: y
//! append(cons(h, x), y, cons(h, z)) ⇐ append(x, y, z)                   else:    cons(hd x, append(tl x, y))
//! ```
//!
//! Groups of predicates that need each other are read after those they need. For each predicate of a
//! group every position of a result is tried, and none at all (the function then says whether the
//! predicate holds). A reading counts when each clause computes its result from the arguments, recursive
//! calls are on a field of an argument, and every clause agrees with the function (asked of a solver).
//! Total functions are preferred to others. What no clause speaks about has the value of the last case.
//! A predicate that is a function for some arguments only is read as one, or as the function that says
//! whether it holds ([`Partial`]).

use foretell_kernel::Halt;
use foretell_systems::{Clause, Pred};
use foretell_terms::{Constructor, Op, Recursive, Sort, Substitution, Term, TermStore};
use indexmap::IndexSet;

use super::prove::{Beliefs, Lemma, Prover};
use super::walk::{Function, Functions, Value, Walk};

/// The most readings of a group that are tried.
const READINGS: usize = 200;
/// The largest group.
const GROUP: usize = 3;

/// A choice for a predicate: its result, and the argument that recursion goes over.
#[derive(Clone, Copy, Debug)]
struct Mode {
    output: Option<usize>,
    recursion: Option<usize>,
}

/// What becomes of a predicate that is a function for some arguments only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Partial {
    /// A function that says whether it holds, if it can be read so.
    Truth,
    /// A function with any value where no clause says one.
    Value,
}

/// Whether a function has a clause for every argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cover {
    Total,
    Partial,
}

/// The predicates whose clauses compute a result, by recursion of any kind, added to those that are
/// functions.
pub(super) fn computations(prover: &Prover<'_>, functions: &Functions) -> Result<Functions, Halt> {
    let mut all = functions.clone();
    for group in groups(prover) {
        if group.iter().all(|p| all.contains_key(p)) {
            continue;
        }
        prover.cx.budget.check()?;
        let mut partial = None;
        for modes in readings(prover, &group) {
            let more = with_modes(prover, &group, &modes, &all);
            let mut cover = Cover::Total;
            let mut computes = true;
            for &pred in &group {
                let reading = Reading::new(prover, pred, &group, &more);
                match reading.cases() {
                    Some(cases) if reading.cover(&cases, None)? == Cover::Total => {}
                    Some(_) => cover = Cover::Partial,
                    None => computes = false,
                }
            }
            if computes && cover == Cover::Total {
                (all, partial) = (more, None);
                break;
            }
            if computes {
                partial.get_or_insert(more);
            }
        }
        all = partial.unwrap_or(all);
    }
    Ok(all)
}

/// The predicates that are functions, with what that says about them.
pub(super) fn functions(
    prover: &Prover<'_>,
    partials: Partial,
) -> Result<(Functions, Beliefs), Halt> {
    let (mut functions, mut beliefs) = (Functions::new(), Beliefs::new());
    for group in groups(prover) {
        prover.cx.budget.check()?;
        let mut partial = None;
        for modes in readings(prover, &group) {
            let is_truth = modes.iter().any(|m| m.output.is_none());
            if is_truth && partials == Partial::Value && partial.is_some() {
                continue;
            }
            let Some((all, cover)) = read(prover, &group, &modes, &functions)? else {
                continue;
            };
            let more = all_beliefs(prover, &group, &all, &beliefs);
            if !agree(prover, &group, &more)? {
                continue;
            }
            if cover == Cover::Total {
                (functions, beliefs, partial) = (all, more, None);
                break;
            }
            partial.get_or_insert((all, more));
        }
        if let Some((all, more)) = partial {
            (functions, beliefs) = (all, more);
        }
    }
    Ok((functions, beliefs))
}

/// The predicates in groups that need each other, each after what it needs.
fn groups(prover: &Prover<'_>) -> Vec<Vec<Pred>> {
    let system = prover.system;
    let needs = |pred: Pred| {
        let (mut seen, mut work) = (IndexSet::new(), vec![pred]);
        while let Some(next) = work.pop() {
            for clause in clauses(prover, next) {
                let body = clause.body.iter().map(|a| a.pred);
                work.extend(body.filter(|&p| seen.insert(p)));
            }
        }
        seen
    };
    let reached: Vec<IndexSet<Pred>> = system.pred_ids().map(needs).collect();
    let mut order: Vec<Pred> = system.pred_ids().collect();
    order.sort_by_key(|p| reached[p.index()].iter().filter(|q| *q != p).count());
    let mut groups: Vec<Vec<Pred>> = Vec::new();
    for pred in order {
        let same =
            |p: &Pred| reached[pred.index()].contains(p) && reached[p.index()].contains(&pred);
        match groups.iter_mut().find(|group| group.iter().any(same)) {
            Some(group) => group.push(pred),
            None => groups.push(vec![pred]),
        }
    }
    groups
}

fn clauses<'a>(prover: &Prover<'a>, pred: Pred) -> impl Iterator<Item = &'a Clause> + use<'a> {
    let all = prover.system.clauses.iter();
    all.filter(move |c| c.head.as_ref().is_some_and(|h| h.pred == pred))
}

/// All choices for a group, the likely ones first.
fn readings(prover: &Prover<'_>, group: &[Pred]) -> Vec<Vec<Mode>> {
    if group.len() > GROUP {
        return Vec::new();
    }
    let terms = prover.cx.terms;
    let mut all: Vec<Vec<Mode>> = vec![Vec::new()];
    for &pred in group {
        let params = &prover.system.pred(pred).params;
        let recursive =
            group.len() > 1 || clauses(prover, pred).any(|c| c.body.iter().any(|a| a.pred == pred));
        let n = params.len();
        let outputs = (0..n).rev().map(Some).chain([None]);
        let mut modes = Vec::new();
        for output in outputs {
            if !recursive {
                let recursion = None;
                modes.push(Mode { output, recursion });
                continue;
            }
            for i in (0..n).filter(|&i| Some(i) != output) {
                if terms.data(terms.sort(params[i])).is_some() {
                    let recursion = Some(i);
                    modes.push(Mode { output, recursion });
                }
            }
        }
        let longer = all.iter().flat_map(|list| {
            let with = |&m: &Mode| list.iter().copied().chain([m]).collect();
            modes.iter().map(with).collect::<Vec<Vec<Mode>>>()
        });
        all = longer.take(READINGS).collect();
    }
    all
}

/// The functions of a group with these modes added to the others; `None` where the clauses do not
/// compute that way.
fn read(
    prover: &Prover<'_>,
    group: &[Pred],
    modes: &[Mode],
    functions: &Functions,
) -> Result<Option<(Functions, Cover)>, Halt> {
    let all = with_modes(prover, group, modes, functions);
    if group.iter().any(|p| all[p].inputs.is_empty()) {
        return Ok(None);
    }
    let mut cover = Cover::Total;
    let mut definitions = Vec::new();
    for &pred in group {
        let reading = Reading::new(prover, pred, group, &all);
        let Some((definition, own)) = reading.definition()? else {
            return Ok(None);
        };
        definitions.push(definition);
        if own == Cover::Partial {
            cover = Cover::Partial;
        }
    }
    for definition in definitions {
        prover.cx.terms.define_recursive(definition);
    }
    Ok(Some((all, cover)))
}

/// New functions for the predicates of a group.
fn with_modes(
    prover: &Prover<'_>,
    group: &[Pred],
    modes: &[Mode],
    functions: &Functions,
) -> Functions {
    let terms = prover.cx.terms;
    let mut all = functions.clone();
    for (&pred, mode) in group.iter().zip(modes) {
        let params = &prover.system.pred(pred).params;
        let (output, recursion) = (mode.output, mode.recursion);
        let rest = (0..params.len()).filter(|i| Some(*i) != output && Some(*i) != recursion);
        let inputs: Vec<usize> = recursion.into_iter().chain(rest).collect();
        let sorts: Vec<Sort> = inputs.iter().map(|&i| terms.sort(params[i])).collect();
        let result = mode.output.map_or(Sort::BOOL, |o| terms.sort(params[o]));
        let name = format!("{}.of", prover.system.name(terms, pred));
        let function = Function {
            value: Value::Of(terms.declare(&name, &sorts, result)),
            inputs,
            output: mode.output,
        };
        all.insert(pred, function);
    }
    all
}

fn all_beliefs(
    prover: &Prover<'_>,
    group: &[Pred],
    functions: &Functions,
    beliefs: &Beliefs,
) -> Beliefs {
    let mut all = beliefs.clone();
    for pred in group {
        let body = functions[pred].meaning(&prover.system.pred(*pred).params, prover.cx.terms);
        all.insert(*pred, vec![Lemma::certain(body)]);
    }
    all
}

/// Whether the clauses of a group keep what its functions say.
fn agree(prover: &Prover<'_>, group: &[Pred], beliefs: &Beliefs) -> Result<bool, Halt> {
    for &pred in group {
        for clause in clauses(prover, pred) {
            if prover
                .keeps(clause, beliefs[&pred].first(), beliefs)?
                .is_none()
            {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// The definition of one function.
struct Reading<'a> {
    prover: &'a Prover<'a>,
    pred: Pred,
    group: &'a [Pred],
    functions: &'a Functions,
    function: &'a Function,
    result: Sort,
    /// The variables of the definition.
    params: Vec<Term>,
}

/// A clause as a case: what must hold, and the value.
type Case = (Vec<Term>, Term);

impl<'a> Reading<'a> {
    fn new(
        prover: &'a Prover<'a>,
        pred: Pred,
        group: &'a [Pred],
        functions: &'a Functions,
    ) -> Reading<'a> {
        let (terms, function) = (prover.cx.terms, &functions[&pred]);
        let own = &prover.system.pred(pred).params;
        let param = |&i: &usize| terms.new_var("r", terms.sort(own[i]));
        Reading {
            prover,
            pred,
            group,
            functions,
            function,
            result: function.output.map_or(Sort::BOOL, |o| terms.sort(own[o])),
            params: function.inputs.iter().map(param).collect(),
        }
    }

    /// All clauses as cases.
    fn cases(&self) -> Option<Vec<Case>> {
        let own = clauses(self.prover, self.pred);
        own.map(|clause| self.case(clause)).collect()
    }

    fn definition(&self) -> Result<Option<(Recursive, Cover)>, Halt> {
        let terms = self.prover.cx.terms;
        let Some(cases) = self.cases() else {
            return Ok(None);
        };
        let first = self.params[0];
        let mut cover = Cover::Total;
        let mut branches = Vec::new();
        if terms.data(terms.sort(first)).is_some() {
            for constructor in terms.constructors(terms.sort(first)) {
                let own = self.under(&cases, constructor);
                let calls = own.iter().flat_map(|(c, v)| c.iter().chain([v]));
                if !calls
                    .into_iter()
                    .all(|&t| self.is_structural(t, constructor))
                {
                    return Ok(None);
                }
                if self.cover(&own, Some(constructor))? == Cover::Partial {
                    cover = Cover::Partial;
                }
                let Some(value) = self.chain(own) else {
                    return Ok(None);
                };
                branches.push((constructor, value));
            }
        } else if cases.is_empty() || self.group.len() > 1 {
            return Ok(None);
        } else {
            cover = self.cover(&cases, None)?;
        }
        let body = match branches.pop() {
            Some((_, last)) => Some(branches.into_iter().rev().fold(last, |other, (c, value)| {
                terms.ite(terms.is(c, first), value, other)
            })),
            None => self.chain(cases),
        };
        let (Some(body), Value::Of(func)) = (body, self.function.value) else {
            return Ok(None);
        };
        let params = self.params.clone();
        Ok(Some((Recursive { func, params, body }, cover)))
    }

    /// A clause as a case.
    fn case(&self, clause: &Clause) -> Option<Case> {
        let terms = self.prover.cx.terms;
        let head = clause.head.as_ref()?;
        let body = clause.body.clone();
        let mut walk = Walk::new(terms, self.functions, clause.constraint, body);
        for (&i, &param) in self.function.inputs.iter().zip(&self.params) {
            walk.bind(head.args[i], param);
        }
        walk.run();
        if !walk.is_complete() {
            return None;
        }
        let value = match self.function.output {
            Some(output) => walk.value(head.args[output])?,
            None => terms.tt(),
        };
        Some((walk.conditions, value))
    }

    /// The cases that are possible when the first argument is made by a constructor.
    fn under(&self, cases: &[Case], constructor: Constructor) -> Vec<Case> {
        let terms = self.prover.cx.terms;
        let first = self.params[0];
        let testers = terms.constructors(constructor.sort).map(|c| {
            let test = terms.is(c, first);
            (test, terms.bool(c == constructor))
        });
        let testers = testers.filter(|(test, _)| !terms.is_numeral(*test));
        let mut map = Substitution::from_pairs(testers.collect::<Vec<_>>());
        let mut own = Vec::new();
        for (conditions, value) in cases {
            let conditions = conditions.iter().map(|&c| map.apply(terms, c));
            let conditions = terms.conjuncts(terms.and(conditions));
            if !conditions.contains(&terms.ff()) {
                own.push((conditions, map.apply(terms, *value)));
            }
        }
        own
    }

    /// Whether each call of the group is on a field of the first argument, of this constructor.
    fn is_structural(&self, term: Term, constructor: Constructor) -> bool {
        let terms = self.prover.cx.terms;
        let values: Vec<Value> = self.group.iter().map(|p| self.functions[p].value).collect();
        terms.subterms(&[term]).into_iter().all(|t| {
            let func = terms.func(t);
            let own = func.is_some_and(|f| values.contains(&Value::Of(f)));
            !own || terms.args(t).first().is_some_and(|&a| match terms.op(a) {
                Op::Field(selector) => {
                    selector.constructor == constructor && terms.args(a)[0] == self.params[0]
                }
                _ => false,
            })
        })
    }

    /// The value of the first case whose conditions hold.
    fn chain(&self, cases: Vec<Case>) -> Option<Term> {
        let terms = self.prover.cx.terms;
        if self.function.output.is_none() {
            let holds = cases.into_iter().map(|(c, _)| terms.and(c));
            return Some(terms.or(holds.collect::<Vec<_>>()));
        }
        let mut cases = cases.into_iter().rev();
        let last = cases.next().map(|(_, value)| value);
        let last = last.or_else(|| some_value(terms, self.result))?;
        Some(cases.fold(last, |other, (c, value)| {
            terms.ite(terms.and(c), value, other)
        }))
    }

    /// Whether some case holds for all arguments, with the first made by a constructor.
    fn cover(&self, cases: &[Case], constructor: Option<Constructor>) -> Result<Cover, Halt> {
        let terms = self.prover.cx.terms;
        if self.function.output.is_none() {
            return Ok(Cover::Total);
        }
        let mut formulas: Vec<Term> = Vec::new();
        formulas.extend(constructor.map(|c| terms.is(c, self.params[0])));
        let none = cases
            .iter()
            .map(|(c, _)| terms.not(terms.and(c.iter().copied())));
        formulas.extend(none);
        Ok(match self.prover.refuted(formulas)? {
            true => Cover::Total,
            false => Cover::Partial,
        })
    }
}

fn some_value(terms: &TermStore, sort: Sort) -> Option<Term> {
    terms.value_term(&terms.default_value(sort), sort)
}
