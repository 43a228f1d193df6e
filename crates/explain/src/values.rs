//! Values as people write them.

use foretell_systems::plain::{Plain, Table};

/// A value as people write it: `-3`, `1/3`, `#b0101`, `[0: 1, 7: 2, else 0]`, `cons(1, nil)`.
pub fn value(plain: &Plain) -> String {
    match plain {
        Plain::Bool(b) => b.to_string(),
        Plain::Number(q) => q.to_string(),
        Plain::BitVec { bits, width } if width % 4 == 0 => {
            format!(
                "#x{:0>1$}",
                bits.in_radix(16).to_string(),
                *width as usize / 4
            )
        }
        Plain::BitVec { bits, width } => {
            format!("#b{:0>1$}", bits.in_radix(2).to_string(), *width as usize)
        }
        Plain::Element { element } => format!("element {element}"),
        Plain::Table(table) => cells(table),
        Plain::Data {
            constructor,
            fields,
        } if fields.is_empty() => constructor.clone(),
        Plain::Data {
            constructor,
            fields,
        } => format!("{constructor}({})", listed(fields, ", ")),
    }
}

/// An array or a function: its cells, then the rest.
pub fn cells(table: &Table) -> String {
    let cell = |(at, v): &(Vec<Plain>, Plain)| format!("{}: {}", listed(at, ","), value(v));
    let mut parts: Vec<String> = table.cells.iter().map(cell).collect();
    if let Some(rest) = &table.rest {
        parts.push(format!("else {}", value(rest)));
    }
    format!("[{}]", parts.join(", "))
}

/// Values one after the other.
pub fn listed(values: &[Plain], between: &str) -> String {
    let texts: Vec<String> = values.iter().map(value).collect();
    texts.join(between)
}
