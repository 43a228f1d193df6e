//! The clause system in a form that makes weakest preconditions substitutions.
//!
//! ```text
//! p(u, v) ∧ φ(u, v, w) ⇒ q(s, t)     becomes     guard φ', post (s', t') over p's parameters and w
//! ```
//!
//! so that the weakest precondition of a formula F over q's parameters is `F[params := post]`. A clause
//! with several body atoms keeps its own variables; only Houdini looks at it. A part of the engines that
//! run on clauses.

use foretell_systems::{Atom, ChcSystem, ClauseId, Pred};
use foretell_terms::{Sort, Substitution, Term, TermMap, TermStore};

/// A clause over the parameters of its body predicate.
pub(crate) struct Rule {
    /// The body atoms: predicate and arguments over the rule's variables.
    pub(crate) body: Vec<Atom>,
    /// The body predicate when there is exactly one; its arguments are then its parameters.
    pub(crate) from: Option<Pred>,
    /// The head predicate; `None` for a query.
    pub(crate) to: Option<Pred>,
    /// The constraint, over the parameters of `from` and `locals`.
    pub(crate) guard: Term,
    /// The arguments of the head, over the same.
    pub(crate) post: Vec<Term>,
    /// Variables of the clause that are no argument of the body predicate.
    pub(crate) locals: Vec<Term>,
}

/// The rules, and what flows unchanged through them.
pub(crate) struct Program<'s> {
    pub(crate) system: &'s ChcSystem,
    pub(crate) rules: Vec<Rule>,
    /// The formal index variables of candidates.
    pub(crate) indices: [Term; 2],
    /// Parameters that every rule copies from the same class of parameters, by class.
    frozen: TermMap<usize>,
}

impl<'s> Program<'s> {
    pub(crate) fn new(system: &'s ChcSystem, terms: &TermStore) -> Program<'s> {
        let rules: Vec<Rule> = system
            .clause_ids()
            .map(|id| rule(system, id, terms))
            .collect();
        let indices = [
            terms.new_var("y", Sort::INT),
            terms.new_var("y2", Sort::INT),
        ];
        let frozen = frozen_classes(system, &rules);
        Program {
            system,
            rules,
            indices,
            frozen,
        }
    }

    /// The parameters of a predicate.
    pub(crate) fn params(&self, pred: Pred) -> &[Term] {
        &self.system.pred(pred).params
    }

    /// The substitution of arguments for the parameters of a predicate.
    pub(crate) fn at(&self, pred: Pred, args: &[Term]) -> Substitution {
        let params = self.params(pred).iter().copied();
        Substitution::from_pairs(params.zip(args.iter().copied()))
    }

    /// The parameters of a predicate of this sort.
    pub(crate) fn params_of_sort(&self, pred: Pred, sort: Sort, terms: &TermStore) -> Vec<Term> {
        self.params(pred)
            .iter()
            .copied()
            .filter(|&p| terms.sort(p) == sort)
            .collect()
    }

    /// Whether the parameter never changes.
    pub(crate) fn is_frozen(&self, param: Term) -> bool {
        self.frozen.contains_key(&param)
    }

    /// Rules that derive a predicate.
    pub(crate) fn rules_into(&self, pred: Pred) -> impl Iterator<Item = &Rule> {
        self.rules.iter().filter(move |r| r.to == Some(pred))
    }

    /// Rules that start from a predicate, queries included.
    pub(crate) fn rules_from(&self, pred: Pred) -> impl Iterator<Item = &Rule> {
        self.rules.iter().filter(move |r| r.from == Some(pred))
    }

    /// The queries.
    pub(crate) fn queries(&self) -> impl Iterator<Item = &Rule> {
        self.rules.iter().filter(|r| r.to.is_none())
    }

    /// A term over frozen parameters of one predicate, over the same classes in another.
    pub(crate) fn transport(&self, term: Term, to: Pred, terms: &TermStore) -> Option<Term> {
        let mut pairs = Vec::new();
        for var in terms.free_vars(&[term]) {
            if self.indices.contains(&var) || self.params(to).contains(&var) {
                continue;
            }
            let class = self.frozen.get(&var)?;
            let target = self
                .params(to)
                .iter()
                .find(|p| self.frozen.get(*p) == Some(class))?;
            pairs.push((var, *target));
        }
        Some(terms.substitute(term, pairs))
    }
}

impl Rule {
    /// The weakest precondition of a formula over the head's parameters, locals not yet eliminated.
    pub(crate) fn wp(
        &self,
        program: &Program<'_>,
        formula: Term,
        terms: &TermStore,
    ) -> Option<Term> {
        Some(program.at(self.to?, &self.post).apply(terms, formula))
    }

    /// Body parameters as terms over the head's parameters, where the rule lets them be recovered:
    /// `post = x + c` gives `x = param - c`.
    pub(crate) fn inverse(&self, program: &Program<'_>, terms: &TermStore) -> TermMap<Term> {
        let mut map = TermMap::default();
        let Some(to) = self.to else { return map };
        for (&param, &post) in program.params(to).iter().zip(&self.post) {
            if terms.as_var(post).is_some() {
                map.entry(post).or_insert(param);
            } else if terms.sort(post) == Sort::INT {
                let form = terms.linear(post);
                if let [(var, c)] = form.terms.as_slice()
                    && c.is_one()
                    && terms.as_var(*var).is_some()
                    && let Some(shift) = terms.numeral(&form.constant, Sort::INT)
                {
                    map.entry(*var).or_insert_with(|| terms.sub(param, shift));
                }
            }
        }
        map
    }
}

fn rule(system: &ChcSystem, id: ClauseId, terms: &TermStore) -> Rule {
    let clause = system.clause(id);
    let to = clause.head.as_ref().map(|h| h.pred);
    let [atom] = clause.body.as_slice() else {
        let post = clause.head.iter().flat_map(|h| h.args.clone()).collect();
        let (guard, locals) = (clause.constraint, clause.vars.clone());
        return Rule {
            body: clause.body.clone(),
            from: None,
            to,
            guard,
            post,
            locals,
        };
    };
    let mut map = Substitution::new();
    let mut extra = Vec::new();
    let mut bound = Vec::new();
    let params = &system.pred(atom.pred).params;
    for (&arg, &param) in atom.args.iter().zip(params) {
        if terms.as_var(arg).is_some() && map.get(arg).is_none() && clause.vars.contains(&arg) {
            map.insert(arg, param);
            bound.push(arg);
        } else {
            extra.push((arg, param));
        }
    }
    let mut parts = vec![map.apply(terms, clause.constraint)];
    parts.extend(
        extra
            .into_iter()
            .map(|(arg, param)| terms.eq(map.apply(terms, arg), param)),
    );
    let post = clause
        .head
        .iter()
        .flat_map(|h| &h.args)
        .map(|&t| map.apply(terms, t))
        .collect();
    Rule {
        body: vec![Atom {
            pred: atom.pred,
            args: params.clone(),
        }],
        from: Some(atom.pred),
        to,
        guard: terms.and(parts),
        post,
        locals: clause
            .vars
            .iter()
            .copied()
            .filter(|v| !bound.contains(v))
            .collect(),
    }
}

/// Classes of parameters that are only ever copied: a parameter is frozen when every rule into its
/// predicate passes a frozen parameter of one class, or is a fact that passes a variable or numeral.
fn frozen_classes(system: &ChcSystem, rules: &[Rule]) -> TermMap<usize> {
    let mut class: TermMap<usize> = TermMap::default();
    for param in system.preds.iter().flat_map(|p| &p.params) {
        let next = class.len();
        class.insert(*param, next);
    }
    let mut frozen = class.clone();
    loop {
        let before = (frozen.len(), class.clone());
        for rule in rules {
            let Some(to) = rule.to else { continue };
            for (&param, &post) in system.pred(to).params.iter().zip(&rule.post) {
                if rule.body.is_empty() {
                    continue;
                }
                match class
                    .get(&post)
                    .copied()
                    .filter(|_| frozen.contains_key(&post))
                {
                    Some(c) => merge(&mut class, param, c),
                    None => {
                        frozen.shift_remove(&param);
                    }
                }
            }
        }
        if before == (frozen.len(), class.clone()) {
            break;
        }
    }
    frozen.into_keys().map(|p| (p, class[&p])).collect()
}

fn merge(class: &mut TermMap<usize>, param: Term, into: usize) {
    let old = class[&param];
    let (low, high) = (old.min(into), old.max(into));
    for c in class.values_mut() {
        if *c == high {
            *c = low;
        }
    }
}
