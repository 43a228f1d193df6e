//! Printing as SMT-LIB 2.
//!
//! Shared subterms are bound by `let`, at the top or inside the quantifier whose variables they
//! have, so the text is about as long as the graph. `a < b` and `a - b` are printed
//! as people write them although the store spells them otherwise.

use crate::TermMap;
use crate::data::{Constructor, Spelling};
use crate::number::{self, Integer, Natural, Rational};
use crate::op::{BvOp, Op};
use crate::print_sharing::Sharing;
use crate::sort::{Sort, SortKind};
use crate::store::{Func, Term, TermStore};
use crate::value::Value;

/// How functions are named in the output.
pub trait Names {
    /// The symbol to print, already quoted where it must be.
    fn name(&self, store: &TermStore, func: Func) -> String;

    /// The symbol that the n-th shared subterm is bound to by `let`, counted from 1. It must differ
    /// from every name given to a function.
    fn let_name(&self, number: usize) -> String {
        format!(".{number}")
    }
}

/// The user's own names.
pub(crate) struct OwnNames;

impl Names for OwnNames {
    fn name(&self, store: &TermStore, func: Func) -> String {
        quote(store.name(func))
    }
}

/// A symbol as SMT-LIB wants it: bare if it is a simple symbol, in bars otherwise.
pub fn quote(name: &str) -> String {
    const RESERVED: [&str; 15] = [
        "_",
        "!",
        "as",
        "let",
        "exists",
        "forall",
        "match",
        "par",
        "BINARY",
        "DECIMAL",
        "HEXADECIMAL",
        "NUMERAL",
        "STRING",
        "true",
        "false",
    ];
    let symbol = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let simple = !name.is_empty()
        && name.chars().all(symbol)
        && !name.starts_with(|c: char| c.is_ascii_digit());
    // `-1` would be read as a numeral by lenient readers.
    let numeral = name
        .strip_prefix('-')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if simple && !numeral && !RESERVED.contains(&name) {
        name.to_string()
    } else {
        format!("|{name}|")
    }
}

impl TermStore {
    /// SMT-LIB text of a term, with the user's names.
    pub fn print(&self, term: Term) -> String {
        self.print_with(term, &OwnNames)
    }

    /// SMT-LIB text of a term, with names chosen by the caller.
    pub fn print_with(&self, term: Term, names: &dyn Names) -> String {
        let sharing = Sharing::of(self, term);
        let bound = TermMap::default();
        Printer {
            store: self,
            names,
            bound,
            sharing,
            n_lets: 0,
            out: String::new(),
        }
        .run(term)
    }

    /// The text of the operator of a term: what stands behind the parenthesis, or the symbol. Empty
    /// where the printer has its own way (numerals, negation, sums and quantifiers).
    pub fn print_operator(&self, term: Term, names: &dyn Names) -> String {
        Printer {
            store: self,
            names,
            bound: TermMap::default(),
            sharing: Sharing::default(),
            n_lets: 0,
            out: String::new(),
        }
        .head(term)
    }

    /// SMT-LIB text of a sort.
    pub fn print_sort(&self, sort: Sort) -> String {
        let mut out = String::new();
        let mut work = vec![Piece::Sort(sort)];
        while let Some(piece) = work.pop() {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Sort(sort) => match self.kind(sort) {
                    SortKind::Bool => out.push_str("Bool"),
                    SortKind::Int => out.push_str("Int"),
                    SortKind::Real => out.push_str("Real"),
                    SortKind::BitVec(width) => out.push_str(&format!("(_ BitVec {width})")),
                    SortKind::Uninterpreted(name) => out.push_str(&quote(name)),
                    SortKind::Data(_) => self.print_data_sort(sort, &mut out, &mut work),
                    SortKind::Array { indices, element } => {
                        out.push_str("(Array");
                        work.push(Piece::Text(")"));
                        work.push(Piece::Sort(*element));
                        work.push(Piece::Text(" "));
                        for &index in indices.iter().rev() {
                            work.push(Piece::Sort(index));
                            work.push(Piece::Text(" "));
                        }
                    }
                },
            }
        }
        out
    }

    fn print_data_sort(&self, sort: Sort, out: &mut String, work: &mut Vec<Piece>) {
        let Some(decl) = self.data(sort) else { return };
        let Some(instance) = &decl.instance else {
            return out.push_str(&quote(&decl.name));
        };
        out.push('(');
        out.push_str(&quote(&decl.name));
        work.push(Piece::Text(")"));
        for &argument in instance.arguments.iter().rev() {
            work.push(Piece::Sort(argument));
            work.push(Piece::Text(" "));
        }
    }

    /// SMT-LIB text of a constructor, with its sort where the arguments do not determine it.
    pub(crate) fn print_constructor(&self, constructor: Constructor) -> String {
        let decl = self.constructor(constructor);
        match decl.spelling {
            Spelling::Plain => quote(&decl.name),
            Spelling::WithSort => format!(
                "(as {} {})",
                quote(&decl.name),
                self.print_sort(constructor.sort)
            ),
        }
    }

    /// SMT-LIB text of a value; elements of uninterpreted sorts appear as `Sort!n`.
    pub fn print_value(&self, value: &Value, sort: Sort) -> String {
        match (value, self.array_parts(sort)) {
            (Value::Data(constructor, values), _) => {
                let head = self.print_constructor(*constructor);
                let fields = self.constructor(*constructor).fields.iter();
                let fields: Vec<String> = values
                    .iter()
                    .zip(fields)
                    .map(|(v, f)| self.print_value(v, f.sort))
                    .collect();
                if fields.is_empty() {
                    return head;
                }
                format!("({head} {})", fields.join(" "))
            }
            (Value::Element(sort, n), _) => quote(&format!("{}!{n}", self.print_sort(*sort))),
            (Value::Array(array), Some((indices, element))) => {
                let default = self.print_value(array.default_value(), element);
                let mut text = format!("((as const {}) {default})", self.print_sort(sort));
                for (index, cell) in array.entries() {
                    let at: Vec<String> = index
                        .iter()
                        .zip(indices)
                        .map(|(v, &s)| self.print_value(v, s))
                        .collect();
                    text = format!(
                        "(store {text} {} {})",
                        at.join(" "),
                        self.print_value(cell, element)
                    );
                }
                text
            }
            _ => self
                .value_term(value, sort)
                .map_or_else(|| "?".to_string(), |t| self.print(t)),
        }
    }
}

enum Piece {
    Text(&'static str),
    Sort(Sort),
}

/// An integer in SMT-LIB syntax: `(- 3)`, never `-3`.
pub fn integer(n: &Integer) -> String {
    if *n < Integer::ZERO {
        format!("(- {})", number::magnitude(n))
    } else {
        n.to_string()
    }
}

/// Vectors wider than this are written as decimal numbers: a row of zeros helps nobody.
const WIDEST_PATTERN: u32 = 64;

/// A bit-vector in SMT-LIB syntax: `#x…` for whole digits, `#b…` otherwise, `(_ bv… …)` when wide.
pub fn bit_vector(width: u32, bits: &Natural) -> String {
    if width > WIDEST_PATTERN {
        return format!("(_ bv{bits} {width})");
    }
    let (digits, text, mark) = if width.is_multiple_of(4) {
        (width / 4, format!("{bits:x}"), "#x")
    } else {
        (width, format!("{bits:b}"), "#b")
    };
    let zeros = (digits as usize).saturating_sub(text.len());
    format!("{mark}{}{text}", "0".repeat(zeros))
}

/// A real in SMT-LIB syntax: `(/ 1.0 3.0)`, `(- 2.0)`.
pub fn real(q: &Rational) -> String {
    let numerator = number::magnitude(q.numerator());
    let magnitude = if q.denominator().is_one() {
        format!("{numerator}.0")
    } else {
        format!("(/ {numerator}.0 {}.0)", q.denominator())
    };
    if number::is_negative(q) {
        format!("(- {magnitude})")
    } else {
        magnitude
    }
}

pub(crate) struct Printer<'a> {
    pub(crate) store: &'a TermStore,
    pub(crate) names: &'a dyn Names,
    /// Subterms that have a `let` name, with it.
    pub(crate) bound: TermMap<String>,
    pub(crate) sharing: Sharing,
    pub(crate) n_lets: usize,
    pub(crate) out: String,
}

enum Job {
    Term(Term),
    Text(String),
    /// From here on the term has a `let` name.
    Bind(Term, String),
    /// The names of these terms end here.
    Unbind(Vec<Term>),
}

impl Printer<'_> {
    pub(crate) fn run(mut self, root: Term) -> String {
        let top = std::mem::take(&mut self.sharing.top);
        let mut work = Vec::new();
        self.scope(&top, root, &mut work);
        while let Some(job) = work.pop() {
            match job {
                Job::Text(text) => self.out.push_str(&text),
                Job::Bind(term, name) => {
                    self.bound.insert(term, name);
                }
                Job::Unbind(terms) => {
                    for term in terms {
                        self.bound.swap_remove(&term);
                    }
                }
                Job::Term(term) => match self.bound.get(&term) {
                    Some(name) => self.out.push_str(name),
                    None => self.open(term, &mut work),
                },
            }
        }
        self.out
    }

    /// Puts off writing a term with the shared terms bound around it.
    fn scope(&mut self, shared: &[Term], body: Term, work: &mut Vec<Job>) {
        let from = work.len();
        for &term in shared {
            self.n_lets += 1;
            let name = self.names.let_name(self.n_lets);
            work.push(Job::Text(format!("(let (({name} ")));
            work.push(Job::Term(term));
            work.push(Job::Text(")) ".into()));
            work.push(Job::Bind(term, name));
        }
        work.push(Job::Term(body));
        if !shared.is_empty() {
            work.push(Job::Text(")".repeat(shared.len())));
            work.push(Job::Unbind(shared.to_vec()));
        }
        // The last job is done first.
        work[from..].reverse();
    }

    fn open(&mut self, term: Term, work: &mut Vec<Job>) {
        let node = self.store.node(term);
        match &node.op {
            Op::Int(n) => self.out.push_str(&integer(n)),
            Op::Real(q) => self.out.push_str(&real(q)),
            Op::BitVec(width, bits) => self.out.push_str(&bit_vector(*width, bits)),
            Op::Forall | Op::Exists => self.quantifier(term, work),
            Op::Not => match self.strict_order(term) {
                Some((head, a, b)) => self.list(head, &[b, a], work),
                None => self.list("not", &node.args, work),
            },
            Op::Add => self.sum(term, work),
            _ if node.args.is_empty() => {
                let head = self.head(term);
                self.out.push_str(&head);
            }
            _ => {
                let head = self.head(term);
                self.list(&head, &node.args, work);
            }
        }
    }

    /// `not (a <= b)` prints as `b < a`.
    fn strict_order(&self, term: Term) -> Option<(&'static str, Term, Term)> {
        let inner = self.store.args(term)[0];
        if self.bound.contains_key(&inner) {
            return None;
        }
        let head = match self.store.op(inner) {
            Op::Le => "<",
            Op::Bv(BvOp::Ule) => "bvult",
            Op::Bv(BvOp::Sle) => "bvslt",
            _ => return None,
        };
        let args = self.store.args(inner);
        Some((head, args[0], args[1]))
    }

    /// Negative addends are printed by subtraction when there is a positive one to start with.
    fn sum(&mut self, term: Term, work: &mut Vec<Job>) {
        let mut plus = Vec::new();
        let mut minus = Vec::new();
        for &addend in self.store.args(term) {
            let value = self.store.as_number(addend);
            let (c, rest) = self.store.split_coefficient(addend);
            let negative = value
                .as_ref()
                .map_or_else(|| number::is_negative(&c), number::is_negative);
            if negative && !self.bound.contains_key(&addend) {
                let positive = match value {
                    Some(v) => self.store.numeral(&-v, self.store.sort(addend)),
                    None => Some(self.store.scale(&-c, rest)),
                };
                minus.push(positive.unwrap_or(addend));
            } else {
                plus.push(addend);
            }
        }
        if plus.is_empty() || minus.is_empty() {
            return self.list("+", self.store.args(term), work);
        }
        self.out.push_str("(- ");
        work.push(Job::Text(")".into()));
        for &m in minus.iter().rev() {
            work.push(Job::Term(m));
            work.push(Job::Text(" ".into()));
        }
        if plus.len() == 1 {
            work.push(Job::Term(plus[0]));
        } else {
            work.push(Job::Text(")".into()));
            for &p in plus.iter().rev() {
                work.push(Job::Term(p));
                work.push(Job::Text(" ".into()));
            }
            work.push(Job::Text("(+".into()));
        }
    }

    fn list(&mut self, head: &str, args: &[Term], work: &mut Vec<Job>) {
        self.out.push('(');
        self.out.push_str(head);
        work.push(Job::Text(")".into()));
        for &arg in args.iter().rev() {
            work.push(Job::Term(arg));
            work.push(Job::Text(" ".into()));
        }
    }

    fn quantifier(&mut self, term: Term, work: &mut Vec<Job>) {
        let node = self.store.node(term);
        let (vars, body) = node.args.split_at(node.args.len() - 1);
        let word = if node.op == Op::Forall {
            "forall"
        } else {
            "exists"
        };
        self.out.push_str(&format!("({word} ("));
        for (i, &var) in vars.iter().enumerate() {
            let name = self
                .store
                .func(var)
                .map_or_else(String::new, |f| self.names.name(self.store, f));
            let space = if i > 0 { " " } else { "" };
            self.out.push_str(&format!(
                "{space}({name} {})",
                self.store.print_sort(self.store.sort(var))
            ));
        }
        self.out.push_str(") ");
        work.push(Job::Text(")".into()));
        let shared = self.sharing.inside.get(&term).cloned().unwrap_or_default();
        self.scope(&shared, body[0], work);
    }

    fn head(&self, term: Term) -> String {
        let node = self.store.node(term);
        match &node.op {
            Op::True => "true".into(),
            Op::False => "false".into(),
            Op::App(func) => self.names.name(self.store, *func),
            Op::And => "and".into(),
            Op::Or => "or".into(),
            Op::Eq => "=".into(),
            Op::Ite => "ite".into(),
            Op::Mul => "*".into(),
            Op::Le => "<=".into(),
            Op::IDiv => "div".into(),
            Op::Mod => "mod".into(),
            Op::RDiv => "/".into(),
            Op::ToReal => "to_real".into(),
            Op::ToInt => "to_int".into(),
            Op::Select => "select".into(),
            Op::Store => "store".into(),
            Op::ConstArray => format!("(as const {})", self.store.print_sort(node.sort)),
            Op::Bv(op) => bv_head(*op),
            Op::Construct(constructor) => self.store.print_constructor(*constructor),
            Op::Field(selector) => quote(&self.store.selector(*selector).selector),
            Op::Is(constructor) => {
                format!(
                    "(_ is {})",
                    quote(&self.store.constructor(*constructor).name)
                )
            }
            Op::Int(_)
            | Op::Real(_)
            | Op::BitVec(..)
            | Op::Not
            | Op::Add
            | Op::Forall
            | Op::Exists => String::new(),
        }
    }
}

fn bv_head(op: BvOp) -> String {
    match op {
        BvOp::Concat => "concat",
        BvOp::Not => "bvnot",
        BvOp::And => "bvand",
        BvOp::Or => "bvor",
        BvOp::Xor => "bvxor",
        BvOp::Neg => "bvneg",
        BvOp::Add => "bvadd",
        BvOp::Mul => "bvmul",
        BvOp::Udiv => "bvudiv",
        BvOp::Urem => "bvurem",
        BvOp::Sdiv => "bvsdiv",
        BvOp::Srem => "bvsrem",
        BvOp::Smod => "bvsmod",
        BvOp::Shl => "bvshl",
        BvOp::Lshr => "bvlshr",
        BvOp::Ashr => "bvashr",
        BvOp::Ule => "bvule",
        BvOp::Sle => "bvsle",
        BvOp::ToNat => "ubv_to_int",
        BvOp::Extract { high, low } => return format!("(_ extract {high} {low})"),
        BvOp::ZeroExtend(by) => return format!("(_ zero_extend {by})"),
        BvOp::SignExtend(by) => return format!("(_ sign_extend {by})"),
        BvOp::FromInt(width) => return format!("(_ int_to_bv {width})"),
    }
    .into()
}
