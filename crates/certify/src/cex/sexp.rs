//! Counterexamples as S-expressions.

use std::fmt::{Display, Write};

use foretell_systems::plain::{
    FORMAT, FormatName, Plain, PlainFact, PlainState, PlainStep, Table, Tables, Values, natural,
};
use foretell_systems::{ChcSystem, Counterexample, Derivation, Property};
use foretell_terms::print::{bit_vector, quote};
use foretell_terms::{Integer, Natural, Rational, TermStore, number};

use super::convert::{PlainSteps, functions_of};
use super::replay::Fact;
use crate::text::clauses::clip;
use crate::text::sexpr::{Document, Id};

/// Values nested deeper than this are not read.
const DEEPEST: usize = 1000;

/// A derivation as text; `facts` are what its steps derive.
pub(crate) fn write_derivation(
    terms: &TermStore,
    system: &ChcSystem,
    derivation: &Derivation,
    facts: &[Fact],
) -> String {
    let mut text = Text::derivation(&functions_of(terms, system, derivation));
    let steps = PlainSteps::new(terms, system, derivation, facts);
    steps.enumerate().for_each(|(i, step)| text.step(i, &step));
    text.end()
}

/// A counterexample as text.
pub fn write(cex: &Counterexample) -> String {
    match cex {
        Counterexample::Derivation {
            functions, steps, ..
        } => {
            let mut text = Text::derivation(functions);
            let steps = steps.iter().enumerate();
            steps.for_each(|(i, step)| text.step(i, step));
            text.end()
        }
        Counterexample::Run {
            property,
            rigid,
            functions,
            states,
            ..
        } => {
            let mut text = Text::new("vmt");
            if let Some(property) = property {
                text.add(format_args!(" (property {property})"));
            }
            if !rigid.is_empty() {
                text.add("\n(rigid");
                text.assignments(rigid);
                text.add(')');
            }
            text.functions(functions);
            let states = states.iter().enumerate();
            states.for_each(|(i, state)| text.state(i, state));
            text.end()
        }
    }
}

/// A counterexample while it is written.
struct Text {
    out: String,
}

impl Text {
    fn new(kind: &str) -> Text {
        Text {
            out: format!("(counterexample (format {FORMAT}) (kind {kind})"),
        }
    }

    fn derivation(functions: &Tables) -> Text {
        let mut text = Text::new("chc");
        text.functions(functions);
        text
    }

    fn end(mut self) -> String {
        self.add(")\n");
        self.out
    }

    fn add(&mut self, what: impl Display) {
        write!(self.out, "{what}").expect("invariant: writing to a string does not fail");
    }

    fn functions(&mut self, functions: &Tables) {
        for (name, table) in functions {
            self.add(format_args!("\n(function {}", quote(name)));
            self.table(table);
            self.add(')');
        }
    }

    fn assignments(&mut self, values: &Values) {
        for (name, value) in values {
            self.add(format_args!(" ({} ", quote(name)));
            self.value(value);
            self.add(')');
        }
    }

    fn step(&mut self, i: usize, step: &PlainStep) {
        self.add(format_args!("\n(step {i} (clause {})", step.clause));
        if let Some(line) = step.line {
            self.add(format_args!(" (line {line})"));
        }
        self.add(" (values");
        self.assignments(&step.values);
        self.add(") (premises");
        for premise in &step.premises {
            self.add(format_args!(" {premise}"));
        }
        self.add(") (derives ");
        match &step.derives {
            None => self.add("false"),
            Some(fact) if fact.arguments.is_empty() => self.add(quote(&fact.predicate)),
            Some(fact) => {
                self.add(format_args!("({}", quote(&fact.predicate)));
                self.spaced(&fact.arguments);
                self.add(')');
            }
        }
        self.add("))");
    }

    fn state(&mut self, i: usize, state: &PlainState) {
        self.add(format_args!("\n(state {i} (values"));
        self.assignments(&state.values);
        self.add(')');
        if !state.inputs.is_empty() {
            self.add(" (inputs");
            self.assignments(&state.inputs);
            self.add(')');
        }
        self.add(')');
    }

    fn table(&mut self, table: &Table) {
        for (index, cell) in &table.cells {
            self.add(" (");
            for i in index {
                self.value(i);
                self.add(' ');
            }
            self.value(cell);
            self.add(')');
        }
        if let Some(rest) = &table.rest {
            self.add(" (else ");
            self.value(rest);
            self.add(')');
        }
    }

    fn spaced(&mut self, values: &[Plain]) {
        for value in values {
            self.add(' ');
            self.value(value);
        }
    }

    fn value(&mut self, value: &Plain) {
        match value {
            Plain::Bool(b) => self.add(b),
            Plain::Number(q) => self.number(q),
            Plain::BitVec { bits, width } => self.add(bit_vector(*width, bits)),
            Plain::Element { element } => self.add(format_args!("(element {element})")),
            Plain::Table(table) => {
                self.add("(array");
                self.table(table);
                self.add(')');
            }
            Plain::Data {
                constructor,
                fields,
            } => {
                self.add(format_args!("(data {}", quote(constructor)));
                self.spaced(fields);
                self.add(')');
            }
        }
    }

    fn number(&mut self, q: &Rational) {
        let (above, below) = (number::magnitude(q.numerator()), q.denominator());
        let (open, close) = match number::is_negative(q) {
            true => ("(- ", ")"),
            false => ("", ""),
        };
        match below.is_one() {
            true => self.add(format_args!("{open}{above}{close}")),
            false => self.add(format_args!("{open}(/ {above} {below}){close}")),
        }
    }
}

/// What the parts of a counterexample say, in whatever order they come.
#[derive(Default)]
struct Parts<'t> {
    format: Option<&'t str>,
    kind: Option<&'t str>,
    property: Option<Property>,
    rigid: Values,
    functions: Tables,
    steps: Vec<PlainStep>,
    states: Vec<PlainState>,
}

impl Parts<'_> {
    fn together(self) -> Result<Counterexample, String> {
        if self.format != Some(FORMAT) {
            return Err("this format is not known".into());
        }
        match self.kind {
            Some("chc") if self.states.is_empty() && self.rigid.is_empty() => {
                Ok(Counterexample::Derivation {
                    format: FormatName,
                    functions: self.functions,
                    steps: self.steps,
                })
            }
            Some("vmt") if self.steps.is_empty() => Ok(Counterexample::Run {
                format: FormatName,
                property: self.property,
                rigid: self.rigid,
                functions: self.functions,
                states: self.states,
            }),
            Some("chc" | "vmt") => Err("a derivation has steps, a run has states".into()),
            _ => Err("the kind is `chc` or `vmt`".into()),
        }
    }
}

/// Reads a counterexample.
pub fn read(text: &str) -> Result<Counterexample, String> {
    let doc = Document::read(text).map_err(|e| e.to_string())?;
    let &[root] = doc.roots() else {
        return Err("there is more than one counterexample".into());
    };
    let Some((&word, parts)) = doc.list(root).and_then(<[Id]>::split_first) else {
        return Err("a counterexample is a list".into());
    };
    if doc.token_of(word) != Some("counterexample") {
        return Err("a counterexample starts with that word".into());
    }
    let reader = Reader { doc: &doc };
    let mut found = Parts::default();
    for &part in parts {
        reader.top(part, &mut found)?;
    }
    found.together()
}

struct Reader<'d, 't> {
    doc: &'d Document<'t>,
}

impl<'d, 't> Reader<'d, 't> {
    fn fault(&self, id: Id) -> String {
        format!(
            "line {}: `{}` is not understood",
            self.doc.line(id),
            clip(&self.doc.show(id))
        )
    }

    /// A part of the whole.
    fn top(&self, part: Id, found: &mut Parts<'t>) -> Result<(), String> {
        let (word, kids) = self.part(part)?;
        match (word, kids) {
            ("format", [value]) => found.format = self.doc.token_of(*value),
            ("kind", [value]) => found.kind = self.doc.token_of(*value),
            ("property", [value]) => {
                let token = self.doc.token_of(*value).ok_or_else(|| self.fault(part))?;
                found.property = Some(token.parse()?);
            }
            ("rigid", values) => found.rigid = self.assignments(values)?,
            ("function", [name, cells @ ..]) => {
                let table = self.table(cells, 0)?;
                found.functions.insert(self.name(*name)?, table);
            }
            ("step", [number, rest @ ..]) => {
                self.in_order(*number, found.steps.len())?;
                found.steps.push(self.step(part, rest)?);
            }
            ("state", [number, rest @ ..]) => {
                self.in_order(*number, found.states.len())?;
                found.states.push(self.state(rest)?);
            }
            _ => return Err(self.fault(part)),
        }
        Ok(())
    }

    fn in_order(&self, number: Id, wanted: usize) -> Result<(), String> {
        if self.number(number)? == wanted {
            return Ok(());
        }
        let line = self.doc.line(number);
        Err(format!("line {line}: steps are numbered from 0 in order"))
    }

    fn part(&self, id: Id) -> Result<(&'t str, &'d [Id]), String> {
        match (self.doc.head(id), self.doc.list(id)) {
            (Some(word), Some([_, rest @ ..])) => Ok((word, rest)),
            _ => Err(self.fault(id)),
        }
    }

    fn name(&self, id: Id) -> Result<String, String> {
        self.doc
            .symbol(id)
            .map(str::to_string)
            .ok_or_else(|| self.fault(id))
    }

    fn number(&self, id: Id) -> Result<usize, String> {
        self.doc
            .token_of(id)
            .and_then(|t| t.parse().ok())
            .ok_or_else(|| self.fault(id))
    }

    fn assignments(&self, ids: &[Id]) -> Result<Values, String> {
        let pair = |&id: &Id| match self.doc.list(id) {
            Some([name, value]) => Ok((self.name(*name)?, self.value(*value, 0)?)),
            _ => Err(self.fault(id)),
        };
        ids.iter().map(pair).collect()
    }

    fn step(&self, whole: Id, parts: &[Id]) -> Result<PlainStep, String> {
        let mut clause = None;
        let mut step = PlainStep::default();
        for &part in parts {
            let (word, kids) = self.part(part)?;
            let small = |id: Id| u32::try_from(self.number(id)?).map_err(|_| self.fault(id));
            match (word, kids) {
                ("clause", [number]) => clause = Some(small(*number)?),
                ("line", [number]) => step.line = Some(small(*number)?),
                ("values", values) => step.values = self.assignments(values)?,
                ("premises", list) => {
                    let numbers = list.iter().map(|&id| self.number(id));
                    step.premises = numbers.collect::<Result<_, _>>()?;
                }
                ("derives", [fact]) => step.derives = self.fact(*fact)?,
                _ => return Err(self.fault(part)),
            }
        }
        step.clause = clause
            .ok_or_else(|| format!("line {}: a step names its clause", self.doc.line(whole)))?;
        Ok(step)
    }

    fn state(&self, parts: &[Id]) -> Result<PlainState, String> {
        let mut state = PlainState::default();
        for &part in parts {
            match self.part(part)? {
                ("values", values) => state.values = self.assignments(values)?,
                ("inputs", values) => state.inputs = self.assignments(values)?,
                _ => return Err(self.fault(part)),
            }
        }
        Ok(state)
    }

    fn fact(&self, id: Id) -> Result<Option<PlainFact>, String> {
        let (name, arguments) = match self.doc.list(id) {
            None if self.doc.token_of(id) == Some("false") => return Ok(None),
            None => (id, &[][..]),
            Some([name, arguments @ ..]) => (*name, arguments),
            Some([]) => return Err(self.fault(id)),
        };
        let arguments = arguments.iter().map(|&a| self.value(a, 0));
        Ok(Some(PlainFact {
            predicate: self.name(name)?,
            arguments: arguments.collect::<Result<_, _>>()?,
        }))
    }

    fn table(&self, cells: &[Id], depth: usize) -> Result<Table, String> {
        let mut table = Table::default();
        for &cell in cells {
            let kids = self.doc.list(cell).unwrap_or_default();
            match (self.doc.head(cell), kids) {
                (Some("else"), [_, rest]) => table.rest = Some(Box::new(self.value(*rest, depth)?)),
                (_, [index @ .., value]) if !index.is_empty() => {
                    let index: Result<Vec<Plain>, String> =
                        index.iter().map(|&i| self.value(i, depth)).collect();
                    table.cells.push((index?, self.value(*value, depth)?));
                }
                _ => return Err(self.fault(cell)),
            }
        }
        Ok(table)
    }

    fn value(&self, id: Id, depth: usize) -> Result<Plain, String> {
        if depth > DEEPEST {
            return Err("a value is nested too deeply".into());
        }
        let Some(kids) = self.doc.list(id) else {
            return self
                .doc
                .token_of(id)
                .and_then(literal)
                .ok_or_else(|| self.fault(id));
        };
        match (self.doc.head(id).unwrap_or_default(), kids) {
            ("-", [_, inner]) => match self.value(*inner, depth + 1)? {
                Plain::Number(q) => Ok(Plain::Number(-q)),
                _ => Err(self.fault(id)),
            },
            ("/", [_, above, below]) => {
                match (
                    self.value(*above, depth + 1)?,
                    self.value(*below, depth + 1)?,
                ) {
                    (Plain::Number(a), Plain::Number(b))
                        if number::is_integer(&a)
                            && number::is_integer(&b)
                            && b > Rational::ZERO =>
                    {
                        Ok(Plain::Number(a / b))
                    }
                    _ => Err(self.fault(id)),
                }
            }
            ("_", [_, bits, width]) => {
                let bits = self.doc.token_of(*bits).and_then(|t| t.strip_prefix("bv"));
                match (bits.and_then(natural), u32::try_from(self.number(*width)?)) {
                    (Some(bits), Ok(width)) => Ok(Plain::BitVec { bits, width }),
                    _ => Err(self.fault(id)),
                }
            }
            ("element", [_, number]) => Ok(Plain::Element {
                element: self.number(*number)? as u64,
            }),
            ("data", [_, name, fields @ ..]) => {
                let fields = fields.iter().map(|&f| self.value(f, depth + 1));
                Ok(Plain::Data {
                    constructor: self.name(*name)?,
                    fields: fields.collect::<Result<_, _>>()?,
                })
            }
            ("array", [_, cells @ ..]) => Ok(Plain::Table(self.table(cells, depth + 1)?)),
            _ => Err(self.fault(id)),
        }
    }
}

/// A literal: a truth value, a numeral, a decimal, a bit pattern.
pub(crate) fn literal(token: &str) -> Option<Plain> {
    let pattern = |digits: &str, radix: u32, bits: u32| {
        let width = u32::try_from(digits.len()).ok()?.checked_mul(bits)?;
        Natural::from_str_radix(digits, radix)
            .ok()
            .map(|bits| Plain::BitVec { bits, width })
    };
    match token {
        "true" => return Some(Plain::Bool(true)),
        "false" => return Some(Plain::Bool(false)),
        _ => {}
    }
    if let Some(digits) = token.strip_prefix("#x") {
        return pattern(digits, 16, 4);
    }
    if let Some(digits) = token.strip_prefix("#b") {
        return pattern(digits, 2, 1);
    }
    match token.split_once('.') {
        None => Some(Plain::Number(Rational::from(natural(token)?))),
        Some((whole, part)) => {
            natural(part)?;
            let digits = natural(&format!("{whole}{part}"))?;
            let below = Natural::from(10u8).pow(part.len());
            Some(Plain::Number(Rational::from_parts(
                Integer::from(digits),
                below,
            )))
        }
    }
}
