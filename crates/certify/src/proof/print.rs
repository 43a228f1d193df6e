//! Proofs as text in the user's vocabulary.
//!
//! Declared symbols keep their names. Parameters, bound variables, auxiliary variables and the
//! names of shared subterms are chosen so that none of them is a symbol of the problem's text:
//! nothing can be captured. No annotations, numerals as `(- 1)`, symbols quoted where they must be.

use std::collections::{BTreeMap, BTreeSet};

use foretell_systems::chc::ChcAuxiliary;
use foretell_systems::{Auxiliary, ChcProof, ChcSystem, Clause, Invariant};
use foretell_terms::print::{Names, quote};
use foretell_terms::{Func, FuncMap, Op, Term, TermStore};

use crate::original::{OriginalClauses, OriginalSystem};
use crate::proof::certificate::FORMAT;
use crate::text::clauses::ChcText;
use crate::text::times::unused_stem;

/// Chooses names that the text does not use.
struct Namer<'a> {
    terms: &'a TermStore,
    used: BTreeSet<String>,
    chosen: FuncMap<String>,
    let_stem: String,
    /// Numbers below this one are used with a stem.
    tried: BTreeMap<&'static str, usize>,
}

impl Names for Namer<'_> {
    fn name(&self, store: &TermStore, func: Func) -> String {
        self.chosen
            .get(&func)
            .cloned()
            .unwrap_or_else(|| quote(store.name(func)))
    }

    fn let_name(&self, number: usize) -> String {
        format!("{}{number}", self.let_stem)
    }
}

impl<'a> Namer<'a> {
    /// Names beside the symbols of a text and of these formulas, for their bound variables first.
    fn new(terms: &'a TermStore, taken: &BTreeSet<&str>, formulas: &[Term]) -> Namer<'a> {
        let mut used: BTreeSet<String> = taken.iter().map(|&name| name.into()).collect();
        let vars = terms
            .free_vars(formulas)
            .into_iter()
            .filter_map(|v| terms.as_var(v));
        used.extend(
            vars.chain(terms.functions(formulas))
                .map(|f| terms.name(f).to_string()),
        );
        let let_stem = unused_stem(used.iter().map(String::as_str), ".");
        let mut namer = Namer {
            terms,
            used,
            chosen: FuncMap::default(),
            let_stem,
            tried: BTreeMap::new(),
        };
        namer.bind(formulas);
        namer
    }

    /// Gives a variable a name that starts with `stem` and is used by nobody.
    fn choose(&mut self, var: Term, stem: &'static str) -> String {
        let number = self.tried.entry(stem).or_default();
        let name = loop {
            let name = format!("{stem}{number}");
            *number += 1;
            if !self.used.contains(&name) && !name.starts_with(&self.let_stem) {
                break name;
            }
        };
        self.used.insert(name.clone());
        if let Some(func) = self.terms.as_var(var) {
            self.chosen.insert(func, name.clone());
        }
        name
    }

    /// Keeps the name of a variable when it is free, chooses one otherwise.
    fn keep(&mut self, var: Term, taken: &BTreeSet<&str>) -> String {
        let own = self.terms.var_name(var);
        let known = self.chosen.values().any(|name| name == own);
        let simple = quote(own) == own && !own.starts_with(&self.let_stem);
        if taken.contains(own) || known || !simple {
            return self.choose(var, "aux");
        }
        self.used.insert(own.to_string());
        if let Some(func) = self.terms.as_var(var) {
            self.chosen.insert(func, own.to_string());
        }
        own.to_string()
    }

    /// Names the bound variables of formulas.
    fn bind(&mut self, formulas: &[Term]) {
        for term in self.terms.subterms(formulas) {
            if matches!(self.terms.op(term), Op::Forall | Op::Exists) {
                let args = self.terms.args(term);
                for &var in &args[..args.len().saturating_sub(1)] {
                    if self
                        .terms
                        .as_var(var)
                        .is_some_and(|f| !self.chosen.contains_key(&f))
                    {
                        self.choose(var, "k");
                    }
                }
            }
        }
    }

    fn print(&self, term: Term) -> String {
        self.terms.print_with(term, self)
    }

    fn sort(&self, term: Term) -> String {
        self.terms.print_sort(self.terms.sort(term))
    }
}

impl OriginalClauses<'_> {
    /// The plain model of these formulas: one `define-fun` per predicate, one per line.
    pub fn model(&self, formulas: &[Term], terms: &TermStore) -> String {
        let text = self.text().ok();
        let taken = text.map(|text| text.doc.all_symbols()).unwrap_or_default();
        let mut namer = Namer::new(terms, &taken, formulas);
        let recursive = recursive(&mut namer, &taken, formulas);
        self.functions().to_owned() + &recursive + &definitions(&mut namer, self, formulas)
    }
}

/// The functions that formulas mention and that are defined by recursion: a command for each group of
/// functions that need each other.
fn recursive(namer: &mut Namer<'_>, taken: &BTreeSet<&str>, formulas: &[Term]) -> String {
    let terms = namer.terms;
    let found = terms.recursives(formulas);
    if found.is_empty() {
        return String::new();
    }
    let mut given: BTreeSet<String> = BTreeSet::new();
    for definition in found.iter().flatten() {
        let own = terms.name(definition.func);
        let numbered = (1..).map(|n| format!("{own}.{n}"));
        let mut names = std::iter::once(own.to_string()).chain(numbered);
        let free = |name: &String| !taken.contains(name.as_str()) && !given.contains(name);
        let name = names.find(free).unwrap_or_default();
        namer.chosen.insert(definition.func, quote(&name));
        given.insert(name);
    }
    let mut out = String::new();
    for group in &found {
        let (mut signatures, mut bodies) = (Vec::new(), Vec::new());
        for definition in group {
            let mut params = Vec::new();
            for &param in &definition.params {
                let name = namer.choose(param, "r");
                params.push(format!("({name} {})", namer.sort(param)));
            }
            let name = &namer.chosen[&definition.func];
            let (params, result) = (params.join(" "), namer.sort(definition.body));
            signatures.push(format!("({name} ({params}) {result})"));
            bodies.push(terms.print_in_full(definition.body, namer));
        }
        let (signatures, bodies) = (signatures.join(" "), bodies.join("\n  "));
        out += &format!("(define-funs-rec ({signatures})\n ({bodies}))\n");
    }
    out
}

fn definitions(namer: &mut Namer<'_>, original: &OriginalClauses<'_>, formulas: &[Term]) -> String {
    let (system, mut out) = (original.system, String::new());
    for (pred, &formula) in system.pred_ids().zip(formulas) {
        if original.text().is_ok() && !original.declares(pred, namer.terms) {
            continue;
        }
        let decl = system.pred(pred);
        let names: Vec<String> = decl.params.iter().map(|&p| namer.choose(p, "v")).collect();
        let param = |(name, &p): (&String, &Term)| format!("({name} {})", namer.sort(p));
        let params: Vec<String> = names.iter().zip(&decl.params).map(param).collect();
        out += &format!(
            "(define-fun {} ({}) Bool {})\n",
            quote(namer.terms.name(decl.func)),
            params.join(" "),
            namer.print(formula)
        );
        // Parameters are named anew for each predicate: their scope is its definition.
        namer.tried.remove("v");
        for name in &names {
            namer.used.remove(name);
        }
    }
    out
}

/// The certificate with auxiliary variables of a clause system; `None` when there is no witness, or
/// when clauses of the system do not correspond to clauses of the text one to one.
pub(crate) fn witness(
    original: &OriginalClauses<'_>,
    proof: &ChcProof,
    terms: &TermStore,
) -> Option<String> {
    let witness = proof.witness.as_ref()?;
    let text = original.text().ok()?;
    let place = places(text, original.system)?;
    let mut roots = witness.invariants.clone();
    for auxiliary in &witness.auxiliaries {
        let (ChcAuxiliary::Prophecy { targets: ts, .. }
        | ChcAuxiliary::History { updates: ts, .. }) = auxiliary;
        roots.extend(ts.iter().flatten());
    }
    let taken = text.doc.all_symbols();
    let mut namer = Namer::new(terms, &taken, &roots);
    let mut out = format!("(certificate (format {FORMAT}) (kind chc)\n");
    for auxiliary in &witness.auxiliaries {
        let (word, part, var, terms_of) = match auxiliary {
            ChcAuxiliary::Prophecy { var, targets } => ("prophecy", "target", *var, targets),
            ChcAuxiliary::History { var, updates } => ("history", "update", *var, updates),
        };
        out += &format!("({word} {} {}", namer.keep(var, &taken), namer.sort(var));
        for (&clause, term) in place.iter().zip(terms_of) {
            if let Some(term) = term {
                out += &format!(" ({part} {clause} {})", namer.print(*term));
            }
        }
        out += ")\n";
    }
    out += &definitions(&mut namer, original, &witness.invariants);
    Some(out + ")\n")
}

/// For each clause of the system the number of its clause in the text, if that is one to one.
fn places(text: &ChcText<'_>, system: &ChcSystem) -> Option<Vec<usize>> {
    let mut seen = BTreeSet::new();
    let place = |clause: &Clause| match text.clauses_at(clause.line).as_slice() {
        &[one] => seen.insert(one).then_some(one),
        _ => None,
    };
    system.clauses.iter().map(place).collect()
}

/// Writes the formula of an invariant, from the names given to variables and those that are taken.
pub type WriteFormula<'w> = &'w dyn Fn(&FuncMap<String>, &BTreeSet<String>) -> String;

impl OriginalSystem<'_> {
    /// The certificate of an invariant whose formula somebody else writes.
    pub fn certificate(
        &self,
        invariant: &Invariant,
        terms: &TermStore,
        write: WriteFormula<'_>,
    ) -> String {
        certificate(self, invariant, terms, |namer| {
            write(&namer.chosen, &namer.used)
        })
    }
}

/// The certificate of a transition system.
pub(crate) fn invariant(
    original: &OriginalSystem<'_>,
    invariant: &Invariant,
    terms: &TermStore,
) -> String {
    certificate(original, invariant, terms, |namer| {
        namer.print(invariant.formula)
    })
}

fn certificate(
    original: &OriginalSystem<'_>,
    invariant: &Invariant,
    terms: &TermStore,
    write: impl FnOnce(&Namer<'_>) -> String,
) -> String {
    let mut roots = vec![invariant.formula];
    for auxiliary in &invariant.auxiliaries {
        match auxiliary {
            Auxiliary::Prophecy { target, .. } => roots.push(*target),
            Auxiliary::History { init, update, .. } => roots.extend([*init, *update]),
        }
    }
    let text = original.text().ok();
    let taken = text.map(|text| text.doc.all_symbols()).unwrap_or_default();
    let mut namer = Namer::new(terms, &taken, &roots);
    let (property, k) = (original.property, invariant.k);
    let mut out =
        format!("(certificate (format {FORMAT}) (kind vmt) (property {property}) (k {k})\n");
    for auxiliary in &invariant.auxiliaries {
        let (name, sort) = (
            namer.keep(auxiliary.var(), &taken),
            namer.sort(auxiliary.var()),
        );
        out += &match auxiliary {
            Auxiliary::Prophecy { target, .. } => {
                format!(
                    "(prophecy {name} {sort} (target {}))\n",
                    namer.print(*target)
                )
            }
            Auxiliary::History {
                next, init, update, ..
            } => {
                let next = namer.keep(*next, &taken);
                let (init, update) = (namer.print(*init), namer.print(*update));
                format!("(history {name} {sort} (next {next}) (init {init}) (update {update}))\n")
            }
        };
    }
    let formula = write(&namer);
    let gap = if formula.starts_with('\n') { "" } else { " " };
    out + &format!("(invariant{gap}{formula}))\n")
}
