//! What the parts of one query share: the tree of groups, the terms, the atoms, the certificates,
//! the proof.

use crate::arith::cert::Certs;
use crate::data::atoms::{AtomTable, Lit};
use crate::data::bank::{Sort, SymId, TId, TermBank};
use crate::data::locality::{NodeSet, Shape};
use crate::proof::Proof;
use crate::refute::arrays::ArrayOp;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// How literals that live on both sides of a cut are coloured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Labelling {
    /// Shared literals belong to B: strong interpolants.
    McMillan,
    /// Shared literals belong to both (Pudlák): symmetric interpolants.
    Symmetric,
}

/// The shared state of one query.
#[derive(Debug)]
pub(crate) struct World {
    /// The tree of groups.
    pub(crate) shape: Shape,
    /// The terms.
    pub(crate) bank: TermBank,
    /// The atoms.
    pub(crate) atoms: AtomTable,
    /// The arithmetic certificates.
    pub(crate) certs: Certs,
    /// The proof so far.
    pub(crate) proof: Proof,
    /// The labelling.
    pub(crate) labelling: Labelling,
    /// The symbols that read and write arrays.
    pub(crate) arrays: IndexMap<SymId, ArrayOp, FxBuildHasher>,
    /// The selection of every array sort, with the sorts of its indices.
    pub(crate) selections: IndexMap<Sort, (SymId, Vec<Sort>), FxBuildHasher>,
}

impl World {
    /// The empty world over a tree of groups.
    pub(crate) fn new(shape: Shape, labelling: Labelling) -> World {
        let bank = TermBank::new(shape.all());
        let atoms = AtomTable::new(&shape);
        World {
            shape,
            bank,
            atoms,
            certs: Certs::default(),
            proof: Proof::default(),
            labelling,
            arrays: IndexMap::default(),
            selections: IndexMap::default(),
        }
    }

    /// `a = b` as a literal.
    pub(crate) fn eq(&mut self, a: TId, b: TId) -> Lit {
        self.atoms.eq(&mut self.bank, a, b)
    }

    /// The group to which something that lives on `loc` is attributed in theory lemmas.
    pub(crate) fn owner(&self, loc: &NodeSet) -> usize {
        match self.labelling {
            Labelling::McMillan => loc.top(),
            Labelling::Symmetric => loc.bottom(),
        }
    }

    /// The group to which a literal of a theory lemma is attributed.
    pub(crate) fn lit_owner(&self, l: Lit) -> usize {
        self.owner(self.atoms.loc(l.atom()))
    }
}
