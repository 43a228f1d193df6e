//! Whether a text is C: by its content, not by its name.

/// Whether a text looks like C: after white space and comments comes a word or a directive, and
/// there is a brace. SMT-LIB begins with a parenthesis or a comment of its own.
pub fn looks_like_c(bytes: &[u8]) -> bool {
    let mut rest = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    loop {
        rest = rest.trim_ascii_start();
        let skip = if rest.starts_with(b"//") {
            rest.iter().position(|&b| b == b'\n')
        } else if rest.starts_with(b"/*") {
            rest.windows(2)
                .skip(2)
                .position(|pair| pair == b"*/")
                .map(|at| at + 4)
        } else {
            break;
        };
        match skip {
            Some(n) => rest = &rest[n.min(rest.len())..],
            None => return false,
        }
    }
    let first = rest.first().copied().unwrap_or(b'(');
    let begins = first == b'#' || first == b'_' || first.is_ascii_alphabetic();
    begins && rest.contains(&b'{') && !rest.contains(&0)
}

#[cfg(test)]
mod tests {
    use super::looks_like_c;

    #[test]
    fn c_begins_with_a_word_and_has_a_brace() {
        assert!(looks_like_c(b"/* a */ // b\nint main() { return 0; }"));
        assert!(looks_like_c(b"#include <assert.h>\nvoid main(){}"));
        assert!(!looks_like_c(b"; comment { }\n(set-logic HORN)"));
        assert!(!looks_like_c(b"(set-logic HORN)"));
        assert!(!looks_like_c(b"/* never ends {"));
        assert!(!looks_like_c(b""));
    }
}
