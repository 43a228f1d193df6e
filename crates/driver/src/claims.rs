//! Claims as text: what `--learned` writes of answers that were not checked, and `--hints` has checked.
//!
//! ```text
//! claim ::= (claim property verdict witness)
//!   property   a number, or all
//!   verdict    safe or unsafe
//!   witness    what `--certificate` would print: definitions, a certificate, or a counterexample
//! ```

use foretell_kernel::VerdictKind;
use foretell_smtlib::{Outcome, Sexp};
use foretell_systems::Property;

use crate::protocol::Claim;

/// A claim and what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimed {
    /// Which question it answers.
    pub property: Property,
    /// What it says, and what is to show it.
    pub claim: Claim,
}

/// What `--hints` reads of these claims; nothing when there are none.
pub fn text(claims: &[Claimed]) -> String {
    let one = |claimed: &Claimed| {
        let (property, verdict) = (claimed.property, claimed.claim.verdict.name());
        let witness = claimed.claim.witness.trim_end();
        format!("(claim {property} {verdict}\n{witness}\n)\n")
    };
    claims.iter().map(one).collect()
}

/// Reads `(claim property verdict witness)`, given the whole text.
pub(crate) fn read(sexp: Sexp<'_>, text: &str) -> Outcome<Claimed> {
    let malformed = || sexp.malformed("`(claim property verdict witness)` expected");
    let items: Vec<Sexp<'_>> = sexp.items().collect();
    let [_, property, verdict, first, ..] = items.as_slice() else {
        return Err(malformed());
    };
    let place = |sexp: &Sexp<'_>| sexp.span().start as usize..sexp.span().end as usize;
    let property = text.get(place(property)).unwrap_or_default();
    let property: Property = property.parse().map_err(|_| malformed())?;
    let verdict = [VerdictKind::Safe, VerdictKind::Unsafe]
        .into_iter()
        .find(|kind| verdict.is_word(kind.name()))
        .ok_or_else(malformed)?;
    let last = items.last().unwrap_or(first);
    let witness = text.get(place(first).start..place(last).end);
    let claim = Claim::new(verdict, witness.ok_or_else(malformed)?);
    Ok(Claimed { property, claim })
}

#[cfg(test)]
mod tests {
    use super::{Claimed, text};
    use crate::hints;
    use crate::protocol::Claim;
    use foretell_kernel::VerdictKind;
    use foretell_systems::Property;

    #[test]
    fn what_is_written_is_read_again() {
        let problem = b"(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))(check-sat)";
        let claim = |property, verdict, witness| Claimed {
            property,
            claim: Claim::new(verdict, witness),
        };
        let (all, one) = (Property::All, Property::Number(7));
        let claims = [
            claim(
                all,
                VerdictKind::Safe,
                "(define-fun p ((x Int)) Bool true) (define-fun q () Bool |)|)",
            ),
            claim(
                one,
                VerdictKind::Safe,
                "(certificate (format foretell-1) ; )\n (kind chc))",
            ),
            claim(one, VerdictKind::Unsafe, "(counterexample)"),
        ];
        let read = hints::read(problem, text(&claims).as_bytes());
        let read = read.map_or_else(|_| Vec::new(), |hints| hints.claims);
        assert_eq!(read, claims);
        assert!(read[0].claim.model.is_some(), "a plain model is its own");
        assert!(read[1].claim.model.is_none() && read[2].claim.model.is_none());
        assert_eq!(text(&[]), "");
    }
}
