//! `let`, quantifiers, annotations and the expansion of definitions.

use foretell_terms::{Op, Substitution, Term, TermStore};

use crate::apply::Call;
use crate::diagnostic::{Diagnostic, Outcome};
use crate::elaborate::{Annotation, Elaborator};
use crate::lambda::check_depth;
use crate::machine::{Construct, Frame, Machine, Quantifier, malformed};
use crate::reader::Sexp;
use crate::symbols::{Global, Macro, NameId, Quantified};

impl Elaborator<'_> {
    pub(crate) fn open_let(&mut self, machine: &mut Machine<'_>) -> Outcome<()> {
        let open = machine.at;
        let list = machine.sexp(open + 2);
        if !list.is_list() {
            return Err(malformed(
                machine.sexp(open),
                "`let` needs a list of bindings",
            ));
        }
        machine.at = open + 3;
        let base = machine.values.len();
        machine.frames.push(Frame {
            construct: Construct::Bindings(Vec::new()),
            open,
            base,
        });
        Ok(())
    }

    pub(crate) fn open_binding(&mut self, machine: &mut Machine<'_>) -> Outcome<()> {
        let open = machine.at;
        let name = machine.sexp(open + 1);
        let Some(text) = name.symbol() else {
            return Err(malformed(
                machine.sexp(open),
                "a binding `(name term)` expected",
            ));
        };
        let id = self.symbols.id(text);
        if let Some(Frame {
            construct: Construct::Bindings(names),
            ..
        }) = machine.frames.last_mut()
        {
            names.push(id);
        }
        machine.at = open + 2;
        let base = machine.values.len();
        machine.frames.push(Frame {
            construct: Construct::Binding,
            open,
            base,
        });
        Ok(())
    }

    /// The list of bindings ends: all names are bound at once, the values leave the stack.
    pub(crate) fn close_bindings(&mut self, machine: &mut Machine<'_>) -> Outcome<()> {
        let Some(frame) = machine.frames.last_mut() else {
            return Ok(());
        };
        let Construct::Bindings(names) = &mut frame.construct else {
            return Ok(());
        };
        let names = std::mem::take(names);
        for (&name, value) in names.iter().zip(&machine.values[frame.base..]) {
            self.symbols.bind(name, value.term);
        }
        machine.values.truncate(frame.base);
        frame.construct = Construct::LetBody(names);
        Ok(())
    }

    pub(crate) fn open_quantifier(
        &mut self,
        machine: &mut Machine<'_>,
        kind: Quantifier,
    ) -> Outcome<()> {
        let open = machine.at;
        let list = machine.sexp(open + 2);
        if !list.is_list() || list.items().next().is_none() {
            return Err(malformed(
                machine.sexp(open),
                "a quantifier needs a list of variables with sorts",
            ));
        }
        let (vars, names) = self.bind_variables(list)?;
        machine.at = list.after();
        let base = machine.values.len();
        let construct = Construct::Quantifier(kind, vars, names);
        machine.frames.push(Frame {
            construct,
            open,
            base,
        });
        Ok(())
    }

    /// Makes and binds new variables for a list `((x S) …)`; binds none when the list is faulty.
    pub(crate) fn bind_variables(&mut self, list: Sexp<'_>) -> Outcome<(Vec<Term>, Vec<NameId>)> {
        let mut vars = Vec::new();
        let mut names: Vec<NameId> = Vec::new();
        for item in list.expect_list("a list of variables with sorts")? {
            match self.bind_variable(item) {
                Ok((var, name)) => {
                    vars.push(var);
                    names.push(name);
                }
                Err(diagnostic) => {
                    names.iter().for_each(|&name| self.symbols.unbind(name));
                    return Err(diagnostic);
                }
            }
        }
        Ok((vars, names))
    }

    fn bind_variable(&mut self, item: Sexp<'_>) -> Outcome<(Term, NameId)> {
        let mut parts = item.items();
        let (name, sort, rest) = (parts.next(), parts.next(), parts.next());
        let (Some(name), Some(sort), None) = (name, sort, rest) else {
            return Err(malformed(
                item,
                "a variable with its sort `(name sort)` expected",
            ));
        };
        let text = name.expect_symbol("a variable name")?;
        let sort = self.sort(sort)?;
        let var = self.terms.new_var(&self.unused_name(text), sort);
        let id = self.symbols.id(text);
        self.symbols.bind(id, var);
        Ok((var, id))
    }

    /// The name itself, or with a number when it means something already.
    fn unused_name(&self, name: &str) -> String {
        if !self.symbols.is_visible(name) {
            return name.to_string();
        }
        let mut number = self.symbols.n_bindings(name).max(1);
        loop {
            let candidate = format!("{name}!{number}");
            if !self.symbols.is_visible(&candidate) {
                return candidate;
            }
            number += 1;
        }
    }

    /// The end of a `let` or of a quantifier.
    pub(crate) fn close_scope(&mut self, machine: &mut Machine<'_>) -> Outcome<()> {
        let Some(frame) = machine.frames.last() else {
            return Ok(());
        };
        let value = machine.single(frame)?;
        let (term, names) = match &frame.construct {
            Construct::LetBody(names) => (value.term, names),
            Construct::Quantifier(kind, vars, names) => {
                let sort = self.terms.sort(value.term);
                if *kind != Quantifier::Lambda && sort != foretell_terms::Sort::BOOL {
                    return Err(malformed(
                        machine.sexp(value.at),
                        "the body of a quantifier must be Bool",
                    ));
                }
                let term = match kind {
                    Quantifier::Forall => self.terms.forall(vars, value.term),
                    Quantifier::Exists => self.terms.exists(vars, value.term),
                    Quantifier::Lambda => {
                        check_depth(self.terms, sort, machine.sexp(frame.open))?;
                        self.lambdas.add(self.terms, vars, value.term)
                    }
                };
                (term, names)
            }
            _ => return Ok(()),
        };
        for &name in names {
            self.symbols.unbind(name);
        }
        let (base, open) = (frame.base, frame.open);
        machine.values.truncate(base);
        machine.frames.pop();
        machine.push(term, open);
        Ok(())
    }

    /// Unbinds what an unfinished term has bound.
    pub(crate) fn unwind(&mut self, machine: &Machine<'_>) {
        for frame in &machine.frames {
            if let Construct::LetBody(names)
            | Construct::Quantifier(_, _, names)
            | Construct::Case(_, names) = &frame.construct
            {
                names.iter().for_each(|&name| self.symbols.unbind(name));
            }
        }
    }

    /// A keyword: an attribute when the innermost construct is an annotated term.
    pub(crate) fn attribute(&mut self, machine: &mut Machine<'_>) -> Outcome<()> {
        let keyword = machine.here();
        let frame = machine
            .frames
            .last()
            .filter(|f| matches!(f.construct, Construct::Annotated));
        let Some(frame) = frame else {
            return Err(malformed(keyword, "a term expected, found a keyword"));
        };
        let value = machine.single(frame)?;
        let next = machine.sexp(machine.at + 1);
        let key = keyword.keyword().unwrap_or("").to_string();
        machine.at += 1;
        let mut annotation = Annotation {
            key,
            key_span: keyword.span(),
            value: None,
            term: value.term,
        };
        if next.keyword().is_none() && next.token().kind != crate::lexer::TokenKind::Close {
            annotation.value = Some(next.span());
            machine.at = next.after();
            if annotation.key == ":named" {
                self.name_term(next, value.term, machine)?;
            }
        }
        self.annotations.push(annotation);
        Ok(())
    }

    /// `:named` defines a constant, unless the term depends on bound variables.
    fn name_term(&mut self, name: Sexp<'_>, term: Term, machine: &Machine<'_>) -> Outcome<()> {
        let bound = |f: &Frame| matches!(f.construct, Construct::Quantifier(..));
        let text = name.expect_symbol("a name")?;
        if machine.frames.iter().any(bound) {
            return Ok(());
        }
        self.declare_new(name, text)?;
        let definition = self.definition(Vec::new(), term);
        self.symbols.declare(text, definition);
        Ok(())
    }

    pub(crate) fn definition(&self, params: Vec<Term>, body: Term) -> Global {
        let quantified = if self.terms.has_quantifier(body) {
            Quantified::Yes
        } else {
            Quantified::No
        };
        Global::Macro(std::rc::Rc::new(Macro {
            params,
            body,
            quantified,
        }))
    }

    /// The body of a definition with arguments for parameters.
    pub(crate) fn expand(
        &self,
        definition: &Macro,
        call: &Call<'_>,
    ) -> Result<Term, Box<Diagnostic>> {
        let sorts: Vec<_> = definition
            .params
            .iter()
            .map(|&p| self.terms.sort(p))
            .collect();
        let args = call.signature(&sorts)?;
        if definition.params.is_empty() {
            return Ok(definition.body);
        }
        let mut pairs: Vec<(Term, Term)> = definition.params.iter().copied().zip(args).collect();
        if definition.quantified == Quantified::Yes {
            pairs.extend(fresh_binders(self.terms, definition.body));
        }
        Ok(Substitution::from_pairs(pairs).apply(self.terms, definition.body))
    }
}

/// A new variable for every variable bound inside the term: copies of one quantifier must not share
/// variables, and arguments that were expanded from the same definition must not meet their own.
pub(crate) fn fresh_binders(terms: &TermStore, body: Term) -> Vec<(Term, Term)> {
    let binder = |t: &Term| matches!(terms.op(*t), Op::Forall | Op::Exists);
    let mut pairs = Vec::new();
    for term in terms.subterms(&[body]).into_iter().filter(binder) {
        let args = terms.args(term);
        for &var in &args[..args.len() - 1] {
            pairs.push((var, terms.fresh(terms.var_name(var), terms.sort(var))));
        }
    }
    pairs
}
