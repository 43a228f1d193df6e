//! Arrays that are only used at fixed places become one variable per place.
//!
//! ```text
//! int sum[1];  sum[0] = 0;  … sum[0] = sum[0] + a[i];      sum[0] is a variable like any other
//! ```
//!
//! An array is split when every access has constant indices inside its constant lengths, it is never
//! copied as a whole, and few places are used. Other places of it cannot be seen, so nothing is lost.
//! The variables are called as C writes the place, `sum[0]` or `a[0].x`, so every output stays C.

use indexmap::{IndexMap, IndexSet};

use super::{Expr, Length, Op, Program, Var, VarId, VarType};

/// More places than this stay an array.
const MOST_PLACES: usize = 8;

/// The constant places at which each array is used; nothing for one that is used otherwise.
type Places = IndexMap<VarId, Option<IndexSet<Vec<i128>>>>;

/// The program with such arrays taken apart.
///
/// Contract: points, checks and variables keep their numbers; variables and inputs are added.
pub(crate) fn split_arrays(mut program: Program) -> Program {
    let map = new_variables(&mut program);
    if map.is_empty() {
        return program;
    }
    for check in &mut program.checks {
        replace(&mut check.holds, &map);
    }
    let mut edges = std::mem::take(&mut program.edges);
    for edge in &mut edges {
        for (op, span) in std::mem::take(&mut edge.ops) {
            let ops = split_op(op, &map, &mut program);
            edge.ops.extend(ops.into_iter().map(|op| (op, span)));
        }
    }
    program.edges = edges;
    program
}

/// One variable for each place of the arrays that are taken apart.
fn new_variables(program: &mut Program) -> IndexMap<VarId, IndexMap<Vec<i128>, VarId>> {
    let mut map = IndexMap::new();
    for (id, places) in places(program) {
        let array = program.var(id).clone();
        let fits = |places: &IndexSet<Vec<i128>>| {
            places.len() <= MOST_PLACES && places.iter().all(|p| inside(&array, p))
        };
        let Some(places) = places.filter(fits) else {
            continue;
        };
        let mut cells = IndexMap::new();
        for place in places {
            let at: Vec<String> = place.iter().map(ToString::to_string).collect();
            cells.insert(place, VarId::new(program.vars.len()));
            let name = array.place(&at);
            program.vars.push(Var {
                path: name[array.root().len()..].to_owned(),
                name,
                ty: VarType::Int(array.ty.element()),
                lengths: Vec::new(),
                ..array.clone()
            });
        }
        map.insert(id, cells);
    }
    map
}

fn inside(array: &Var, place: &[i128]) -> bool {
    let within = |(length, at): (&Length, &i128)| match length {
        Length::Const(n) => (0..*n).contains(at),
        Length::Var(_) | Length::Unknown => false,
    };
    array.lengths.len() == place.len() && array.lengths.iter().zip(place).all(within)
}

fn places(program: &Program) -> Places {
    let mut found = Places::new();
    for check in &program.checks {
        read_in(&check.holds, &mut found);
    }
    for (op, _) in program.edges.iter().flat_map(|e| &e.ops) {
        match op {
            Op::Assume(e) | Op::Assign(_, e) => read_in(e, &mut found),
            Op::Store(var, indices, e) => {
                note(*var, indices, &mut found);
                indices.iter().for_each(|i| read_in(i, &mut found));
                read_in(e, &mut found);
            }
            Op::Copy(to, from) => {
                found.insert(*to, None);
                found.insert(*from, None);
            }
            Op::Call { args, .. } => args.iter().for_each(|a| read_in(a, &mut found)),
            Op::Fill(..) | Op::Input(..) | Op::Check(_) => {}
        }
    }
    found
}

fn read_in(e: &Expr, found: &mut Places) {
    if let Expr::Cell(var, indices) = e {
        note(*var, indices, found);
    }
    e.children().iter().for_each(|child| read_in(child, found));
}

fn note(var: VarId, indices: &[Expr], found: &mut Places) {
    let entry = found.entry(var).or_insert_with(|| Some(IndexSet::new()));
    match (entry.as_mut(), place(indices)) {
        (Some(places), Some(place)) => {
            places.insert(place);
        }
        _ => *entry = None,
    }
}

fn place(indices: &[Expr]) -> Option<Vec<i128>> {
    let number = |e: &Expr| match e {
        Expr::Int(n) => Some(*n),
        _ => None,
    };
    indices.iter().map(number).collect()
}

/// The variable of a place, if its array is taken apart.
fn cell(
    map: &IndexMap<VarId, IndexMap<Vec<i128>, VarId>>,
    var: VarId,
    indices: &[Expr],
) -> Option<VarId> {
    map.get(&var)?.get(&place(indices)?).copied()
}

fn replace(e: &mut Expr, map: &IndexMap<VarId, IndexMap<Vec<i128>, VarId>>) {
    if let Expr::Cell(var, indices) = e
        && let Some(cell) = cell(map, *var, indices)
    {
        *e = Expr::Var(cell);
        return;
    }
    e.children_mut()
        .iter_mut()
        .for_each(|child| replace(child, map));
}

fn split_op(
    mut op: Op,
    map: &IndexMap<VarId, IndexMap<Vec<i128>, VarId>>,
    program: &mut Program,
) -> Vec<Op> {
    match &mut op {
        Op::Assume(e) | Op::Assign(_, e) => replace(e, map),
        Op::Store(var, indices, e) => {
            replace(e, map);
            indices.iter_mut().for_each(|i| replace(i, map));
            if let Some(cell) = cell(map, *var, indices) {
                return vec![Op::Assign(cell, e.clone())];
            }
        }
        Op::Fill(var, n) => {
            if let Some(cells) = map.get(var) {
                return cells
                    .values()
                    .map(|c| Op::Assign(*c, Expr::Int(*n)))
                    .collect();
            }
        }
        Op::Input(var, site) => {
            if let Some(cells) = map.get(var) {
                let mut ops = Vec::new();
                for cell in cells.values() {
                    let own = super::InputId::new(program.inputs.len());
                    program.inputs.push(super::InputSite {
                        whole: Some(*site),
                        ..program.inputs[site.index()].clone()
                    });
                    ops.push(Op::Input(*cell, own));
                }
                return ops;
            }
        }
        Op::Call { args, .. } => args.iter_mut().for_each(|a| replace(a, map)),
        Op::Copy(..) | Op::Check(_) => {}
    }
    vec![op]
}

#[cfg(test)]
mod tests {
    use crate::program::{Group, Program, VarType};
    use crate::run::{Effort, probe};
    use crate::text::NoFiles;
    use crate::{Settings, read};

    fn program(body: &str) -> Program {
        let text = format!(
            "extern int nondet_int(void);\nvoid reach_error() {{}}\nint g[2];\nint main() {{ {body} }}"
        );
        let program = read("x.c", text.as_bytes(), &NoFiles, &Settings::default()).expect("C");
        program.validate().expect("well-formed");
        program
    }

    /// Whether the array `s` is still used as one.
    fn arrays(body: &str) -> Vec<String> {
        let program = program(body);
        let mut used = Vec::new();
        for (op, _) in program.edges.iter().flat_map(|e| &e.ops) {
            if let super::Op::Store(var, ..) | super::Op::Fill(var, _) | super::Op::Input(var, _) =
                op
                && matches!(program.var(*var).ty, VarType::Array(..))
            {
                used.push(program.var(*var).name.clone());
            }
        }
        used.retain(|name| name == "s");
        used.dedup();
        used
    }

    #[test]
    fn fixed_places_become_variables() {
        assert!(arrays("int s[1]; s[0] = 1; g[1] = s[0]; s[0] = g[1] + g[0];").is_empty());
        assert_eq!(
            arrays("int i = nondet_int(); int s[2]; s[0] = 1; s[i] = 2;"),
            ["s"]
        );
        assert_eq!(arrays("int s[2]; s[0] = 1; s[2] = 2;"), ["s"]);
    }

    #[test]
    fn the_meaning_stays() {
        let effort = Effort {
            runs: 40,
            operations: 100_000,
            long: 0,
            until: None,
        };
        let fails = |body| probe(&program(body), Group::Assert, effort).is_some();
        // Globals are zero, locals anything; each place is its own.
        assert!(!fails("if (g[0] + g[1] != 0) reach_error();"));
        assert!(fails("int s[2]; if (s[0] != s[1]) reach_error();"));
        assert!(!fails(
            "int s[2] = {3}; s[1]++; if (s[0] != 3 || s[1] != 1) reach_error();"
        ));
    }
}
