//! The source with the invariants of its loops inside, as ACSL; nothing else is changed.
//!
//! One comment in front of each loop of the entry function and of recursive functions: the
//! conjuncts that mention only what is visible there, and what the loop assigns. Loops inside
//! inlined functions have no place of their own in the source and are left out, with a note. A comment
//! that the loop has already gets what it does not say yet.

use foretell_terms::{Term, TermStore};

use super::formula::{Dialect, Printer};
use crate::program::frame::Frames;
use crate::program::loops::changed_in;
use crate::program::{
    Invariants, Length, Origin, Point, PointId, PointKind, Program, VarId, VarType,
};
use crate::text::lexer::{Annotation, Lexed, lex};

/// What stands in front of one loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopNote {
    /// The offset of the loop in the input.
    pub offset: usize,
    /// Its line.
    pub line: u32,
    /// The invariants, in words.
    pub invariants: Vec<String>,
    /// What it assigns, in words; none where that cannot be said.
    pub assigns: Option<Vec<String>>,
}

/// The invariants of the loops of a program.
pub fn loop_notes(
    program: &Program,
    found: &Invariants,
    terms: &TermStore,
    dialect: Dialect,
) -> Vec<LoopNote> {
    let frames = Frames::new(program);
    let mut notes: Vec<LoopNote> = Vec::new();
    for (id, formula) in &found.at {
        let point = program.point(*id);
        let wanted = match dialect {
            Dialect::Acsl => point.kind == PointKind::LoopHead,
            Dialect::C => matches!(point.kind, PointKind::LoopHead | PointKind::LoopTest),
        };
        if !wanted || point.depth > 0 || point.span.end == 0 {
            continue;
        }
        let (file, offset) = program.source.origin(point.span.start);
        if file != 0 {
            continue;
        }
        let name = |term: Term| name_at(program, found, point, term);
        let printer = Printer {
            terms,
            name: &name,
            taken: &|name| program.vars.iter().any(|v| v.name == name),
            dialect,
        };
        let invariants = printer.conjuncts(*formula);
        let assigns = assigns(program, &frames, *id, point);
        let line = program.source.line(point.span);
        notes.push(LoopNote {
            offset,
            line,
            invariants,
            assigns,
        });
    }
    notes.sort_by_key(|n| n.offset);
    // A `for` that is one loop in the source may be several points (a `do` has two): the first counts.
    notes.dedup_by_key(|n| n.offset);
    notes
}

/// The name of a variable at a point, if it is visible there under its own name.
fn name_at(program: &Program, found: &Invariants, point: &Point, term: Term) -> Option<String> {
    let now = found.vars.iter().position(|&v| v == term).map(VarId::new);
    let old = found.entry.iter().position(|&v| v == term).map(VarId::new);
    match (now, old) {
        (Some(var), _) => visible_name(program, point, var),
        (None, Some(var)) => {
            visible_name(program, point, var).map(|name| format!("\\at({name}, Pre)"))
        }
        (None, None) => None,
    }
}

fn visible_name(program: &Program, point: &Point, id: VarId) -> Option<String> {
    let var = program.var(id);
    let inside = |v: &crate::program::Var| match v.origin {
        Origin::Source { scope } => scope.start <= point.span.start && point.span.end <= scope.end,
        Origin::Inlined | Origin::Made => false,
    };
    let mine = |v: &crate::program::Var| v.owner.is_none() || v.owner == Some(point.func);
    if !inside(var) || !mine(var) {
        return None;
    }
    // The innermost of several variables of one name is the one that is visible.
    let width = |v: &crate::program::Var| match v.origin {
        Origin::Source { scope } => scope.end - scope.start,
        _ => u32::MAX,
    };
    let hidden = program.vars.iter().enumerate().any(|(i, other)| {
        i != id.index()
            && other.name == var.name
            && inside(other)
            && mine(other)
            && width(other) <= width(var)
    });
    (!hidden).then(|| var.name.clone())
}

/// What a loop assigns, as a list of places.
fn assigns(
    program: &Program,
    frames: &Frames,
    head: PointId,
    point: &Point,
) -> Option<Vec<String>> {
    let mut places = Vec::new();
    for id in changed_in(program, frames, head) {
        let var = program.var(id);
        match var.origin {
            Origin::Source { scope } => {
                let local = point.span.start <= scope.start && scope.end <= point.span.end;
                // What is declared inside the loop is new in every round.
                if local && var.owner.is_some() && scope != point.span {
                    continue;
                }
                let name = visible_name(program, point, id)?;
                places.push(match var.ty {
                    VarType::Int(_) => name,
                    VarType::Array(..) => {
                        format!("{name}{}", ranges(program, point, &var.lengths)?)
                    }
                });
            }
            Origin::Inlined | Origin::Made => {}
        }
    }
    Some(places)
}

fn ranges(program: &Program, point: &Point, lengths: &[Length]) -> Option<String> {
    let mut text = String::new();
    for length in lengths {
        let last = match length {
            Length::Const(n) => (n - 1).to_string(),
            Length::Var(var) => format!("{} - 1", visible_name(program, point, *var)?),
            Length::Unknown => return None,
        };
        text.push_str(&format!("[0 .. {last}]"));
    }
    Some(text)
}

/// The input with a comment in front of each loop. Where the loop has a comment of its own, what is
/// new is put into it, because two of them in front of one loop are no ACSL.
pub fn annotated(program: &Program, notes: &[LoopNote]) -> String {
    let source = program.source.main_text();
    let lexed = lex(source, 0).ok();
    let mut out = String::with_capacity(source.len() + 256 * notes.len());
    let mut from = 0;
    for note in notes {
        let own = lexed.as_ref().and_then(|l| own_comment(l, note.offset));
        let at = own.map_or(note.offset, |a| a.offset);
        let clauses = clauses(note, own);
        if clauses.is_empty() {
            continue;
        }
        let Some(before) = source.get(from..at) else {
            continue;
        };
        out.push_str(before);
        from = at;
        let line = source[..at].rfind('\n').map_or(0, |p| p + 1);
        let indent: String = source[line..at]
            .chars()
            .take_while(|c| c.is_whitespace())
            .collect();
        let lines = clauses.join(&format!("\n{indent}    "));
        match own {
            None => out.push_str(&format!("/*@ {lines} */\n{indent}")),
            Some(_) if before.ends_with("//@") => {
                out.push_str(&format!(" {}", clauses.join(" ")));
            }
            Some(_) => out.push_str(&format!(" {lines}\n{indent}   ")),
        }
    }
    out.push_str(source.get(from..).unwrap_or(""));
    out
}

/// The last comment of a loop's own directly in front of it.
fn own_comment(lexed: &Lexed, offset: usize) -> Option<&Annotation> {
    let before = lexed.annotations.iter().rev();
    let direct = |a: &&Annotation| {
        let inside = a.end..offset;
        !lexed.tokens.iter().any(|t| inside.contains(&t.offset))
    };
    before
        .filter(|a| a.end <= offset && a.text.trim_start().starts_with("loop"))
        .take(1)
        .find(direct)
}

/// What is to be said in front of a loop and is not said yet: invariants, those about cells last, then
/// what it assigns.
fn clauses(note: &LoopNote, own: Option<&Annotation>) -> Vec<String> {
    if note.invariants.is_empty() && note.assigns.is_none() {
        return Vec::new();
    }
    let packed = |text: &str| -> String { text.chars().filter(|c| !c.is_whitespace()).collect() };
    let said = own.map(|a| packed(&a.text)).unwrap_or_default();
    let quantified = |words: &&String| words.contains("\\forall");
    let (cells, numbers): (Vec<&String>, Vec<&String>) =
        note.invariants.iter().partition(quantified);
    let mut clauses: Vec<String> = numbers
        .into_iter()
        .chain(cells)
        .map(|i| format!("loop invariant {i};"))
        .filter(|clause| !said.contains(&packed(clause)))
        .collect();
    if let Some(places) = note
        .assigns
        .as_ref()
        .filter(|_| !said.contains("loopassigns"))
    {
        let list = if places.is_empty() {
            "\\nothing".to_owned()
        } else {
            places.join(", ")
        };
        clauses.push(format!("loop assigns {list};"));
    }
    clauses
}

#[cfg(test)]
mod tests {
    use foretell_terms::{Sort, TermStore};

    use super::{Dialect, annotated, loop_notes};
    use crate::encode::program_vars;
    use crate::program::{Invariants, PointId, PointKind};
    use crate::text::NoFiles;
    use crate::{Settings, read};

    const TEXT: &str = "int main() {
  int a[3];
  for (int k = 0; k < 3; k++) a[k] = 0;
  int spot = 1;
  for (int i = 0; i < 3; i++) {
    spot = i;
  }
  return spot;
}
";

    #[test]
    fn what_is_known_stands_in_front_of_each_loop_in_the_words_of_the_source() {
        let program = read("x.c", TEXT.as_bytes(), &NoFiles, &Settings::default()).expect("C");
        let t = TermStore::new();
        let vars = program_vars(&t, &program);
        let var = |name: &str| {
            let place = program.vars.iter().position(|v| v.name == name);
            vars[place.expect("a variable of the text")]
        };
        let bound = t.new_var("j", Sort::INT);
        let below = t.and([t.le(t.int(0), bound), t.lt(bound, var("i"))]);
        let zero = t.eq(t.int(0), t.select(var("a"), &[bound]));
        let cells = t.forall(&[bound], t.implies(below, zero));
        let bounds = t.le(t.int(0), t.add2(var("spot"), t.int(5)));
        let counted = t.eq(var("k"), t.int(3));
        let formulas = [counted, t.and([cells, bounds, counted])];
        let heads = (0..program.points.len()).map(PointId::new);
        let heads = heads.filter(|p| program.point(*p).kind == PointKind::LoopHead);
        let found = Invariants {
            at: heads.zip(formulas).collect(),
            entry: vars.clone(),
            vars,
        };
        let notes = loop_notes(&program, &found, &t, Dialect::Acsl);
        let text = annotated(&program, &notes);
        // At the second loop `k` is not visible.
        let second = "  /*@ loop invariant -5 <= spot;
      loop invariant \\forall integer l; 0 <= l < i ==> a[l] == 0;
      loop assigns spot, i; */
  for (int i = 0; i < 3; i++) {
";
        assert!(text.contains(second), "{text}");
        let first = "  /*@ loop invariant k == 3;
      loop assigns a[0 .. 2], k; */
  for (int k = 0";
        assert!(text.contains(first), "{text}");
        let mut plain = text;
        while let (Some(from), Some(to)) = (plain.find("/*@"), plain.find("*/\n  ")) {
            plain.replace_range(from..to + 5, "");
        }
        assert_eq!(plain, TEXT, "nothing else is changed");
    }

    #[test]
    fn what_is_new_goes_into_the_comment_that_is_there() {
        let text = "int main() {
  int i = 0;
  /*@ loop invariant 0 <= i;
      loop variant 3 - i; */
  while (i < 3) i++;
  //@ loop assigns i;
  while (i < 5) i++;
  //@ assert i == 5;
  while (i < 7) i++;
  return i;
}
";
        let program = read("x.c", text.as_bytes(), &NoFiles, &Settings::default()).expect("C");
        let loops = text.match_indices("while").map(|(offset, _)| offset);
        let note = |offset: usize| super::LoopNote {
            offset,
            line: 0,
            invariants: vec!["0 <= i".to_owned(), "i <= 9".to_owned()],
            assigns: Some(vec!["i".to_owned()]),
        };
        let notes: Vec<super::LoopNote> = loops.map(note).collect();
        let expected = "int main() {
  int i = 0;
  /*@ loop invariant i <= 9;
      loop assigns i;
      loop invariant 0 <= i;
      loop variant 3 - i; */
  while (i < 3) i++;
  //@ loop invariant 0 <= i; loop invariant i <= 9; loop assigns i;
  while (i < 5) i++;
  //@ assert i == 5;
  /*@ loop invariant 0 <= i;
      loop invariant i <= 9;
      loop assigns i; */
  while (i < 7) i++;
  return i;
}
";
        assert_eq!(annotated(&program, &notes), expected);
    }
}
