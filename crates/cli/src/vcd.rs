//! Runs as value change dumps, the format of wave viewers (IEEE 1364, section 18).
//!
//! Truth values and bit-vectors are wires, numbers are reals, everything else is a string, which
//! viewers show although the standard does not know it. One time unit is one step. A value that does
//! not matter is unknown (`x`; for numbers, for which the standard has no such value, `nan`).

use std::io;

use ::vcd::{IdCode, TimescaleUnit, Value, VarType, Writer};
use foretell_explain::value;
use foretell_systems::plain::{Plain, PlainState};

use crate::counterexample::{at, names};

/// How a symbol is dumped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Wire(u32),
    Number,
    Text,
}

impl Kind {
    fn of(plain: &Plain) -> Kind {
        match plain {
            Plain::Bool(_) => Kind::Wire(1),
            Plain::BitVec { width, .. } => Kind::Wire(*width),
            Plain::Number(_) => Kind::Number,
            Plain::Element { .. } | Plain::Table(_) | Plain::Data { .. } => Kind::Text,
        }
    }
}

/// The dump of the states of a run.
pub(crate) fn dump(states: &[PlainState]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut out = Writer::new(&mut bytes);
    out.timescale(1, TimescaleUnit::NS)?;
    out.add_module("run")?;
    let mut symbols: Vec<(&str, Kind, IdCode)> = Vec::new();
    for name in names(states) {
        let Some(first) = states.iter().find_map(|state| at(state, name)) else {
            continue;
        };
        let kind = Kind::of(first);
        let (var, width) = match kind {
            Kind::Wire(width) => (VarType::Wire, width),
            Kind::Number => (VarType::Real, 64),
            Kind::Text => (VarType::String, 1),
        };
        let id = out.add_var(var, width, &word(name), None)?;
        symbols.push((name, kind, id));
    }
    out.upscope()?;
    out.enddefinitions()?;
    let mut before: Option<&PlainState> = None;
    for (time, state) in (0..).zip(states) {
        out.timestamp(time)?;
        for &(name, kind, id) in &symbols {
            let now = at(state, name);
            if before.is_none_or(|before| at(before, name) != now) {
                change(&mut out, id, kind, now)?;
            }
        }
        before = Some(state);
    }
    out.timestamp(states.len() as u64)?;
    Ok(bytes)
}

/// Names and texts are words for wave viewers.
fn word(name: &str) -> String {
    name.replace(|c: char| c.is_whitespace() || c.is_control(), "_")
}

fn change(
    out: &mut Writer<&mut Vec<u8>>,
    id: IdCode,
    kind: Kind,
    now: Option<&Plain>,
) -> io::Result<()> {
    match (kind, now) {
        (Kind::Wire(_), Some(Plain::Bool(b))) => out.change_scalar(id, *b),
        (Kind::Wire(width), Some(Plain::BitVec { bits, .. })) => {
            let digits = bits.in_radix(2).to_string();
            let zeros = (width as usize).saturating_sub(digits.len());
            let zeros = std::iter::repeat_n(Value::V0, zeros);
            let digits = digits.chars().map(|c| Value::from(c == '1'));
            out.change_vector(id, zeros.chain(digits))
        }
        (Kind::Wire(1), _) => out.change_scalar(id, Value::X),
        (Kind::Wire(width), _) => {
            out.change_vector(id, std::iter::repeat_n(Value::X, width as usize))
        }
        (Kind::Number, Some(Plain::Number(q))) => out.change_real(id, q.to_f64().value()),
        (Kind::Number, _) => out.change_real(id, f64::NAN),
        (Kind::Text, now) => {
            let text = now.map_or_else(|| "x".to_owned(), value);
            out.change_string(id, &word(&text))
        }
    }
}
