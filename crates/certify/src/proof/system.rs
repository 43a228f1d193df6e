//! The obligations of a certificate for a VMT system, posed on its text.
//!
//! With X the state variables and inputs, `F` the invariant, `P` the property:
//!
//! ```text
//! k = 1   initiation   I(X0) ∧ η0 = init(X0, π)                            ⊨ F(X0, η0, π)
//!         consecution  F(X0, η0, π) ∧ P(X0) ∧ T(X0, X1) ∧ η1 = update      ⊨ F(X1, η1, π)
//!         safety       F(X0, η0, π) ∧ π = targets(X0, η0)                  ⊨ P(X0)
//! k > 1   base         I(X0) ∧ T(X0,X1) ∧ … ∧ T(Xj-1,Xj)                   ⊨ F(Xj)     for j < k
//!         step         F(X0) ∧ T(X0,X1) ∧ … ∧ F(Xk-1) ∧ T(Xk-1,Xk)         ⊨ F(Xk)
//!         safety       F(X0)                                               ⊨ P(X0)
//! ```
//!
//! Why the assumption `P(X0)` is admissible and why the auxiliaries prove the original system:
//! [`foretell_systems::auxiliary`]. Equations for η1 and for π in safety are definitions of the
//! script, hence nothing is assumed that not every run satisfies.

use foretell_systems::Property;

use crate::proof::certificate::{AuxKind, CertificateText, ProblemKind};
use crate::report::Refusal;
use crate::text::script::{Checks, Declares};
use crate::text::sexpr::{Document, Id};
use crate::text::times::{Times, unused_stem};
use crate::text::vmt::{Kind, VmtText};

/// The obligations of a certificate for the chosen property.
pub(crate) fn vmt_checks(
    system: &VmtText<'_>,
    certificate: &CertificateText<'_, '_>,
    choice: Property,
) -> Result<Checks, Refusal> {
    let posed = Posed::new(system, certificate, choice)?;
    let mut checks = Checks {
        prelude: system.rigid_text(),
        ..Checks::default()
    };
    if certificate.k == 1 {
        checks.refute("initiation", Declares::More, posed.initiation());
        checks.refute("consecution", Declares::More, posed.consecution());
    } else {
        let base = format!("base case (states 0 to {})", certificate.k - 1);
        checks.refute(base, Declares::More, posed.base());
        checks.refute("induction step", Declares::More, posed.step());
    }
    checks.refute("safety", Declares::More, posed.safety());
    Ok(checks)
}

fn wrong(what: &str) -> Refusal {
    Refusal::Witness(what.into())
}

struct Posed<'a, 't> {
    system: &'a VmtText<'t>,
    certificate: &'a CertificateText<'a, 'a>,
    times: Times<'a>,
    invariant: Id,
    property: Vec<Id>,
}

impl<'a, 't> Posed<'a, 't> {
    fn new(
        system: &'a VmtText<'t>,
        certificate: &'a CertificateText<'_, '_>,
        choice: Property,
    ) -> Result<Posed<'a, 't>, Refusal> {
        let (ProblemKind::Vmt, Some(invariant)) = (certificate.kind, certificate.invariant) else {
            return Err(wrong("this is no certificate of a transition system"));
        };
        if !certificate.definitions.is_empty() {
            return Err(wrong(
                "a certificate of a transition system defines no function",
            ));
        }
        if certificate.property.is_some_and(|stated| stated != choice) {
            return Err(wrong("the certificate is for another property"));
        }
        if certificate.k > 1 && !certificate.auxiliaries.is_empty() {
            return Err(wrong("auxiliary variables need depth 1"));
        }
        let property = system.property(choice).map_err(Refusal::Witness)?;
        certificate.check_names(&system.doc)?;
        let mut names: Vec<(&'a str, Kind<'a>)> = system.timed_names();
        for auxiliary in &certificate.auxiliaries {
            match auxiliary.kind {
                AuxKind::Prophecy(_) => names.push((auxiliary.name, Kind::Frozen)),
                AuxKind::History { next, .. } => {
                    names.push((auxiliary.name, Kind::Timed(next)));
                    names.extend(next.map(|next| (next, Kind::Next(auxiliary.name))));
                }
            }
        }
        let symbols: Vec<&str> = system
            .doc
            .all_symbols()
            .into_iter()
            .chain(certificate.doc.all_symbols())
            .collect();
        let times = Times::new(names, unused_stem(symbols.iter().copied(), "at!"));
        let posed = Posed {
            system,
            certificate,
            times,
            invariant,
            property,
        };
        posed.check_auxiliaries()?;
        Ok(posed)
    }

    /// Every auxiliary is fully defined, and only updates mention next values.
    fn check_auxiliaries(&self) -> Result<(), Refusal> {
        let mut current = vec![self.invariant];
        for auxiliary in &self.certificate.auxiliaries {
            let term = match &auxiliary.kind {
                AuxKind::Prophecy(targets) => match targets.get(&None) {
                    Some(target) if targets.len() == 1 => *target,
                    _ => return Err(wrong("a prophecy variable has one target")),
                },
                AuxKind::History { init, updates, .. } => match init {
                    Some(init) if updates.len() == 1 && updates.contains_key(&None) => *init,
                    _ => return Err(wrong("a history variable has `init` and `update`")),
                },
            };
            current.push(term);
        }
        for term in current {
            let symbols = self.certificate.doc.symbols(term);
            let next_of_history = |name: &str| {
                self.certificate
                    .auxiliaries
                    .iter()
                    .any(|a| matches!(a.kind, AuxKind::History { next: Some(n), .. } if n == name))
            };
            if symbols.iter().any(|s| next_of_history(s)) || self.system.mentions_next(symbols) {
                return Err(wrong("only updates may mention next values"));
            }
        }
        Ok(())
    }

    fn problem(&self, ids: &[Id], at: u32) -> String {
        self.times.all(&self.system.doc, ids, at)
    }

    fn witness(&self, id: Id, at: u32) -> String {
        self.times.show(self.certificate.doc, id, at)
    }

    fn invariant(&self, at: u32) -> String {
        self.witness(self.invariant, at)
    }

    fn property(&self, at: u32) -> String {
        self.problem(&self.property, at)
    }

    /// States 0 … `last`, the one after, and definitions at 0 … `last`.
    fn states(&self, last: u32) -> String {
        let mut text: String = (0..=last + 1)
            .map(|at| self.system.state_text(&self.times, at))
            .collect();
        for at in 0..=last {
            text += &self.system.definitions_text(&self.times, at);
        }
        text
    }

    fn auxiliaries(&self, define: &dyn Fn(&AuxKind<'_>) -> Option<(u32, String)>) -> String {
        let doc: &Document<'_> = self.certificate.doc;
        let mut text = String::new();
        for auxiliary in &self.certificate.auxiliaries {
            let sort = doc.show(auxiliary.sort);
            text += &match define(&auxiliary.kind) {
                Some((at, value)) => {
                    format!(
                        "(define-fun {} () {sort} {value})\n",
                        self.times.name(auxiliary.name, at)
                    )
                }
                None => format!(
                    "(declare-fun {} () {sort})\n",
                    self.times.name(auxiliary.name, 0)
                ),
            };
        }
        text
    }

    fn initiation(&self) -> String {
        let auxiliaries = self.auxiliaries(&|kind| match kind {
            AuxKind::History {
                init: Some(init), ..
            } => Some((0, self.witness(*init, 0))),
            _ => None,
        });
        let init = self.problem(self.system.init(), 0);
        let states = self.states(0);
        format!(
            "{states}{auxiliaries}(assert {init})\n(assert (not {}))\n",
            self.invariant(0)
        )
    }

    fn consecution(&self) -> String {
        let before = self.auxiliaries(&|_| None);
        let mut after = String::new();
        for auxiliary in &self.certificate.auxiliaries {
            if let AuxKind::History { updates, .. } = &auxiliary.kind {
                let sort = self.certificate.doc.show(auxiliary.sort);
                for &update in updates.values() {
                    let name = self.times.name(auxiliary.name, 1);
                    after += &format!(
                        "(define-fun {name} () {sort} {})\n",
                        self.witness(update, 0)
                    );
                }
            }
        }
        let mut text = self.states(1) + &before + &after;
        for formula in [
            self.invariant(0),
            self.property(0),
            self.problem(self.system.trans(), 0),
        ] {
            text += &format!("(assert {formula})\n");
        }
        text + &format!("(assert (not {}))\n", self.invariant(1))
    }

    fn safety(&self) -> String {
        let auxiliaries = self.auxiliaries(&|kind| match kind {
            AuxKind::Prophecy(targets) => targets.get(&None).map(|&t| (0, self.witness(t, 0))),
            AuxKind::History { .. } => None,
        });
        let (invariant, property) = (self.invariant(0), self.property(0));
        format!(
            "{}{auxiliaries}(assert {invariant})\n(assert (not {property}))\n",
            self.states(0)
        )
    }

    /// `I(X0) ∧ (¬F(X0) ∨ T(X0,X1) ∧ (¬F(X1) ∨ …))`.
    fn base(&self) -> String {
        let last = self.certificate.k - 1;
        let mut text = self.states(last);
        text += &format!("(assert {})\n(assert ", self.problem(self.system.init(), 0));
        for at in 0..last {
            let trans = self.problem(self.system.trans(), at);
            text += &format!("(or (not {}) (and {trans} ", self.invariant(at));
        }
        text += &format!("(not {})", self.invariant(last));
        text + &"))".repeat(last as usize) + ")\n"
    }

    fn step(&self) -> String {
        let k = self.certificate.k;
        let mut text = self.states(k);
        for at in 0..k {
            for formula in [
                self.invariant(at),
                self.property(at),
                self.problem(self.system.trans(), at),
            ] {
                text += &format!("(assert {formula})\n");
            }
        }
        text + &format!("(assert (not {}))\n", self.invariant(k))
    }
}
