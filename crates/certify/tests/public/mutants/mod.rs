//! The checker against changed certificates: every wrong one is rejected, every right one accepted.
//!
//! `FORETELL_MUTANTS` says how many are tried (300 when it is not set). Whether a mutant is wrong
//! is decided by [`judge`], on another route than the checker's. How many there were of which kind
//! is left in `mutants.txt` in the folder for temporary files of the build.

mod bases;
mod judge;
mod judge_chc;
mod judge_vmt;
mod mutate;
mod tree;

use std::collections::{BTreeMap, BTreeSet};

use bases::Base;
use foretell_certify::{CertifyOptions, Checker, Outcome};
use foretell_frontends::Problem;
use foretell_kernel::{Cx, Rng};
use foretell_systems::Property;
use foretell_terms::TermStore;
use judge::Judgement;
use tree::Tree;

/// The checker's and the judge's opinion on a certificate.
fn opinions(base: &Base, certificate: &[Tree]) -> (Outcome, Judgement) {
    let terms = TermStore::new();
    crate::with_terms(&terms, |cx| {
        let input = foretell_frontends::read(base.problem.as_bytes(), &terms)
            .unwrap_or_else(|_| panic!("{} is read", base.name));
        let text = certificate
            .iter()
            .map(Tree::show)
            .collect::<Vec<_>>()
            .join("\n");
        match input.problem {
            Problem::Chc(system) => {
                let judgement = judge::judge(
                    judge_chc::obligations(&system, certificate, &terms),
                    certificate,
                    cx,
                );
                (
                    checked(cx, |checker| checker.chc(base.problem, &text).outcome),
                    judgement,
                )
            }
            Problem::Vmt { system, .. } => {
                let judgement = judge::judge(
                    judge_vmt::obligations(&system, certificate, &terms),
                    certificate,
                    cx,
                );
                let first = Property::Number(0);
                (
                    checked(cx, |checker| {
                        checker.vmt(base.problem, &text, first).outcome
                    }),
                    judgement,
                )
            }
        }
    })
}

fn checked(cx: &Cx<'_>, check: impl FnOnce(&Checker<'_>) -> Outcome) -> Outcome {
    let options = CertifyOptions {
        seconds: 3.0,
        attempts: 2,
        ..CertifyOptions::default()
    };
    check(&Checker::new(&options, cx))
}

/// Names that a mutant may put in place of another: those of the certificate's own terms.
fn symbols(certificate: &[Tree]) -> Vec<String> {
    let words = [
        "and",
        "or",
        "not",
        "select",
        "store",
        "ite",
        "forall",
        "define-fun",
        "mod",
        "target",
        "chc",
        "vmt",
    ];
    let mut found = BTreeSet::new();
    for tree in certificate {
        for path in tree.paths() {
            let variable =
                |text: &&str| text.len() <= 3 && text.chars().all(|c| c.is_ascii_lowercase());
            found.extend(tree.at(&path).token().filter(variable).map(str::to_string));
        }
    }
    found
        .into_iter()
        .filter(|s| !words.contains(&s.as_str()) && s != "k")
        .collect()
}

#[test]
fn the_bases_are_right() {
    for base in bases::CHC.iter().chain(&bases::VMT) {
        let opinions = opinions(base, &Tree::read(base.certificate));
        assert_eq!(
            opinions,
            (Outcome::Accepted, Judgement::Right),
            "{}",
            base.name
        );
    }
}

#[test]
fn mutants() {
    let wanted: usize = std::env::var("FORETELL_MUTANTS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(300);
    let rng = Rng::new(20);
    let all: Vec<&Base> = bases::CHC.iter().chain(&bases::VMT).collect();
    let certificates: Vec<Vec<Tree>> = all
        .iter()
        .map(|base| Tree::read(base.certificate))
        .collect();
    let mut tried = BTreeSet::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut faults = Vec::new();
    while tried.len() < wanted {
        let i = usize::try_from(rng.below(all.len() as u64)).expect("small");
        let Some((mutant, change)) =
            mutate::mutate(&certificates[i], &symbols(&certificates[i]), &rng)
        else {
            continue;
        };
        let text = mutant.iter().map(Tree::show).collect::<Vec<_>>().join("\n");
        if !tried.insert((i, text.clone())) {
            continue;
        }
        let (outcome, judgement) = opinions(all[i], &mutant);
        let agree = match judgement {
            Judgement::Right => outcome.is_accepted(),
            Judgement::Wrong | Judgement::Malformed => !outcome.is_accepted(),
            Judgement::Unclear => true,
        };
        if !agree {
            faults.push(format!(
                "{} ({change}): judged {judgement:?}, {outcome}\n{text}",
                all[i].name
            ));
        }
        let outcome = format!("{outcome:?}");
        let word = outcome.split('(').next().unwrap_or_default();
        *counts.entry(format!("{judgement:?} {word}")).or_insert(0) += 1;
    }
    assert!(faults.is_empty(), "{counts:?}\n{}", faults.join("\n\n"));
    let kept = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutants.txt");
    std::fs::write(kept, format!("{counts:#?}\n"))
        .expect("the folder of the build can be written to");
    let count = |key: &str| counts.get(key).copied().unwrap_or(0);
    // The test must have had something to find.
    assert!(count("Wrong Rejected") * 3 >= wanted, "{counts:?}");
    assert!(count("Right Accepted") * 50 >= wanted, "{counts:?}");
}
