//! Values for what the source leaves without one: variables, arrays, members, new memory, parameters.
//!
//! In C such a value is whatever lies in memory; a run has chosen it, and a compiled copy has to have
//! the same. What is inserted stands inside the declaration or around the call, so it happens exactly when
//! the run took the input, and lines stay:
//!
//! ```text
//! int x;              int x = unset_0();
//! int v[n];           int v[n], *set_9 = ({ next_1(); for (i …) v[i] = unset_1(i); (void *)0; });
//! p = malloc(n);      p = ({ unsigned long bytes; void *memory = malloc(bytes = (n)); for …; memory; });
//! main(int c) {       main(int c) { c = unset_2();
//! ```
//!
//! Functions that are inlined in several places have one text: their values come in the order of the run.

use std::collections::BTreeMap;
use std::fmt::Write;

use indexmap::IndexMap;

use crate::program::{InputId, InputKind, InputValue, IntType, Op, Program, Var};
use crate::run::Run;
use crate::text::lexer::{Token, lex};

/// Something without a value of its own.
pub(super) struct Unset {
    number: usize,
    /// Where its declaration, the call or the function begins.
    offset: usize,
    kind: InputKind,
    root: String,
    /// How to get from the object to a number of it.
    path: String,
    ty: IntType,
    rounds: Vec<Round>,
    /// The array that the last value was a part of.
    whole: Option<InputId>,
}

/// What it held when it was reached once.
#[derive(Default)]
struct Round {
    rest: i128,
    cells: BTreeMap<Vec<i128>, i128>,
}

/// Words to be put in at an offset.
pub(super) type Insertion = (usize, String);

/// What a run found without a value, and whether all of it can be set.
pub(super) struct Plan {
    pub(super) list: Vec<Unset>,
    pub(super) insertions: Vec<Insertion>,
    pub(super) complete: bool,
}

/// What must be inserted for a run.
pub(super) fn plan(program: &Program, run: &Run) -> Plan {
    let (list, mut complete) = collect(program, run);
    let text = program.source.main_text();
    let tokens = lex(text, 0).map(|l| l.tokens).unwrap_or_default();
    let mut places: IndexMap<usize, Vec<&Unset>> = IndexMap::new();
    for unset in &list {
        places.entry(unset.offset).or_default().push(unset);
    }
    let mut insertions = Vec::new();
    for (offset, here) in places {
        let from = tokens.partition_point(|t| t.offset < offset);
        let rest = tokens.get(from..).unwrap_or_default();
        let words = match &here[0].kind {
            InputKind::Uninitialised => declared(rest, &here),
            InputKind::Memory(element) => allocated(rest, element, &here),
            InputKind::Parameter => parameters(rest, &here),
            InputKind::Call(_) => None,
        };
        match words {
            Some(words) => insertions.extend(words),
            None => complete = false,
        }
    }
    Plan {
        list,
        insertions,
        complete,
    }
}

/// What has no value, in the order of the run, and whether all of it has a place in the input.
fn collect(program: &Program, run: &Run) -> (Vec<Unset>, bool) {
    let mut vars = IndexMap::new();
    for (op, _) in program.edges.iter().flat_map(|e| &e.ops) {
        if let Op::Input(var, site) = op {
            vars.insert(*site, *var);
        }
    }
    let mut found: IndexMap<(usize, String), Unset> = IndexMap::new();
    let mut complete = true;
    for (site, value) in &run.inputs {
        let input = &program.inputs[site.index()];
        if matches!(input.kind, InputKind::Call(_)) {
            continue;
        }
        let (file, offset) = program.source.origin(input.span.start);
        let Some(var) = vars.get(site).filter(|_| file == 0) else {
            complete = false;
            continue;
        };
        let var = program.var(*var);
        let (path, fixed) = general(var);
        let number = found.len();
        let key = (offset, format!("{}{path}", root(var, &input.kind)));
        let entry = found.entry(key).or_insert_with(|| Unset {
            number,
            offset,
            kind: input.kind.clone(),
            root: root(var, &input.kind),
            path,
            ty: var.ty.element(),
            rounds: Vec::new(),
            whole: None,
        });
        complete &= entry.kind == input.kind && entry.ty == var.ty.element();
        entry.take(input.whole, fixed, value);
    }
    (found.into_values().collect(), complete)
}

/// The object; memory has no name, and one text for all that it is called for.
fn root(var: &Var, kind: &InputKind) -> String {
    match kind {
        InputKind::Memory(_) => String::new(),
        _ => var.root().to_owned(),
    }
}

/// The path without numbers in it, and the numbers.
fn general(var: &Var) -> (String, Vec<i128>) {
    let (mut path, mut fixed) = (String::new(), Vec::new());
    let mut rest = &var.path[..];
    while let Some((front, behind)) = rest.split_once('[') {
        let (index, tail) = behind.split_once(']').unwrap_or((behind, ""));
        path.push_str(front);
        path.push_str(Var::INDEX);
        fixed.extend(index.parse::<i128>());
        rest = tail;
    }
    path.push_str(rest);
    (path, fixed)
}

impl Unset {
    fn take(&mut self, whole: Option<InputId>, fixed: Vec<i128>, value: &InputValue) {
        let same = whole.is_some() && whole == self.whole;
        self.whole = whole;
        let known = self.rounds.last().map(|r| r.cells.contains_key(&fixed));
        if !same || known != Some(false) {
            self.rounds.push(Round::default());
        }
        let Some(round) = self.rounds.last_mut() else {
            return;
        };
        match value {
            InputValue::Int(n) if fixed.is_empty() => round.rest = *n,
            InputValue::Int(n) => {
                round.cells.insert(fixed, *n);
            }
            InputValue::Array(rest, cells) => {
                round.rest = *rest;
                round.cells.extend(cells.iter().cloned());
            }
        }
    }

    fn dims(&self) -> usize {
        self.path.matches(Var::INDEX).count()
    }

    fn function(&self) -> String {
        format!("__foretell_unset_{}", self.number)
    }

    fn next(&self) -> String {
        format!("__foretell_next_{}", self.number)
    }

    fn parameters(&self) -> String {
        let list: Vec<String> = (0..self.dims())
            .map(|k| format!("unsigned long i{k}"))
            .collect();
        if list.is_empty() {
            "void".to_owned()
        } else {
            list.join(", ")
        }
    }

    /// The declarations of its functions.
    pub(super) fn declaration(&self) -> String {
        let (ty, name, parameters) = (self.ty.name(), self.function(), self.parameters());
        let mut text = format!("extern {ty} {name}({parameters});\n");
        if self.dims() > 0 {
            let _ = writeln!(text, "extern void {}(void);", self.next());
        }
        text
    }

    /// The definitions of its functions: numbers in order, or cells in order by round and index.
    pub(super) fn definition(&self) -> String {
        let mut text = String::new();
        let rest: Vec<i128> = self.rounds.iter().map(|r| r.rest).collect();
        let (ty, dims) = (self.ty.name(), self.dims());
        if dims == 0 {
            let numbers: Vec<i128> = rest.iter().map(|n| self.ty.convert(*n)).collect();
            super::harness::table(&mut text, &self.function(), &ty, &numbers);
            return text;
        }
        let (mut places, mut values) = (String::new(), String::new());
        let mut n_cells = 0;
        for (round, cells) in (1..).zip(self.rounds.iter().map(|r| &r.cells)) {
            let inside = |at: &[i128]| at.len() == dims && at.iter().all(|&i| i >= 0);
            for (at, value) in cells.iter().filter(|(at, _)| inside(at)) {
                let at: Vec<String> = at.iter().map(|i| format!("{i}UL")).collect();
                let _ = write!(places, "{{{round}, {}}}, ", at.join(", "));
                let _ = write!(values, "{}, ", self.literal(*value));
                n_cells += 1;
            }
        }
        let rest: Vec<String> = rest.iter().map(|n| self.literal(*n)).collect();
        let here: Vec<String> = (0..dims).map(|k| format!("i{k}")).collect();
        let (n, width) = (self.number, dims + 1);
        let (parameters, here) = (self.parameters(), here.join(", "));
        let _ = writeln!(
            text,
            "static unsigned long round_{n}, at_{n};\nvoid {next}(void) {{ round_{n}++; }}\n\
             {ty} {name}({parameters}) {{\n  \
             static const unsigned long places[][{width}] = {{ {places}{{0}} }};\n  \
             static const {ty} values[] = {{ {values}0 }}, rest[] = {{ {rest} }};\n  \
             unsigned long here[] = {{ round_{n}, {here} }};\n  \
             while (at_{n} < {n_cells} && before(places[at_{n}], here, {width})) at_{n}++;\n  \
             if (at_{n} < {n_cells} && !before(here, places[at_{n}], {width})) return values[at_{n}];\n  \
             return round_{n} <= {n_rounds} ? rest[round_{n} - 1] : 0;\n}}",
            next = self.next(),
            name = self.function(),
            rest = rest.join(", "),
            n_rounds = self.rounds.len(),
        );
        text
    }

    fn literal(&self, n: i128) -> String {
        let n = super::harness::literal(self.ty.convert(n));
        format!("({}){n}", self.ty.name())
    }

    /// The statement that sets every number of the object; the outermost array may have its length
    /// from elsewhere.
    fn statement(&self, object: &str, outermost: Option<&str>) -> String {
        let mut text = String::new();
        if self.dims() > 0 {
            let _ = write!(text, "{}(); ", self.next());
        }
        // `zero` is the same place with all indices zero: only its size matters.
        let (mut place, mut zero) = (object.to_owned(), object.to_owned());
        let mut parts = self.path.split(Var::INDEX);
        let front = parts.next().unwrap_or("");
        place.push_str(front);
        zero.push_str(front);
        let mut indices = Vec::new();
        for (k, members) in parts.enumerate() {
            let i = format!("__foretell_i{k}");
            let length = match outermost.filter(|_| k == 0) {
                Some(length) => length.to_owned(),
                None => format!("sizeof({zero}) / sizeof({zero}[0])"),
            };
            let _ = write!(text, "for (unsigned long {i} = 0; {i} < {length}; {i}++) ");
            let _ = write!(place, "[{i}]{members}");
            let _ = write!(zero, "[0]{members}");
            indices.push(i);
        }
        let _ = write!(
            text,
            "{place} = {}({});",
            self.function(),
            indices.join(", ")
        );
        text
    }
}

/// Where the tokens leave the nesting they are in, or one of these signs stands at its level.
fn end(tokens: &[Token], signs: &[&str]) -> Option<usize> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        let text = &*token.text;
        if depth == 0 && signs.contains(&text) {
            return Some(at);
        }
        match text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

/// Behind a declarator, which ends in front of a comma or semicolon.
fn declared(tokens: &[Token], here: &[&Unset]) -> Option<Vec<Insertion>> {
    let at = end(tokens, &[",", ";"])?;
    let named = |t: &Token| *t.text == *here[0].root;
    if !tokens[..at].iter().any(named) {
        // What a macro declares has no place of its own.
        return None;
    }
    let words = match here {
        [only] if only.path.is_empty() => format!(" = {}()", only.function()),
        list => {
            let each: Vec<String> = list.iter().map(|u| u.statement(&u.root, None)).collect();
            let (number, all) = (here[0].number, each.join(" "));
            format!(", *__foretell_set_{number} = ({{ {all} (void *)0; }})")
        }
    };
    Some(vec![(tokens[at].offset, words)])
}

/// Around a call of `malloc` or a relative.
fn allocated(tokens: &[Token], element: &str, here: &[&Unset]) -> Option<Vec<Insertion>> {
    let [name, open, rest @ ..] = tokens else {
        return None;
    };
    let known = ["malloc", "alloca", "__builtin_alloca"];
    if !known.contains(&&*name.text) || &*open.text != "(" {
        return None;
    }
    let close = rest.get(end(rest, &[")"])?)?.offset;
    let object = format!("(({element} *)__foretell_memory)");
    let length = format!("__foretell_bytes / sizeof({element})");
    let each = here.iter().map(|u| u.statement(&object, Some(&length)));
    let all = each.collect::<Vec<String>>().join(" ");
    let before = "({ unsigned long __foretell_bytes; void *__foretell_memory = ";
    Some(vec![
        (name.offset, before.to_owned()),
        (open.offset + 1, "__foretell_bytes = (".to_owned()),
        (close, ")".to_owned()),
        (close + 1, format!("; {all} __foretell_memory; }})")),
    ])
}

/// At the start of the body of the first function.
fn parameters(tokens: &[Token], here: &[&Unset]) -> Option<Vec<Insertion>> {
    // Nobody calls another function than this one with arrays.
    let main = tokens.iter().take(2).any(|t| &*t.text == "main");
    if !main || here.iter().any(|u| u.dims() > 0) {
        return None;
    }
    let body = tokens.get(end(tokens, &["{"])?)?.offset + 1;
    let each: Vec<String> = here.iter().map(|u| u.statement(&u.root, None)).collect();
    Some(vec![(body, format!(" {}", each.join(" ")))])
}
