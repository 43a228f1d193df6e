//! Resolution of clauses that remember what they are made of.

use foretell_kernel::{Cx, Halt};
use foretell_systems::{Atom, ChcSystem, Clause, ClauseId, Pred};
use foretell_terms::{Substitution, Term, TermStore};

use crate::equalities::{clause_vars, reduce};
use foretell_formulas::base_name;

/// A clause and the tree of original clauses it stands for.
#[derive(Clone, Debug)]
pub(super) struct Merged {
    /// The clause, over the original predicates.
    pub(super) clause: Clause,
    /// The original clauses, premises first; the last one derives the head.
    pub(super) nodes: Vec<Node>,
}

/// One original clause in a tree.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) clause: ClauseId,
    /// Its variables in terms of the variables of the merged clause. A variable that the merged
    /// clause does not mention any more may have any value.
    pub(super) values: Vec<(Term, Term)>,
    /// Where its body atoms come from.
    pub(super) premises: Vec<Premise>,
}

/// Where a body atom comes from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Premise {
    /// From this node of the tree.
    Inner(usize),
    /// From this body atom of the merged clause.
    Outer(usize),
}

impl Merged {
    /// A clause by itself.
    pub(super) fn single(system: &ChcSystem, id: ClauseId) -> Merged {
        let clause = system.clause(id).clone();
        let values = clause.vars.iter().map(|&v| (v, v)).collect();
        let premises = (0..clause.body.len()).map(Premise::Outer).collect();
        Merged {
            clause,
            nodes: vec![Node {
                clause: id,
                values,
                premises,
            }],
        }
    }

    /// The terms of the clause.
    pub(super) fn roots(&self) -> Vec<Term> {
        let atoms = self.clause.body.iter().chain(&self.clause.head);
        atoms
            .flat_map(|a| a.args.iter().copied())
            .chain([self.clause.constraint])
            .collect()
    }

    /// The same with variables of its own.
    fn renamed(&self, terms: &TermStore) -> Merged {
        let mut roots = self.roots();
        roots.extend(
            self.nodes
                .iter()
                .flat_map(|n| n.values.iter().map(|&(_, t)| t)),
        );
        let fresh = |v: Term| (v, terms.fresh(base_name(terms.var_name(v)), terms.sort(v)));
        let mut map = Substitution::from_pairs(terms.free_vars(&roots).into_iter().map(fresh));
        self.mapped(&mut map, terms)
    }

    fn mapped(&self, map: &mut Substitution, terms: &TermStore) -> Merged {
        let mut atom = |a: &Atom| a.mapped(map, terms);
        let body: Vec<Atom> = self.clause.body.iter().map(&mut atom).collect();
        let head = self.clause.head.as_ref().map(&mut atom);
        let constraint = map.apply(terms, self.clause.constraint);
        let vars = clause_vars(&body, constraint, head.as_ref(), terms);
        let nodes = self.nodes.iter().map(|n| n.mapped(map, terms)).collect();
        Merged {
            clause: Clause {
                vars,
                body,
                constraint,
                head,
                line: self.clause.line,
            },
            nodes,
        }
    }
}

impl Node {
    fn mapped(&self, map: &mut Substitution, terms: &TermStore) -> Node {
        let values = self
            .values
            .iter()
            .map(|&(v, t)| (v, map.apply(terms, t)))
            .collect();
        Node {
            values,
            ..self.clone()
        }
    }

    fn rewired(&self, premise: impl Fn(Premise) -> Premise) -> Node {
        Node {
            premises: self.premises.iter().map(|&p| premise(p)).collect(),
            ..self.clone()
        }
    }
}

/// A use with every atom of the predicate replaced by each definition in turn.
pub(super) fn resolvents(
    user: &Merged,
    pred: Pred,
    definitions: &[&Merged],
    cx: &Cx<'_>,
) -> Result<Vec<Merged>, Halt> {
    let (mut done, mut work) = (Vec::new(), vec![user.clone()]);
    while let Some(merged) = work.pop() {
        let Some(at) = merged.clause.body.iter().position(|a| a.pred == pred) else {
            done.push(merged);
            continue;
        };
        for definition in definitions.iter().rev() {
            cx.budget.check()?;
            let resolvent = resolve(&merged, at, definition, cx)?;
            if !cx.terms.is_false(resolvent.clause.constraint) {
                work.push(resolvent);
            }
        }
    }
    Ok(done)
}

/// The clause with the body atom `at` replaced by the body of a definition of its predicate.
fn resolve(user: &Merged, at: usize, definition: &Merged, cx: &Cx<'_>) -> Result<Merged, Halt> {
    let terms = cx.terms;
    let (user, definition) = (user.renamed(terms), definition.renamed(terms));
    let (atom, derived) = (&user.clause.body[at], definition.clause.head.as_ref());
    let derived = derived.expect("invariant: a definition has a head");
    let equal = atom
        .args
        .iter()
        .zip(&derived.args)
        .map(|(&a, &b)| terms.eq(a, b));
    let constraint = terms.and(
        [definition.clause.constraint, user.clause.constraint]
            .into_iter()
            .chain(equal),
    );
    let mut body = user.clause.body.clone();
    body.splice(at..=at, definition.clause.body.iter().cloned());
    let head = user.clause.head.clone();
    let vars = clause_vars(&body, constraint, head.as_ref(), terms);
    let nodes = joined_nodes(&user, at, &definition);
    let merged = Merged {
        clause: Clause {
            vars,
            body,
            constraint,
            head,
            line: user.clause.line,
        },
        nodes,
    };
    let (clause, definitions) = reduce(&merged.clause, cx.terms);
    let mut map = Substitution::from_pairs(definitions);
    let nodes = merged
        .nodes
        .iter()
        .map(|n| n.mapped(&mut map, terms))
        .collect();
    Ok(Merged { clause, nodes })
}

/// The nodes of the definition, then those of the use, with body atoms renumbered.
fn joined_nodes(user: &Merged, at: usize, definition: &Merged) -> Vec<Node> {
    let (offset, added) = (definition.nodes.len(), definition.clause.body.len());
    let below = definition.nodes.iter().map(|n| {
        n.rewired(|p| match p {
            Premise::Inner(i) => Premise::Inner(i),
            Premise::Outer(i) => Premise::Outer(at + i),
        })
    });
    let above = user.nodes.iter().map(|n| {
        n.rewired(|p| match p {
            Premise::Inner(i) => Premise::Inner(i + offset),
            Premise::Outer(i) if i == at => Premise::Inner(offset - 1),
            Premise::Outer(i) if i > at => Premise::Outer(i + added - 1),
            outer => outer,
        })
    });
    below.chain(above).collect()
}
