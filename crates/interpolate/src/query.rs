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
use crate::world::{Labelling, World};
use foretell_terms::{Term, TermStore};

/// What a query may spend and how it labels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// The labelling of shared literals.
    pub(crate) labelling: Labelling,
    /// Which functions may occur everywhere.
    pub(crate) vocabulary: Vocabulary,
    /// Conflicts, rounds, cuts.
    pub(crate) limits: Limits,
}

impl Settings {
    /// The usual limits.
    pub(crate) fn new(labelling: Labelling) -> Settings {
        let ints = IntLimits { cuts: 8, depth: 3 };
        let limits = Limits { conflicts: 200_000, rounds: 20_000, ints };
        Settings { labelling, vocabulary: Vocabulary::Strict, limits }
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

/// Refutes the groups and reads off the interpolants of all cuts of the shape; bit-vectors become bits on the way if
/// reasoning over words does not suffice.
pub(crate) fn run(
    store: &TermStore,
    groups: &[Vec<Term>],
    shape: &Shape,
    settings: &Settings,
    stop: &mut dyn FnMut() -> bool,
) -> Found {
    if !blast::needed(store, groups) {
        return refute(store, groups, shape, settings, stop);
    }
    // Words first, their operators uninterpreted: where that suffices the interpolants speak of words.
    let mut quick = *settings;
    quick.limits.conflicts = settings.limits.conflicts.min(WORD_CONFLICTS);
    quick.limits.rounds = settings.limits.rounds.min(WORD_CONFLICTS);
    if let found @ Found::Interpolants(_) = refute(store, groups, shape, &quick, stop) {
        return found;
    }
    let mut blaster = Blaster::new(store);
    let bits: Result<Vec<Vec<Term>>, NoCircuit> = groups.iter().map(|g| blaster.group(g)).collect();
    let bits = match bits {
        Ok(bits) => bits,
        Err(NoCircuit(feature)) => return Found::Unsupported(feature),
    };
    match refute(store, &bits, shape, settings, stop) {
        Found::Interpolants(itps) => Found::Interpolants(itps.into_iter().map(|i| blaster.back(i)).collect()),
        other => other,
    }
}

/// Refutes groups without bit-vectors.
fn refute(
    store: &TermStore,
    groups: &[Vec<Term>],
    shape: &Shape,
    settings: &Settings,
    stop: &mut dyn FnMut() -> bool,
) -> Found {
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
    let root = match refuter.run(&settings.limits, stop) {
        Outcome::Refuted(root) => root,
        Outcome::Saturated => return Found::Saturated,
        Outcome::Limit => return Found::Limit,
        Outcome::Stopped => return Found::Stopped,
    };
    let mut formulas = Formulas::new();
    let itps = partial::interpolants(&mut refuter.world, &mut formulas, root);
    let itps: Vec<_> = itps.into_iter().map(|f| simplify(&mut refuter.world, &mut formulas, f)).collect();
    match Back::new(store, &symbols, &refuter.world).formulas(&formulas, &itps) {
        Ok(terms) => Found::Interpolants(terms),
        Err(_) => Found::Saturated,
    }
}
