//! Proofs made for reading, before they are checked.
//!
//! ```text
//! proof ─ simplify ▸ leave out what is not needed ▸ compact, name, lay out ▸ check ▸ shown
//!                │                                                             ▲
//!                └──────────── if that is not accepted: with everything ───────┘
//! ```
//!
//! What is shown is the very text that was accepted. Nothing here is trusted; a readable text that is
//! not accepted at the first attempt is dropped, and the proof is written as it was found.

use std::time::Duration;

use foretell_certify::{
    CertifyOptions, CheckReport, Checked, Checker, OriginalClauses, OriginalSystem,
    minimise_invariant, minimise_proof, minimise_witness,
};
use foretell_kernel::{Cx, Phase};
use foretell_readable::auxiliary::{without_unused, without_unused_of_clauses};
use foretell_readable::layout::{WIDTH, layout};
use foretell_readable::normal::{cases, simplify};
use foretell_readable::{Definition, Sexp, definitions, formula, model_text};
use foretell_systems::{ChcProof, Invariant};
use foretell_terms::Term;

/// A readable text is checked for so long, or for this part of the time that is left if that is more.
const CHECKING: Duration = Duration::from_secs(3);
const CHECKING_PART: u32 = 8;

/// Seconds for an obligation of a readable text; the proof as it was found has more.
const MOST_SECONDS: f64 = 2.0;

/// How texts for readers are made and checked.
pub(crate) struct Writer<'a> {
    pub(crate) options: &'a CertifyOptions,
    pub(crate) cx: &'a Cx<'a>,
}

impl Writer<'_> {
    /// The model of a proof, made for reading and accepted, and its lines in infix notation.
    pub(crate) fn model(
        &self,
        original: &OriginalClauses<'_>,
        proof: &ChcProof,
    ) -> Option<(Checked, Vec<String>)> {
        let (terms, system) = (self.cx.terms, original.system());
        let declared = original.declared();
        let simple: Vec<Term> = proof.formulas.iter().map(|&f| simplify(terms, f)).collect();
        let text = |formulas: &[Term]| {
            let mut definitions = definitions(terms, system, formulas, &declared);
            let mut preds = system.pred_ids();
            definitions.retain(|_| preds.next().is_some_and(|p| original.declares(p, terms)));
            let text = original.functions().to_owned() + &model_text(&definitions);
            (text, infix_lines(&definitions))
        };
        let mut texts: Vec<(String, Vec<String>)> = self
            .minimised(original, &simple)
            .iter()
            .map(|formulas| text(formulas))
            .collect();
        texts.sort_by_key(|(text, _)| length(text));
        texts.push(text(&simple));
        self.first_accepted(texts, |checker, text| checker.proof(original, text))
    }

    /// What minimising leaves of a proof; where it has cases that exclude each other, also of these as
    /// sentences, with half the time for each.
    fn minimised(&self, original: &OriginalClauses<'_>, simple: &[Term]) -> Vec<Vec<Term>> {
        let terms = self.cx.terms;
        let sentences = simple.iter().map(|&f| simplify(terms, cases(terms, f)));
        let sentences: Vec<Term> = sentences.collect();
        if sentences == simple {
            return vec![minimise_proof(original, simple, self.options, self.cx)];
        }
        let options = CertifyOptions {
            minimise_ms: self.options.minimise_ms / 2,
            ..self.options.clone()
        };
        let minimise = |formulas: &[Term]| minimise_proof(original, formulas, &options, self.cx);
        vec![minimise(&sentences), minimise(simple)]
    }

    /// The certificate of an invariant, made for reading and accepted.
    pub(crate) fn certificate(
        &self,
        original: &OriginalSystem<'_>,
        invariant: &Invariant,
    ) -> Option<Checked> {
        let terms = self.cx.terms;
        let simple = Invariant {
            formula: simplify(terms, invariant.formula),
            ..invariant.clone()
        };
        let text = |invariant: &Invariant| {
            let invariant = without_unused(terms, invariant);
            let text = original.certificate(&invariant, terms, &|names, taken| {
                let body = formula(terms, invariant.formula, names, taken).text;
                let whole = Sexp::List(vec![Sexp::Atom("invariant".to_owned()), body]);
                let laid_out = layout(&whole, WIDTH - 1);
                // The certificate has its own parenthesis and word around it.
                let inside = laid_out.strip_prefix("(invariant");
                inside
                    .and_then(|text| text.strip_suffix(')'))
                    .unwrap_or_default()
                    .trim_start_matches(' ')
                    .to_owned()
            });
            (text, ())
        };
        let needed = minimise_invariant(original, &simple, self.options, self.cx);
        let texts = vec![text(&needed), text(&simple)];
        let check = |checker: &Checker<'_>, text: &str| checker.invariant(original, text);
        self.first_accepted(texts, check)
            .map(|(checked, ())| checked)
    }

    /// The proof without auxiliary variables that do not matter.
    pub(crate) fn with_needed_variables(
        &self,
        original: &OriginalClauses<'_>,
        proof: &ChcProof,
    ) -> ChcProof {
        let witness = proof.witness.as_ref().map(|witness| {
            let smaller = minimise_witness(original, witness, self.options, self.cx);
            without_unused_of_clauses(self.cx.terms, &smaller)
        });
        ChcProof {
            formulas: proof.formulas.clone(),
            witness,
        }
    }

    /// The first text that is accepted at the first attempt, within a part of the time that is left: what is
    /// nice to have does not cost the answer.
    fn first_accepted<T>(
        &self,
        mut texts: Vec<(String, T)>,
        check: impl Fn(&Checker<'_>, &str) -> CheckReport,
    ) -> Option<(Checked, T)> {
        let left = self.cx.budget.remaining();
        let part = left.map_or(Duration::MAX, |left| {
            CHECKING.max(left / CHECKING_PART).min(left / 2)
        });
        let budget = self.cx.budget.within(part);
        let limited = self.cx.with_budget(&budget);
        let options = CertifyOptions {
            attempts: 1,
            seconds: self.options.seconds.min(MOST_SECONDS),
            ..self.options.clone()
        };
        let checker = Checker::new(&options, &limited);
        texts.dedup_by(|(a, _), (b, _)| a == b);
        self.cx.during(Phase::Certify, || {
            texts.into_iter().find_map(|(certificate, with)| {
                let report = check(&checker, &certificate);
                let accepted = report.outcome.is_accepted();
                let checked = Checked {
                    report,
                    certificate,
                };
                accepted.then_some((checked, with))
            })
        })
    }
}

/// The characters of a text without its layout.
fn length(text: &str) -> usize {
    text.split_whitespace().map(|word| word.len() + 1).sum()
}

/// Each predicate with its parameters, below it its conjuncts.
fn infix_lines(definitions: &[Definition]) -> Vec<String> {
    let mut lines = Vec::new();
    for definition in definitions {
        let params: Vec<&str> = definition.params.iter().map(|(p, _)| p.as_str()).collect();
        lines.push(format!("{}({})", definition.name, params.join(", ")));
        let conjuncts = definition.body.infix.iter();
        lines.extend(conjuncts.map(|conjunct| format!("  {conjunct}")));
    }
    lines
}
