//! Texts meant to harm: a clear refusal, no crash, nothing read that should not be.

use std::sync::Mutex;

use foretell_c::error::Class;
use foretell_c::text::NoFiles;
use foretell_c::{Files, Settings, read};

fn refusal(text: &[u8]) -> String {
    match read("hostile.c", text, &NoFiles, &Settings::default()) {
        Ok(_) => "read".to_owned(),
        Err(error) => {
            assert!(matches!(
                error.code.class(),
                Class::Malformed | Class::Unsupported
            ));
            error.code.as_str().to_owned()
        }
    }
}

fn inside(body: &str) -> String {
    format!("int main() {{ int x = 0; {body} return 0; }}")
}

#[test]
fn nesting_beyond_the_limit_is_refused() {
    let n = 100_000;
    let brackets = format!("x = {}1{};", "(".repeat(n), ")".repeat(n));
    let blocks = format!("{}{}", "{".repeat(n), "}".repeat(n));
    let prefixes = format!("x = {}1;", "- ".repeat(n));
    let chain = format!("x = 1{};", " + 1".repeat(n));
    let branches = format!("{} x = 1;", "if (x) x = 2; else ".repeat(n));
    let loops = format!("{} x = 1;", "while (x) ".repeat(n));
    for body in [brackets, blocks, prefixes, chain, branches, loops] {
        assert_eq!(
            refusal(inside(&body).as_bytes()),
            "C010",
            "{}…",
            &body[..40]
        );
    }
}

#[test]
fn depth_within_the_limit_is_read() {
    let body = format!("x = {}1{};", "(".repeat(200), ")".repeat(200));
    assert_eq!(refusal(inside(&body).as_bytes()), "read");
}

#[test]
fn choices_inside_choices_are_tried_once() {
    let n = 60;
    let both = format!("x = {}1{};", "x / x && (".repeat(n), ")".repeat(n));
    let either = format!("if ({}1{}) x = 2;", "x / x || (".repeat(n), ")".repeat(n));
    let chosen = format!("x = {}1{};", "x / x ? (".repeat(n), ") : x".repeat(n));
    let mixed = format!("x = {}1{};", "1 + (x && x / (".repeat(n), "))".repeat(n));
    for body in [both, either, chosen, mixed] {
        assert_eq!(
            refusal(inside(&body).as_bytes()),
            "read",
            "{}…",
            &body[..40]
        );
    }
}

#[test]
fn macros_do_not_explode() {
    let mut text = String::from("#define A0 1\n");
    for i in 1..40 {
        text.push_str(&format!("#define A{i} A{} + A{}\n", i - 1, i - 1));
    }
    text.push_str("int main() { return A39; }");
    assert_eq!(refusal(text.as_bytes()), "C010");
    let own = "#define F(x) F(F(x)) + G\n#define G F(1)\nint main() { return F(2); }";
    assert_ne!(refusal(own.as_bytes()), "read");
}

#[test]
fn bytes_that_are_no_text_are_refused_or_skipped() {
    assert_eq!(refusal(b"int main() { return 0; }\0"), "C001");
    assert_eq!(refusal(b"int main() { return '\xff"), "C001");
    assert_eq!(
        refusal(b"/* \xff\xfe */ int main() { return 0; } // \xc3"),
        "read"
    );
    assert_eq!(refusal(b"int main() {\r\n  return 0;\r\n}\r\n"), "read");
    assert_eq!(refusal(b"/* never closed"), "C001");
    assert_eq!(refusal(b""), "C005");
}

/// Remembers what was asked for.
struct Spy(Mutex<Vec<String>>);

impl Files for Spy {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        self.0
            .lock()
            .expect("no panic in here")
            .push(path.to_owned());
        Some(b"#include \"self.h\"\n".to_vec())
    }
}

#[test]
fn nothing_outside_the_folder_is_asked_for() {
    let spy = Spy(Mutex::new(Vec::new()));
    for name in [
        "/etc/passwd",
        "../secret",
        "a/../../b",
        "a//b",
        "..",
        "c:\\x",
    ] {
        let text = format!("#include \"{name}\"\nint main() {{ return 0; }}");
        let outcome = read("x.c", text.as_bytes(), &spy, &Settings::default());
        let code = outcome.map(|_| ()).map_err(|e| e.code.as_str());
        assert_eq!(code, Err("C003"), "{name}");
    }
    assert!(
        spy.0.lock().expect("no panic").is_empty(),
        "a file was asked for"
    );
    let text = "#include \"self.h\"\nint main() { return 0; }";
    let outcome = read("x.c", text.as_bytes(), &spy, &Settings::default());
    assert_eq!(
        outcome.map(|_| ()).map_err(|e| e.code.as_str()),
        Err("C010")
    );
}

#[test]
fn a_large_file_is_read() {
    let mut text = String::from("int main() { int x = 0;\n");
    for i in 0..3000 {
        text.push_str(&format!("  x = x + {i} - {i};\n"));
    }
    text.push_str("  return x; }\n");
    assert_eq!(refusal(text.as_bytes()), "read");
}

#[test]
fn ten_megabytes_are_refused_or_read() {
    // One comment, one string of statements, one line: each larger than anything a person writes.
    let size = 10 << 20;
    let comment = format!("/* {} */ int main() {{ return 0; }}", "x".repeat(size));
    assert_eq!(refusal(comment.as_bytes()), "read");
    let names = "int x;\n".repeat(size / 7);
    let text = format!("{names}int main() {{ return x; }}");
    assert!(["read", "C010"].contains(&&*refusal(text.as_bytes())));
    let line = "a".repeat(size);
    assert_ne!(refusal(line.as_bytes()), "read");
    let bytes = vec![0xff; size];
    assert_eq!(refusal(&bytes), "C001");
}
