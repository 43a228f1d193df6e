//! The source with the invariants of its loops inside, as ACSL; nothing else is changed.
//!
//! One comment in front of each loop of the entry function and of recursive functions: the
//! conjuncts that mention only what is visible there, bounds of its counters, and what the loop assigns.
//! Loops inside
//! inlined functions have no place of their own in the source and are left out ([`bare_loops`]). A
//! comment that the loop has already gets what it does not say yet. Contracts (`contract.rs`) stand in
//! front of functions that are called and have none.

use foretell_terms::{Term, TermStore};
use indexmap::IndexMap;

use super::contract::ContractNote;
use super::formula::{Dialect, Printer};
use super::visible::{assigns, bounds, name_at, natural};
use crate::program::bounds::at_heads;
use crate::program::frame::Frames;
use crate::program::{Invariants, PointKind, Program};
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
    let known = match dialect {
        Dialect::Acsl => at_heads(program),
        Dialect::C => IndexMap::new(),
    };
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
            natural: &|term| natural(program, found, known.get(id), term),
            taken: &|name| program.vars.iter().any(|v| v.name == name),
            dialect,
        };
        let mut invariants = printer.conjuncts(*formula);
        let counters = known.get(id).map(|k| bounds(program, &frames, *id, k));
        for words in counters.into_iter().flatten() {
            if !invariants.contains(&words) {
                invariants.push(words);
            }
        }
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

/// The input with a comment in front of each loop and of each function that has a note. Where a loop has
/// a comment of its own, what is new is put into it, because two of them in front of one loop are no ACSL;
/// a function that has one keeps it as it is.
pub fn annotated(program: &Program, notes: &[LoopNote], contracts: &[ContractNote]) -> String {
    let source = program.source.main_text();
    let lexed = lex(source, 0).ok();
    let of_loops = notes.iter().filter_map(|note| {
        let own = lexed.as_ref().and_then(|l| own_comment(l, note.offset));
        in_front_of_loop(source, note, own)
    });
    let free = |note: &&ContractNote| !lexed.as_ref().is_some_and(|l| has_comment(l, note.offset));
    let of_functions = contracts.iter().filter(free).filter_map(|note| {
        let text = block(source, note.offset, &note.clauses)?;
        Some((note.offset, text))
    });
    let mut insertions: Vec<(usize, String)> = of_loops.chain(of_functions).collect();
    insertions.sort_by_key(|(at, _)| *at);
    let mut out = String::with_capacity(source.len() + 256 * insertions.len());
    let mut from = 0;
    for (at, text) in insertions {
        let Some(before) = source.get(from..at) else {
            continue;
        };
        out.push_str(before);
        out.push_str(&text);
        from = at;
    }
    out.push_str(source.get(from..).unwrap_or(""));
    out
}

/// The blanks in front of a place in its line.
fn indent(source: &str, at: usize) -> Option<&str> {
    let line = source.get(..at)?.rfind('\n').map_or(0, |p| p + 1);
    let text = source.get(line..at)?;
    Some(&text[..text.len() - text.trim_start().len()])
}

/// Clauses as a comment in front of a place.
fn block(source: &str, at: usize, clauses: &[String]) -> Option<String> {
    let indent = indent(source, at)?;
    let lines = clauses.join(&format!("\n{indent}    "));
    (!clauses.is_empty()).then(|| format!("/*@ {lines} */\n{indent}"))
}

fn in_front_of_loop(
    source: &str,
    note: &LoopNote,
    own: Option<&Annotation>,
) -> Option<(usize, String)> {
    let clauses = clauses(note, own);
    let Some(own) = own else {
        return Some((note.offset, block(source, note.offset, &clauses)?));
    };
    let at = own.offset;
    let indent = indent(source, at)?;
    if clauses.is_empty() {
        return None;
    }
    let text = if source.get(..at)?.ends_with("//@") {
        format!(" {}", clauses.join(" "))
    } else {
        let lines = clauses.join(&format!("\n{indent}    "));
        format!(" {lines}\n{indent}   ")
    };
    Some((at, text))
}

/// Whether a comment with annotations stands directly in front of a place.
fn has_comment(lexed: &Lexed, offset: usize) -> bool {
    let mut before = lexed.annotations.iter().filter(|a| a.end <= offset);
    before.next_back().is_some_and(|a| {
        let inside = a.end..offset;
        !lexed.tokens.iter().any(|t| inside.contains(&t.offset))
    })
}

/// The lines of the loops of the input that have no note: inlined ones, those made by `goto`.
pub fn bare_loops(program: &Program, notes: &[LoopNote]) -> Vec<u32> {
    let heads = program
        .points
        .iter()
        .filter(|p| p.kind == PointKind::LoopHead && p.span.end > 0);
    let bare = heads.filter(|point| {
        let (file, offset) = program.source.origin(point.span.start);
        file == 0 && !notes.iter().any(|n| n.offset == offset)
    });
    let mut lines: Vec<u32> = bare.map(|p| program.source.line(p.span)).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
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
            summaries: Vec::new(),
        };
        let notes = loop_notes(&program, &found, &t, Dialect::Acsl);
        let text = annotated(&program, &notes, &[]);
        // At the second loop `k` is not visible.
        let second = "  /*@ loop invariant -5 <= spot;
      loop invariant 0 <= spot <= 2;
      loop invariant 0 <= i <= 3;
      loop invariant \\forall integer l; 0 <= l < i ==> a[l] == 0;
      loop assigns spot, i; */
  for (int i = 0; i < 3; i++) {
";
        assert!(text.contains(second), "{text}");
        let first = "  /*@ loop invariant k == 3;
      loop invariant 0 <= k <= 3;
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
    fn cells_of_structs_have_their_index_in_front_and_choices_are_two_invariants() {
        let text = "struct pair { int x; int y[2]; };
int main() {
  struct pair a[3];
  for (int i = 0; i < 3; i++) a[i].x = a[i].y[1];
  return 0;
}
";
        let program = read("x.c", text.as_bytes(), &NoFiles, &Settings::default()).expect("C");
        let t = TermStore::new();
        let vars = program_vars(&t, &program);
        let var = |name: &str| {
            let place = program.vars.iter().position(|v| v.name == name);
            vars[place.expect("a variable of the text")]
        };
        let bound = t.new_var("j", Sort::INT);
        let below = t.and([t.le(t.int(0), bound), t.lt(bound, var("i"))]);
        let x = t.select(var("a.x"), &[bound]);
        let y = t.select(t.select(var("a.y"), &[bound]), &[t.int(1)]);
        let same = t.forall(&[bound], t.implies(below, t.eq(x, y)));
        let zero = t.forall(&[bound], t.implies(below, t.eq(t.int(0), x)));
        let choice = t.ite(t.le(var("i"), t.int(1)), zero, same);
        let head = (0..program.points.len())
            .map(PointId::new)
            .find(|p| program.point(*p).kind == PointKind::LoopHead);
        let found = Invariants {
            at: vec![(head.expect("a loop"), choice)],
            entry: vars.clone(),
            vars,
            summaries: Vec::new(),
        };
        let notes = loop_notes(&program, &found, &t, Dialect::Acsl);
        let text = annotated(&program, &notes, &[]);
        for expected in [
            "1 < i ==> (\\forall integer k; 0 <= k < i ==> a[k].x == a[k].y[1]);",
            "i <= 1 ==> (\\forall integer k; 0 <= k < i ==> a[k].x == 0);",
            "loop assigns a[0 .. 2].x, i;",
        ] {
            assert!(text.contains(expected), "{text}");
        }
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
        assert_eq!(annotated(&program, &notes, &[]), expected);
    }
}
