//! Languages that are given by mistake: what a text that could not be read looks like.
//!
//! The first line that is no comment decides. This only makes an error helpful: it is asked when the
//! readers have refused a text, never before.

use foretell_smtlib::{Diagnostic, Span};

/// A language that is not read here, or under another name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    /// C, which is read from files only.
    C,
    /// Word-level hardware.
    Btor2,
    /// The language of NuSMV and nuXmv.
    Smv,
    /// And-inverter graphs, in either form.
    Aiger,
}

impl Language {
    /// The one error to report.
    pub(crate) fn refusal(self) -> Diagnostic {
        let (name, advice) = match self {
            Language::C => (
                "C",
                "a C program is read from a file: give its name, not `-`",
            ),
            Language::Btor2 => (
                "BTOR2",
                "translate it to VMT-LIB first, for example with the tools of the VMT-LIB project",
            ),
            Language::Smv | Language::Aiger => (
                if self == Language::Smv {
                    "SMV"
                } else {
                    "AIGER"
                },
                "translate it to VMT-LIB first, for example with `write_vmt_model` of nuXmv",
            ),
        };
        let words = format!("this looks like {name}, not like SMT-LIB, rules or VMT-LIB");
        let mut refusal = *Diagnostic::unsupported(Span::new(0, 0), words);
        refusal.notes.push(advice.to_owned());
        refusal
    }
}

/// What a text looks like, if it is like one of them.
pub(crate) fn language(bytes: &[u8]) -> Option<Language> {
    let counted = |word: &[u8]| {
        bytes
            .strip_prefix(word)
            .and_then(|rest| rest.first())
            .is_some_and(u8::is_ascii_digit)
    };
    if counted(b"aig ") || counted(b"aag ") {
        return Some(Language::Aiger);
    }
    let mut lines = bytes.split(|&b| b == b'\n').map(<[u8]>::trim_ascii);
    let skipped =
        |line: &[u8]| line.is_empty() || line.starts_with(b";") || line.starts_with(b"--");
    let first = lines.find(|line| !skipped(line))?;
    let mut words = first.split(u8::is_ascii_whitespace);
    let (head, second) = (words.next()?, words.next().unwrap_or_default());
    if head.iter().all(u8::is_ascii_digit) && second.first().is_some_and(u8::is_ascii_lowercase) {
        return Some(Language::Btor2);
    }
    const C_WORDS: [&[u8]; 12] = [
        b"#include",
        b"#define",
        b"#if",
        b"extern",
        b"typedef",
        b"struct",
        b"int",
        b"void",
        b"unsigned",
        b"static",
        b"char",
        b"const",
    ];
    match head {
        b"MODULE" => Some(Language::Smv),
        _ if first.starts_with(b"/*") || first.starts_with(b"//") => Some(Language::C),
        _ if C_WORDS.contains(&head) => Some(Language::C),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Language, language};

    #[test]
    fn the_first_line_tells() {
        let cases: [(&str, Option<Language>); 9] = [
            ("aag 3 1 1 1 0\n", Some(Language::Aiger)),
            ("aig 3 1 1 1 0\n\u{1}", Some(Language::Aiger)),
            (
                "; counter\n1 sort bitvec 8\n2 zero 1\n",
                Some(Language::Btor2),
            ),
            (
                "-- a comment\n\nMODULE main\nVAR x : boolean;\n",
                Some(Language::Smv),
            ),
            ("#include <assert.h>\nint main() {}", Some(Language::C)),
            ("/* licence */", Some(Language::C)),
            ("int main(void) { return 0; }", Some(Language::C)),
            ("integer", None),
            ("(set-logic HORN", None),
        ];
        for (text, expected) in cases {
            assert_eq!(language(text.as_bytes()), expected, "{text}");
        }
    }
}
