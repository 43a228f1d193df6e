//! One query without any oracle: translate, refute, extract, translate back.

use crate::arith::integers::IntLimits;
use crate::blast::{self, Blaster, NoCircuit};
use crate::border::back::Back;
use crate::border::front::{Front, Untranslatable};
use crate::border::symbols::{Symbols, Vocabulary};
use crate::data::locality::Shape;
use crate::extract::formula::Formulas;
use crate::extract::partial;
use crate::extract::simplify::simplify;
use crate::refute::{Limits, Outcome, Refuter};
use crate::reuse::{Lemmas, Proved, Recalled};
use crate::world::{Labelling, World};
use foretell_terms::{Term, TermStore};
use std::cell::Cell;

/// What a query may spend and how it labels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// The labelling of shared literals.
    pub(crate) labelling: Labelling,
    /// Which functions may occur everywhere.
    pub(crate) vocabulary: Vocabulary,
    /// Conflicts, rounds, cuts.
    pub(crate) limits: Limits,
    /// Theory lemmas kept for later queries.
    pub(crate) lemmas: usize,
}

impl Settings {
    /// The usual limits.
    pub(crate) fn new(labelling: Labelling) -> Settings {
        let ints = IntLimits { cuts: 8, depth: 3 };
        let limits = Limits {
            conflicts: 200_000,
            rounds: 20_000,
            ints,
        };
        Settings {
            labelling,
            vocabulary: Vocabulary::Strict,
            limits,
            lemmas: 0,
        }
    }
}

/// What queries took, all together.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Effort {
    /// Conflicts of the searches.
    pub(crate) conflicts: u64,
    /// Instances of kept lemmas that were added.
    pub(crate) recalled: u64,
    /// Those that a proof used.
    pub(crate) useful: u64,
}

/// The settings of a row of queries and what passes from one to the next.
#[derive(Debug)]
pub(crate) struct Session {
    /// The settings.
    pub(crate) settings: Settings,
    /// Theory lemmas of earlier queries.
    pub(crate) lemmas: Lemmas,
    /// What the queries took so far.
    pub(crate) effort: Cell<Effort>,
}

impl Session {
    /// A session without lemmas of others.
    pub(crate) fn new(settings: Settings, lemmas: Lemmas) -> Session {
        Session {
            settings,
            lemmas,
            effort: Cell::default(),
        }
    }
}

/// How a query ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    /// One formula per cut.
    Interpolants(Vec<Term>),
    /// No refutation found although no limit was reached.
    Saturated,
    /// A limit was reached.
    Limit,
    /// Asked to stop.
    Stopped,
    /// The input has a feature that is not handled.
    Unsupported(&'static str),
}

/// Conflicts and rounds for an attempt over words.
const WORD_CONFLICTS: u64 = 300;

/// Refutes the groups and reads off the interpolants of all cuts of the shape; bit-vectors become
/// bits on the way if reasoning over words does not suffice.
pub(crate) fn run(
    store: &TermStore,
    groups: &[Vec<Term>],
    shape: &Shape,
    session: &Session,
    stop: &mut dyn FnMut() -> bool,
) -> Found {
    let limits = session.settings.limits;
    if !blast::needed(store, groups) {
        return refute(store, groups, shape, session, &limits, stop);
    }
    // Words first, their operators uninterpreted: where that suffices the interpolants speak of
    // words.
    let mut quick = limits;
    quick.conflicts = limits.conflicts.min(WORD_CONFLICTS);
    quick.rounds = limits.rounds.min(WORD_CONFLICTS);
    if let found @ Found::Interpolants(_) = refute(store, groups, shape, session, &quick, stop) {
        return found;
    }
    let mut blaster = Blaster::new(store);
    let bits: Result<Vec<Vec<Term>>, NoCircuit> = groups.iter().map(|g| blaster.group(g)).collect();
    let bits = match bits {
        Ok(bits) => bits,
        Err(NoCircuit(feature)) => return Found::Unsupported(feature),
    };
    match refute(store, &bits, shape, session, &limits, stop) {
        Found::Interpolants(itps) => {
            let words = |i| blast::words::gather(store, blaster.back(i));
            Found::Interpolants(itps.into_iter().map(words).collect())
        }
        other => other,
    }
}

/// Refutes groups without bit-vectors.
fn refute(
    store: &TermStore,
    groups: &[Vec<Term>],
    shape: &Shape,
    session: &Session,
    limits: &Limits,
    stop: &mut dyn FnMut() -> bool,
) -> Found {
    let settings = &session.settings;
    let mut world = World::new(shape.clone(), settings.labelling);
    let mut symbols = Symbols::default();
    symbols.scan(store, groups, &mut world, settings.vocabulary);
    let mut refuter = Refuter::new(world);
    for (g, formulas) in groups.iter().enumerate() {
        let front = Front::new(store, &mut symbols, &mut refuter, g).add(formulas);
        if let Err(Untranslatable(feature)) = front {
            return Found::Unsupported(feature);
        }
    }
    let keeps = settings.lemmas > 0;
    let recalled = if keeps {
        session.lemmas.recall(store, &symbols, &mut refuter)
    } else {
        Recalled::default()
    };
    let outcome = refuter.run(limits, stop);
    let mut effort = session.effort.get();
    effort.conflicts += refuter.conflicts();
    session.effort.set(effort);
    let root = match outcome {
        Outcome::Refuted(root) => root,
        Outcome::Saturated => return Found::Saturated,
        Outcome::Limit => return Found::Limit,
        Outcome::Stopped => return Found::Stopped,
    };
    if keeps {
        let used = partial::used(&refuter.world, root);
        let proved = Proved {
            store,
            symbols: &symbols,
            refuter: &refuter,
            used,
        };
        let reuse = session.lemmas.keep(&proved, &recalled, settings.lemmas);
        effort.recalled += reuse.added;
        effort.useful += reuse.useful;
        session.effort.set(effort);
    }
    let mut formulas = Formulas::new();
    let itps = partial::interpolants(&mut refuter.world, &mut formulas, root);
    let itps: Vec<_> = itps
        .into_iter()
        .map(|f| simplify(&mut refuter.world, &mut formulas, f))
        .collect();
    match Back::new(store, &symbols, &refuter.world).formulas(&formulas, &itps) {
        Ok(terms) => Found::Interpolants(terms),
        Err(_) => Found::Saturated,
    }
}
