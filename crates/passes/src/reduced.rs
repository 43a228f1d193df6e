//! Composition of ways back.
//!
//! ```text
//! A ──pass 1──▶ B ──pass 2──▶ C          A ◀──lift 1── B ◀──lift 2── C
//! ```

use std::marker::PhantomData;

use foretell_kernel::{Cx, Halt, Lift, Pass, Phase, Problem, Translation};

/// A way back behind a pointer, so that pipelines of any length have one type.
pub type BoxedLift<A, B> = Box<dyn Lift<From = A, To = B>>;

/// The way back over nothing.
pub(crate) struct Identity<P>(PhantomData<P>);

impl<P> Identity<P> {
    /// The way back over nothing.
    pub(crate) fn new() -> Identity<P> {
        Identity(PhantomData)
    }
}

impl<P> Default for Identity<P> {
    fn default() -> Identity<P> {
        Identity::new()
    }
}

impl<P: Problem> Translation for Identity<P> {
    type From = P;
    type To = P;

    fn up(&self, fact: P::Fact, _cx: &Cx<'_>) -> Vec<P::Fact> {
        vec![fact]
    }

    fn down(&self, fact: P::Fact, _cx: &Cx<'_>) -> Vec<P::Fact> {
        vec![fact]
    }
}

impl<P: Problem> Lift for Identity<P> {
    fn proof(&self, proof: P::Proof, _cx: &Cx<'_>) -> Result<P::Proof, Halt> {
        Ok(proof)
    }

    fn cex(&self, cex: P::Cex, _cx: &Cx<'_>) -> Result<P::Cex, Halt> {
        Ok(cex)
    }
}

/// The way back over two steps: the last step is undone first.
pub(crate) struct Composed<A, B, C> {
    upper: BoxedLift<A, B>,
    lower: BoxedLift<B, C>,
}

impl<A, B, C> Composed<A, B, C> {
    /// The way back over `upper` followed by `lower`.
    pub(crate) fn new(upper: BoxedLift<A, B>, lower: BoxedLift<B, C>) -> Composed<A, B, C> {
        Composed { upper, lower }
    }
}

impl<A: Problem, B: Problem, C: Problem> Translation for Composed<A, B, C> {
    type From = A;
    type To = C;

    fn up(&self, fact: C::Fact, cx: &Cx<'_>) -> Vec<A::Fact> {
        let between = self.lower.up(fact, cx).into_iter();
        between.flat_map(|fact| self.upper.up(fact, cx)).collect()
    }

    fn down(&self, fact: A::Fact, cx: &Cx<'_>) -> Vec<C::Fact> {
        let between = self.upper.down(fact, cx).into_iter();
        between.flat_map(|fact| self.lower.down(fact, cx)).collect()
    }
}

impl<A: Problem, B: Problem, C: Problem> Lift for Composed<A, B, C> {
    fn proof(&self, proof: C::Proof, cx: &Cx<'_>) -> Result<A::Proof, Halt> {
        self.upper.proof(self.lower.proof(proof, cx)?, cx)
    }

    fn cex(&self, cex: C::Cex, cx: &Cx<'_>) -> Result<A::Cex, Halt> {
        self.upper.cex(self.lower.cex(cex, cx)?, cx)
    }
}

/// A problem some steps below another one, with the way back.
pub struct Reduced<A, B> {
    /// The problem after the steps.
    pub problem: B,
    /// The way back over all of them.
    pub lift: BoxedLift<A, B>,
}

impl<A: Problem + Clone + 'static> Reduced<A, A> {
    /// No step yet.
    pub fn start(problem: &A) -> Reduced<A, A> {
        Reduced {
            problem: problem.clone(),
            lift: Box::new(Identity::new()),
        }
    }
}

impl<A: Problem + 'static, B: Problem + 'static> Reduced<A, B> {
    /// One more step.
    pub fn then<P>(self, pass: &P, cx: &Cx<'_>) -> Result<Reduced<A, P::To>, Halt>
    where
        P: Pass<From = B>,
        P::To: 'static,
        P::Lift: 'static,
    {
        let phase = Phase::Pass(pass.name());
        let (problem, lower) = cx.during(phase, || pass.run(&self.problem, cx))?;
        Ok(Reduced {
            problem,
            lift: Box::new(Composed::new(self.lift, Box::new(lower))),
        })
    }
}
