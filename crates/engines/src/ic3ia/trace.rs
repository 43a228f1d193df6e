//! The trace F_0 … F_k of over-approximations.
//!
//! Delta encoding (Eén, Mishchenko, Brayton, FMCAD 2011): a cube is stored only at the last level
//! where its clause is known to hold, so
//!
//! ```text
//! F_0 = I,    F_i = ⋀ { ¬c | c stored at a level j >= i }   for i >= 1
//! ```
//!
//! and `F_i ⇒ F_{i+1}` for `i >= 1` by construction; `F_0 ⇒ F_1` because no stored cube meets I.

use crate::abstraction::Cube;

/// An index of a frame; never mixed with time steps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Level(pub(super) u32);

impl Level {
    /// The level of the initial states.
    pub(super) const INIT: Level = Level(0);

    /// The level below; the level of I has none and gives itself.
    pub(super) fn below(self) -> Level {
        Level(self.0.saturating_sub(1))
    }

    /// The level above.
    pub(super) fn above(self) -> Level {
        Level(self.0 + 1)
    }

    /// The level as a position.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The frames.
///
/// Invariant: `deltas[0]` is empty; no stored cube is subsumed by one at the same or a higher level.
#[derive(Default)]
pub(super) struct Trace {
    deltas: Vec<Vec<Cube>>,
    /// What was added since somebody asked.
    news: Vec<Cube>,
}

impl Trace {
    /// The trace F_0.
    pub(super) fn new() -> Trace {
        Trace {
            deltas: vec![Vec::new()],
            news: Vec::new(),
        }
    }

    /// The last level k.
    pub(super) fn frontier(&self) -> Level {
        Level(u32::try_from(self.deltas.len() - 1).expect("invariant: fewer than 2^32 frames"))
    }

    /// Appends F_{k+1} = true.
    pub(super) fn extend(&mut self) {
        self.deltas.push(Vec::new());
    }

    /// The cubes stored at exactly this level.
    pub(super) fn delta(&self, level: Level) -> &[Cube] {
        self.deltas.get(level.index()).map_or(&[], Vec::as_slice)
    }

    /// The cubes of F_level: those stored at this level or above.
    pub(super) fn cubes(&self, level: Level) -> impl Iterator<Item = &Cube> {
        self.deltas.iter().skip(level.index()).flatten()
    }

    /// Whether a stored clause already excludes the cube from F_level.
    pub(super) fn is_blocked(&self, cube: &Cube, level: Level) -> bool {
        self.cubes(level).any(|c| c.subsumes(cube))
    }

    /// Adds the clause ¬cube to F_1 … F_level and drops what it subsumes there.
    pub(super) fn add(&mut self, cube: Cube, level: Level) {
        for delta in &mut self.deltas[1..=level.index()] {
            delta.retain(|c| !cube.subsumes(c));
        }
        self.news.push(cube.clone());
        self.deltas[level.index()].push(cube);
    }

    /// The cubes that were added since the last call, if they are at least so many.
    pub(super) fn news(&mut self, least: usize) -> Vec<Cube> {
        if self.news.len() < least {
            return Vec::new();
        }
        std::mem::take(&mut self.news)
    }
}
