//! Random small systems: the verdict is the same before and after the passes, and whatever the
//! engines find below is carried back and accepted.

mod common;

use std::time::Duration;

use common::{Lifted, certify, solve, with_budget};
use foretell_certify::Outcome;
use foretell_frontends::print_chc;
use foretell_kernel::{Budget, Cx, Halt, Rng, ScriptAnswer};
use foretell_passes::{PassOptions, simplify};
use foretell_systems::{Atom, ChcSystem, Clause, Pred};
use foretell_terms::{Sort, Term, TermStore};

struct Generator<'a> {
    terms: &'a TermStore,
    rng: Rng,
    system: ChcSystem,
    vars: Vec<Term>,
}

fn array(terms: &TermStore) -> Sort {
    terms.array_sort(&[Sort::INT], Sort::INT)
}

/// A system of up to four predicates and nine clauses.
fn generate(terms: &TermStore, seed: u64) -> ChcSystem {
    let mut g = Generator {
        terms,
        rng: Rng::new(seed),
        system: ChcSystem::default(),
        vars: Vec::new(),
    };
    let sorts = [Sort::INT, Sort::INT, Sort::INT, Sort::BOOL, array(terms)];
    let n_sorts = if seed.is_multiple_of(3) { 5 } else { 4 };
    for p in 0..=g.rng.below(4) {
        let arity = g.rng.below(4);
        let of: Vec<Sort> = (0..arity).map(|_| sorts[g.index(n_sorts)]).collect();
        g.system.add_pred(terms, &format!("p{p}"), &of);
    }
    let n_rules = 3 + g.rng.below(5);
    for c in 0..n_rules + 2 {
        let clause = g.clause(match c {
            0 => Kind::Fact,
            c if c < n_rules => Kind::Rule,
            _ => Kind::Query,
        });
        g.system.clauses.push(clause);
    }
    g.system.validate(terms).expect("a well-formed system");
    g.system
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Fact,
    Rule,
    Query,
}

impl Generator<'_> {
    fn index(&self, n: usize) -> usize {
        usize::try_from(self.rng.below(n as u64)).expect("a small number")
    }

    fn clause(&mut self, kind: Kind) -> Clause {
        let t = self.terms;
        self.vars = ["x", "y", "z", "w"]
            .iter()
            .map(|n| t.new_var(n, Sort::INT))
            .collect();
        self.vars
            .extend([t.new_var("b", Sort::BOOL), t.new_var("c", Sort::BOOL)]);
        self.vars
            .extend([t.new_var("a", array(t)), t.new_var("d", array(t))]);
        let n_body = match (kind, self.rng.below(8)) {
            (Kind::Fact, _) | (Kind::Rule, 1) => 0,
            (_, 0) => 2,
            _ => 1,
        };
        let body: Vec<Atom> = (0..n_body).map(|_| self.atom(3)).collect();
        let constraint = t.and(
            (0..=self.rng.below(3))
                .map(|_| self.formula())
                .collect::<Vec<_>>(),
        );
        let head = (kind != Kind::Query).then(|| self.atom(1));
        let mut roots = vec![constraint];
        roots.extend(
            body.iter()
                .chain(&head)
                .flat_map(|a| a.args.iter().copied()),
        );
        Clause {
            vars: t.free_vars(&roots),
            body,
            constraint,
            head,
            line: 0,
        }
    }

    /// An atom; of `plain + 1` arguments about `plain` are variables.
    fn atom(&self, plain: u64) -> Atom {
        let pred =
            Pred(u32::try_from(self.index(self.system.preds.len())).expect("a small number"));
        let sorts: Vec<Sort> = self
            .system
            .pred(pred)
            .params
            .iter()
            .map(|&p| self.terms.sort(p))
            .collect();
        let arg = |sort| {
            if self.rng.below(plain + 1) == 0 {
                self.term(sort)
            } else {
                self.variable(sort)
            }
        };
        Atom {
            pred,
            args: sorts.into_iter().map(arg).collect(),
        }
    }

    fn variable(&self, sort: Sort) -> Term {
        let fits: Vec<Term> = self
            .vars
            .iter()
            .copied()
            .filter(|&v| self.terms.sort(v) == sort)
            .collect();
        fits[self.index(fits.len())]
    }

    fn term(&self, sort: Sort) -> Term {
        let t = self.terms;
        let number = || t.int(self.rng.below(4));
        if sort == Sort::BOOL {
            return self.formula();
        }
        if sort == Sort::INT {
            return match self.rng.below(4) {
                0 => number(),
                1 => self.variable(sort),
                2 => t.sub(self.variable(sort), number()),
                _ => t.add2(self.variable(sort), number()),
            };
        }
        t.store(self.variable(sort), &[self.term(Sort::INT)], number())
    }

    fn formula(&self) -> Term {
        let t = self.terms;
        let (x, y) = (self.variable(Sort::INT), self.term(Sort::INT));
        match self.rng.below(9) {
            0 | 1 => t.eq(x, y),
            2 | 3 => t.le(x, y),
            4 => t.lt(y, x),
            5 => t.not(t.eq(x, y)),
            6 => self.variable(Sort::BOOL),
            7 => t.eq(self.variable(Sort::BOOL), t.le(x, y)),
            _ => t.or2(t.eq(x, y), self.variable(Sort::BOOL)),
        }
    }
}

/// What Z3 says about a system.
fn verdict(system: &ChcSystem, cx: &Cx<'_>) -> ScriptAnswer {
    let text = print_chc(cx.terms, system);
    let script = if text.contains("(check-sat)") {
        text
    } else {
        format!("{text}\n(check-sat)\n")
    };
    let answers = cx
        .oracles
        .script(&script, Duration::from_millis(1500))
        .expect("Z3 runs");
    answers
        .into_iter()
        .next()
        .unwrap_or(ScriptAnswer::Unknown("silence".into()))
}

#[test]
fn passes_keep_the_verdict() {
    let (mut decided, budget) = (0, Budget::unlimited());
    for seed in 0..80 {
        let terms = TermStore::new();
        let system = generate(&terms, seed);
        with_budget(&terms, &budget, |cx| {
            let small = simplify(&system, &PassOptions::default(), cx)
                .unwrap()
                .problem;
            let (before, after) = (verdict(&system, cx), verdict(&small, cx));
            let known = |a: &ScriptAnswer| !matches!(a, ScriptAnswer::Unknown(_));
            if known(&before) && known(&after) {
                assert_eq!(
                    before,
                    after,
                    "seed {seed}\n{}",
                    print_chc(cx.terms, &system)
                );
                decided += 1;
            }
        });
    }
    assert!(decided >= 50, "{decided}");
}

#[test]
fn witnesses_come_back() {
    let (mut safe, mut broken) = (0, 0);
    for seed in 1000..1080 {
        let terms = TermStore::new();
        let system = generate(&terms, seed);
        let budget = Budget::with_time(Duration::from_millis(700));
        let lifted = with_budget(&terms, &budget, |cx| {
            solve(&system, &PassOptions::default(), 6, cx)
        });
        let lifted = match lifted {
            Err(Halt::NotLifted(pass)) => panic!("seed {seed}: lost in {pass}"),
            Err(_) => continue,
            Ok(lifted) => lifted,
        };
        let unlimited = Budget::unlimited();
        with_budget(&terms, &unlimited, |cx| {
            let text = print_chc(cx.terms, &system);
            if let Some(report) = certify(&text, &system, &lifted, cx) {
                let rejected = matches!(report.outcome, Outcome::Rejected(_));
                assert!(
                    !rejected,
                    "seed {seed}: {:?} {lifted:?}\n{text}",
                    report.outcome
                );
                assert!(
                    report.outcome.is_accepted(),
                    "seed {seed}: {:?} {lifted:?}\n{text}",
                    report.outcome
                );
                safe += usize::from(matches!(lifted, Lifted::Safe(_)));
                broken += usize::from(matches!(lifted, Lifted::Unsafe(_)));
            }
        });
    }
    assert!(safe >= 20 && broken >= 20, "{safe} safe, {broken} unsafe");
}
