//! The top rung of the ladder as a pass: a program becomes clauses, witnesses come back.

use std::rc::Rc;

use foretell_kernel::{Cx, Halt, Lift, Pass, Translation};
use foretell_systems::{ChcProof, ChcSystem, Derivation, Pred};
use foretell_terms::{Substitution, Term};

use super::cex::{inputs_of, views};
use super::proof::invariants;
use crate::encode::{EncodeOptions, Encoded, PredKind, Slot, encode, program_vars};
use crate::program::{Execution, Invariants, PointId, Program};
use crate::run::{End, Queues, execute};

/// Operations of a replay at most.
pub const REPLAY: u64 = 50_000_000;

/// A program becomes the clauses of a group of its checks.
pub struct Encode {
    /// Which group, and which ranges are assumed.
    pub options: EncodeOptions,
}

/// The way back from the clauses of a program.
pub struct Encoding {
    program: Rc<Program>,
    encoded: Encoded,
    vars: Vec<Term>,
}

impl Pass for Encode {
    type From = Program;
    type To = ChcSystem;
    type Lift = Encoding;

    fn name(&self) -> &'static str {
        "encode"
    }

    fn run(&self, from: &Program, cx: &Cx<'_>) -> Result<(ChcSystem, Encoding), Halt> {
        let encoded = encode(from, self.options, cx.terms);
        let vars = program_vars(cx.terms, from);
        let system = encoded.system.clone();
        Ok((
            system,
            Encoding {
                program: Rc::new(from.clone()),
                encoded,
                vars,
            },
        ))
    }
}

impl Translation for Encoding {
    type From = Program;
    type To = ChcSystem;

    fn up(&self, (pred, formula): (Pred, Term), cx: &Cx<'_>) -> Vec<(PointId, Term)> {
        let (PredKind::Point(point), slots) = &self.encoded.preds[pred.index()] else {
            return Vec::new();
        };
        // Values at the entry of a function have no name at a point.
        let now: Option<Vec<Term>> = slots
            .iter()
            .map(|slot| match slot {
                Slot::Now(var) => Some(self.vars[var.index()]),
                Slot::Entry(_) => None,
            })
            .collect();
        let Some(now) = now else { return Vec::new() };
        let params = self.encoded.system.pred(pred).params.iter().copied();
        let mut map = Substitution::from_pairs(params.zip(now));
        vec![(*point, map.apply(cx.terms, formula))]
    }

    fn down(&self, (point, formula): (PointId, Term), cx: &Cx<'_>) -> Vec<(Pred, Term)> {
        let at = self
            .encoded
            .preds
            .iter()
            .position(|(kind, _)| *kind == PredKind::Point(point));
        let Some(at) = at else { return Vec::new() };
        let Ok(number) = u32::try_from(at) else {
            return Vec::new();
        };
        let pred = Pred(number);
        let params = &self.encoded.system.pred(pred).params;
        let pairs = self.encoded.preds[at]
            .1
            .iter()
            .zip(params)
            .filter_map(|(slot, param)| match slot {
                Slot::Now(var) => Some((self.vars[var.index()], *param)),
                Slot::Entry(_) => None,
            });
        let mut map = Substitution::from_pairs(pairs);
        let formula = map.apply(cx.terms, formula);
        // A variable that is not live at the point has no parameter.
        let free = cx.terms.free_vars(&[formula]);
        if free.iter().all(|v| params.contains(v)) {
            vec![(pred, formula)]
        } else {
            Vec::new()
        }
    }
}

impl Lift for Encoding {
    fn proof(&self, proof: ChcProof, cx: &Cx<'_>) -> Result<Invariants, Halt> {
        Ok(invariants(&self.program, &self.encoded, &proof, cx.terms))
    }

    fn cex(&self, derivation: Derivation, cx: &Cx<'_>) -> Result<Execution, Halt> {
        let inputs = inputs_of(&views(&self.encoded, &derivation, cx.terms));
        let run = execute(&self.program, &mut Queues::new(&inputs), REPLAY);
        match run.end {
            End::Violated(violated)
                if self.program.check(violated).kind.group() == self.encoded.options.group =>
            {
                Ok(Execution {
                    inputs: run.inputs,
                    steps: run.steps,
                    violated,
                })
            }
            _ => Err(Halt::NotLifted("the execution does not violate the check")),
        }
    }
}
