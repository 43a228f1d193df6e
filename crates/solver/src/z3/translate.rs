//! Terms to Z3 expressions.
//!
//! Z3 walks expressions recursively in places, so it must never see deep ones: when a translated
//! expression gets deeper than a limit it is named by a fresh constant `c = expression` and the
//! constant stands for it from then on. Arrays with several indices become arrays over their tuple:
//!
//! ```text
//! select(a, i, j)     select(a, (i, j))
//! store(a, i, j, v)   store(a, (i, j), v)
//! ```
//!
//! Nested arrays would do, too, but rows of a model may then have defaults of their own, and such a
//! value is no finite list of cells.

use foretell_kernel::Halt;
use foretell_terms::{BvOp, Func, FuncMap, Node, Op, Term, TermMap, TermStore};
use z3::ast::{Array, Ast, BV, Bool, Dynamic, Int, Real};
use z3::{FuncDecl, Symbol};

use super::data::Sorts;

/// Depth from which an expression is named by a constant.
const MAX_DEPTH: u32 = 400;

/// A memoised translation.
///
/// Invariant: every entry of `done` is valid given the definitions handed to the solver at the
/// levels that are still open; `back_to` drops the entries of closed levels if a definition went.
#[derive(Default)]
pub(super) struct Translation {
    done: TermMap<(Dynamic, u32)>,
    functions: FuncMap<FuncDecl>,
    pub(super) sorts: Sorts,
    /// Sizes of `done` at which a definition was made.
    definitions: Vec<usize>,
}

impl Translation {
    /// The current extent, for [`Translation::back_to`].
    pub(super) fn mark(&self) -> usize {
        self.done.len()
    }

    /// Forgets what depends on definitions made after the mark.
    pub(super) fn back_to(&mut self, mark: usize) {
        if self.definitions.last().is_some_and(|&at| at >= mark) {
            self.done.truncate(mark);
            self.definitions.retain(|&at| at < mark);
        }
    }

    /// The expression of a term; `define` receives definitions that must be asserted.
    pub(super) fn term(
        &mut self,
        terms: &TermStore,
        root: Term,
        define: &mut dyn FnMut(Bool),
    ) -> Result<Dynamic, Halt> {
        let mut quantified = None;
        let mut work = vec![root];
        while let Some(&term) = work.last() {
            if self.done.contains_key(&term) {
                work.pop();
                continue;
            }
            let node = terms.node(term);
            let before = work.len();
            work.extend(
                node.args
                    .iter()
                    .copied()
                    .filter(|a| !self.done.contains_key(a)),
            );
            if work.len() > before {
                continue;
            }
            let depth = node.args.iter().map(|a| self.done[a].1).max().unwrap_or(0) + 1;
            let ast = self.node(terms, node)?;
            // Below a binder nothing can be named from outside.
            if depth > MAX_DEPTH && !*quantified.get_or_insert_with(|| terms.has_quantifier(root)) {
                let name = Dynamic::fresh_const("d", &ast.get_sort());
                define(name.eq(&ast));
                self.definitions.push(self.done.len());
                self.done.insert(term, (name, 0));
            } else {
                self.done.insert(term, (ast, depth));
            }
            work.pop();
        }
        Ok(self.done[&root].0.clone())
    }

    fn node(&mut self, terms: &TermStore, node: &Node) -> Result<Dynamic, Halt> {
        let args: Vec<Dynamic> = node.args.iter().map(|a| self.done[a].0.clone()).collect();
        Ok(match &node.op {
            Op::True => Bool::from_bool(true).into(),
            Op::False => Bool::from_bool(false).into(),
            Op::Int(n) => integer(&n.to_string())?.into(),
            Op::Real(q) => {
                Real::from_rational_str(&q.numerator().to_string(), &q.denominator().to_string())
                    .ok_or_else(|| refused("a real numeral"))?
                    .into()
            }
            Op::BitVec(width, bits) => BV::from_str(*width, &bits.to_string())
                .ok_or_else(|| refused("a bit-vector numeral"))?
                .into(),
            Op::App(func) => {
                let args: Vec<&dyn Ast> = args.iter().map(|a| a as &dyn Ast).collect();
                self.function(terms, *func)?.apply(&args)
            }
            Op::Not => bool(&args[0])?.not().into(),
            Op::And => Bool::and(&bools(&args)?).into(),
            Op::Or => Bool::or(&bools(&args)?).into(),
            Op::Eq => args[0].eq(&args[1]).into(),
            Op::Ite => bool(&args[0])?.ite(&args[1], &args[2]),
            Op::Forall | Op::Exists => quantifier(node, &args)?,
            Op::Select => {
                let index = self.index(terms, node.args[0], &args[1..])?;
                array(&args[0])?.select(&index)
            }
            Op::Store => {
                let (value, rest) = args.split_last().ok_or_else(|| refused("a store"))?;
                let index = self.index(terms, node.args[0], &rest[1..])?;
                array(&args[0])?.store(&index, value).into()
            }
            Op::ConstArray => {
                let parts = terms.array_parts(node.sort);
                let (indices, _) = parts.ok_or_else(|| refused("a constant array"))?;
                let index = self.sorts.index(terms, indices)?;
                Array::const_array(&index, &args[0]).into()
            }
            Op::Construct(_) | Op::Field(_) | Op::Is(_) => self.data(terms, node, &args)?,
            Op::Bv(op) => bitvector(*op, &args)?,
            Op::Add | Op::Mul | Op::Le | Op::IDiv | Op::Mod | Op::RDiv | Op::ToReal | Op::ToInt => {
                arithmetic(&node.op, &args)?
            }
        })
    }

    /// The index of an array at these indices.
    fn index(&mut self, terms: &TermStore, of: Term, at: &[Dynamic]) -> Result<Dynamic, Halt> {
        if let [only] = at {
            return Ok(only.clone());
        }
        let parts = terms.array_parts(terms.sort(of));
        let (indices, _) = parts.ok_or_else(|| refused("an array argument"))?;
        let at: Vec<&dyn Ast> = at.iter().map(|a| a as &dyn Ast).collect();
        Ok(self.sorts.tuple(terms, indices)?.constructor.apply(&at))
    }

    fn data(&mut self, terms: &TermStore, node: &Node, args: &[Dynamic]) -> Result<Dynamic, Halt> {
        let args: Vec<&dyn Ast> = args.iter().map(|a| a as &dyn Ast).collect();
        Ok(match &node.op {
            Op::Construct(of) => self.sorts.variant(terms, *of)?.constructor.apply(&args),
            Op::Is(of) => self.sorts.variant(terms, *of)?.tester.apply(&args),
            Op::Field(selector) => {
                let variant = self.sorts.variant(terms, selector.constructor)?;
                variant.accessors[selector.field as usize].apply(&args)
            }
            _ => return Err(refused("an operator of datatypes")),
        })
    }

    /// The Z3 function of a declaration. Identity is the declaration, hence the number in the name.
    pub(super) fn function(&mut self, terms: &TermStore, func: Func) -> Result<&FuncDecl, Halt> {
        if !self.functions.contains_key(&func) {
            let decl = terms.decl(func);
            let domain = decl.args.iter().map(|&s| self.sorts.sort(terms, s));
            let domain = domain.collect::<Result<Vec<z3::Sort>, Halt>>()?;
            let name = Symbol::String(format!("{}#{}", decl.name, func.index()));
            let range = self.sorts.sort(terms, decl.sort)?;
            let made = FuncDecl::new(name, &domain.iter().collect::<Vec<_>>(), &range);
            self.functions.insert(func, made);
        }
        Ok(&self.functions[&func])
    }
}

fn refused(what: &str) -> Halt {
    Halt::Solver(format!("Z3 did not accept {what}"))
}

fn integer(text: &str) -> Result<Int, Halt> {
    text.parse().map_err(|()| refused("an integer numeral"))
}

fn bool(ast: &Dynamic) -> Result<Bool, Halt> {
    ast.as_bool().ok_or_else(|| refused("a Boolean argument"))
}

fn bools(args: &[Dynamic]) -> Result<Vec<Bool>, Halt> {
    args.iter().map(bool).collect()
}

fn arithmetic(op: &Op, args: &[Dynamic]) -> Result<Dynamic, Halt> {
    let ints: Option<Vec<Int>> = args.iter().map(Dynamic::as_int).collect();
    if let Some(ints) = ints {
        return Ok(match op {
            Op::Add => Int::add(&ints).into(),
            Op::Mul => Int::mul(&ints).into(),
            Op::Le => ints[0].le(&ints[1]).into(),
            Op::IDiv => ints[0].div(&ints[1]).into(),
            Op::Mod => ints[0].modulo(&ints[1]).into(),
            Op::ToReal => ints[0].to_real().into(),
            _ => return Err(refused("an integer operator")),
        });
    }
    let reals: Option<Vec<Real>> = args.iter().map(Dynamic::as_real).collect();
    let reals = reals.ok_or_else(|| refused("an arithmetic argument"))?;
    Ok(match op {
        Op::Add => Real::add(&reals).into(),
        Op::Mul => Real::mul(&reals).into(),
        Op::Le => reals[0].le(&reals[1]).into(),
        Op::RDiv => reals[0].div(&reals[1]).into(),
        Op::ToInt => reals[0].to_int().into(),
        _ => return Err(refused("a real operator")),
    })
}

fn quantifier(node: &Node, args: &[Dynamic]) -> Result<Dynamic, Halt> {
    let (body, vars) = args.split_last().ok_or_else(|| refused("a quantifier"))?;
    let vars: Vec<&dyn Ast> = vars.iter().map(|v| v as &dyn Ast).collect();
    let body = bool(body)?;
    let result = if node.op == Op::Forall {
        z3::ast::forall_const(&vars, &[], &body)
    } else {
        z3::ast::exists_const(&vars, &[], &body)
    };
    Ok(result.into())
}

fn array(ast: &Dynamic) -> Result<Array, Halt> {
    ast.as_array().ok_or_else(|| refused("an array argument"))
}

fn bitvector(op: BvOp, args: &[Dynamic]) -> Result<Dynamic, Halt> {
    if let BvOp::FromInt(width) = op {
        let n = args[0]
            .as_int()
            .ok_or_else(|| refused("an integer argument"))?;
        return Ok(BV::from_int(&n, width).into());
    }
    let args: Option<Vec<BV>> = args.iter().map(Dynamic::as_bv).collect();
    let args = args.ok_or_else(|| refused("a bit-vector argument"))?;
    let a = &args[0];
    if args.len() == 1 {
        return Ok(match op {
            BvOp::Extract { high, low } => a.extract(high, low).into(),
            BvOp::Not => a.bvnot().into(),
            BvOp::Neg => a.bvneg().into(),
            BvOp::ZeroExtend(by) => a.zero_ext(by).into(),
            BvOp::SignExtend(by) => a.sign_ext(by).into(),
            BvOp::ToNat => Int::from_bv(a, false).into(),
            _ => return Err(refused("a bit-vector operator")),
        });
    }
    let b = &args[1];
    Ok(match op {
        BvOp::Concat => a.concat(b).into(),
        BvOp::And => a.bvand(b).into(),
        BvOp::Or => a.bvor(b).into(),
        BvOp::Xor => a.bvxor(b).into(),
        BvOp::Add => a.bvadd(b).into(),
        BvOp::Mul => a.bvmul(b).into(),
        BvOp::Udiv => a.bvudiv(b).into(),
        BvOp::Urem => a.bvurem(b).into(),
        BvOp::Sdiv => a.bvsdiv(b).into(),
        BvOp::Srem => a.bvsrem(b).into(),
        BvOp::Smod => a.bvsmod(b).into(),
        BvOp::Shl => a.bvshl(b).into(),
        BvOp::Lshr => a.bvlshr(b).into(),
        BvOp::Ashr => a.bvashr(b).into(),
        BvOp::Ule => a.bvule(b).into(),
        BvOp::Sle => a.bvsle(b).into(),
        _ => return Err(refused("a bit-vector operator")),
    })
}
