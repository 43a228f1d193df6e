//! Commands that declare, define or set something; all front ends share them.

use foretell_terms::{Func, Sort, SortKind, Term};

use crate::builtin;
use crate::diagnostic::{Code, Diagnostic, Outcome, excerpt};
use crate::elaborate::Elaborator;
use crate::reader::Sexp;
use crate::sorts;
use crate::span::Span;
use crate::symbols::{Global, SortName, SortTemplate};

/// What a declaration did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Declared {
    /// A function or constant was declared.
    Function(Func),
    /// A function or constant was defined; the body.
    Definition(Term),
    /// A sort was declared or defined.
    Sort,
    /// The logic was set.
    Logic(String),
    /// A command without influence on the meaning (`set-info`, `get-model`, …).
    Nothing,
}

/// Commands that are refused, with the feature they would need.
const REFUSED: [(&str, &str); 22] = [
    ("declare-codatatype", "infinite data types"),
    ("declare-codatatypes", "infinite data types"),
    ("define-fun-rec", "recursive functions"),
    ("define-funs-rec", "recursive functions"),
    ("push", "assertion levels"),
    ("pop", "assertion levels"),
    ("reset", "assertion levels"),
    ("reset-assertions", "assertion levels"),
    ("include", "reading other files"),
    ("check-sat-assuming", "assumptions"),
    ("check-sat-using", "tactics"),
    ("apply", "tactics"),
    ("minimize", "optimization"),
    ("maximize", "optimization"),
    ("assert-soft", "optimization"),
    ("eval", "evaluation"),
    ("simplify", "simplification"),
    ("display", "output commands"),
    ("declare-heap", "heaps"),
    ("declare-pool", "pools"),
    ("declare-map", "array maps"),
    ("define-const-rec", "recursive functions"),
];

/// Commands that change nothing about the problem.
const HARMLESS: [&str; 17] = [
    "set-info",
    "set-option",
    "get-info",
    "get-option",
    "get-model",
    "get-value",
    "get-proof",
    "get-assertions",
    "get-assignment",
    "get-unsat-core",
    "get-unsat-assumptions",
    "get-interpolants",
    "compute-interpolant",
    "echo",
    "exit",
    "help",
    "labels",
];

impl Elaborator<'_> {
    /// Carries out a command that declares, defines or sets something; `None` for other commands.
    pub fn declaration(&mut self, command: Sexp<'_>) -> Outcome<Option<Declared>> {
        let word = command.items().next().and_then(Sexp::symbol).unwrap_or("");
        Ok(Some(match word {
            "set-logic" => {
                let logic = command
                    .items()
                    .nth(1)
                    .ok_or_else(|| command.malformed("a logic expected"))?;
                Declared::Logic(logic.expect_symbol("the name of a logic")?.to_string())
            }
            "declare-fun" => self.declare_fun(command)?,
            "declare-const" => self.declare_variable(command)?,
            "define-fun" | "define-const" => self.define_fun(command)?,
            "declare-sort" => self.declare_sort(command)?,
            "define-sort" => self.define_sort(command)?,
            "declare-datatype" | "declare-datatypes" => self.declare_datatypes(command)?,
            _ if HARMLESS.contains(&word) => Declared::Nothing,
            _ => match REFUSED.iter().find(|(name, _)| *name == word) {
                Some((_, feature)) => return Err(self.refuse(command, word, feature)),
                None => return Ok(None),
            },
        }))
    }

    /// Refuses a command and poisons the names it would declare, so that uses are not reported.
    fn refuse(&mut self, command: Sexp<'_>, word: &str, feature: &str) -> Box<Diagnostic> {
        if feature == "infinite data types" || word.starts_with("define-") {
            self.poison_datatypes(command);
        }
        Diagnostic::unsupported(command.span(), format!("{feature} (`{word}`)"))
    }

    /// The name of a new symbol.
    pub(crate) fn declare_new(&mut self, place: Sexp<'_>, name: &str) -> Outcome<()> {
        let problem = match self.symbols.global(name) {
            Some(Global::Poisoned) | None if builtin::builtin(name).is_some() => {
                "is an operator already"
            }
            Some(Global::Poisoned) | None => return Ok(()),
            Some(_) => "is declared twice",
        };
        Err(Diagnostic::error(
            Code::Duplicate,
            place.span(),
            format!("`{}` {problem}", excerpt(name)),
        ))
    }

    /// Runs a declaration of a name; when it fails, uses of the name will not be reported again.
    fn guarded<T>(
        &mut self,
        name: Option<Sexp<'_>>,
        declare: impl FnOnce(&mut Self) -> Outcome<T>,
    ) -> Outcome<T> {
        let outcome = declare(self);
        if let (Err(_), Some(name)) = (&outcome, name.and_then(Sexp::symbol))
            && !self.symbols.is_visible(name)
        {
            self.symbols.declare(name, Global::Poisoned);
        }
        outcome
    }

    fn declare_fun(&mut self, command: Sexp<'_>) -> Outcome<Declared> {
        self.guarded(command.items().nth(1), |this| {
            let [name, args, result] = parts(command, "(declare-fun name (sort …) sort)")?;
            let text = name.expect_symbol("a function name")?;
            this.declare_new(name, text)?;
            let args = args.expect_list("a list of sorts")?.map(|s| this.sort(s));
            let args = args.collect::<Outcome<Vec<Sort>>>()?;
            let result = this.sort(result)?;
            Ok(this.declare_function(text, &args, result))
        })
    }

    /// `(declare-const name sort)`, or the same under another command name in dialects.
    pub fn declare_variable(&mut self, command: Sexp<'_>) -> Outcome<Declared> {
        self.guarded(command.items().nth(1), |this| {
            let [name, sort] = parts(command, "(command name sort)")?;
            let text = name.expect_symbol("a constant name")?;
            this.declare_new(name, text)?;
            let sort = this.sort(sort)?;
            Ok(this.declare_function(text, &[], sort))
        })
    }

    /// Declares a function whose name is known to be new.
    pub fn declare_function(&mut self, name: &str, args: &[Sort], result: Sort) -> Declared {
        let func = self.terms.declare(name, args, result);
        self.symbols.declare(name, Global::Function(func));
        Declared::Function(func)
    }

    /// `(declare-rel name (sort …))` of the rules dialect.
    pub fn declare_relation(&mut self, command: Sexp<'_>) -> Outcome<Declared> {
        self.guarded(command.items().nth(1), |this| {
            let mut items = command.items().skip(1);
            let (name, args) = (items.next(), items.next());
            let (Some(name), Some(args)) = (name, args) else {
                return Err(command.malformed("`(declare-rel name (sort …))` expected"));
            };
            let text = name.expect_symbol("a relation name")?;
            this.declare_new(name, text)?;
            let args = args.expect_list("a list of sorts")?.map(|s| this.sort(s));
            let args = args.collect::<Outcome<Vec<Sort>>>()?;
            Ok(this.declare_function(text, &args, Sort::BOOL))
        })
    }

    /// `(define-fun name ((x sort) …) sort term)` and `(define-const name sort term)`.
    fn define_fun(&mut self, command: Sexp<'_>) -> Outcome<Declared> {
        self.guarded(command.items().nth(1), |this| {
            let constant = command
                .items()
                .next()
                .is_some_and(|word| word.is_word("define-const"));
            let (name, params, sort, body) = if constant {
                let [name, sort, body] = parts(command, "(define-const name sort term)")?;
                (name, None, sort, body)
            } else {
                let [name, params, sort, body] =
                    parts(command, "(define-fun name ((variable sort) …) sort term)")?;
                (name, Some(params), sort, body)
            };
            let text = name.expect_symbol("a function name")?;
            this.declare_new(name, text)?;
            let (vars, names) = match params {
                Some(params) => this.bind_variables(params)?,
                None => (Vec::new(), Vec::new()),
            };
            let body = this
                .sort(sort)
                .and_then(|sort| this.term_of_sort(body, sort));
            names.iter().for_each(|&name| this.symbols.unbind(name));
            let body = body?;
            let definition = this.definition(vars, body);
            this.symbols.declare(text, definition);
            Ok(Declared::Definition(body))
        })
    }

    fn declare_sort(&mut self, command: Sexp<'_>) -> Outcome<Declared> {
        let mut items = command.items().skip(1);
        let name = items
            .next()
            .ok_or_else(|| command.malformed("a sort name expected"))?;
        let text = name.expect_symbol("a sort name")?;
        self.new_sort(name, text)?;
        if items
            .next()
            .is_some_and(|arity| arity.small_number() != Some(0))
        {
            self.symbols.declare_sort(text, SortName::Poisoned);
            return Err(Diagnostic::unsupported(
                command.span(),
                "uninterpreted sorts with parameters",
            ));
        }
        let sort = self.terms.mk_sort(SortKind::Uninterpreted(text.into()));
        self.symbols.declare_sort(text, SortName::Sort(sort));
        Ok(Declared::Sort)
    }

    fn define_sort(&mut self, command: Sexp<'_>) -> Outcome<Declared> {
        let [name, params, body] = parts(command, "(define-sort name (parameter …) sort)")?;
        let text = name.expect_symbol("a sort name")?;
        self.new_sort(name, text)?;
        let params = params
            .expect_list("a list of parameters")?
            .map(|p| p.expect_symbol("a parameter"));
        let params: Vec<Box<str>> = params.map(|p| p.map(Into::into)).collect::<Outcome<_>>()?;
        // Reading the body with some sort for each parameter finds its errors where they are.
        let probe = params.iter().map(|p| (p.clone(), Sort::INT)).collect();
        let sort = self.sort_with(body, probe);
        if sort.is_err() {
            self.symbols.declare_sort(text, SortName::Poisoned);
        }
        let sort = sort?;
        let meaning = if params.is_empty() {
            SortName::Sort(sort)
        } else {
            SortName::Template(std::rc::Rc::new(SortTemplate {
                params,
                tokens: relocated(body),
            }))
        };
        self.symbols.declare_sort(text, meaning);
        Ok(Declared::Sort)
    }

    pub(crate) fn new_sort(&self, place: Sexp<'_>, name: &str) -> Outcome<()> {
        let known = matches!(name, "Bool" | "Int" | "Real" | "Array" | "BitVec")
            || sorts::foreign_sort(name).is_some_and(|theory| theory != sorts::BUILT_IN)
            || matches!(
                self.symbols.sort(name),
                Some(SortName::Sort(_) | SortName::Template(_) | SortName::Data(_))
            );
        if !known {
            return Ok(());
        }
        let message = format!("sort `{}` is declared twice", excerpt(name));
        Err(Diagnostic::error(Code::Duplicate, place.span(), message))
    }
}

/// The tokens of an expression as a list of their own.
fn relocated(sexp: Sexp<'_>) -> Vec<crate::lexer::Token> {
    let shift = u32::try_from(sexp.at).unwrap_or(0);
    let tokens = &sexp.tokens[sexp.at..sexp.after()];
    tokens
        .iter()
        .map(|t| crate::lexer::Token {
            after: t.after - shift,
            ..*t
        })
        .collect()
}

/// The parts of a command behind its name, which must be so many.
pub(crate) fn parts<'a, const N: usize>(command: Sexp<'a>, shape: &str) -> Outcome<[Sexp<'a>; N]> {
    let parts: Vec<Sexp<'a>> = command.items().skip(1).take(N + 1).collect();
    parts
        .try_into()
        .map_err(|_| command.malformed(format!("`{shape}` expected")))
}

/// The message for a command that no front end knows.
pub fn unknown_command(command: Sexp<'_>) -> Box<Diagnostic> {
    let word: Option<Sexp<'_>> = command.items().next();
    let span: Span = word.map_or(command.span(), Sexp::span);
    match word.and_then(Sexp::symbol) {
        Some(name) => Diagnostic::error(
            Code::UnknownCommand,
            span,
            format!("unknown command `{}`", excerpt(name)),
        ),
        None => Diagnostic::error(Code::UnknownCommand, span, "the name of a command expected"),
    }
}
