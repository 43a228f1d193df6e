//! What tools answer and what it means.
//!
//! The same word means opposite things in different worlds, so an answer is read together with the
//! format of the input:
//!
//! | input | `sat` | `unsat` |
//! |---|---|---|
//! | HORN clauses (`assert`) | safe: the clauses have a model | unsafe |
//! | rules (`declare-rel`, `query`) | unsafe: the query is reachable | safe |
//! | VMT and other transition systems | unsafe: a counterexample exists | safe |
//!
//! `safe`, `unsafe`, `unknown`, and the words of program verifiers mean the same everywhere.

use foretell_frontends::{Format, detect};
use foretell_kernel::VerdictKind;

/// The format of a file, as far as it decides what an answer means: SMT-LIB is told by its content,
/// everything else is a system or a program, whose answers mean what those about VMT-LIB mean.
pub(crate) fn format(name: &str, text: &[u8]) -> Format {
    if name.ends_with(".smt2") || name.ends_with(".smt") {
        detect(&String::from_utf8_lossy(text))
    } else {
        Format::Vmt
    }
}

/// What an answer line about an input of a format means; `None` when the line is no answer.
pub(crate) fn read_line(format: Format, line: &str) -> Option<VerdictKind> {
    let line = line.trim();
    let (sat, unsat) = match format {
        Format::Horn => (VerdictKind::Safe, VerdictKind::Unsafe),
        Format::Z3Rules | Format::Vmt => (VerdictKind::Unsafe, VerdictKind::Safe),
    };
    match line {
        "sat" => Some(sat),
        "unsat" => Some(unsat),
        "safe" | "SAFE" | "TRUE" | "VERIFICATION SUCCESSFUL" => Some(VerdictKind::Safe),
        "unsafe" | "UNSAFE" | "FALSE" | "VERIFICATION FAILED" => Some(VerdictKind::Unsafe),
        "unknown" | "UNKNOWN" | "timeout" => Some(VerdictKind::Unknown),
        _ if line.starts_with("unknown (") => Some(VerdictKind::Unknown),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Format, VerdictKind, format, read_line};

    #[test]
    fn the_format_decides_what_sat_means() {
        let (safe, unsafe_) = (Some(VerdictKind::Safe), Some(VerdictKind::Unsafe));
        assert_eq!(read_line(Format::Horn, " sat\r"), safe);
        assert_eq!(read_line(Format::Z3Rules, "sat"), unsafe_);
        assert_eq!(read_line(Format::Vmt, "unsat"), safe);
        let unknown = read_line(Format::Horn, "unknown (timeout)");
        assert_eq!(unknown, Some(VerdictKind::Unknown));
        assert_eq!(read_line(Format::Horn, "; sat"), None);
        assert_eq!(read_line(Format::Horn, "(error \"unsat\")"), None);
        // What our own tool prints is read back as what it meant.
        for own in [Format::Horn, Format::Z3Rules, Format::Vmt] {
            for verdict in [VerdictKind::Safe, VerdictKind::Unsafe] {
                assert_eq!(read_line(own, own.word(verdict)), Some(verdict));
            }
        }
    }

    #[test]
    fn formats_are_told_by_content_not_by_words_in_comments() {
        let horn =
            b"; (query p)\n(set-info :x |(query|) (declare-fun f () Bool) (assert (query f))";
        assert_eq!(format("a.smt2", horn), Format::Horn);
        let rules = b"(set-option :a \"(\")\n( declare-rel p ())";
        assert_eq!(format("a.smt2", rules), Format::Z3Rules);
        assert_eq!(format("a.vmt", b"(assert true)"), Format::Vmt);
        assert_eq!(format("a.c", b"int main(void);"), Format::Vmt);
        for odd in [
            &b""[..],
            b"(",
            b"((((",
            b"|",
            b"\"",
            b")))(rule",
            b"(;",
            b"\xff",
        ] {
            format("a.smt2", odd);
        }
    }
}
