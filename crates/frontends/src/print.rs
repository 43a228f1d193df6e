//! Problems as text again: SMT-LIB HORN and VMT-LIB.
//!
//! For recording, reduction and round trips. Predicates, declared functions and state variables
//! keep their names; variables of a clause get a number where two symbols would be confused.
//! Contract: reading the text gives a problem equivalent to the one printed.

use std::collections::BTreeSet;

use foretell_smtlib::is_operator;
use foretell_systems::{Atom, ChcSystem, Clause, StateVar, TransitionSystem};
use foretell_terms::print::{Names, quote};
use foretell_terms::{Func, FuncMap, Op, Sort, SortKind, Term, TermStore};

/// Symbols under names of their own.
#[derive(Clone, Default)]
struct Naming {
    names: FuncMap<String>,
    used: BTreeSet<String>,
    let_prefix: Option<String>,
}

impl Naming {
    /// Gives a function its own name, or that name with a number when it is taken.
    fn add(&mut self, terms: &TermStore, func: Func) {
        if self.names.contains_key(&func) {
            return;
        }
        let own = terms.name(func);
        let mut name = own.to_string();
        let mut number = 0;
        // A bound variable may bear the name of an operator; a printed symbol must not hide one.
        while self.used.contains(&name) || is_operator(&name) {
            number += 1;
            name = format!("{own}!{number}");
        }
        self.used.insert(name.clone());
        self.names.insert(func, quote(&name));
    }

    /// The beginning of `let` names: dots that no symbol starts with.
    fn let_prefix(&self) -> &str {
        self.let_prefix.as_deref().unwrap_or(".")
    }

    /// Chooses the beginning of `let` names, once all symbols are named.
    fn choose_let_prefix(&mut self) {
        let mut prefix = String::from(".");
        while self
            .used
            .range(prefix.clone()..)
            .next()
            .is_some_and(|n| n.starts_with(&prefix))
        {
            prefix.push('.');
        }
        self.let_prefix = Some(prefix);
    }

    /// Names everything that occurs in the terms, bound variables included.
    fn add_all(&mut self, terms: &TermStore, roots: &[Term]) {
        for term in terms.subterms(roots) {
            if let Some(func) = terms.func(term) {
                self.add(terms, func);
            }
        }
    }
}

impl Names for Naming {
    fn name(&self, store: &TermStore, func: Func) -> String {
        self.names
            .get(&func)
            .cloned()
            .unwrap_or_else(|| quote(store.name(func)))
    }

    fn let_name(&self, number: usize) -> String {
        format!("{}{number}", self.let_prefix())
    }
}

/// The declarations of the uninterpreted sorts that occur.
fn sort_declarations(terms: &TermStore, roots: &[Term]) -> String {
    let mut names = BTreeSet::new();
    let mut work: Vec<Sort> = terms
        .subterms(roots)
        .into_iter()
        .map(|t| terms.sort(t))
        .collect();
    work.sort_unstable();
    work.dedup();
    let datas = terms.print_data_declarations(&work);
    while let Some(sort) = work.pop() {
        match terms.kind(sort) {
            SortKind::Uninterpreted(name) => {
                names.insert(name.clone());
            }
            SortKind::Array { indices, element } => {
                work.extend(indices.iter().copied());
                work.push(*element);
            }
            _ => {}
        }
    }
    let sorts = names
        .iter()
        .map(|name| format!("(declare-sort {} 0)\n", quote(name)));
    sorts
        .chain(datas.into_iter().map(|command| command + "\n"))
        .collect()
}

fn declaration(terms: &TermStore, naming: &Naming, func: Func) -> String {
    let decl = terms.decl(func);
    let args: Vec<String> = decl.args.iter().map(|&s| terms.print_sort(s)).collect();
    let (name, args, sort) = (
        naming.name(terms, func),
        args.join(" "),
        terms.print_sort(decl.sort),
    );
    format!("(declare-fun {name} ({args}) {sort})\n")
}

fn clause_roots(clause: &Clause) -> Vec<Term> {
    let atoms = clause.body.iter().chain(&clause.head);
    atoms
        .flat_map(|a| a.args.iter().copied())
        .chain([clause.constraint])
        .collect()
}

/// SMT-LIB HORN text of a system.
pub fn print_chc(terms: &TermStore, system: &ChcSystem) -> String {
    let mut roots: Vec<Term> = system
        .preds
        .iter()
        .flat_map(|p| p.params.iter().copied())
        .collect();
    let in_clauses: Vec<Term> = system.clauses.iter().flat_map(clause_roots).collect();
    roots.extend(&in_clauses);
    let mut naming = Naming::default();
    let functions = terms.functions(&in_clauses);
    for func in system
        .preds
        .iter()
        .map(|p| p.func)
        .chain(functions.iter().copied())
    {
        naming.add(terms, func);
    }
    let mut out = String::from("(set-logic HORN)\n");
    out.push_str(&sort_declarations(terms, &roots));
    for func in system.preds.iter().map(|p| p.func).chain(functions) {
        out.push_str(&declaration(terms, &naming, func));
    }
    for clause in &system.clauses {
        print_clause(terms, system, clause, &naming, &mut out);
    }
    if !system.clauses.iter().any(Clause::is_query) {
        // A goal that cannot be reached: a script must ask something.
        out.push_str("(assert (=> false false))\n");
    }
    out.push_str("(check-sat)\n");
    out
}

fn print_clause(
    terms: &TermStore,
    system: &ChcSystem,
    clause: &Clause,
    naming: &Naming,
    out: &mut String,
) {
    let mut naming = naming.clone();
    let roots = clause_roots(clause);
    for &var in &clause.vars {
        naming.add_all(terms, &[var]);
    }
    naming.add_all(terms, &roots);
    naming.choose_let_prefix();
    // Atoms as terms, so that the printer shares what they have in common.
    let atom = |a: &Atom| terms.app(system.pred(a.pred).func, &a.args);
    let mut body: Vec<Term> = clause.body.iter().map(atom).collect();
    if !terms.is_true(clause.constraint) {
        body.push(clause.constraint);
    }
    let body = terms.and(body);
    let head = clause.head.as_ref().map_or_else(|| terms.ff(), atom);
    let vars: Vec<String> = clause
        .vars
        .iter()
        .map(|&v| {
            format!(
                "({} {})",
                terms.print_with(v, &naming),
                terms.print_sort(terms.sort(v))
            )
        })
        .collect();
    let (body, head) = (
        terms.print_with(body, &naming),
        terms.print_with(head, &naming),
    );
    if vars.is_empty() {
        out.push_str(&format!("(assert (=> {body} {head}))\n"));
    } else {
        out.push_str(&format!(
            "(assert (forall ({}) (=> {body} {head})))\n",
            vars.join(" ")
        ));
    }
}

/// VMT-LIB text of a system with its numbered properties. Parameters become frozen state variables.
pub fn print_vmt(
    terms: &TermStore,
    system: &TransitionSystem,
    properties: &[(u64, Term)],
) -> String {
    let (vars, trans) = frozen_params(terms, system);
    let mut roots: Vec<Term> = vars.iter().flat_map(|v| [v.cur, v.next]).collect();
    roots.extend(&system.inputs);
    roots.extend([system.init, trans]);
    roots.extend(properties.iter().map(|&(_, p)| p));
    let mut naming = Naming::default();
    naming.add_all(terms, &roots);
    let mut out = sort_declarations(terms, &roots);
    let bound = bound_symbols(terms, &roots);
    let symbols: Vec<Func> = naming
        .names
        .keys()
        .copied()
        .filter(|f| !bound.contains_key(f))
        .collect();
    for func in symbols {
        out.push_str(&declaration(terms, &naming, func));
    }
    naming.choose_let_prefix();
    let printing = naming.clone();
    let mut definition = |sort: &str, term: &str, annotation: &str| {
        let mut number = naming.names.len();
        while naming.used.contains(&format!(".def{number}")) {
            number += 1;
        }
        naming.used.insert(format!(".def{number}"));
        out.push_str(&format!(
            "(define-fun .def{number} () {sort} (! {term} {annotation}))\n"
        ));
    };
    let text = |t: Term| terms.print_with(t, &printing);
    for var in &vars {
        let sort = terms.print_sort(terms.sort(var.cur));
        definition(&sort, &text(var.cur), &format!(":next {}", text(var.next)));
    }
    definition("Bool", &text(system.init), ":init true");
    definition("Bool", &text(trans), ":trans true");
    for &(number, property) in properties {
        definition(
            "Bool",
            &text(property),
            &format!(":invar-property {number}"),
        );
    }
    out
}

/// The state variables and the transition relation with parameters as variables that never change.
fn frozen_params(terms: &TermStore, system: &TransitionSystem) -> (Vec<StateVar>, Term) {
    let mut vars = system.vars.clone();
    let mut trans = vec![system.trans];
    for &cur in &system.params {
        let next = terms.fresh(terms.var_name(cur), terms.sort(cur));
        vars.push(StateVar { cur, next });
        trans.push(terms.eq(next, cur));
    }
    (vars, terms.and(trans))
}

/// Variables bound by a quantifier in the terms.
fn bound_symbols(terms: &TermStore, roots: &[Term]) -> FuncMap<()> {
    let mut bound = FuncMap::default();
    for term in terms.subterms(roots) {
        if matches!(terms.op(term), Op::Forall | Op::Exists) {
            let args = terms.args(term);
            bound.extend(
                args[..args.len() - 1]
                    .iter()
                    .filter_map(|&v| terms.as_var(v))
                    .map(|f| (f, ())),
            );
        }
    }
    bound
}
