//! Reading what was printed gives the same term.

use foretell_terms::{Func, Integer, Op, Sort, Term, TermStore};
use proptest::prelude::*;

use crate::diagnostic::Diagnostics;
use crate::reader::Reader;
use crate::symbols::Global;
use crate::{Elaborator, Outcome};

const NAMES: [&str; 12] = [
    "x",
    "let",
    "",
    "a b",
    "ü;(",
    "assert",
    "x!0",
    "-1",
    "12",
    ":key",
    "define-fun",
    "not so simple\n",
];

/// A store with some variables and functions of every sort under odd names.
struct Pool {
    terms: TermStore,
    functions: Vec<Func>,
    /// Finished terms, by sort: Bool, Int, Real, BitVec 4, Array.
    stacks: [Vec<Term>; 5],
}

impl Pool {
    fn new() -> Pool {
        let terms = TermStore::new();
        let (bv, array) = (terms.bv_sort(4), terms.array_sort(&[Sort::INT], Sort::INT));
        let sorts = [Sort::BOOL, Sort::INT, Sort::REAL, bv, array];
        let mut functions = Vec::new();
        let mut stacks: [Vec<Term>; 5] = Default::default();
        for (i, name) in NAMES.iter().enumerate() {
            let func = terms.declare(name, &[], sorts[i % 5]);
            functions.push(func);
            stacks[i % 5].push(terms.app(func, &[]));
        }
        functions.push(terms.declare("f |x".replace('|', "/").as_str(), &[Sort::INT], Sort::INT));
        functions.push(terms.declare("rel", &[Sort::INT, Sort::REAL], Sort::BOOL));
        Pool {
            terms,
            functions,
            stacks,
        }
    }

    fn pick(&self, stack: usize, n: u16) -> Term {
        let stack = &self.stacks[stack];
        // Prefer recent terms, so that terms get deep.
        stack[stack.len() - 1 - (usize::from(n) % stack.len().min(4))]
    }

    /// Adds one term made of earlier ones.
    fn step(&mut self, (op, m, n): (u8, u16, u16)) {
        let terms = &self.terms;
        let [b, i, r, v, a] = [0, 1, 2, 3, 4];
        let (bm, bn) = (self.pick(b, m), self.pick(b, n));
        let (im, jn) = (self.pick(i, m), self.pick(i, n));
        let (rm, rn) = (self.pick(r, m), self.pick(r, n));
        let (vm, vn) = (self.pick(v, m), self.pick(v, n));
        let (am, an) = (self.pick(a, m), self.pick(a, n));
        let number = i64::from(m) - i64::from(n);
        let (stack, term) = match op % 30 {
            0 => (b, terms.and2(bm, bn)),
            1 => (b, terms.or2(bm, terms.not(bn))),
            2 => (b, terms.eq(bm, bn)),
            3 => (b, terms.ite(bm, bn, terms.not(bm))),
            4 => (b, terms.le(im, jn)),
            5 => (b, terms.lt(rm, rn)),
            6 => (b, terms.eq(im, jn)),
            7 => (b, terms.eq(am, an)),
            8 => (b, terms.bv_ule(vm, vn)),
            9 => (b, terms.bv_slt(vm, vn)),
            10 => (b, terms.app(self.functions[13], &[im, rn])),
            11 => (i, terms.add2(im, jn)),
            12 => (i, terms.sub(im, jn)),
            13 => (i, terms.mul(&[im, jn])),
            14 => (i, terms.mul(&[terms.int(number), jn])),
            15 => (i, terms.idiv(im, jn)),
            16 => (i, terms.modulo(im, terms.int(number))),
            17 => (
                i,
                terms.int(Integer::from(number) * Integer::from(i64::MAX)),
            ),
            18 => (i, terms.select(am, &[jn])),
            19 => (i, terms.app(self.functions[12], &[im])),
            20 => (i, terms.to_int(rm)),
            21 => (i, terms.ite(bm, im, jn)),
            22 => (
                r,
                terms.add2(terms.rdiv(rm, terms.to_real(terms.int(number))), rn),
            ),
            23 => (r, terms.to_real(im)),
            24 => (v, terms.bv_add(vm, vn)),
            25 => (v, terms.bv_rotate_left(vm, u32::from(n % 5))),
            26 => (v, terms.bv(number, 4)),
            27 => (a, terms.store(am, &[im], jn)),
            28 => (a, terms.const_array(terms.sort(am), im)),
            _ => (a, terms.ite(bm, am, an)),
        };
        self.stacks[stack].push(term);
    }

    /// Reads a text back in the same store.
    fn read(&self, text: &str) -> Outcome<Term> {
        let mut elaborator = Elaborator::new(&self.terms);
        for &func in &self.functions {
            elaborator
                .symbols()
                .declare(self.terms.name(func), Global::Function(func));
        }
        let mut diagnostics = Diagnostics::default();
        let text = format!("(assert {text})");
        let command = Reader::new(&text).next_command(&mut diagnostics).unwrap();
        elaborator.term(command.sexp().items().nth(1).unwrap())
    }
}

proptest! {
    #[test]
    fn reading_inverts_printing(steps in prop::collection::vec(any::<(u8, u16, u16)>(), 1..60)) {
        let mut pool = Pool::new();
        steps.into_iter().for_each(|step| pool.step(step));
        for stack in &pool.stacks {
            let term = stack[stack.len() - 1];
            let text = pool.terms.print(term);
            prop_assert_eq!(pool.read(&text).map_err(|e| format!("{e:?} in {text}")), Ok(term), "{}", text);
        }
    }

    /// Below quantifiers the variables are new, but otherwise the term is the same.
    #[test]
    fn reading_inverts_printing_of_quantifiers(steps in prop::collection::vec(any::<(u8, u16, u16)>(), 1..40)) {
        let mut pool = Pool::new();
        let bound = pool.terms.new_var("y", Sort::INT);
        pool.stacks[1].push(bound);
        steps.into_iter().for_each(|step| pool.step(step));
        let body = pool.stacks[0][pool.stacks[0].len() - 1];
        let text = pool.terms.print(pool.terms.exists(&[bound], body));
        let again = pool.read(&text).map_err(|e| TestCaseError::fail(format!("{e:?} in {text}")))?;
        let again = match pool.terms.op(again) {
            Op::Exists => {
                let args = pool.terms.args(again);
                pool.terms.substitute(args[1], [(args[0], bound)])
            }
            _ => again,
        };
        prop_assert_eq!(again, body, "{}", text);
    }

    /// Whatever the bytes are, there is an answer and no panic.
    #[test]
    fn any_text_is_read_or_refused(words in prop::collection::vec(0usize..WORDS.len(), 0..40)) {
        let text: String = words.iter().map(|&w| WORDS[w]).collect::<Vec<_>>().join(" ");
        let terms = TermStore::new();
        let (_, diagnostics) = super::run(&text, &terms);
        for diagnostic in diagnostics {
            prop_assert!(diagnostic.span.end as usize <= text.len() + 1);
            prop_assert!(diagnostic.span.start <= diagnostic.span.end);
        }
    }
}

const WORDS: [&str; 34] = [
    "(",
    "(",
    "(",
    "(",
    ")",
    ")",
    ")",
    ")",
    "assert",
    "x",
    "1",
    "declare-const",
    "x Int",
    "define-fun",
    "let",
    "((y 1))",
    "forall",
    "((z Int))",
    "!",
    ":named",
    "n",
    "+",
    "and",
    "_",
    "bv3 4",
    "as",
    "const",
    "(Array Int Int)",
    "store",
    "=",
    "lambda",
    "extract",
    "#b1",
    "true",
];
