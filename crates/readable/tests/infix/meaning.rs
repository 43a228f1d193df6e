//! From a parsed text to a term: names are looked up, and numbers get the sort that their place asks for.

use foretell_terms::{
    BvOp, Func, Integer, Op, Rational, Sort, Term, TermStore, number::to_integer,
};

use crate::parser::Ast;

/// What names mean.
pub(crate) struct Scope<'s> {
    pub(crate) store: &'s TermStore,
    /// Variables, innermost last.
    pub(crate) vars: Vec<(String, Term)>,
    pub(crate) functions: Vec<Func>,
    /// Sorts by their text.
    pub(crate) sorts: Vec<(String, Sort)>,
}

const VECTORS: [(&str, BvOp); 17] = [
    ("concat", BvOp::Concat),
    ("bvnot", BvOp::Not),
    ("bvand", BvOp::And),
    ("bvor", BvOp::Or),
    ("bvxor", BvOp::Xor),
    ("bvneg", BvOp::Neg),
    ("bvadd", BvOp::Add),
    ("bvmul", BvOp::Mul),
    ("bvudiv", BvOp::Udiv),
    ("bvurem", BvOp::Urem),
    ("bvsdiv", BvOp::Sdiv),
    ("bvsrem", BvOp::Srem),
    ("bvsmod", BvOp::Smod),
    ("bvshl", BvOp::Shl),
    ("bvlshr", BvOp::Lshr),
    ("bvashr", BvOp::Ashr),
    ("ubv_to_int", BvOp::ToNat),
];

/// An operator with numbers: `(_ extract 3 0)`.
fn indexed(head: &str) -> Option<BvOp> {
    let words: Vec<&str> = head
        .strip_prefix("(_ ")?
        .strip_suffix(')')?
        .split(' ')
        .collect();
    let number = |place: usize| words.get(place)?.parse::<u32>().ok();
    Some(match words[0] {
        "extract" => BvOp::Extract {
            high: number(1)?,
            low: number(2)?,
        },
        "zero_extend" => BvOp::ZeroExtend(number(1)?),
        "sign_extend" => BvOp::SignExtend(number(1)?),
        "int_to_bv" => BvOp::FromInt(number(1)?),
        _ => return None,
    })
}

impl Scope<'_> {
    /// The sort of a part, where it does not depend on its place.
    fn sort(&self, ast: &Ast) -> Option<Sort> {
        let store = self.store;
        match ast {
            Ast::Number(q) => to_integer(q).is_none().then_some(Sort::REAL),
            Ast::Vector(width, _) => Some(store.bv_sort(*width)),
            Ast::Call(..) => Some(store.sort(self.term(ast, None))),
            Ast::Select(array, _) => {
                let sort = self.sort(array)?;
                store.array_parts(sort).map(|(_, element)| element)
            }
            Ast::Store(array, at, value) => self.sort(array).or_else(|| {
                let at: Option<Vec<Sort>> = at.iter().map(|a| self.sort(a)).collect();
                Some(store.array_sort(&at?, self.sort(value).or_else(|| self.cell(array))?))
            }),
            Ast::Everywhere(_) => None,
            Ast::If(parts) => self.sort(&parts[1]).or_else(|| self.sort(&parts[2])),
            Ast::Negative(inner) => self.sort(inner),
            Ast::Binary("/", _) => Some(Sort::REAL),
            Ast::Binary("mod" | "div", _) => Some(Sort::INT),
            Ast::Binary(_, sides) => self.sort(&sides[0]).or_else(|| self.sort(&sides[1])),
            Ast::Not(_)
            | Ast::And(_)
            | Ast::Or(_)
            | Ast::Implies(_)
            | Ast::Chain(..)
            | Ast::Bind(..) => Some(Sort::BOOL),
        }
    }

    /// The sort of the cells of an array that is spelled out.
    fn cell(&self, array: &Ast) -> Option<Sort> {
        match array {
            Ast::Everywhere(value) => self.sort(value),
            Ast::Store(inner, _, value) => self.sort(value).or_else(|| self.cell(inner)),
            _ => None,
        }
    }

    /// The term of a part in a place that asks for a sort.
    pub(crate) fn term(&self, ast: &Ast, wanted: Option<Sort>) -> Term {
        let store = self.store;
        let sort = || wanted.or_else(|| self.sort(ast));
        let truth = |part: &Ast| self.term(part, Some(Sort::BOOL));
        match ast {
            Ast::Number(q) => self.number(q, sort()),
            Ast::Vector(width, bits) => store.bv(Integer::from(bits.clone()), *width),
            Ast::Call(head, arguments) => self.call(head, arguments),
            Ast::Select(array, at) => self.select(array, at, wanted),
            Ast::Store(array, at, value) => {
                let sort = sort().unwrap_or_else(|| self.array(at, None));
                let (indices, element) = store.array_parts(sort).expect("an array");
                let array = self.term(array, Some(sort));
                let pairs = at.iter().zip(indices);
                let at: Vec<Term> = pairs.map(|(a, &s)| self.term(a, Some(s))).collect();
                store.store(array, &at, self.term(value, Some(element)))
            }
            Ast::Everywhere(value) => {
                let sort = wanted.unwrap_or_else(|| self.array(&[], self.cell(ast)));
                let (_, element) = store.array_parts(sort).expect("an array");
                store.const_array(sort, self.term(value, Some(element)))
            }
            Ast::If(parts) => {
                let [condition, yes, no] = parts.as_ref();
                let sort = sort();
                let (yes, no) = (self.term(yes, sort), self.term(no, sort));
                store.ite(truth(condition), yes, no)
            }
            Ast::Not(inner) => store.not(truth(inner)),
            Ast::Negative(inner) => store.neg(self.term(inner, sort())),
            Ast::And(parts) => store.and(parts.iter().map(truth)),
            Ast::Or(parts) => store.or(parts.iter().map(truth)),
            Ast::Implies(sides) => store.implies(truth(&sides[0]), truth(&sides[1])),
            Ast::Chain(sides, signs) => self.chain(sides, signs),
            Ast::Binary(sign, sides) => self.binary(sign, sides, sort()),
            Ast::Bind(sign, vars, body) => self.bind(*sign, vars, body),
        }
    }

    fn number(&self, q: &Rational, sort: Option<Sort>) -> Term {
        let sort = sort.unwrap_or(Sort::INT);
        self.store.numeral(q, sort).expect("a number of the sort")
    }

    /// The sort of an array that is only known by its indices and cells.
    fn array(&self, at: &[Ast], element: Option<Sort>) -> Sort {
        let at = at.iter().map(|a| self.sort(a).unwrap_or(Sort::INT));
        // Nobody says what the indices are: then it does not matter.
        let mut at: Vec<Sort> = at.collect();
        if at.is_empty() {
            at.push(Sort::INT);
        }
        self.store.array_sort(&at, element.unwrap_or(Sort::INT))
    }

    fn select(&self, array: &Ast, at: &[Ast], wanted: Option<Sort>) -> Term {
        let element = wanted.or_else(|| self.cell(array));
        let sort = self.sort(array).unwrap_or_else(|| self.array(at, element));
        let (indices, _) = self.store.array_parts(sort).expect("an array");
        let pairs = at.iter().zip(indices);
        let at: Vec<Term> = pairs.map(|(a, &s)| self.term(a, Some(s))).collect();
        self.store.select(self.term(array, Some(sort)), &at)
    }

    fn chain(&self, sides: &[Ast], signs: &[&str]) -> Term {
        let store = self.store;
        let cell = || sides.iter().find_map(|side| self.cell(side));
        let sort = sides.iter().find_map(|side| self.sort(side));
        let sort = sort.or_else(|| cell().map(|cell| self.array(&[], Some(cell))));
        let sides: Vec<Term> = sides.iter().map(|side| self.term(side, sort)).collect();
        let link = |(pair, sign): (&[Term], &&str)| match *sign {
            "=" => store.eq(pair[0], pair[1]),
            "≠" => store.not(store.eq(pair[0], pair[1])),
            "≤" => store.le(pair[0], pair[1]),
            "<" => store.lt(pair[0], pair[1]),
            "≤ᵤ" => store.bv_ule(pair[0], pair[1]),
            "<ᵤ" => store.bv_ult(pair[0], pair[1]),
            "≤ₛ" => store.bv_sle(pair[0], pair[1]),
            "<ₛ" => store.bv_slt(pair[0], pair[1]),
            other => panic!("{other}"),
        };
        store.and(sides.windows(2).zip(signs).map(link))
    }

    fn binary(&self, sign: &str, sides: &[Ast; 2], sort: Option<Sort>) -> Term {
        let [a, b] = [&sides[0], &sides[1]].map(|side| self.term(side, sort));
        match sign {
            "+" => self.store.add2(a, b),
            "-" => self.store.sub(a, b),
            "·" => self.store.mul(&[a, b]),
            "mod" => self.store.modulo(a, b),
            "div" => self.store.idiv(a, b),
            "/" => self.store.rdiv(a, b),
            other => panic!("{other}"),
        }
    }

    fn bind(&self, sign: char, vars: &[(String, Option<String>)], body: &Ast) -> Term {
        let mut inner = Scope {
            vars: self.vars.clone(),
            functions: self.functions.clone(),
            sorts: self.sorts.clone(),
            ..*self
        };
        let mut bound = Vec::new();
        for (name, text) in vars {
            let known = |text: &String| self.sorts.iter().find(|(t, _)| t == text);
            let sort = text
                .as_ref()
                .map_or(Sort::INT, |t| known(t).expect("a sort").1);
            let var = self.store.fresh("bound", sort);
            inner.vars.push((name.clone(), var));
            bound.push(var);
        }
        let body = inner.term(body, Some(Sort::BOOL));
        match sign {
            '∀' => self.store.forall(&bound, body),
            _ => self.store.exists(&bound, body),
        }
    }

    fn call(&self, head: &str, arguments: &[Ast]) -> Term {
        let store = self.store;
        let with = |sorts: &[Sort]| -> Vec<Term> {
            assert_eq!(sorts.len(), arguments.len(), "{head}");
            let pairs = arguments.iter().zip(sorts);
            pairs.map(|(a, &s)| self.term(a, Some(s))).collect()
        };
        match head {
            "true" => return store.tt(),
            "false" => return store.ff(),
            "to_real" => return store.to_real(with(&[Sort::INT])[0]),
            "to_int" => return store.to_int(with(&[Sort::REAL])[0]),
            _ => {}
        }
        if arguments.is_empty() {
            let own = self.vars.iter().rev().find(|(name, _)| name == head);
            if let Some((_, var)) = own {
                return *var;
            }
        }
        let named = |f: &&Func| store.name(**f) == head;
        if let Some(&func) = self.functions.iter().find(named) {
            return store.app(func, &with(&store.decl(func).args));
        }
        if let Some(term) = self.data(head, &with) {
            return term;
        }
        let plain = VECTORS
            .iter()
            .find(|(name, _)| *name == head)
            .map(|(_, op)| *op);
        let op = plain.or_else(|| indexed(head));
        let op = op.unwrap_or_else(|| panic!("`{head}` is not known"));
        let wanted = matches!(op, BvOp::FromInt(_)).then_some(Sort::INT);
        let wanted = wanted.or_else(|| arguments.iter().find_map(|a| self.sort(a)));
        let arguments: Vec<Term> = arguments
            .iter()
            .map(|a| self.term(a, wanted.filter(|_| op != BvOp::Concat)))
            .collect();
        store.bv_op(op, &arguments)
    }

    /// Constructors, selectors and testers.
    fn data(&self, head: &str, with: &dyn Fn(&[Sort]) -> Vec<Term>) -> Option<Term> {
        let store = self.store;
        let tested = head
            .strip_prefix("(_ is ")
            .and_then(|s| s.strip_suffix(')'));
        for sort in store.data_sorts() {
            for constructor in store.constructors(sort) {
                let decl = store.constructor(constructor);
                let name: &str = &decl.name;
                if head == name || head == format!("(as {name} {})", store.print_sort(sort)) {
                    let fields: Vec<Sort> = decl.fields.iter().map(|f| f.sort).collect();
                    return Some(store.construct(constructor, &with(&fields)));
                }
                if tested.is_some_and(|t| t.trim_matches('|') == name) {
                    return Some(store.is(constructor, with(&[sort])[0]));
                }
                for selector in store.selectors(constructor) {
                    if *store.selector(selector).selector == *head {
                        return Some(store.field(selector, with(&[sort])[0]));
                    }
                }
            }
        }
        None
    }
}

/// Quantifiers replaced by their instances at these values.
pub(crate) fn instances(
    store: &TermStore,
    formula: Term,
    values: &dyn Fn(Sort) -> Vec<Term>,
) -> Term {
    let mut done: foretell_terms::TermMap<Term> = foretell_terms::TermMap::default();
    for term in store.subterms(&[formula]) {
        let node = store.node(term);
        let args: Vec<Term> = node.args.iter().map(|a| done[a]).collect();
        let new = match (&node.op, args.split_last()) {
            (Op::Forall | Op::Exists, Some((&body, vars))) => {
                let mut parts = vec![body];
                for &var in vars {
                    let all = values(store.sort(var));
                    let at = |part: Term| {
                        let each = all
                            .iter()
                            .map(|&value| store.substitute(part, [(var, value)]));
                        each.collect::<Vec<_>>()
                    };
                    parts = parts.into_iter().flat_map(at).collect();
                }
                match node.op {
                    Op::Forall => store.and(parts),
                    _ => store.or(parts),
                }
            }
            _ => store.rebuild(&node.op, &args, node.sort),
        };
        done.insert(term, new);
    }
    done[&formula]
}
