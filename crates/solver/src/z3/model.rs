//! Z3 models as values.

use std::cell::{OnceCell, RefCell};

use foretell_kernel::Model;
use foretell_terms::eval::{Assignment, FuncValue};
use foretell_terms::number::fraction;
use foretell_terms::{Func, Integer, Natural, Rational, Sort, SortKind, Term, TermStore, Value};
use z3::DeclKind;
use z3::ast::{Array, Ast, Bool, Dynamic};

use super::translate::Translation;

/// A model; it borrows the solver and its translation, so it ends before the next query. Z3 builds
/// it when the first value is asked for: many callers want to know only that there is one.
pub(super) struct Z3Model<'s> {
    solver: &'s z3::Solver,
    model: OnceCell<Option<z3::Model>>,
    translation: RefCell<&'s mut Translation>,
}

impl<'s> Z3Model<'s> {
    pub(super) fn new(solver: &'s z3::Solver, translation: &'s mut Translation) -> Z3Model<'s> {
        Z3Model {
            solver,
            model: OnceCell::new(),
            translation: RefCell::new(translation),
        }
    }

    fn model(&self) -> Option<&z3::Model> {
        self.model.get_or_init(|| self.solver.get_model()).as_ref()
    }

    /// The value in the model of a term, and of the definitions that deep terms need.
    fn evaluate(&self, terms: &TermStore, term: Term) -> Option<Dynamic> {
        let mut fresh = Vec::new();
        let ast = self
            .translation
            .borrow_mut()
            .term(terms, term, &mut |d: Bool| fresh.push(d))
            .ok()?;
        // A definition made now is unknown to the model: such a term has no value here.
        if !fresh.is_empty() {
            return None;
        }
        self.model()?.eval(&ast, true)
    }

    fn function(&self, terms: &TermStore, func: Func) -> Option<FuncValue> {
        let decl = terms.decl(func);
        let mut value = FuncValue {
            default: Some(terms.default_value(decl.sort)),
            ..FuncValue::default()
        };
        let interp = {
            let mut translation = self.translation.borrow_mut();
            let function = translation.function(terms, func).ok()?;
            self.model()?.get_func_interp(function)
        };
        let Some(interp) = interp else {
            return Some(value);
        };
        for entry in interp.get_entries() {
            let args: Option<Vec<Value>> = entry
                .get_args()
                .iter()
                .zip(&decl.args)
                .map(|(a, &s)| self.read(terms, a, s))
                .collect();
            value
                .entries
                .insert(args?, self.read(terms, &entry.get_value(), decl.sort)?);
        }
        value.default = Some(self.read(terms, &interp.get_else()?, decl.sort)?);
        Some(value)
    }

    fn read(&self, terms: &TermStore, ast: &Dynamic, sort: Sort) -> Option<Value> {
        match terms.kind(sort) {
            SortKind::Bool => ast.as_bool()?.as_bool().map(Value::Bool),
            // Small numbers by value, the others by their text.
            SortKind::Int => {
                if let Some(small) = ast.as_int().and_then(|n| n.as_i64()) {
                    return Some(Value::Int(small.into()));
                }
                number(&ast.to_string())
                    .and_then(|q| foretell_terms::number::to_integer(&q))
                    .map(Value::Int)
            }
            SortKind::Real => {
                if let Some((n, d)) = ast.as_real().and_then(|q| q.as_rational()) {
                    return Some(Value::real(fraction(&n.into(), &d.into())));
                }
                number(&ast.to_string()).map(Value::real)
            }
            SortKind::BitVec(width) => {
                if let Some(small) = ast
                    .as_bv()
                    .filter(|_| *width <= 64)
                    .and_then(|n| n.as_u64())
                {
                    return Some(Value::BitVec(*width, small.into()));
                }
                bits(&ast.to_string()).map(|n| Value::BitVec(*width, n))
            }
            SortKind::Uninterpreted(_) => {
                element(&ast.to_string()).map(|n| Value::Element(sort, n))
            }
            SortKind::Data(_) => self.read_data(terms, ast, sort),
            SortKind::Array { indices, element } => {
                let indices: Vec<Sort> = indices.to_vec();
                self.read_array(terms, &ast.as_array()?, sort, &indices, *element)
            }
        }
    }

    /// A constructor applied to values.
    fn read_data(&self, terms: &TermStore, ast: &Dynamic, sort: Sort) -> Option<Value> {
        let decl = ast.safe_decl().ok()?;
        let made = terms.constructors(sort).find(|&constructor| {
            let mut translation = self.translation.borrow_mut();
            let variant = translation.sorts.variant(terms, constructor);
            variant.is_ok_and(|v| v.constructor.name() == decl.name())
        })?;
        let fields = terms.constructor(made).fields.iter().enumerate();
        let fields: Option<Vec<Value>> = fields
            .map(|(i, field)| self.read(terms, &ast.nth_child(i)?, field.sort))
            .collect();
        Some(Value::Data(made, fields?))
    }

    /// Constant arrays, store chains and function tables.
    fn read_array(
        &self,
        terms: &TermStore,
        array: &Array,
        sort: Sort,
        indices: &[Sort],
        element: Sort,
    ) -> Option<Value> {
        let mut writes = Vec::new();
        let mut current = array.clone();
        loop {
            if current.is_const_array() {
                let default = self.read(terms, &current.nth_child(0)?, element)?;
                let mut value = terms.constant_array_value(sort, default)?;
                for (index, cell) in writes.into_iter().rev() {
                    value.store(index, cell);
                }
                return Some(Value::Array(value));
            }
            if let Some(func) = current.as_array_func_decl() {
                let interp = self.model()?.get_func_interp(&func)?;
                let default = self.read(terms, &interp.get_else()?, element)?;
                let mut value = terms.constant_array_value(sort, default)?;
                for entry in interp.get_entries() {
                    let index = self.read_index(terms, entry.get_args().first()?, indices)?;
                    value.store(index, self.read(terms, &entry.get_value(), element)?);
                }
                for (index, cell) in writes.into_iter().rev() {
                    value.store(index, cell);
                }
                return Some(Value::Array(value));
            }
            let decl = current.safe_decl().ok()?;
            if decl.kind() != DeclKind::Store {
                return None;
            }
            let index = self.read_index(terms, &current.nth_child(1)?, indices)?;
            writes.push((index, self.read(terms, &current.nth_child(2)?, element)?));
            current = current.nth_child(0)?.as_array()?;
        }
    }

    /// The indices of a cell; several are a tuple, see [`super::data`].
    fn read_index(&self, terms: &TermStore, ast: &Dynamic, sorts: &[Sort]) -> Option<Vec<Value>> {
        if let [only] = sorts {
            return Some(vec![self.read(terms, ast, *only)?]);
        }
        let parts = sorts.iter().enumerate();
        parts
            .map(|(i, &sort)| self.read(terms, &ast.nth_child(i)?, sort))
            .collect()
    }
}

impl Model for Z3Model<'_> {
    fn value(&self, terms: &TermStore, term: Term) -> Option<Value> {
        let ast = self.evaluate(terms, term)?;
        self.read(terms, &ast, terms.sort(term))
    }

    fn assignment(&self, terms: &TermStore, of: &[Term]) -> Option<Assignment> {
        let mut result = Assignment::new();
        for var in terms.free_vars(of) {
            result.insert(var, self.value(terms, var)?);
        }
        for func in terms.functions(of) {
            result.functions.insert(func, self.function(terms, func)?);
        }
        Some(result)
    }
}

/// A number as Z3 prints it: `5`, `(- 5)`, `2.0`, `(/ 1.0 3.0)`, `(- (/ 1.0 3.0))`.
fn number(text: &str) -> Option<Rational> {
    let mut stack: Vec<(char, Vec<Rational>)> = vec![(' ', Vec::new())];
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "(" => stack.push((words.next()?.chars().next()?, Vec::new())),
            ")" => {
                let (op, args) = stack.pop()?;
                let value = match (op, args.as_slice()) {
                    ('-', [a]) => -a.clone(),
                    ('/', [a, b]) if !b.is_zero() => a.clone() / b.clone(),
                    _ => return None,
                };
                stack.last_mut()?.1.push(value);
            }
            _ => stack.last_mut()?.1.push(decimal(word)?),
        }
    }
    match stack.as_slice() {
        [(_, values)] if values.len() == 1 => Some(values[0].clone()),
        _ => None,
    }
}

fn decimal(word: &str) -> Option<Rational> {
    let (whole, part) = word.split_once('.').unwrap_or((word, ""));
    if part.ends_with('?') {
        return None;
    }
    let digits: Integer = format!("{whole}{part}").parse().ok()?;
    let scale: Integer = format!("1{}", "0".repeat(part.len())).parse().ok()?;
    Some(fraction(&digits, &scale))
}

fn bits(text: &str) -> Option<Natural> {
    if let Some(hex) = text.strip_prefix("#x") {
        return Natural::from_str_radix(hex, 16).ok();
    }
    Natural::from_str_radix(text.strip_prefix("#b")?, 2).ok()
}

/// Z3 names elements `Sort!val!n`.
fn element(text: &str) -> Option<u64> {
    text.trim_matches('|').rsplit('!').next()?.parse().ok()
}
