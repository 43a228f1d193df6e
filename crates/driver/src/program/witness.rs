//! Witnesses about clauses, as text, in the words of the program.

use foretell_c::encode::{Encoded, PredKind, Slot, sort_of};
use foretell_c::lift::View;
use foretell_c::lift::cex::{input_by_name, kind_by_name};
use foretell_c::program::{InputId, InputValue, Invariants, Program};
use foretell_smtlib::{Declared, Diagnostics, Elaborator, Reader};
use foretell_terms::print::quote;
use foretell_terms::{Term, TermStore};

use crate::counterexample::{Counterexample, Shown};

/// The model of the predicates as formulas at points, with the store they live in.
///
/// The definitions are read again and applied to one constant for each variable of the program.
pub(super) fn invariants(
    program: &Program,
    encoded: &Encoded,
    names: &TermStore,
    model: &str,
) -> Option<(Invariants, TermStore)> {
    let terms = TermStore::new();
    let (mut vars, mut entry, mut at) = (Vec::new(), Vec::new(), Vec::new());
    {
        let mut reader = Model {
            elaborator: Elaborator::new(&terms),
        };
        reader.commands(model)?;
        for (i, var) in program.vars.iter().enumerate() {
            let sort = terms.print_sort(sort_of(&terms, var.ty));
            vars.push(reader.constant(&terms, &format!("now!{i}"), &sort)?);
            entry.push(reader.constant(&terms, &format!("old!{i}"), &sort)?);
        }
        for (decl, (kind, slots)) in encoded.system.preds.iter().zip(&encoded.preds) {
            let PredKind::Point(point) = kind else {
                continue;
            };
            let name = quote(names.name(decl.func));
            let args: Vec<String> = slots
                .iter()
                .map(|slot| match slot {
                    Slot::Now(var) => format!("now!{}", var.index()),
                    Slot::Entry(var) => format!("old!{}", var.index()),
                })
                .collect();
            let applied = if args.is_empty() {
                name
            } else {
                format!("({name} {})", args.join(" "))
            };
            if let Some(formula) = reader.formula(&applied) {
                at.push((*point, formula));
            }
        }
    }
    Some((Invariants { at, vars, entry }, terms))
}

/// Reads commands one after the other.
struct Model<'t> {
    elaborator: Elaborator<'t>,
}

impl Model<'_> {
    fn commands(&mut self, text: &str) -> Option<()> {
        let mut diagnostics = Diagnostics::default();
        let mut reader = Reader::new(text);
        while let Some(command) = reader.next_command(&mut diagnostics) {
            self.elaborator.declaration(command.sexp()).ok()?;
        }
        (!diagnostics.failed()).then_some(())
    }

    fn constant(&mut self, terms: &TermStore, name: &str, sort: &str) -> Option<Term> {
        let mut diagnostics = Diagnostics::default();
        let text = format!("(declare-fun {name} () {sort})");
        let command = Reader::new(&text).next_command(&mut diagnostics)?;
        match self.elaborator.declaration(command.sexp()).ok()?? {
            Declared::Function(func) => Some(terms.app(func, &[])),
            _ => None,
        }
    }

    fn formula(&mut self, text: &str) -> Option<Term> {
        let mut diagnostics = Diagnostics::default();
        let text = format!("(assert {text})");
        let command = Reader::new(&text).next_command(&mut diagnostics)?;
        let body = command.sexp().items().nth(1)?;
        self.elaborator.term(body).ok()
    }
}

/// The steps of a derivation that came back as text.
pub(super) fn views(encoded: &Encoded, terms: &TermStore, cex: &Counterexample) -> Vec<View> {
    let Counterexample::Derivation { steps, .. } = cex else {
        return Vec::new();
    };
    let view = |step: &crate::counterexample::Step| {
        let named = step.values.iter().filter_map(|binding| {
            let (position, site) = input_by_name(&binding.name)?;
            Some((position, site, shown(&binding.value)))
        });
        let mut inputs: Vec<(usize, InputId, InputValue)> = named.collect();
        inputs.sort_by_key(|(position, ..)| *position);
        let head = step.fact.as_ref();
        View {
            head: head.and_then(|fact| kind_by_name(encoded, terms, &fact.predicate)),
            premises: step.premises.clone(),
            inputs: inputs
                .into_iter()
                .map(|(_, site, value)| (site, value))
                .collect(),
        }
    };
    steps.iter().map(view).collect()
}

/// A number as SMT-LIB writes it.
fn number(text: &str) -> i128 {
    let inner = text
        .trim()
        .trim_start_matches('(')
        .trim_end_matches(')')
        .trim();
    match inner.strip_prefix('-') {
        Some(rest) => -rest.trim().parse::<i128>().unwrap_or(0),
        None => inner.parse().unwrap_or(0),
    }
}

fn shown(value: &Shown) -> InputValue {
    let (cells, rest) = match value {
        Shown::Plain(text) => return InputValue::Int(number(text)),
        Shown::Cells { cells, rest } => (cells, rest),
    };
    let mut list = Vec::new();
    for (indices, cell) in cells {
        let at: Vec<i128> = indices.iter().map(plain).collect();
        match shown(cell) {
            InputValue::Int(n) => list.push((at, n)),
            InputValue::Array(_, inner) => {
                for (more, n) in inner {
                    list.push((at.iter().copied().chain(more).collect(), n));
                }
            }
        }
    }
    let default = rest.as_ref().map_or(0, |rest| match shown(rest) {
        InputValue::Int(n) | InputValue::Array(n, _) => n,
    });
    InputValue::Array(default, list)
}

fn plain(value: &Shown) -> i128 {
    match shown(value) {
        InputValue::Int(n) | InputValue::Array(n, _) => n,
    }
}
