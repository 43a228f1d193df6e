//! Command lines as words.

/// Splits a command line into words; single quotes, double quotes and backslashes protect.
///
/// # Errors
/// A message when a quote is open.
pub fn split_words(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut characters = line.chars();
    while let Some(c) = characters.next() {
        match (c, quote) {
            (q, Some(open)) if q == open => quote = None,
            ('\\', None | Some('"')) => word.get_or_insert_default().extend(characters.next()),
            (c, Some(_)) => word.get_or_insert_default().push(c),
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, None) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(format!("open quote in \"{line}\""));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::split_words;

    #[test]
    fn quotes_protect_and_must_be_closed() {
        let words = split_words("a 'b c' \"d\\\"e\" f\\ g ''").unwrap_or_default();
        assert_eq!(words, ["a", "b c", "d\"e", "f g", ""]);
        assert!(split_words("a 'b").is_err());
    }
}
