//! Counterexamples as S-expressions.

use foretell_terms::print::quote;
use foretell_terms::{Integer, Natural, number};

use crate::cex::raw::{Raw, RawCex, RawStep, RawTable, RawValues};
use crate::proof::certificate::{FORMAT, ProblemKind};
use crate::text::clauses::clip;
use crate::text::sexpr::{Document, Id};

/// Arrays of arrays deeper than this are not read.
const DEEPEST: usize = 100;

/// A counterexample as text.
pub fn write(cex: &RawCex) -> String {
    let kind = match cex.kind {
        ProblemKind::Chc => "chc",
        ProblemKind::Vmt => "vmt",
    };
    let mut out = format!("(counterexample (format {FORMAT}) (kind {kind})");
    if let Some(property) = &cex.property {
        out += &format!(" (property {property})");
    }
    if !cex.rigid.is_empty() {
        out += &format!("\n(rigid{})", assignments(&cex.rigid));
    }
    for (name, table) in &cex.functions {
        out += &format!("\n(function {}{})", quote(name), table_text(table));
    }
    for (i, step) in cex.steps.iter().enumerate() {
        out += &match cex.kind {
            ProblemKind::Chc => format!("\n(step {i}{})", step_text(step)),
            ProblemKind::Vmt => format!("\n(state {i}{})", state_text(step)),
        };
    }
    out + ")\n"
}

fn assignments(values: &RawValues) -> String {
    values
        .iter()
        .map(|(name, value)| format!(" ({} {})", quote(name), value_text(value)))
        .collect()
}

fn step_text(step: &RawStep) -> String {
    let clause = step.clause.unwrap_or_default();
    let line = step
        .line
        .map_or_else(String::new, |line| format!(" (line {line})"));
    let premises: String = step.premises.iter().map(|p| format!(" {p}")).collect();
    let derives = match &step.derives {
        None => "false".to_string(),
        Some((name, args)) if args.is_empty() => quote(name),
        Some((name, args)) => {
            let args: String = args.iter().map(|a| format!(" {}", value_text(a))).collect();
            format!("({}{args})", quote(name))
        }
    };
    let values = assignments(&step.values);
    format!(" (clause {clause}){line} (values{values}) (premises{premises}) (derives {derives})")
}

fn state_text(step: &RawStep) -> String {
    let inputs = if step.inputs.is_empty() {
        String::new()
    } else {
        format!(" (inputs{})", assignments(&step.inputs))
    };
    format!(" (values{}){inputs}", assignments(&step.values))
}

fn table_text(table: &RawTable) -> String {
    let mut out = String::new();
    for (index, cell) in &table.cells {
        let index: String = index.iter().map(|i| value_text(i) + " ").collect();
        out += &format!(" ({index}{})", value_text(cell));
    }
    if let Some(rest) = &table.rest {
        out += &format!(" (else {})", value_text(rest));
    }
    out
}

fn value_text(value: &Raw) -> String {
    match value {
        Raw::Bool(b) => b.to_string(),
        Raw::Number(n, d) => {
            let magnitude = number::magnitude(n);
            let text = if d.is_one() {
                magnitude.to_string()
            } else {
                format!("(/ {magnitude} {d})")
            };
            if *n < Integer::ZERO {
                format!("(- {text})")
            } else {
                text
            }
        }
        Raw::BitVec(bits, width) => format!("(_ bv{bits} {width})"),
        Raw::Element(n) => format!("(element {n})"),
        Raw::Table(table) => format!("(array{})", table_text(table)),
        Raw::Data(name, fields) => {
            let fields: String = fields
                .iter()
                .map(|f| format!(" {}", value_text(f)))
                .collect();
            format!("(data {}{fields})", quote(name))
        }
    }
}

/// Reads a counterexample.
pub fn read(text: &str) -> Result<RawCex, String> {
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
    let mut cex = RawCex::new(ProblemKind::Chc);
    let mut format = None;
    for &part in parts {
        let (word, kids) = reader.part(part)?;
        match (word, kids) {
            ("format", [value]) => format = doc.token_of(*value),
            ("kind", [value]) => {
                cex.kind = match doc.token_of(*value) {
                    Some("chc") => ProblemKind::Chc,
                    Some("vmt") => ProblemKind::Vmt,
                    _ => return Err(reader.fault(part)),
                }
            }
            ("property", [value]) => cex.property = doc.token_of(*value).map(str::to_string),
            ("rigid", values) => cex.rigid = reader.assignments(values)?,
            ("function", [name, cells @ ..]) => {
                cex.functions
                    .push((reader.name(*name)?, reader.table(cells, 0)?));
            }
            ("step" | "state", [number, rest @ ..]) => {
                if reader.number(*number)? != cex.steps.len() {
                    return Err(format!(
                        "line {}: steps are numbered from 0 in order",
                        doc.line(part)
                    ));
                }
                cex.steps.push(reader.step(rest)?);
            }
            _ => return Err(reader.fault(part)),
        }
    }
    if format == Some(FORMAT) {
        Ok(cex)
    } else {
        Err("this format is not known".into())
    }
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

    fn assignments(&self, ids: &[Id]) -> Result<RawValues, String> {
        let pair = |&id: &Id| match self.doc.list(id) {
            Some([name, value]) => Ok((self.name(*name)?, self.value(*value, 0)?)),
            _ => Err(self.fault(id)),
        };
        ids.iter().map(pair).collect()
    }

    fn step(&self, parts: &[Id]) -> Result<RawStep, String> {
        let mut step = RawStep::default();
        for &part in parts {
            let (word, kids) = self.part(part)?;
            let small = |id: Id| u32::try_from(self.number(id)?).map_err(|_| self.fault(id));
            match (word, kids) {
                ("clause", [number]) => step.clause = Some(small(*number)?),
                ("line", [number]) => step.line = Some(small(*number)?),
                ("values", values) => step.values = self.assignments(values)?,
                ("inputs", values) => step.inputs = self.assignments(values)?,
                ("premises", list) => {
                    step.premises = list
                        .iter()
                        .map(|&id| self.number(id))
                        .collect::<Result<_, _>>()?;
                }
                ("derives", [fact]) => step.derives = self.fact(*fact)?,
                _ => return Err(self.fault(part)),
            }
        }
        Ok(step)
    }

    fn fact(&self, id: Id) -> Result<Option<(String, Vec<Raw>)>, String> {
        match self.doc.list(id) {
            None if self.doc.token_of(id) == Some("false") => Ok(None),
            None => Ok(Some((self.name(id)?, Vec::new()))),
            Some([name, args @ ..]) => {
                let args: Result<Vec<Raw>, String> =
                    args.iter().map(|&a| self.value(a, 0)).collect();
                Ok(Some((self.name(*name)?, args?)))
            }
            Some([]) => Err(self.fault(id)),
        }
    }

    fn table(&self, cells: &[Id], depth: usize) -> Result<RawTable, String> {
        let mut table = RawTable::default();
        for &cell in cells {
            let kids = self.doc.list(cell).unwrap_or_default();
            match (self.doc.head(cell), kids) {
                (Some("else"), [_, rest]) => table.rest = Some(Box::new(self.value(*rest, depth)?)),
                (_, [index @ .., value]) if !index.is_empty() => {
                    let index: Result<Vec<Raw>, String> =
                        index.iter().map(|&i| self.value(i, depth)).collect();
                    table.cells.push((index?, self.value(*value, depth)?));
                }
                _ => return Err(self.fault(cell)),
            }
        }
        Ok(table)
    }

    fn value(&self, id: Id, depth: usize) -> Result<Raw, String> {
        if depth > DEEPEST {
            return Err("an array of arrays is too deep".into());
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
                Raw::Number(n, d) => Ok(Raw::Number(-n, d)),
                _ => Err(self.fault(id)),
            },
            ("/", [_, above, below]) => {
                match (
                    self.value(*above, depth + 1)?,
                    self.value(*below, depth + 1)?,
                ) {
                    (Raw::Number(n, a), Raw::Number(m, b))
                        if a.is_one() && b.is_one() && m > Integer::ZERO =>
                    {
                        Ok(Raw::Number(n, number::magnitude(&m)))
                    }
                    _ => Err(self.fault(id)),
                }
            }
            ("_", [_, bits, width]) => {
                let bits = self.doc.token_of(*bits).and_then(|t| t.strip_prefix("bv"));
                match (bits.and_then(natural), u32::try_from(self.number(*width)?)) {
                    (Some(bits), Ok(width)) => Ok(Raw::BitVec(bits, width)),
                    _ => Err(self.fault(id)),
                }
            }
            ("element", [_, number]) => Ok(Raw::Element(self.number(*number)? as u64)),
            ("data", [_, name, fields @ ..]) => {
                let fields = fields.iter().map(|&f| self.value(f, depth + 1));
                Ok(Raw::Data(
                    self.name(*name)?,
                    fields.collect::<Result<_, _>>()?,
                ))
            }
            ("array", [_, cells @ ..]) => Ok(Raw::Table(self.table(cells, depth + 1)?)),
            _ => Err(self.fault(id)),
        }
    }
}

/// A natural number in decimal digits.
pub(crate) fn natural(text: &str) -> Option<Natural> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// A literal: a truth value, a numeral, a decimal, a bit pattern.
pub(crate) fn literal(token: &str) -> Option<Raw> {
    let pattern = |digits: &str, radix: u32, bits: u32| {
        let width = u32::try_from(digits.len()).ok()?.checked_mul(bits)?;
        Natural::from_str_radix(digits, radix)
            .ok()
            .map(|n| Raw::BitVec(n, width))
    };
    match token {
        "true" => return Some(Raw::Bool(true)),
        "false" => return Some(Raw::Bool(false)),
        _ => {}
    }
    if let Some(digits) = token.strip_prefix("#x") {
        return pattern(digits, 16, 4);
    }
    if let Some(digits) = token.strip_prefix("#b") {
        return pattern(digits, 2, 1);
    }
    match token.split_once('.') {
        None => Some(Raw::Number(Integer::from(natural(token)?), Natural::ONE)),
        Some((whole, part)) => {
            natural(part)?;
            let digits = natural(&format!("{whole}{part}"))?;
            Some(Raw::Number(
                Integer::from(digits),
                Natural::from(10u8).pow(part.len()),
            ))
        }
    }
}
