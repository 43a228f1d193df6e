//! A small preprocessor: includes, macros, conditions.
//!
//! `#include` of a built-in header, or with quotes of a file that [`Files`] hands out (never an
//! absolute path and never one with `..`); `#define` with and without parameters, `#undef`,
//! `#if`, `#ifdef`, `#ifndef`, `#elif`, `#else`, `#endif`, `#error`; `#pragma` and line markers are
//! skipped; `#` and `##` in a macro are refused by name.
//!
//! Deviation from the standard: the body of a macro is expanded again by itself, not together with
//! the text behind it, so a macro that ends in the name of a function-like macro is not continued.
//! A macro is never expanded inside its own expansion. Limits: files, nesting, tokens (a text that
//! would grow beyond them is refused).

use indexmap::{IndexMap, IndexSet};

use super::condition;
use super::headers;
use super::lexer::{Annotation, Kind, Token, lex};
use super::map::SourceMap;
use crate::error::{Code, Located};

const MOST_TOKENS: usize = 4_000_000;
const DEEPEST: usize = 200;
const MOST_INCLUDES: usize = 32;

/// Hands out files that lie below the input's folder.
pub trait Files {
    /// The bytes of a file by its relative path, if it is there.
    fn read(&self, path: &str) -> Option<Vec<u8>>;
}

/// No file but the input.
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _path: &str) -> Option<Vec<u8>> {
        None
    }
}

/// The preprocessed text.
#[derive(Clone, Debug)]
pub struct Preprocessed {
    /// The text for the parser.
    pub text: String,
    /// Where it comes from.
    pub source: SourceMap,
    /// The annotations of the input.
    pub annotations: Vec<Annotation>,
}

#[derive(Clone, Debug)]
struct Macro {
    params: Option<Vec<Box<str>>>,
    body: Vec<Token>,
}

/// The state of one conditional: was a branch taken already, is this one taken.
struct Branch {
    taken: bool,
    active: bool,
}

struct Preprocessor<'a> {
    files: &'a dyn Files,
    source: SourceMap,
    macros: IndexMap<Box<str>, Macro>,
    out: String,
    annotations: Vec<Annotation>,
    n_tokens: usize,
}

/// Runs the preprocessor on the input.
pub fn preprocess(name: &str, bytes: &[u8], files: &dyn Files) -> Result<Preprocessed, Located> {
    let text = String::from_utf8_lossy(bytes);
    let mut source = SourceMap::default();
    source.add_file(name, &text);
    let mut p = Preprocessor {
        files,
        source,
        macros: IndexMap::new(),
        out: String::with_capacity(text.len()),
        annotations: Vec::new(),
        n_tokens: 0,
    };
    let lexed =
        lex(&text, 0).map_err(|t| p.located(&t.code, 0, t.span.start as usize, &t.message))?;
    p.annotations = lexed.annotations;
    p.truth_values(&lexed.tokens);
    p.file(&lexed.tokens, 0)?;
    Ok(Preprocessed {
        text: p.out,
        source: p.source,
        annotations: p.annotations,
    })
}

/// The names of a file that a truth value of its own could have: macros, constants of enumerations, what
/// `typedef` names, and what is set to something.
fn own_names(tokens: &[Token]) -> IndexSet<&str> {
    let mut names = IndexSet::new();
    // How deep in braces, where the constants of an enumeration stand, and whether a type is named.
    let (mut depth, mut constants, mut naming) = (0usize, None, false);
    for (at, token) in tokens.iter().enumerate() {
        let before = |n: usize| at.checked_sub(n).map_or("", |i| &*tokens[i].text);
        let after = tokens.get(at + 1).map_or("", |t| &*t.text);
        match &*token.text {
            "{" => {
                depth += 1;
                if before(1) == "enum" || before(2) == "enum" {
                    constants = Some(depth);
                }
            }
            "}" => {
                constants = constants.filter(|d| *d != depth);
                depth = depth.saturating_sub(1);
            }
            "typedef" => naming = true,
            ";" if depth == 0 => naming = false,
            word => {
                let constant = constants == Some(depth) && matches!(before(1), "{" | ",");
                let named = naming && matches!(after, ";" | ",");
                if constant || named || before(1) == "define" || after == "=" {
                    names.insert(word);
                }
            }
        }
    }
    names
}

impl Preprocessor<'_> {
    fn located(&self, code: &Code, file: usize, offset: usize, message: &str) -> Located {
        Located {
            code: *code,
            message: message.to_owned(),
            location: self.source.location_in(file, offset),
        }
    }

    fn refuse(&self, code: Code, token: &Token, message: &str) -> Located {
        self.located(&code, token.file, token.offset, message)
    }

    /// The truth values of C23, unless the file has its own.
    fn truth_values(&mut self, tokens: &[Token]) {
        let own = own_names(tokens);
        for (name, value) in [("bool", "_Bool"), ("true", "1"), ("false", "0")] {
            if !own.contains(name) {
                let token = Token {
                    kind: if name == "bool" {
                        Kind::Word
                    } else {
                        Kind::Number
                    },
                    text: value.into(),
                    file: 0,
                    offset: 0,
                    first: false,
                    spaced: true,
                };
                self.source.add_predefined(name, value);
                self.macros.insert(
                    name.into(),
                    Macro {
                        params: None,
                        body: vec![token],
                    },
                );
            }
        }
    }

    fn file(&mut self, tokens: &[Token], depth: usize) -> Result<(), Located> {
        let mut branches: Vec<Branch> = Vec::new();
        let mut at = 0;
        let mut chunk = 0;
        while at < tokens.len() {
            let directive = tokens[at].first && &*tokens[at].text == "#";
            if !directive {
                at += 1;
                continue;
            }
            if branches.iter().all(|b| b.active) {
                self.emit(&tokens[chunk..at])?;
            }
            let end = (at + 1..tokens.len())
                .find(|&i| tokens[i].first)
                .unwrap_or(tokens.len());
            self.directive(&tokens[at], &tokens[at + 1..end], &mut branches, depth)?;
            at = end;
            chunk = end;
        }
        if branches.iter().all(|b| b.active) {
            self.emit(&tokens[chunk..])?;
        }
        match (branches.is_empty(), tokens.last()) {
            (false, Some(last)) => {
                Err(self.refuse(Code::Directive, last, "a conditional without #endif"))
            }
            _ => Ok(()),
        }
    }

    fn directive(
        &mut self,
        hash: &Token,
        line: &[Token],
        branches: &mut Vec<Branch>,
        depth: usize,
    ) -> Result<(), Located> {
        let Some(name) = line.first() else {
            return Ok(());
        };
        let rest = &line[1..];
        let active = branches.iter().all(|b| b.active);
        match &*name.text {
            "if" | "ifdef" | "ifndef" => {
                let holds = active && self.condition(name, rest)?;
                branches.push(Branch {
                    taken: holds || !active,
                    active: holds,
                });
            }
            "elif" | "else" | "endif" => return self.branch(hash, name, rest, branches),
            _ if !active => {}
            "include" => self.include(name, rest, depth)?,
            "define" => self.define(name, rest)?,
            "undef" => {
                let Some(word) = rest.first() else {
                    return Err(self.refuse(Code::Directive, name, "#undef without a name"));
                };
                self.macros.shift_remove(&word.text);
            }
            "pragma" | "line" | "ident" | "warning" => {}
            "error" => return Err(self.refuse(Code::Directive, name, "the text says #error")),
            _ if name.kind == Kind::Number => {}
            _ => return Err(self.refuse(Code::Directive, name, "a directive that is not known")),
        }
        Ok(())
    }

    fn branch(
        &mut self,
        hash: &Token,
        name: &Token,
        rest: &[Token],
        branches: &mut Vec<Branch>,
    ) -> Result<(), Located> {
        let Some(mut last) = branches.pop() else {
            return Err(self.refuse(Code::Directive, hash, "no conditional is open here"));
        };
        if &*name.text == "endif" {
            return Ok(());
        }
        let outer = branches.iter().all(|b| b.active);
        let holds = match &*name.text {
            "else" => true,
            _ => outer && !last.taken && self.condition(name, rest)?,
        };
        last.active = outer && !last.taken && holds;
        last.taken |= holds;
        branches.push(last);
        Ok(())
    }

    fn condition(&mut self, name: &Token, rest: &[Token]) -> Result<bool, Located> {
        let known =
            |token: Option<&Token>| token.is_some_and(|t| self.macros.contains_key(&t.text));
        match &*name.text {
            "ifdef" => return Ok(known(rest.first())),
            "ifndef" => return Ok(!known(rest.first())),
            _ => {}
        }
        let resolved = condition::resolve_defined(rest, &|word| self.macros.contains_key(word));
        let expanded = self.expand(&resolved, &mut Vec::new())?;
        condition::evaluate(&expanded)
            .map(|n| n != 0)
            .ok_or_else(|| {
                self.refuse(
                    Code::Directive,
                    name,
                    "a condition that is no constant expression",
                )
            })
    }

    fn define(&mut self, name: &Token, rest: &[Token]) -> Result<(), Located> {
        let Some(word) = rest.first().filter(|t| t.kind == Kind::Word) else {
            return Err(self.refuse(Code::Directive, name, "#define without a name"));
        };
        let mut body = &rest[1..];
        let mut params = None;
        if let Some(open) = body.first().filter(|t| &*t.text == "(" && !t.spaced) {
            let Some(close) = body.iter().position(|t| &*t.text == ")") else {
                return Err(self.refuse(
                    Code::Directive,
                    open,
                    "a list of parameters that does not end",
                ));
            };
            let names = &body[1..close];
            let listed = names.iter().filter(|t| &*t.text != ",");
            if let Some(odd) = listed.clone().find(|t| t.kind != Kind::Word) {
                return Err(self.refuse(Code::Limit, odd, "unsupported: variadic macros"));
            }
            params = Some(listed.map(|t| t.text.clone()).collect());
            body = &body[close + 1..];
        }
        if let Some(hash) = body.iter().find(|t| &*t.text == "#") {
            return Err(self.refuse(Code::Limit, hash, "unsupported: # and ## in a macro"));
        }
        self.macros.insert(
            word.text.clone(),
            Macro {
                params,
                body: body.to_vec(),
            },
        );
        Ok(())
    }

    fn include(&mut self, name: &Token, rest: &[Token], depth: usize) -> Result<(), Located> {
        if depth >= MOST_INCLUDES {
            return Err(self.refuse(Code::Limit, name, "includes nested more than 32 deep"));
        }
        let Some(first) = rest.first() else {
            return Err(self.refuse(Code::Directive, name, "#include without a name"));
        };
        let spelled: String = rest.iter().map(|t| &*t.text).collect();
        let (path, quoted) = match spelled.strip_prefix('<').and_then(|s| s.strip_suffix('>')) {
            Some(path) => (path, false),
            None => (spelled.trim_matches('"'), true),
        };
        let (label, text) = match (headers::builtin(path), quoted) {
            (Some(text), _) => (format!("<{path}>"), text.to_owned()),
            (None, true) => (path.to_owned(), self.quoted_file(first, path)?),
            (None, false) => {
                let message = format!("there is no built-in header {path}");
                return Err(self.refuse(Code::Include, first, &message));
            }
        };
        let file = self.source.add_file(&label, &text);
        let lexed = lex(&text, file)
            .map_err(|t| self.located(&t.code, file, t.span.start as usize, &t.message))?;
        self.file(&lexed.tokens, depth + 1)
    }

    fn quoted_file(&self, token: &Token, path: &str) -> Result<String, Located> {
        let inside = !path.is_empty()
            && !path.starts_with('/')
            && !path.contains('\\')
            && path.split('/').all(|part| part != ".." && !part.is_empty());
        if !inside {
            return Err(self.refuse(
                Code::Include,
                token,
                "only files below the input's folder are read",
            ));
        }
        match self.files.read(path) {
            Some(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
            None => Err(self.refuse(Code::Include, token, &format!("cannot read {path}"))),
        }
    }

    fn emit(&mut self, tokens: &[Token]) -> Result<(), Located> {
        let expanded = self.expand(tokens, &mut Vec::new())?;
        for token in &expanded {
            // The parser wants the two brackets of `__attribute__((…))` next to each other.
            let doubled = !token.spaced
                && matches!(&*token.text, "(" | ")")
                && self.out.ends_with(&*token.text);
            if token.first {
                self.out.push('\n');
            } else if !doubled {
                self.out.push(' ');
            }
            self.source
                .add_segment(self.out.len(), token.file, token.offset, token.text.len());
            self.out.push_str(&token.text);
        }
        Ok(())
    }

    fn expand(
        &mut self,
        tokens: &[Token],
        active: &mut Vec<Box<str>>,
    ) -> Result<Vec<Token>, Located> {
        let mut out = Vec::with_capacity(tokens.len());
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            self.n_tokens += 1;
            if self.n_tokens > MOST_TOKENS || active.len() > DEEPEST {
                return Err(self.refuse(Code::Limit, token, "macros expand to too much text"));
            }
            at += 1;
            let found = if token.kind == Kind::Word {
                self.macros.get(&token.text)
            } else {
                None
            };
            let Some(found) = found.filter(|_| !active.contains(&token.text)).cloned() else {
                out.push(token.clone());
                continue;
            };
            let body = match &found.params {
                None => found.body,
                Some(params) => {
                    let open = tokens.get(at).is_some_and(|t| &*t.text == "(");
                    let Some((args, next)) = open.then(|| arguments(tokens, at)).flatten() else {
                        out.push(token.clone());
                        continue;
                    };
                    at = next;
                    let mut expanded = Vec::with_capacity(args.len());
                    for arg in args {
                        expanded.push(self.expand(arg, active)?);
                    }
                    self.substitute(token, params, &found.body, &expanded)?
                }
            };
            active.push(token.text.clone());
            let mut expansion = self.expand(&body, active)?;
            active.pop();
            for (i, piece) in expansion.iter_mut().enumerate() {
                (piece.file, piece.offset) = (token.file, token.offset);
                piece.first = i == 0 && token.first;
            }
            out.extend(expansion);
        }
        Ok(out)
    }

    fn substitute(
        &self,
        call: &Token,
        params: &[Box<str>],
        body: &[Token],
        args: &[Vec<Token>],
    ) -> Result<Vec<Token>, Located> {
        let none = params.is_empty() && args.iter().all(Vec::is_empty);
        if params.len() != args.len() && !none {
            return Err(self.refuse(
                Code::Directive,
                call,
                "a macro with the wrong number of arguments",
            ));
        }
        let mut out = Vec::new();
        for token in body {
            match params.iter().position(|p| *p == token.text) {
                Some(i) => out.extend(args[i].iter().cloned()),
                None => out.push(token.clone()),
            }
            if out.len() > MOST_TOKENS {
                return Err(self.refuse(Code::Limit, call, "macros expand to too much text"));
            }
        }
        Ok(out)
    }
}

/// The arguments of a macro call whose `(` is at `open`, and the position behind its `)`.
fn arguments(tokens: &[Token], open: usize) -> Option<(Vec<&[Token]>, usize)> {
    let mut depth = 0usize;
    let mut args = Vec::new();
    let mut start = open + 1;
    for (i, token) in tokens.iter().enumerate().skip(open) {
        match &*token.text {
            "(" => depth += 1,
            ")" => {
                depth -= 1;
                if depth == 0 {
                    args.push(&tokens[start..i]);
                    return Some((args, i + 1));
                }
            }
            "," if depth == 1 => {
                args.push(&tokens[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    None
}
