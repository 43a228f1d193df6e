//! Writing HTML: the one place where text becomes markup.
//!
//! Everything that comes from an input goes through [`escaped`]: markup characters become entities, and
//! characters that would not be seen or would turn the text around are shown by their number. Names are
//! never tags, attributes' names, identifiers or addresses.

/// A piece of a page.
#[derive(Default)]
pub(super) struct Html(String);

/// Attributes: names are ours, values are escaped.
pub(super) type Attributes<'a> = &'a [(&'static str, &'a str)];

impl Html {
    /// An opening tag.
    pub(super) fn open(&mut self, tag: &'static str, attributes: Attributes<'_>) -> &mut Html {
        self.0.push('<');
        self.0.push_str(tag);
        for (name, value) in attributes {
            self.0.push(' ');
            self.0.push_str(name);
            if !value.is_empty() {
                self.0.push_str("=\"");
                self.0.push_str(&escaped(value));
                self.0.push('"');
            }
        }
        self.0.push('>');
        self
    }

    /// A closing tag.
    pub(super) fn close(&mut self, tag: &'static str) -> &mut Html {
        self.0.push_str("</");
        self.0.push_str(tag);
        self.0.push_str(">\n");
        self
    }

    /// Text.
    pub(super) fn text(&mut self, text: &str) -> &mut Html {
        self.0.push_str(&escaped(text));
        self
    }

    /// An element with text.
    pub(super) fn leaf(&mut self, tag: &'static str, of: Attributes<'_>, text: &str) -> &mut Html {
        self.open(tag, of).text(text);
        self.0.push_str("</");
        self.0.push_str(tag);
        self.0.push('>');
        self
    }

    /// Text in which what stands between backquotes is code.
    pub(super) fn prose(&mut self, text: &str) -> &mut Html {
        for (number, piece) in text.split('`').enumerate() {
            match number % 2 {
                0 => self.text(piece),
                _ => self.leaf("code", &[], piece),
            };
        }
        self
    }

    /// Another piece.
    pub(super) fn piece(&mut self, other: &Html) -> &mut Html {
        self.0.push_str(&other.0);
        self
    }

    /// Markup of our own.
    pub(super) fn own(&mut self, markup: &'static str) -> &mut Html {
        self.0.push_str(markup);
        self
    }

    /// JSON inside a script element that nobody runs.
    pub(super) fn json(&mut self, text: &str) -> &mut Html {
        self.0.push_str(&text.replace('<', "\\u003c"));
        self
    }

    /// A section with a heading.
    pub(super) fn section(&mut self, id: &str, title: &str, body: &Html) {
        let heading = format!("{id}-title");
        self.open("section", &[("id", id), ("aria-labelledby", &heading)]);
        self.leaf("h2", &[("id", &heading)], title);
        self.piece(body).close("section");
    }

    /// A text with a button that copies it; `id` must be unique in the page.
    pub(super) fn copied(&mut self, id: &str, what: &str, text: &str) {
        self.open("div", &[("class", "copied")]);
        self.leaf(
            "button",
            &[
                ("type", "button"),
                ("class", "copy"),
                ("data-copy", id),
                ("hidden", ""),
            ],
            &format!("Copy {what}"),
        );
        self.open(
            "pre",
            &[
                ("id", id),
                ("tabindex", "0"),
                ("role", "region"),
                ("aria-label", what),
            ],
        );
        self.leaf("code", &[], text).close("pre").close("div");
    }

    pub(super) fn into_string(self) -> String {
        self.0
    }
}

/// Text as it may stand in a page.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            '\r' => {}
            c if is_unseen(c) => out.push_str(&format!("⟨U+{:04X}⟩", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

/// Control characters, and those that change the direction of what follows.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
        || matches!(u32::from(c), 0xe0000..=0xe007f)
}

#[cfg(test)]
mod tests {
    use super::{Html, escaped};

    #[test]
    fn nothing_breaks_out() {
        let evil = "</script><img src=x onerror=\"alert('1')\">&\u{202e}\u{0}\u{7f}";
        let shown = escaped(evil);
        assert!(!shown.contains(['<', '>', '"', '\'', '\u{202e}', '\u{0}', '\u{7f}']));
        assert!(shown.contains("⟨U+202E⟩") && shown.contains("&lt;/script&gt;"));
        let mut html = Html::default();
        html.leaf("p", &[("title", "a\"b")], "x<y");
        assert_eq!(html.into_string(), "<p title=\"a&quot;b\">x&lt;y</p>");
    }

    #[test]
    fn code_in_prose() {
        let mut html = Html::default();
        html.prose("see `a<b`, and `c");
        let shown = html.into_string();
        assert_eq!(shown, "see <code>a&lt;b</code>, and <code>c</code>");
    }
}
