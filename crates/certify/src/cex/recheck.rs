//! A second opinion on `unsafe`: each step of a counterexample asked on the original text.
//!
//! The replay evaluates the clauses as the front end read them. Here the text itself is asked:
//!
//! ```text
//! derivation   text of the clause with the step's values ∧ premises ∧ ¬fact        unsatisfiable
//! run          ¬I in state 0;  ¬T between neighbours;  P in the last state          unsatisfiable
//! ```
//!
//! with the predicates uninterpreted, so that the shape of a clause does not matter: only that its
//! instance entails the fact. Variables without a value stay quantified. A clause is found by its
//! line; when several are on one line all of them are premises, which is sound: all are given.

use std::collections::BTreeMap;

use foretell_systems::{ChcSystem, Clause, Derivation, Pred, Trace, TransitionSystem};
use foretell_terms::eval::Assignment;
use foretell_terms::print::quote;
use foretell_terms::{Func, Sort, Term, TermStore, Value};

use crate::cex::replay::{Fact, Fault, derive};
use crate::report::Refusal;
use crate::text::clauses::{ChcText, ClauseText, Definition, Form, clip};
use crate::text::script::Checks;
use crate::text::sexpr::{Document, Id};
use crate::text::vmt::{Kind, PropertyChoice, Times, VmtText, unused_stem};

/// Scripts larger than this are not written: arrays that grow by a cell per step add up.
const LARGEST: usize = 32 << 20;

/// Values as text; elements of uninterpreted sorts become different constants.
struct Spelled<'a> {
    terms: &'a TermStore,
    /// The constants that stand for elements: sort, number.
    elements: Vec<(Sort, u64)>,
}

impl Spelled<'_> {
    fn value(&mut self, value: &Value, sort: Sort) -> String {
        let mut work = vec![value];
        while let Some(part) = work.pop() {
            match part {
                Value::Element(sort, n) if !self.elements.contains(&(*sort, *n)) => {
                    self.elements.push((*sort, *n));
                }
                Value::Data(_, fields) => work.extend(fields),
                Value::Array(array) => {
                    work.push(array.default_value());
                    work.extend(array.entries().flat_map(|(i, v)| i.iter().chain([v])));
                }
                _ => {}
            }
        }
        self.terms.print_value(value, sort)
    }

    /// Declarations of the elements, and that those of one sort differ.
    fn declarations(&self) -> (String, String) {
        let (mut declared, mut distinct) = (String::new(), String::new());
        let mut by_sort: BTreeMap<Sort, Vec<String>> = BTreeMap::new();
        for &(sort, n) in &self.elements {
            let name = self.terms.print_value(&Value::Element(sort, n), sort);
            declared += &format!("(declare-fun {name} () {})\n", self.terms.print_sort(sort));
            by_sort.entry(sort).or_default().push(name);
        }
        for names in by_sort.values().filter(|names| names.len() > 1) {
            distinct += &format!("(assert (distinct {}))\n", names.join(" "));
        }
        (declared, distinct)
    }

    /// `define-fun` of a declared function by its table.
    fn table(&mut self, func: Func, values: &Assignment) -> Option<String> {
        let table = values.functions.get(&func)?;
        let decl = self.terms.decl(func);
        let mut body = self.value(table.default.as_ref()?, decl.sort);
        for (args, value) in &table.entries {
            let equal: Vec<String> = args
                .iter()
                .zip(&decl.args)
                .enumerate()
                .map(|(i, (v, &sort))| format!("(= arg!{i} {})", self.value(v, sort)))
                .collect();
            body = format!(
                "(ite (and {}) {} {body})",
                equal.join(" "),
                self.value(value, decl.sort)
            );
        }
        let params: Vec<String> = decl
            .args
            .iter()
            .enumerate()
            .map(|(i, &sort)| format!("(arg!{i} {})", self.terms.print_sort(sort)))
            .collect();
        let sort = self.terms.print_sort(decl.sort);
        Some(format!(
            "(define-fun {} ({}) {sort} {body})\n",
            quote(&decl.name),
            params.join(" ")
        ))
    }
}

/// The obligations of a derivation on the original text.
pub fn derivation_obligations(
    terms: &TermStore,
    text: &str,
    system: &ChcSystem,
    derivation: &Derivation,
) -> Result<Checks, Refusal> {
    let doc = Document::read(text).map_err(Refusal::Problem)?;
    let problem = ChcText::read(&doc).map_err(Refusal::Problem)?;
    let mut asked = AskedChc {
        terms,
        problem: &problem,
        system,
        derivation,
    };
    let mut facts: Vec<Fact> = Vec::new();
    let mut checks = Checks::default();
    let mut size = 0;
    for (i, step) in derivation.steps.iter().enumerate() {
        let fact = match derive(terms, system, &derivation.functions, step, &facts) {
            Ok(fact) => fact,
            Err(Fault::Wrong(why) | Fault::Undefined(why)) => {
                return Err(Refusal::Witness(format!("step {i}: {why}")));
            }
        };
        let premises: Vec<&Fact> = step.premises.iter().filter_map(|&p| facts.get(p)).collect();
        let commands = asked.step(i, &premises, &fact)?;
        size += commands.len();
        if size > LARGEST {
            return Err(Refusal::Witness(
                "the steps are too large to be asked on the text".into(),
            ));
        }
        checks.refute(format!("step {i} on the text"), commands);
        facts.push(fact);
    }
    Ok(checks)
}

/// Whether the steps give every declared constant of the text one value; the words name one with two.
///
/// A reader may close each clause over the constants by itself. A derivation that uses two values of
/// one constant then refutes that reading only, not the text.
pub fn constants_agree(
    terms: &TermStore,
    text: &str,
    system: &ChcSystem,
    derivation: &Derivation,
) -> Result<(), String> {
    let doc = Document::read(text).map_err(|e| e.to_string())?;
    let problem = ChcText::read(&doc).map_err(|e| e.to_string())?;
    let mut constants: BTreeMap<&str, Option<&Value>> = BTreeMap::new();
    for &id in problem
        .declarations
        .iter()
        .filter(|&&id| is_constant(&doc, id))
    {
        let name = doc
            .list(id)
            .and_then(|parts| parts.get(1))
            .and_then(|&n| doc.symbol(n));
        constants.extend(name.map(|name| (name, None)));
    }
    for step in &derivation.steps {
        let vars = system
            .clauses
            .get(step.clause.index())
            .map_or(&[][..], |clause| &clause.vars);
        for &var in vars {
            let (name, value) = (terms.var_name(var), step.values.get(var));
            if let (Some(known), Some(value)) = (constants.get_mut(name), value) {
                if known.is_some_and(|known| known != value) {
                    return Err(format!(
                        "the steps use two values of the constant `{}`",
                        clip(name)
                    ));
                }
                *known = Some(value);
            }
        }
    }
    Ok(())
}

struct AskedChc<'a, 'd, 't> {
    terms: &'a TermStore,
    problem: &'a ChcText<'d, 't>,
    system: &'a ChcSystem,
    derivation: &'a Derivation,
}

impl AskedChc<'_, '_, '_> {
    fn step(&mut self, i: usize, premises: &[&Fact], fact: &Fact) -> Result<String, Refusal> {
        let step = &self.derivation.steps[i];
        let clause = self.system.clause(step.clause);
        let candidates = self.problem.clauses_at(clause.line);
        if candidates.is_empty() {
            return Err(Refusal::Witness(format!(
                "step {i}: no clause of the text is at its line"
            )));
        }
        let mut spelled = Spelled {
            terms: self.terms,
            elements: Vec::new(),
        };
        let values = self.values(clause, &step.values, &mut spelled);
        let mut asserts = String::new();
        for index in candidates {
            let instance = self.instance(&self.problem.clauses[index], &values);
            asserts += &format!("(assert {instance})\n");
        }
        for (pred, args) in premises.iter().filter_map(|fact| fact.as_ref()) {
            asserts += &format!("(assert {})\n", self.fact(*pred, args, &mut spelled));
        }
        if let Some((pred, args)) = fact {
            asserts += &format!("(assert (not {}))\n", self.fact(*pred, args, &mut spelled));
        }
        let declarations = self.declarations(&values, &mut spelled);
        let (elements, distinct) = spelled.declarations();
        Ok(place_elements(&declarations, &elements) + &distinct + &asserts)
    }

    /// Values by the names of the text.
    fn values(
        &self,
        clause: &Clause,
        from: &Assignment,
        spelled: &mut Spelled<'_>,
    ) -> BTreeMap<String, String> {
        let mut values = BTreeMap::new();
        for &var in &clause.vars {
            if let Some(value) = from.get(var) {
                let text = spelled.value(value, self.terms.sort(var));
                values
                    .entry(self.terms.var_name(var).to_string())
                    .or_insert(text);
            }
        }
        values
    }

    /// Declarations of the text; constants and functions with a value are defined by it.
    fn declarations(
        &self,
        values: &BTreeMap<String, String>,
        spelled: &mut Spelled<'_>,
    ) -> Vec<String> {
        let doc = self.problem.doc;
        let mut list = Vec::new();
        let functions: Vec<Func> = self
            .derivation
            .functions
            .functions
            .keys()
            .copied()
            .collect();
        for &id in &self.problem.declarations {
            let parts = doc.list(id).unwrap_or_default();
            let name = parts
                .get(1)
                .and_then(|&n| doc.symbol(n))
                .unwrap_or_default();
            let is_sort = doc
                .head(id)
                .is_some_and(|word| word.contains("sort") || word.contains("datatype"));
            let table = functions
                .iter()
                .find(|&&f| !is_sort && self.terms.name(f) == name);
            let table = table.and_then(|&f| spelled.table(f, &self.derivation.functions));
            let constant = values
                .get(name)
                .filter(|_| !is_sort && is_constant(doc, id));
            list.push(match (table, constant, parts.last()) {
                (Some(table), _, _) => table,
                (None, Some(value), Some(&sort)) => {
                    format!("(define-fun |{name}| () {} {value})\n", doc.show(sort))
                }
                _ => doc.show(id) + "\n",
            });
        }
        for definition in &self.problem.definitions {
            list.push(match definition {
                Definition::Text(id) => doc.show(*id) + "\n",
                Definition::Predicate(index) => {
                    let predicate = &self.problem.predicates[*index];
                    let sorts: Vec<String> = predicate.sorts.iter().map(|&s| doc.show(s)).collect();
                    format!(
                        "(declare-fun {} ({}) Bool)\n",
                        predicate.token,
                        sorts.join(" ")
                    )
                }
            });
        }
        list
    }

    fn fact(&self, pred: Pred, args: &[Value], spelled: &mut Spelled<'_>) -> String {
        let decl = self.system.pred(pred);
        let name = quote(self.terms.name(decl.func));
        if args.is_empty() {
            return name;
        }
        let args: Vec<String> = args
            .iter()
            .zip(&decl.params)
            .map(|(v, &p)| spelled.value(v, self.terms.sort(p)))
            .collect();
        format!("({name} {})", args.join(" "))
    }

    /// The clause with values for the variables of its quantifier prefix.
    fn instance(&self, clause: &ClauseText, values: &BTreeMap<String, String>) -> String {
        let doc = self.problem.doc;
        let Some(mut term) = clause.term.filter(|_| clause.form != Form::Query) else {
            return self.problem.clause_text(clause);
        };
        let mut text = String::new();
        let mut open = 0usize;
        let mut prefix = |binders: Vec<(Id, Id)>| {
            let (mut bound, mut free) = (String::new(), String::new());
            for (name, sort) in binders {
                match doc.symbol(name).and_then(|n| values.get(n)) {
                    Some(value) => bound += &format!("({} {value})", doc.show(name)),
                    None => free += &format!("({} {})", doc.show(name), doc.show(sort)),
                }
            }
            for (word, list) in [("forall", free), ("let", bound)] {
                if !list.is_empty() {
                    text += &format!("({word} ({list}) ");
                    open += 1;
                }
            }
        };
        if clause.form == Form::Rule {
            prefix(self.problem.binders(term));
        }
        loop {
            term = doc.unannotated(term).0;
            match (doc.head(term), doc.list(term).unwrap_or_default()) {
                (Some("forall"), [_, list, body]) => {
                    let pair = |&b: &Id| match doc.list(b) {
                        Some([name, sort]) => Some((*name, *sort)),
                        _ => None,
                    };
                    let binders: Option<Vec<_>> = doc
                        .list(*list)
                        .unwrap_or_default()
                        .iter()
                        .map(pair)
                        .collect();
                    match binders {
                        Some(binders) => prefix(binders),
                        None => break,
                    }
                    term = *body;
                }
                _ => break,
            }
        }
        text + &doc.show(term) + &")".repeat(open)
    }
}

fn is_constant(doc: &Document<'_>, id: Id) -> bool {
    match (doc.head(id), doc.list(id).unwrap_or_default()) {
        (Some("declare-const"), _) => true,
        (Some("declare-fun"), [_, _, args, _]) => doc.list(*args).is_some_and(<[Id]>::is_empty),
        _ => false,
    }
}

/// Sorts first, then the constants for their elements, then the rest.
fn place_elements(declarations: &[String], elements: &str) -> String {
    let is_sort = |d: &&String| {
        let words = ["(declare-sort", "(define-sort", "(declare-datatype"];
        words.iter().any(|word| d.starts_with(word))
    };
    let sorts: String = declarations
        .iter()
        .filter(is_sort)
        .map(String::as_str)
        .collect();
    let rest: String = declarations
        .iter()
        .filter(|d| !is_sort(d))
        .map(String::as_str)
        .collect();
    sorts + elements + &rest
}

/// The obligations of a run on the original text.
pub fn trace_obligations(
    terms: &TermStore,
    text: &str,
    system: &TransitionSystem,
    trace: &Trace,
    property: PropertyChoice,
) -> Result<Checks, Refusal> {
    let doc = Document::read(text).map_err(Refusal::Problem)?;
    let problem = VmtText::read(&doc).map_err(Refusal::Problem)?;
    let chosen = problem.property(property).map_err(Refusal::Witness)?;
    let stem = unused_stem(doc.all_symbols().iter().copied(), "at!");
    let times = Times::new(problem.timed_names(), stem);
    let asked = AskedVmt {
        terms,
        problem: &problem,
        system,
        trace,
        times,
    };
    let mut checks = Checks::default();
    if trace.steps.is_empty() {
        return Err(Refusal::Witness("there is no state".into()));
    }
    let last = trace.steps.len() - 1;
    let init: Vec<Id> = problem
        .init()
        .iter()
        .chain(problem.axioms())
        .copied()
        .collect();
    let init = asked.times.all(&doc, &init, 0);
    checks.refute(
        "the first state is initial, on the text",
        asked.pose(0, &format!("(not {init})")),
    );
    let mut size = 0;
    for i in 0..last {
        let trans = asked.times.all(&doc, problem.trans(), 0);
        let commands = asked.pose(i, &format!("(not {trans})"));
        size += commands.len();
        if size > LARGEST {
            return Err(Refusal::Witness(
                "the steps are too large to be asked on the text".into(),
            ));
        }
        checks.refute(format!("the step from state {i} on the text"), commands);
    }
    let property = asked.times.all(&doc, &chosen, 0);
    checks.refute(
        "the last state violates the property, on the text",
        asked.pose(last, &property),
    );
    Ok(checks)
}

struct AskedVmt<'a, 'd, 't> {
    terms: &'a TermStore,
    problem: &'a VmtText<'d, 't>,
    system: &'a TransitionSystem,
    trace: &'a Trace,
    times: Times<'t>,
}

impl AskedVmt<'_, '_, '_> {
    /// A formula at state `i` (time 0 of the script), where all values are definitions.
    fn pose(&self, i: usize, formula: &str) -> String {
        let doc = self.problem.doc;
        let mut spelled = Spelled {
            terms: self.terms,
            elements: Vec::new(),
        };
        let mut list = self
            .problem
            .rigid_commands(&mut |name| self.table(name, &mut spelled));
        let now = self.by_name(i);
        let next = self.by_name(i + 1);
        for &(name, kind, sort) in &self.problem.constants {
            let times: &[u32] = if kind == Kind::Rigid { &[0] } else { &[0, 1] };
            if matches!(kind, Kind::Next(_)) {
                continue;
            }
            for &at in times {
                let value = if at == 0 {
                    now.get(name)
                } else {
                    next.get(name)
                };
                let shown = match kind {
                    Kind::Rigid => format!("|{name}|"),
                    _ => self.times.name(name, at),
                };
                list.push(match value {
                    Some((value, own)) => {
                        format!(
                            "(define-fun {shown} () {} {})\n",
                            doc.show(sort),
                            spelled.value(value, *own)
                        )
                    }
                    None => format!("(declare-fun {shown} () {})\n", doc.show(sort)),
                });
            }
        }
        let (elements, distinct) = spelled.declarations();
        let definitions = self.problem.definitions_text(&self.times, 0);
        place_elements(&list, &elements)
            + &definitions
            + &distinct
            + &format!("(assert {formula})\n")
    }

    fn table(&self, name: &str, spelled: &mut Spelled<'_>) -> Option<String> {
        let functions = &self.trace.rigid.functions;
        let func = functions
            .keys()
            .copied()
            .find(|&f| self.terms.name(f) == name)?;
        spelled.table(func, &self.trace.rigid)
    }

    /// The values of a state by the names of the text.
    fn by_name(&self, i: usize) -> BTreeMap<&str, (&Value, Sort)> {
        let mut values = BTreeMap::new();
        let Some(step) = self.trace.steps.get(i) else {
            return values;
        };
        let state = self.system.vars.iter().map(|v| (v.cur, &step.state));
        let inputs = self.system.inputs.iter().map(|&t| (t, &step.inputs));
        let rigid = self.system.params.iter().map(|&t| (t, &self.trace.rigid));
        for (symbol, from) in state.chain(inputs).chain(rigid) {
            let symbol: Term = symbol;
            if let Some(value) = from.get(symbol) {
                values.insert(
                    self.terms.var_name(symbol),
                    (value, self.terms.sort(symbol)),
                );
            }
        }
        values
    }
}
