//! Random changes of texts: tokens of a dictionary, parts of other texts, bytes.

use foretell_kernel::Rng;

/// Longer texts are cut.
const LENGTH_MAX: usize = 64 << 10;

/// Words of the languages that are read, and values at the edge of what is representable.
const DICTIONARY: &[&str] = &[
    "(",
    ")",
    "()",
    "((",
    "))",
    " ",
    "\n",
    "|",
    "||",
    "\"",
    "\"\"",
    ";",
    "!",
    "_",
    "as",
    "let",
    "forall",
    "exists",
    "lambda",
    "match",
    "par",
    "true",
    "false",
    "and",
    "or",
    "not",
    "=>",
    "xor",
    "=",
    "distinct",
    "ite",
    "+",
    "-",
    "*",
    "/",
    "div",
    "mod",
    "abs",
    "<",
    "<=",
    ">",
    ">=",
    "to_real",
    "to_int",
    "is_int",
    "divisible",
    "select",
    "store",
    "(_ divisible 0)",
    "((as const (Array Int Int)) 0)",
    "(as const (Array Int Int))",
    "Bool",
    "Int",
    "Real",
    "(Array Int Int)",
    "(Array Int (Array Int Int))",
    "(_ BitVec 0)",
    "(_ BitVec 1)",
    "(_ BitVec 4294967296)",
    "(_ BitVec 65536)",
    "#b1",
    "#xF",
    "#b",
    "#x",
    "(_ bv1 4)",
    "(_ bv7 2)",
    "concat",
    "(_ extract 3 0)",
    "(_ extract 0 3)",
    "(_ sign_extend 4294967295)",
    "(_ zero_extend 1)",
    "(_ repeat 0)",
    "(_ repeat 99999999)",
    "(_ rotate_left 5)",
    "bvadd",
    "bvudiv",
    "bvsrem",
    "bvshl",
    "bvult",
    "bvcomp",
    "0",
    "1",
    "-1",
    "00",
    "0.0",
    "1.5",
    "1.",
    ".5",
    "18446744073709551616",
    "4294967296",
    "99999999999999999999999999999999",
    "1e5",
    "set-logic",
    "HORN",
    "declare-fun",
    "declare-const",
    "declare-sort",
    "define-sort",
    "define-fun",
    "define-fun-rec",
    "define-const",
    "declare-datatypes",
    "declare-datatype",
    "declare-rel",
    "declare-var",
    "rule",
    "query",
    "assert",
    "check-sat",
    "get-model",
    "exit",
    "push",
    "pop",
    "reset",
    "include",
    "set-option",
    "set-info",
    ":next",
    ":init",
    ":trans",
    ":invar-property",
    ":live-property",
    ":named",
    ":pattern",
    ":weight",
    "certificate",
    "format",
    "foretell-1",
    "kind",
    "chc",
    "vmt",
    "property",
    "k",
    "prophecy",
    "history",
    "target",
    "update",
    "invariant",
    "counterexample",
    "trace",
    "derivation",
    "step",
    "premises",
    "values",
    "state",
    "inputs",
    "array",
    "default",
    "null",
    "{}",
    "[]",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\\u0000",
    "\u{feff}",
    "\r\n",
    "\0",
    "\u{7f}",
    "é",
    "𝔸",
    "!0",
    "x!1",
    ".def_1",
];

/// Changes a text in one to six places; `others` give parts.
pub fn mutate(text: &[u8], others: &[Vec<u8>], rng: &Rng) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for _ in 0..1 + rng.below(6) {
        change(&mut bytes, others, rng);
    }
    bytes.truncate(LENGTH_MAX);
    bytes
}

fn below(rng: &Rng, n: usize) -> usize {
    usize::try_from(rng.below(n as u64)).unwrap_or(0)
}

fn change(bytes: &mut Vec<u8>, others: &[Vec<u8>], rng: &Rng) {
    let at = below(rng, bytes.len() + 1);
    match rng.below(10) {
        0 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << rng.below(8);
            }
        }
        1 => bytes.insert(at, u8::try_from(rng.below(256)).unwrap_or(0)),
        2 | 3 => insert(bytes, at, word(rng)),
        4 | 5 => {
            let (start, end) = token(bytes, at);
            bytes.splice(start..end, word(rng).iter().copied());
        }
        6 => {
            let (start, end) = group(bytes, at);
            bytes.drain(start..end);
        }
        7 => {
            let (start, end) = group(bytes, at);
            let copy = bytes[start..end].to_vec();
            let to = below(rng, bytes.len() + 1);
            for _ in 0..1 + rng.below(3) {
                insert(bytes, to, &copy);
            }
        }
        8 => {
            if let Some(other) = (!others.is_empty()).then(|| &others[below(rng, others.len())]) {
                let (start, end) = group(other, below(rng, other.len() + 1));
                let (from, to) = token(bytes, at);
                bytes.splice(from..to, other[start..end].iter().copied());
            }
        }
        _ => {
            // Deep nesting of whatever stands there.
            let (start, end) = group(bytes, at);
            let depth = 1 << rng.below(10);
            let word = word(rng).to_vec();
            let opened: Vec<u8> = (0..depth)
                .flat_map(|_| [b"(".as_slice(), &word, b" "].concat())
                .collect();
            insert(bytes, end, &vec![b')'; depth]);
            insert(bytes, start, &opened);
        }
    }
}

fn word(rng: &Rng) -> &'static [u8] {
    DICTIONARY[below(rng, DICTIONARY.len())].as_bytes()
}

fn insert(bytes: &mut Vec<u8>, at: usize, what: &[u8]) {
    let at = at.min(bytes.len());
    bytes.splice(at..at, what.iter().copied());
}

/// The token around a place.
fn token(bytes: &[u8], at: usize) -> (usize, usize) {
    let is_word = |b: u8| !b.is_ascii_whitespace() && b != b'(' && b != b')';
    let at = at.min(bytes.len());
    let start = bytes[..at]
        .iter()
        .rposition(|&b| !is_word(b))
        .map_or(0, |p| p + 1);
    let end = bytes[at..]
        .iter()
        .position(|&b| !is_word(b))
        .map_or(bytes.len(), |p| at + p);
    (start, end)
}

/// The group in parentheses that begins at or before a place; a token where there is none.
fn group(bytes: &[u8], at: usize) -> (usize, usize) {
    let at = at.min(bytes.len());
    let Some(start) = bytes[..at].iter().rposition(|&b| b == b'(') else {
        return token(bytes, at);
    };
    let mut depth = 0usize;
    for (i, byte) in bytes.iter().enumerate().skip(start) {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return (start, i + 1),
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    (start, bytes.len())
}
