//! What engines at work on the same problem tell each other: the one contract of sharing.
//!
//! ```text
//! engine on B ── tell ──▶ Translated ── words.up ──▶ peers on A
//! engine on B ◀── hear ── Translated ◀─ words.down ── peers on A
//! ```
//!
//! A fact is a formula that somebody finds worth looking at: an invariant, a lemma that holds up to
//! some depth, an atom of the goal. Nothing that is heard is known to be true; it is of the right sort
//! and about the symbols of the problem. Who wants to rely on it proves it.

use crate::context::Cx;
use crate::problem::Problem;

/// The other engines at work on a problem.
pub trait Peers<P: Problem> {
    /// Tells them facts, all at once: each call may become a message of its own.
    fn tell(&self, facts: Vec<P::Fact>, cx: &Cx<'_>);

    /// What they said since the last call.
    fn hear(&self, cx: &Cx<'_>) -> Vec<P::Fact>;
}

/// Nobody else is there.
pub struct Alone;

impl<P: Problem> Peers<P> for Alone {
    fn tell(&self, _facts: Vec<P::Fact>, _cx: &Cx<'_>) {}

    fn hear(&self, _cx: &Cx<'_>) -> Vec<P::Fact> {
        Vec::new()
    }
}

/// Facts from one problem to another and back.
///
/// Nobody believes a fact, so a translation need not keep its truth; it keeps what it is about. A fact
/// may be said several times (once for each place it is about), or not at all.
pub trait Translation {
    /// The problem above.
    type From: Problem;
    /// The problem below.
    type To: Problem;

    /// A fact about the problem below in the words of the one above.
    fn up(
        &self,
        fact: <Self::To as Problem>::Fact,
        cx: &Cx<'_>,
    ) -> Vec<<Self::From as Problem>::Fact>;

    /// A fact about the problem above in the words of the one below.
    fn down(
        &self,
        fact: <Self::From as Problem>::Fact,
        cx: &Cx<'_>,
    ) -> Vec<<Self::To as Problem>::Fact>;
}

/// The peers of the problem above, in the words of the problem below.
pub struct Translated<'a, T: Translation + ?Sized> {
    /// How facts are translated.
    pub words: &'a T,
    /// Who speaks of the problem above.
    pub inner: &'a dyn Peers<T::From>,
}

impl<T: Translation + ?Sized> Peers<T::To> for Translated<'_, T> {
    fn tell(&self, facts: Vec<<T::To as Problem>::Fact>, cx: &Cx<'_>) {
        let said = facts.into_iter().flat_map(|fact| self.words.up(fact, cx));
        self.inner.tell(said.collect(), cx);
    }

    fn hear(&self, cx: &Cx<'_>) -> Vec<<T::To as Problem>::Fact> {
        let heard = self.inner.hear(cx).into_iter();
        heard.flat_map(|fact| self.words.down(fact, cx)).collect()
    }
}
