//! Counterexamples as JSON.
//!
//! Integers within ±2^53 are JSON numbers, all other numbers strings (`"12345678901234567890"`,
//! `"1/3"`), so that no reader rounds them.

use foretell_terms::{Integer, Natural};
use serde_json::{Map, Value as Json, json};

use crate::cex::raw::{Raw, RawCex, RawStep, RawTable, RawValues};
use crate::cex::sexp::natural;
use crate::proof::certificate::{FORMAT, ProblemKind};

/// A counterexample as text.
pub fn write(cex: &RawCex) -> String {
    let kind = match cex.kind {
        ProblemKind::Chc => "chc",
        ProblemKind::Vmt => "vmt",
    };
    let mut top = Map::new();
    top.insert("format".into(), json!(FORMAT));
    top.insert("kind".into(), json!(kind));
    if let Some(property) = &cex.property {
        top.insert("property".into(), json!(property));
    }
    if !cex.rigid.is_empty() {
        top.insert("rigid".into(), values_json(&cex.rigid));
    }
    if !cex.functions.is_empty() {
        let functions = cex
            .functions
            .iter()
            .map(|(name, table)| (name.clone(), table_json(table)));
        top.insert("functions".into(), Json::Object(functions.collect()));
    }
    let steps: Vec<Json> = cex
        .steps
        .iter()
        .map(|step| step_json(step, cex.kind))
        .collect();
    top.insert(steps_key(cex.kind).into(), Json::Array(steps));
    format!("{:#}\n", Json::Object(top))
}

fn steps_key(kind: ProblemKind) -> &'static str {
    match kind {
        ProblemKind::Chc => "steps",
        ProblemKind::Vmt => "states",
    }
}

fn values_json(values: &RawValues) -> Json {
    Json::Object(
        values
            .iter()
            .map(|(name, value)| (name.clone(), value_json(value)))
            .collect(),
    )
}

fn step_json(step: &RawStep, kind: ProblemKind) -> Json {
    let mut out = Map::new();
    if kind == ProblemKind::Chc {
        out.insert("clause".into(), json!(step.clause.unwrap_or_default()));
        if let Some(line) = step.line {
            out.insert("line".into(), json!(line));
        }
        out.insert("premises".into(), json!(step.premises));
        let derives = match &step.derives {
            None => json!(false),
            Some((name, args)) => {
                json!({"predicate": name, "arguments": args.iter().map(value_json).collect::<Vec<_>>()})
            }
        };
        out.insert("derives".into(), derives);
    }
    out.insert("values".into(), values_json(&step.values));
    if !step.inputs.is_empty() {
        out.insert("inputs".into(), values_json(&step.inputs));
    }
    Json::Object(out)
}

fn table_json(table: &RawTable) -> Json {
    let cells: Vec<Json> = table
        .cells
        .iter()
        .map(|(index, cell)| {
            json!([
                index.iter().map(value_json).collect::<Vec<_>>(),
                value_json(cell)
            ])
        })
        .collect();
    match &table.rest {
        Some(rest) => json!({"cells": cells, "else": value_json(rest)}),
        None => json!({"cells": cells}),
    }
}

fn value_json(value: &Raw) -> Json {
    match value {
        Raw::Bool(b) => json!(b),
        Raw::Number(n, d) if d.is_one() => match i64::try_from(n) {
            Ok(small) if small.unsigned_abs() <= 1 << 53 => json!(small),
            _ => json!(n.to_string()),
        },
        Raw::Number(n, d) => json!(format!("{n}/{d}")),
        Raw::BitVec(bits, width) => json!({"bits": bits.to_string(), "width": width}),
        Raw::Element(n) => json!({"element": n}),
        Raw::Table(table) => table_json(table),
        Raw::Data(name, fields) => {
            let fields: Vec<Json> = fields.iter().map(value_json).collect();
            json!({"constructor": name, "fields": fields})
        }
    }
}

/// Reads a counterexample.
pub fn read(text: &str) -> Result<RawCex, String> {
    let json: Json = serde_json::from_str(text).map_err(|e| e.to_string())?;
    let Json::Object(top) = json else {
        return Err("a counterexample is an object".into());
    };
    if top.get("format").and_then(Json::as_str) != Some(FORMAT) {
        return Err("this format is not known".into());
    }
    let kind = match top.get("kind").and_then(Json::as_str) {
        Some("chc") => ProblemKind::Chc,
        Some("vmt") => ProblemKind::Vmt,
        _ => return Err("the kind is `chc` or `vmt`".into()),
    };
    let mut cex = RawCex::new(kind);
    for (key, item) in &top {
        match key.as_str() {
            "format" | "kind" => {}
            "property" => cex.property = item.as_str().map(str::to_string),
            "rigid" => cex.rigid = values(item)?,
            "functions" => {
                for (name, table_item) in object(item)? {
                    cex.functions.push((name.clone(), table(table_item)?));
                }
            }
            _ if key == steps_key(kind) => {
                cex.steps = array(item)?.iter().map(step).collect::<Result<_, _>>()?;
            }
            _ => {
                return Err(format!(
                    "the key `{}` is not known",
                    crate::text::clauses::clip(key)
                ));
            }
        }
    }
    Ok(cex)
}

fn object(json: &Json) -> Result<&Map<String, Json>, String> {
    json.as_object()
        .ok_or_else(|| "expected an object".to_string())
}

fn array(json: &Json) -> Result<&Vec<Json>, String> {
    json.as_array()
        .ok_or_else(|| "expected an array".to_string())
}

fn values(json: &Json) -> Result<RawValues, String> {
    object(json)?
        .iter()
        .map(|(name, item)| Ok((name.clone(), value(item)?)))
        .collect()
}

fn step(json: &Json) -> Result<RawStep, String> {
    let small = |item: &Json| item.as_u64().and_then(|n| u32::try_from(n).ok());
    let mut step = RawStep::default();
    for (key, item) in object(json)? {
        match key.as_str() {
            "clause" => step.clause = small(item),
            "line" => step.line = small(item),
            "values" => step.values = values(item)?,
            "inputs" => step.inputs = values(item)?,
            "premises" => {
                let index = |i: &Json| i.as_u64().and_then(|n| usize::try_from(n).ok());
                let list: Option<Vec<usize>> = array(item)?.iter().map(index).collect();
                step.premises = list.ok_or("a premise is the number of a step")?;
            }
            "derives" => {
                if item.as_bool() != Some(false) {
                    let name = item
                        .get("predicate")
                        .and_then(Json::as_str)
                        .unwrap_or_default();
                    let none = Json::Array(Vec::new());
                    let args = array(item.get("arguments").unwrap_or(&none))?;
                    let args: Result<Vec<Raw>, String> = args.iter().map(value).collect();
                    step.derives = Some((name.to_string(), args?));
                }
            }
            _ => {
                return Err(format!(
                    "the key `{}` is not known",
                    crate::text::clauses::clip(key)
                ));
            }
        }
    }
    Ok(step)
}

fn table(json: &Json) -> Result<RawTable, String> {
    let rest = json.get("else").map(value).transpose()?.map(Box::new);
    let none = Json::Array(Vec::new());
    let mut cells = Vec::new();
    for cell in array(json.get("cells").unwrap_or(&none))? {
        let [index, content] = array(cell)?.as_slice() else {
            return Err("a cell has indices and a value".into());
        };
        let index: Result<Vec<Raw>, String> = array(index)?.iter().map(value).collect();
        cells.push((index?, value(content)?));
    }
    Ok(RawTable { cells, rest })
}

/// Nesting is limited by the JSON reader.
fn value(json: &Json) -> Result<Raw, String> {
    let fault = || {
        format!(
            "`{}` is no value",
            crate::text::clauses::clip(&json.to_string())
        )
    };
    match json {
        Json::Bool(b) => Ok(Raw::Bool(*b)),
        Json::Number(n) => n
            .as_i64()
            .map(|n| Raw::Number(n.into(), Natural::ONE))
            .ok_or_else(fault),
        Json::String(text) => number(text).ok_or_else(fault),
        Json::Object(map) if map.contains_key("cells") => Ok(Raw::Table(table(json)?)),
        Json::Object(map) if map.contains_key("constructor") => {
            let name = map.get("constructor").and_then(Json::as_str);
            let none = Json::Array(Vec::new());
            let fields = array(map.get("fields").unwrap_or(&none))?.iter().map(value);
            let fields: Result<Vec<Raw>, String> = fields.collect();
            Ok(Raw::Data(name.ok_or_else(fault)?.to_string(), fields?))
        }
        Json::Object(map) => {
            let bits = map.get("bits").and_then(Json::as_str).and_then(natural);
            let width = map
                .get("width")
                .and_then(Json::as_u64)
                .and_then(|w| u32::try_from(w).ok());
            match (map.get("element").and_then(Json::as_u64), bits, width) {
                (Some(n), None, None) => Ok(Raw::Element(n)),
                (None, Some(bits), Some(width)) => Ok(Raw::BitVec(bits, width)),
                _ => Err(fault()),
            }
        }
        _ => Err(fault()),
    }
}

/// `-12` or `1/3`.
fn number(text: &str) -> Option<Raw> {
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    let (sign, digits) = match above.strip_prefix('-') {
        Some(digits) => (Integer::NEG_ONE, digits),
        None => (Integer::ONE, above),
    };
    let below = natural(below).filter(|d| !d.is_zero())?;
    Some(Raw::Number(sign * Integer::from(natural(digits)?), below))
}
