//! Contracts of functions as ACSL: what an annotated program says about its calls.
//!
//! ```text
//! an input                     assigns \nothing
//! the end, an assumption       assigns \nothing; ensures \false, or that the argument is not 0
//! an error, an assertion       requires \false, or that the argument is not 0; assigns \nothing
//! a function with a body       executed by itself on all ways (`encode::straight`):
//!                              requires that no assertion in it fails; assigns \nothing;
//!                              ensures what is known at its end, and its result
//! a recursive function         requires and ensures what the proof says about its calls
//! ```
//!
//! A function with a loop whose end is not known, and one that looks at variables of the file or follows
//! pointers, get none: a contract that says too little would make a checker fail later, and less clearly.

use foretell_terms::{Term, TermStore};

use super::formula::{Dialect, Printer};
use crate::encode::straight::{Ending, Explored, explore};
use crate::encode::{EncodeOptions, Ranges};
use crate::program::frame::{Frames, reads, target};
use crate::program::{
    Group, InputKind, Invariants, Length, Op, Origin, Outline, Program, Role, Summary, Var, VarId,
    VarType,
};

/// What stands in front of one function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContractNote {
    /// The offset of the function in the input.
    pub offset: usize,
    /// The clauses, in words.
    pub clauses: Vec<String>,
}

const NOTHING: &str = "assigns \\nothing;";

/// The contracts of the functions that are not recursive. `alone` gives the program that starts in a
/// function of this name.
pub fn contracts(program: &Program, alone: &dyn Fn(&str) -> Option<Program>) -> Vec<ContractNote> {
    let mut notes = Vec::new();
    for outline in &program.outlines {
        let clauses = match outline.role {
            Role::Inlined => alone(&outline.name).and_then(|p| of_body(&p)),
            Role::Recursive => None,
            _ => Some(of_role(outline)),
        };
        notes.extend(clauses.and_then(|clauses| note(program, outline, clauses)));
    }
    notes
}

fn note(program: &Program, outline: &Outline, clauses: Vec<String>) -> Option<ContractNote> {
    let (file, offset) = program.source.origin(outline.start?);
    (file == 0).then_some(ContractNote { offset, clauses })
}

/// Declarations, with contracts, of the functions that have a meaning and that the text does not declare,
/// or declares without a name for the argument that the contract is about.
pub fn prelude(program: &Program) -> String {
    let mut text = String::new();
    for outline in &program.outlines {
        let about = matches!(outline.role, Role::Assume | Role::Assert);
        let named = outline.params.first().is_some_and(Option::is_some);
        if outline.start.is_some() && (!about || named) {
            continue;
        }
        let (result, params) = match outline.role {
            Role::Assume | Role::Assert => ("void".to_owned(), vec![Some("condition".to_owned())]),
            Role::Error | Role::Stop => ("void".to_owned(), Vec::new()),
            Role::Input => match given(program, &outline.name) {
                Some(result) => (result, Vec::new()),
                None => continue,
            },
            Role::Inlined | Role::Recursive => continue,
        };
        let list = if about { "int condition" } else { "" };
        let whole = Outline {
            params,
            ..outline.clone()
        };
        let clauses = of_role(&whole).join(" ");
        text.push_str(&format!(
            "/*@ {clauses} */\n{result} {}({list});\n",
            outline.name
        ));
    }
    text
}

/// The type of the inputs that a function gives.
fn given(program: &Program, name: &str) -> Option<String> {
    let mut ops = program.edges.iter().flat_map(|e| &e.ops);
    ops.find_map(|(op, _)| match op {
        Op::Input(var, site) => {
            let kind = &program.inputs[site.index()].kind;
            let mine = matches!(kind, InputKind::Call(known) if known == name);
            mine.then(|| program.var(*var).ty.element().name())
        }
        _ => None,
    })
}

fn of_role(outline: &Outline) -> Vec<String> {
    let first = outline.params.first().and_then(Option::as_ref);
    let about = |word: &str| first.map(|name| format!("{word} {name} != 0;"));
    let nothing = || NOTHING.to_owned();
    match outline.role {
        Role::Error => vec!["requires \\false;".to_owned(), nothing()],
        Role::Assert => about("requires").into_iter().chain([nothing()]).collect(),
        Role::Assume => [nothing()].into_iter().chain(about("ensures")).collect(),
        Role::Stop => vec![nothing(), "ensures \\false;".to_owned()],
        Role::Input | Role::Inlined | Role::Recursive => vec![nothing()],
    }
}

/// The contract of the function in which a program starts.
fn of_body(program: &Program) -> Option<Vec<String>> {
    if looks_around(program) {
        return None;
    }
    let terms = TermStore::new();
    let options = EncodeOptions {
        group: Group::Assert,
        ranges: Ranges::Unsigned,
    };
    let Explored {
        failures,
        end,
        inputs,
    } = explore(program, options, &terms)?;
    let result = program.functions[0].result;
    let result = result.map(|var| (var, terms.new_var("\\result", foretell_terms::Sort::INT)));
    let name = |term: Term| {
        if result.is_some_and(|(_, r)| r == term) {
            return Some("\\result".to_owned());
        }
        let (site, _) = inputs.iter().find(|(_, input)| *input == term)?;
        parameter(program, *site)
    };
    let printer = Printer {
        terms: &terms,
        name: &name,
        natural: &|_| false,
        taken: &|name| program.vars.iter().any(|v| v.name == name),
        dialect: Dialect::Acsl,
    };
    let mut clauses = Vec::new();
    for fails in failures.values() {
        // What cannot be said cannot be required, and then the contract does not hold.
        clauses.push(format!("requires {};", printer.formula(terms.not(*fails))?));
    }
    clauses.push(NOTHING.to_owned());
    match end {
        None => clauses.push("ensures \\false;".to_owned()),
        Some(Ending { condition, values }) => {
            let value = result.and_then(|(var, r)| Some(terms.eq(r, *values.get(&var)?)));
            let known = terms.and(condition.into_iter().chain(value));
            let words = printer.conjuncts(known);
            clauses.extend(words.into_iter().map(|w| format!("ensures {w};")));
        }
    }
    Some(clauses)
}

/// The name of the parameter that is an input.
fn parameter(program: &Program, site: crate::program::InputId) -> Option<String> {
    if program.inputs[site.index()].kind != InputKind::Parameter {
        return None;
    }
    let ops = program.edges.iter().flat_map(|e| &e.ops);
    let mut taken = ops.filter_map(|(op, _)| match op {
        Op::Input(var, at) if *at == site => Some(program.var(*var)),
        _ => None,
    });
    taken
        .next()
        .filter(|v| matches!(v.ty, VarType::Int(_)))
        .map(|v| v.name.clone())
}

/// Whether a program uses variables of the file, or arrays from outside, once they have their values.
fn looks_around(program: &Program) -> bool {
    let entry = program.functions[0].entry;
    let outside = |var: VarId| {
        let var = program.var(var);
        var.owner.is_none() || var.lengths.contains(&Length::Unknown)
    };
    let mut found = false;
    for edge in program.edges.iter().filter(|e| e.from != entry) {
        for (op, _) in &edge.ops {
            if matches!(op, Op::Input(..)) {
                continue;
            }
            found |= target(op).is_some_and(outside);
            reads(program, op, &mut |var| found |= outside(var));
        }
    }
    found
}

/// The contracts of recursive functions, by a proof.
pub fn summaries(program: &Program, found: &Invariants, terms: &TermStore) -> Vec<ContractNote> {
    let frames = Frames::new(program);
    let mut notes = Vec::new();
    for outline in &program.outlines {
        let mut known = found
            .summaries
            .iter()
            .filter(|s| program.functions[s.func.index()].name == outline.name);
        // A function that gets several arrays is several functions here.
        let (Some(summary), None) = (known.next(), known.next()) else {
            continue;
        };
        let recursive = Recursive {
            program,
            found,
            terms,
            outline,
            summary,
        };
        let clauses = recursive.clauses(&frames);
        notes.extend(clauses.and_then(|clauses| note(program, outline, clauses)));
    }
    notes
}

struct Recursive<'a> {
    program: &'a Program,
    found: &'a Invariants,
    terms: &'a TermStore,
    outline: &'a Outline,
    summary: &'a Summary,
}

/// Where a clause of a contract is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Call,
    Return,
}

impl Recursive<'_> {
    fn clauses(&self, frames: &Frames) -> Option<Vec<String>> {
        let mut clauses = Vec::new();
        let said = |place, word: &str, formula| -> Vec<String> {
            let printer = Printer {
                terms: self.terms,
                name: &|term| self.name(place, term),
                natural: &|_| false,
                taken: &|name| self.program.vars.iter().any(|v| v.name == name),
                dialect: Dialect::Acsl,
            };
            let words = printer.conjuncts(formula);
            words.into_iter().map(|w| format!("{word} {w};")).collect()
        };
        clauses.extend(said(Place::Call, "requires", self.summary.before));
        let mut places = Vec::new();
        for &var in &frames.of(self.summary.func).written {
            places.push(self.place(var)?);
        }
        clauses.push(if places.is_empty() {
            NOTHING.to_owned()
        } else {
            format!("assigns {};", places.join(", "))
        });
        clauses.extend(said(Place::Return, "ensures", self.summary.after));
        Some(clauses)
    }

    /// A variable of the file, as a place that is written.
    fn place(&self, var: VarId) -> Option<String> {
        let name = self.global(var)?;
        let mut text = name;
        for length in &self.program.var(var).lengths {
            let Length::Const(n) = length else {
                return None;
            };
            text.push_str(&format!("[0 .. {}]", n - 1));
        }
        Some(text)
    }

    fn global(&self, var: VarId) -> Option<String> {
        let var = self.program.var(var);
        let source = matches!(var.origin, Origin::Source { .. });
        let hidden = self.outline.params.contains(&Some(var.name.clone()));
        (var.owner.is_none() && source && !hidden).then(|| var.place(&[]))
    }

    fn name(&self, place: Place, term: Term) -> Option<String> {
        let at = |list: &[Term]| list.iter().position(|&t| t == term).map(VarId::new);
        let function = &self.program.functions[self.summary.func.index()];
        if let Some(var) = at(&self.found.vars) {
            return match place {
                Place::Return if function.result == Some(var) => Some("\\result".to_owned()),
                Place::Return => self.global(var),
                Place::Call => None,
            };
        }
        let var = at(&self.found.entry)?;
        let name = &self.program.var(var).name;
        if function.params.contains(&var) {
            // In a contract, a parameter means its value at the call.
            let own = self.outline.params.contains(&Some(name.clone()));
            return own.then(|| name.clone());
        }
        let global = self.global(var)?;
        Some(match place {
            Place::Call => global,
            // An index has no place inside of what was.
            Place::Return if global.contains(Var::INDEX) => return None,
            Place::Return => format!("\\old({global})"),
        })
    }
}
