//! Each step of a run on the text of a transition system.

use std::collections::BTreeMap;

use foretell_systems::{Trace, TransitionSystem};
use foretell_terms::{Sort, Term, TermStore, Value};

use super::values::{Spelled, place_elements};
use super::{Asked, is_asked};
use crate::original::OriginalSystem;
use crate::report::Refusal;
use crate::text::script::{Checks, Declares};
use crate::text::sexpr::Id;
use crate::text::times::{Times, unused_stem};
use crate::text::vmt::{Kind, VmtText};

/// The obligations of a run on the original text.
pub(crate) fn trace_obligations(
    original: &OriginalSystem<'_>,
    trace: &Trace,
    terms: &TermStore,
) -> Result<Checks, Refusal> {
    let text = original.text()?;
    let property = text.property(original.property).map_err(Refusal::Witness)?;
    let Some(last) = trace.steps.len().checked_sub(1) else {
        return Err(Refusal::Witness("there is no state".into()));
    };
    let stem = unused_stem(text.doc.all_symbols().iter().copied(), "at!");
    let states = States {
        terms,
        text,
        system: original.system,
        trace,
        times: Times::new(text.timed_names(), stem),
    };
    let mut asked = Asked::default();
    let mut pose = |what: String, at: usize, formula: String| {
        asked.refute(what, Declares::More, states.pose(at, &formula))
    };
    let now = |ids: &[Id]| states.times.all(&text.doc, ids, 0);
    let init: Vec<Id> = text.init().iter().chain(text.axioms()).copied().collect();
    let what = "the first state is initial, on the text";
    pose(what.into(), 0, format!("(not {})", now(&init)))?;
    let step = format!("(not {})", now(text.trans()));
    for i in (0..last).filter(|&i| is_asked(i, last)) {
        let what = format!("the step from state {i} on the text");
        pose(what, i, step.clone())?;
    }
    let what = "the last state violates the property, on the text";
    pose(what.into(), last, now(&property))?;
    Ok(asked.checks)
}

struct States<'a, 't> {
    terms: &'a TermStore,
    text: &'a VmtText<'t>,
    system: &'a TransitionSystem,
    trace: &'a Trace,
    times: Times<'t>,
}

impl States<'_, '_> {
    /// A formula at state `i` (time 0 of the script), where all values are definitions.
    fn pose(&self, i: usize, formula: &str) -> String {
        let doc = &self.text.doc;
        let mut spelled = Spelled::new(self.terms);
        let mut list = self
            .text
            .rigid_commands(&mut |name| self.table(name, &mut spelled));
        let now = self.by_name(i);
        let next = self.by_name(i + 1);
        for &(name, kind, sort) in &self.text.constants {
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
        let definitions = self.text.definitions_text(&self.times, 0);
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
