//! A minimal reader of clause systems for tests: predicates and variables are declared first, every
//! further line is a clause `(=> body head)` whose variables are its own.
//!
//! ```text
//! (pred p Int A) (var x Int) (var a A)            A is an array from Int to Int, B one of arrays A
//! (=> (and (p x a) (< x 5)) (p (+ x 1) (store a x 0)))
//! (=> (p x a) false)
//! ```

use foretell_systems::{Atom, ChcSystem, Clause, Pred};
use foretell_terms::{Sort, Substitution, Term, TermStore};
use indexmap::IndexMap;

enum Sexp {
    Word(String),
    List(Vec<Sexp>),
}

impl Sexp {
    fn word(&self) -> &str {
        match self {
            Sexp::Word(w) => w,
            Sexp::List(l) => l.first().map_or("", Sexp::word),
        }
    }

    fn tail(&self) -> &[Sexp] {
        match self {
            Sexp::Word(_) => &[],
            Sexp::List(l) => &l[1..],
        }
    }
}

fn sexps(text: &str) -> Vec<Sexp> {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut stack = vec![Vec::new()];
    for token in spaced.split_whitespace() {
        match token {
            "(" => stack.push(Vec::new()),
            ")" => {
                let list = stack.pop().unwrap();
                stack.last_mut().unwrap().push(Sexp::List(list));
            }
            word => stack.last_mut().unwrap().push(Sexp::Word(word.into())),
        }
    }
    stack.pop().unwrap()
}

struct Reader<'a> {
    terms: &'a TermStore,
    system: ChcSystem,
    preds: IndexMap<String, Pred>,
    vars: IndexMap<String, Term>,
}

/// Reads a system.
pub(crate) fn system(terms: &TermStore, text: &str) -> ChcSystem {
    let mut reader = Reader {
        terms,
        system: ChcSystem::default(),
        preds: IndexMap::new(),
        vars: IndexMap::new(),
    };
    for command in sexps(text) {
        reader.command(&command);
    }
    reader.system.validate(terms).unwrap();
    reader.system
}

impl Reader<'_> {
    fn sort(&self, name: &str) -> Sort {
        let array = |element| self.terms.array_sort(&[Sort::INT], element);
        match name {
            "Bool" => Sort::BOOL,
            "Int" => Sort::INT,
            "A" => array(Sort::INT),
            "B" => array(array(Sort::INT)),
            _ => self
                .terms
                .mk_sort(foretell_terms::SortKind::Uninterpreted(name.into())),
        }
    }

    fn command(&mut self, command: &Sexp) {
        match (command.word(), command.tail()) {
            ("pred", [name, sorts @ ..]) => {
                let sorts: Vec<Sort> = sorts.iter().map(|s| self.sort(s.word())).collect();
                let pred = self.system.add_pred(self.terms, name.word(), &sorts);
                self.preds.insert(name.word().into(), pred);
            }
            ("var", [name, sort]) => {
                let var = self.terms.new_var(name.word(), self.sort(sort.word()));
                self.vars.insert(name.word().into(), var);
            }
            ("=>", [body, head]) => self.clause(body, head),
            _ => panic!("no command: {}", command.word()),
        }
    }

    fn clause(&mut self, body: &Sexp, head: &Sexp) {
        let parts = if body.word() == "and" {
            body.tail()
        } else {
            std::slice::from_ref(body)
        };
        let (atoms, rest): (Vec<&Sexp>, Vec<&Sexp>) = parts
            .iter()
            .partition(|p| self.preds.contains_key(p.word()));
        let body: Vec<Atom> = atoms.into_iter().map(|a| self.atom(a)).collect();
        let constraint = self.terms.and(rest.into_iter().map(|t| self.term(t)));
        let head = self
            .preds
            .contains_key(head.word())
            .then(|| self.atom(head));
        let mut roots = vec![constraint];
        roots.extend(
            body.iter()
                .chain(&head)
                .flat_map(|a| a.args.iter().copied()),
        );
        let vars = self.terms.free_vars(&roots);
        let clause = Clause {
            vars,
            body,
            constraint,
            head,
            line: 0,
        };
        let own = own_names(&clause, self.terms);
        self.system.clauses.push(own);
    }

    fn atom(&self, sexp: &Sexp) -> Atom {
        let args = sexp.tail().iter().map(|t| self.term(t)).collect();
        Atom {
            pred: self.preds[sexp.word()],
            args,
        }
    }

    fn term(&self, sexp: &Sexp) -> Term {
        let (t, args): (&TermStore, Vec<Term>) = (
            self.terms,
            sexp.tail().iter().map(|s| self.term(s)).collect(),
        );
        match (sexp.word(), args.as_slice()) {
            ("true", []) => t.tt(),
            ("false", []) => t.ff(),
            ("not", [a]) => t.not(*a),
            ("and", _) => t.and(args),
            ("or", _) => t.or(args),
            ("=", [a, b]) => t.eq(*a, *b),
            ("<", [a, b]) => t.lt(*a, *b),
            ("<=", [a, b]) => t.le(*a, *b),
            (">", [a, b]) => t.gt(*a, *b),
            (">=", [a, b]) => t.ge(*a, *b),
            ("+", _) => t.add(&args),
            ("-", [a, b]) => t.sub(*a, *b),
            ("*", _) => t.mul(&args),
            ("ite", [c, a, b]) => t.ite(*c, *a, *b),
            ("select", [a, i]) => t.select(*a, &[*i]),
            ("store", [a, i, v]) => t.store(*a, &[*i], *v),
            (word, []) => match word.parse::<i64>() {
                Ok(n) => t.int(n),
                Err(_) => self.vars[word],
            },
            (word, _) => panic!("no term: {word}"),
        }
    }
}

/// The clause with variables of its own under the same names.
fn own_names(clause: &Clause, terms: &TermStore) -> Clause {
    let fresh: Vec<Term> = clause
        .vars
        .iter()
        .map(|&v| terms.new_var(terms.var_name(v), terms.sort(v)))
        .collect();
    let mut map = Substitution::from_pairs(clause.vars.iter().copied().zip(fresh.iter().copied()));
    clause.mapped(fresh, &mut map, terms)
}
