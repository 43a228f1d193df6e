//! Variables that only ever hold one number become that number.
//!
//! ```text
//! int m = 1000, n = 1500;  int a[m][n];  while (i < m) …      int a[1000][1500];  while (i < 1000) …
//! ```
//!
//! Every operation that gives the variable a value gives it the same number, and none of its readers can
//! come before the first of them (it is not live at an entry). Lengths of arrays that such a variable
//! holds become constants as well. Repeated until nothing changes: the length of `a` is a copy of `m`.

use indexmap::{IndexMap, IndexSet};

use super::frame::{Frames, target};
use super::live::live;
use super::{Expr, Length, Op, Program, VarId, VarType};

/// Copies of copies are followed so far.
const ROUNDS: usize = 4;

/// The program with such variables replaced where they are read.
///
/// Contract: points, edges, checks, variables and inputs keep their numbers.
pub(crate) fn put_in(mut program: Program) -> Program {
    for _ in 0..ROUNDS {
        let known = constants(&program);
        if known.is_empty() || !replace_all(&mut program, &known) {
            break;
        }
    }
    program
}

/// The variables that only hold one number.
fn constants(program: &Program) -> IndexMap<VarId, i128> {
    let mut found: IndexMap<VarId, Option<i128>> = IndexMap::new();
    for function in &program.functions {
        let given = function.params.iter().chain(&function.result);
        found.extend(given.map(|var| (*var, None)));
    }
    for (op, _) in program.edges.iter().flat_map(|e| &e.ops) {
        let value = match op {
            Op::Assign(_, Expr::Int(n)) => Some(*n),
            _ => None,
        };
        if let Some(var) = target(op) {
            let entry = found.entry(var).or_insert(value);
            if *entry != value {
                *entry = None;
            }
        }
    }
    let mut known: IndexMap<VarId, i128> = found
        .into_iter()
        .filter(|(var, _)| matches!(program.var(*var).ty, VarType::Int(_)))
        .filter_map(|(var, value)| Some((var, value?)))
        .collect();
    if known.is_empty() {
        return known;
    }
    let live = live(program, &Frames::new(program));
    let entries = program.functions.iter().map(|f| f.entry.index());
    let early: IndexSet<VarId> = entries.flat_map(|e| live[e].iter().copied()).collect();
    known.retain(|var, _| !early.contains(var));
    known
}

/// Puts the numbers in; whether anything changed.
fn replace_all(program: &mut Program, known: &IndexMap<VarId, i128>) -> bool {
    let mut changed = false;
    for check in &mut program.checks {
        changed |= replace(&mut check.holds, known);
    }
    for (op, _) in program.edges.iter_mut().flat_map(|e| &mut e.ops) {
        match op {
            Op::Assume(e) | Op::Assign(_, e) => changed |= replace(e, known),
            Op::Store(_, indices, e) => {
                changed |= replace(e, known);
                indices
                    .iter_mut()
                    .for_each(|i| changed |= replace(i, known));
            }
            Op::Copy(to, from) => {
                if let Some(n) = known.get(from) {
                    *op = Op::Assign(*to, Expr::Int(*n));
                    changed = true;
                }
            }
            Op::Call { args, .. } => {
                args.iter_mut().for_each(|a| changed |= replace(a, known));
            }
            Op::Fill(..) | Op::Input(..) | Op::Check(_) => {}
        }
    }
    for length in program.vars.iter_mut().flat_map(|v| &mut v.lengths) {
        if let Length::Var(var) = length
            && let Some(n) = known.get(var)
        {
            *length = Length::Const(*n);
            changed = true;
        }
    }
    changed
}

/// Puts the numbers into an expression and computes what is known then; whether anything changed.
fn replace(e: &mut Expr, known: &IndexMap<VarId, i128>) -> bool {
    if let Expr::Var(var) = e {
        let Some(n) = known.get(var) else {
            return false;
        };
        *e = Expr::Int(*n);
        return true;
    }
    let mut changed = false;
    for child in e.children_mut() {
        changed |= replace(child, known);
    }
    if changed {
        let whole = std::mem::replace(e, Expr::ZERO);
        *e = computed(whole);
    }
    changed
}

/// The same expression, shorter where its parts are known.
fn computed(e: Expr) -> Expr {
    match e {
        Expr::Arith(op, ty, pair) => {
            let [a, b] = *pair;
            Expr::arith(op, ty, a, b)
        }
        Expr::Compare(op, pair) => {
            let [a, b] = *pair;
            Expr::compare(op, a, b)
        }
        Expr::Convert(ty, inner) => match *inner {
            Expr::Int(n) => Expr::Int(ty.convert(n)),
            inner => Expr::Convert(ty, Box::new(inner)),
        },
        Expr::Not(inner) => Expr::not(*inner),
        Expr::And(list) => list.into_iter().fold(Expr::Bool(true), Expr::and),
        Expr::Or(list) => list.into_iter().fold(Expr::Bool(false), Expr::or),
        Expr::FromBool(inner) => Expr::from_bool(*inner),
        Expr::Choose(three) => match *three {
            [Expr::Bool(true), a, _] => a,
            [Expr::Bool(false), _, b] => b,
            three => Expr::Choose(Box::new(three)),
        },
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use crate::program::{Expr, Length, Op, Program};
    use crate::text::NoFiles;
    use crate::{Settings, read};

    fn program(body: &str) -> Program {
        let text = format!(
            "extern int nondet_int(void);\nint g = 7;\nvoid f(void) {{ g = 8; }}\nint main() {{ {body} }}"
        );
        let program = read("x.c", text.as_bytes(), &NoFiles, &Settings::default()).expect("C");
        program.validate().expect("well-formed");
        program
    }

    /// The value that `y` gets, where that is a number.
    fn of_y(body: &str) -> Option<i128> {
        let program = program(body);
        let ops = program.edges.iter().flat_map(|e| &e.ops);
        let mut given = ops.filter_map(|(op, _)| match op {
            Op::Assign(var, Expr::Int(n)) if program.var(*var).name == "y" => Some(*n),
            _ => None,
        });
        given.next_back()
    }

    #[test]
    fn what_never_changes_is_a_number() {
        assert_eq!(of_y("int n = 5; int y = n * 2 + 1;"), Some(11));
        assert_eq!(of_y("int y = g;"), Some(7));
        assert_eq!(
            of_y("int n = 5; if (nondet_int()) n = 5; int y = n;"),
            Some(5)
        );
        let program = program("int m = 4; int n = m + 1; int a[n][m]; a[3][2] = 1;");
        let a = program
            .vars
            .iter()
            .find(|v| v.name == "a")
            .expect("an array");
        assert_eq!(a.lengths, [Length::Const(5), Length::Const(4)]);
    }

    #[test]
    fn what_may_hold_another_number_is_none() {
        assert_eq!(of_y("int n = 5; if (nondet_int()) n = 6; int y = n;"), None);
        assert_eq!(of_y("f(); int y = g;"), None);
        assert_eq!(of_y("int n = nondet_int(); int y = n;"), None);
        assert_eq!(of_y("int n; int *p = &n; n = 5; *p = 6; int y = n;"), None);
        // The declaration is not reached, so what is read is anything.
        assert_eq!(of_y("goto l; int n = 5; l: ; int y = n;"), None);
    }
}
