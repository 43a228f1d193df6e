//! Witnesses about clauses, as text, in the words of the program.

use foretell_c::encode::{Encoded, Slot, sort_of};
use foretell_c::lift::View;
use foretell_c::lift::cex::{input_by_name, kind_by_name};
use foretell_c::program::{InputId, InputValue, Invariants, Program};
use foretell_smtlib::{Declared, Diagnostics, Elaborator, Reader};
use foretell_systems::Counterexample;
use foretell_systems::plain::{Plain, PlainStep};
use foretell_terms::print::quote;
use foretell_terms::{Term, TermStore, number};

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
    let (mut vars, mut entry, mut found) = (Vec::new(), Vec::new(), Vec::new());
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
                found.push((*kind, formula));
            }
        }
    }
    Some((Invariants::new(&found, vars, entry), terms))
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

/// The steps of a derivation that came back as data.
pub(super) fn views(encoded: &Encoded, terms: &TermStore, cex: &Counterexample) -> Vec<View> {
    let Counterexample::Derivation { steps, .. } = cex else {
        return Vec::new();
    };
    let view = |step: &PlainStep| {
        let named = step.values.iter().filter_map(|(name, value)| {
            let (position, site) = input_by_name(name)?;
            Some((position, site, input(value)))
        });
        let mut inputs: Vec<(usize, InputId, InputValue)> = named.collect();
        inputs.sort_by_key(|(position, ..)| *position);
        let head = step.derives.as_ref();
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

/// A value as an input: nested arrays by all their indices.
fn input(value: &Plain) -> InputValue {
    let table = match value {
        Plain::Table(table) => table,
        Plain::Bool(b) => return InputValue::Int(i128::from(*b)),
        Plain::Number(n) => {
            let whole = number::to_integer(n).and_then(|n| i128::try_from(n).ok());
            return InputValue::Int(whole.unwrap_or(0));
        }
        _ => return InputValue::Int(0),
    };
    let mut cells = Vec::new();
    for (indices, cell) in &table.cells {
        let at: Vec<i128> = indices.iter().map(single).collect();
        match input(cell) {
            InputValue::Int(n) => cells.push((at, n)),
            InputValue::Array(_, inner) => {
                for (more, n) in inner {
                    cells.push((at.iter().copied().chain(more).collect(), n));
                }
            }
        }
    }
    InputValue::Array(table.rest.as_deref().map_or(0, single), cells)
}

fn single(value: &Plain) -> i128 {
    match input(value) {
        InputValue::Int(n) | InputValue::Array(n, _) => n,
    }
}
