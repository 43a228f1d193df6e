//! IC3 with implicit abstraction over a reachability tree: TreeIC3+IA.
//!
//! Papers: Cimatti, Griggio, Mover, Tonetta, "IC3 modulo theories via implicit predicate abstraction",
//! TACAS 2014, section 5; the tree is that of Cimatti, Griggio, "Software model checking via IC3", CAV
//! 2012, with the covering of McMillan, "Lazy abstraction with interpolants", CAV 2006.
//!
//! Linear clauses are a control-flow graph: predicates are locations, rules are edges. The tree unwinds
//! the graph; a node has a location and clauses over that location's predicates.
//!
//! ```text
//! check(S)                                               // fn run
//!   tree ← the root, open
//!   while some node v is open
//!     an older node covers v?  continue                  // cover.rs
//!     for each query q from v's location                 // fn expand
//!       block(v, q) finds an abstract path π             // block.rs
//!         the rules of π are feasible?  return Unsafe(π) // chain.rs
//!         ℙ ← ℙ ∪ predicates that exclude π              // refine.rs
//!       cover nodes above v that have new clauses
//!     for each rule from v's location that F_v allows: a new open child, of which nothing is known
//!   return Safe(location ↦ ⋁ of its uncovered nodes' clauses)
//! ```
//!
//! Why the answer is a proof: a child's clauses follow from its parent's by the rule (`tree.rs`), a rule
//! without child is impossible, a covered node's formula implies that of an uncovered one, and under the
//! clauses of an expanded node no query is possible.
//!
//! Departures from the papers: predicates belong to locations; paths are refined by the interpolants of
//! their rules alone, without their cubes (`refine.rs` says why that is enough); a clause may be shown by
//! induction over the rounds of a loop at one location, and covering carries the clauses of the covering
//! node over, as propagation does in IC3; guards of rules are initial predicates (`guards`). The concrete
//! TreeIC3 of CAV 2012, with quantifier elimination, is not here.
//!
//! Limits: linear clauses over Booleans, numbers and bit-vectors without functions or quantifiers; a
//! question that has to be decided and is not ends the run, and so does a path against which no source
//! has a new predicate ([`Reason::NoNewPredicate`]).

mod block;
mod chain;
mod cover;
mod edges;
mod options;
mod refine;
mod tree;

#[cfg(test)]
mod tests;

use foretell_kernel::{Count, Cx, Engine, Event, Halt, Peers, Phase, Unsupported, Verdict};
use foretell_systems::{ChcProof, ChcSystem, Derivation, Pred};
use foretell_terms::{Sort, Substitution, Term, TermStore};
use indexmap::IndexSet;

pub use options::TreeIc3iaOptions;

use crate::abstraction::{Cube, Lifting, Predicates, Reply, Stop, undecided};
use crate::program::Program;
use block::Blocking;
use cover::Cover;
use edges::{Assumed, Edges};
use refine::Refined;
use tree::{Entry, Life, NodeId, Order, Tree};

/// The engine.
#[derive(Default)]
pub struct TreeIc3ia {
    options: TreeIc3iaOptions,
}

impl TreeIc3ia {
    /// The engine with these options.
    pub fn new(options: TreeIc3iaOptions) -> TreeIc3ia {
        TreeIc3ia { options }
    }
}

impl Engine<ChcSystem> for TreeIc3ia {
    fn name(&self) -> &'static str {
        "tree_ic3ia"
    }

    fn accepts(&self, system: &ChcSystem, cx: &Cx<'_>) -> Result<(), Unsupported> {
        let formulas = system.formulas();
        let scalar = |sort: Sort| {
            [Sort::BOOL, Sort::INT, Sort::REAL].contains(&sort) || cx.terms.width(sort).is_some()
        };
        let mut terms = cx.terms.subterms(&formulas).into_iter();
        let refused = if !system.is_linear() {
            "non-linear clauses"
        } else if formulas.iter().any(|&f| cx.terms.has_quantifier(f)) {
            "quantified constraint"
        } else if !cx.terms.functions(&formulas).is_empty() {
            "declared functions"
        } else if !terms.all(|t| scalar(cx.terms.sort(t))) {
            "sorts other than Booleans, numbers and bit-vectors"
        } else {
            return Ok(());
        };
        Err(Unsupported(refused.into()))
    }

    fn check(
        &mut self,
        system: &ChcSystem,
        _peers: &dyn Peers<ChcSystem>,
        cx: &Cx<'_>,
    ) -> Result<Verdict<ChcSystem>, Halt> {
        let program = Program::new(system, cx.terms);
        let mut search = Search::new(&program, self.options.clone(), cx);
        let result = search.run(cx);
        let nodes = search.tree.len() as u64;
        cx.events.emit(Event::Count(Count::AbstractStates, nodes));
        match result {
            Ok(verdict) => Ok(verdict),
            Err(Stop::Unknown(reason)) => Ok(Verdict::Unknown(reason)),
            Err(Stop::Halt(halt)) => Err(halt),
        }
    }
}

/// The search for one system.
struct Search<'s> {
    options: TreeIc3iaOptions,
    program: &'s Program<'s>,
    tree: Tree,
    edges: Edges,
    /// By location.
    predicates: Vec<Predicates>,
    /// The predicates of the root, which has no state.
    nowhere: Predicates,
    lifting: Lifting,
    /// Nodes with clauses that were added since they were last looked at.
    changed: IndexSet<NodeId>,
}

impl<'s> Search<'s> {
    fn new(program: &'s Program<'s>, options: TreeIc3iaOptions, cx: &Cx<'_>) -> Search<'s> {
        let preds = program.system.pred_ids();
        Search {
            tree: Tree::new(),
            edges: Edges::new(program, &options, cx),
            predicates: preds
                .map(|p| initial(program, p, &options, cx.terms))
                .collect(),
            nowhere: Predicates::default(),
            lifting: lifting(&options),
            changed: IndexSet::new(),
            options,
            program,
        }
    }

    fn run(&mut self, cx: &Cx<'_>) -> Result<Verdict<ChcSystem>, Stop> {
        let order = match self.options.depth_first {
            true => Order::Depth,
            false => Order::Breadth,
        };
        let mut deepest = 0;
        while let Some(id) = self.tree.next_open(order) {
            cx.budget.check().map_err(Halt::from)?;
            if self.cover(id, cx)? == Cover::Covered {
                continue;
            }
            let depth = self.tree.get(id).depth;
            if depth > deepest {
                deepest = depth;
                cx.events.emit(Event::Frame(depth));
            }
            if let Some(derivation) = self.expand(id, cx)? {
                return Ok(Verdict::Unsafe(derivation));
            }
        }
        Ok(Verdict::Safe(self.proof(cx.terms)))
    }

    /// Excludes the queries of a node and gives it its children; a derivation if a query is possible.
    fn expand(&mut self, id: NodeId, cx: &Cx<'_>) -> Result<Option<Derivation>, Stop> {
        self.tree.expand(id);
        let program = self.program;
        let from = self.tree.get(id).location;
        let rules = program.rules.iter().enumerate();
        let (queries, others): (Vec<_>, Vec<_>) = rules
            .filter(|(_, r)| r.from == from)
            .partition(|(_, r)| r.to.is_none());
        for (rule, _) in queries {
            if let Some(derivation) = self.exclude(Entry { parent: id, rule }, cx)? {
                return Ok(Some(derivation));
            }
            self.cover_changed(cx)?;
            if self.tree.get(id).life != Life::Expanded {
                return Ok(None);
            }
        }
        for (rule, to) in others.iter().filter_map(|(n, r)| Some((*n, r.to?))) {
            let entry = Entry { parent: id, rule };
            let nothing = Cube::new(Vec::new());
            self.edges.refresh(&self.tree, from, cx)?;
            let possible = self.edges.step(entry, &nothing, Assumed::Node, cx)?;
            if !matches!(possible, Reply::Unsat(_)) {
                self.tree.child(id, rule, to);
            }
        }
        Ok(None)
    }

    /// Makes a query impossible under the clauses of its node, or finds a derivation.
    fn exclude(&mut self, query: Entry, cx: &Cx<'_>) -> Result<Option<Derivation>, Stop> {
        let nothing = Cube::new(Vec::new());
        loop {
            let bad = match self.predecessor(query, &nothing, cx)? {
                Reply::Sat(bad) => bad,
                Reply::Unsat(_) => return Ok(None),
                Reply::Unknown(words) => return Err(undecided(words)),
            };
            let path = match self.block(bad, cx)? {
                Blocking::Blocked => continue,
                Blocking::Path(path) => path,
            };
            let mut rules = self.tree.path(query.parent);
            rules.push(query.rule);
            match cx.during(Phase::Refine, || self.refine(&rules, &path, cx))? {
                Refined::Genuine(derivation) => return Ok(Some(derivation)),
                Refined::Added => {
                    cx.events.emit(Event::Refined);
                    self.lifting = lifting(&self.options);
                }
                // A lifted path may be spurious without an abstract path behind it.
                Refined::Nothing if self.lifting == Lifting::On => self.lifting = Lifting::Off,
                Refined::Nothing => return Err(refine::stuck()),
            }
        }
    }

    /// For each location the disjunction of its uncovered nodes, without those inside others.
    fn proof(&self, terms: &TermStore) -> ChcProof {
        let formula = |location: Pred| {
            let mut kept: Vec<&tree::Node> = Vec::new();
            for node in self.tree.uncovered(location) {
                if !kept.iter().any(|k| node.within(k)) {
                    kept.retain(|k| !k.within(node));
                    kept.push(node);
                }
            }
            terms.or(kept.iter().map(|n| n.formula(terms)).collect::<Vec<Term>>())
        };
        ChcProof {
            formulas: self.program.system.pred_ids().map(formula).collect(),
            witness: None,
        }
    }
}

fn lifting(options: &TreeIc3iaOptions) -> Lifting {
    match options.lift {
        true => Lifting::On,
        false => Lifting::Off,
    }
}

/// The predicates a location starts with: atoms of the facts into it, of the queries from it and, if they
/// are wanted, of the other rules from it.
fn initial(
    program: &Program<'_>,
    location: Pred,
    options: &TreeIc3iaOptions,
    terms: &TermStore,
) -> Predicates {
    let mut predicates = Predicates::default();
    let params = program.params(location);
    predicates.speak_of(params.iter().copied().collect(), terms);
    let mut formulas = Vec::new();
    for fact in program.rules_into(location).filter(|r| r.from.is_none()) {
        let mut map = Substitution::new();
        for (&post, &param) in fact.post.iter().zip(params) {
            if fact.locals.contains(&post) && map.get(post).is_none() {
                map.insert(post, param);
            }
        }
        formulas.push(map.apply(terms, fact.guard));
        let pairs = fact.post.iter().zip(params);
        formulas.extend(pairs.map(|(&post, &param)| terms.eq(param, map.apply(terms, post))));
    }
    let queries = program.rules_from(location).filter(|r| r.to.is_none());
    formulas.extend(queries.map(|q| q.guard));
    for atom in predicates.speakable(&formulas, terms) {
        predicates.add(terms, atom);
    }
    if options.guards {
        let guards: Vec<Term> = program.rules_from(location).map(|r| r.guard).collect();
        let guards = predicates.speakable(&guards, terms);
        predicates.add_small(terms, &guards, options.max_guards);
    }
    predicates
}
