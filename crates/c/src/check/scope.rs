//! What names mean.

use std::rc::Rc;

use indexmap::IndexMap;

use super::ctype::{CType, StructType};
use super::value::Shape;

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    /// A variable.
    Object(Shape, CType),
    /// A parameter that is an array of the caller and is never changed itself.
    Alias(Box<super::value::PointerValue>, CType),
    /// A type.
    Typedef(CType),
    /// A constant of an enumeration.
    Constant(i128),
    /// A function; its definition, if any, is found by name.
    Function(CType),
}

/// One block.
#[derive(Default)]
pub(super) struct Block {
    names: IndexMap<String, Binding>,
    tags: IndexMap<String, Rc<StructType>>,
}

/// The blocks of the function at hand, below those of the file.
#[derive(Default)]
pub(super) struct Scopes {
    file: Block,
    blocks: Vec<Block>,
}

impl Scopes {
    /// Opens a block.
    pub(super) fn open(&mut self) {
        self.blocks.push(Block::default());
    }

    /// Closes the innermost block.
    pub(super) fn close(&mut self) {
        self.blocks.pop();
    }

    /// Hides all blocks, for the body of another function.
    pub(super) fn enter(&mut self) -> Vec<Block> {
        std::mem::take(&mut self.blocks)
    }

    /// Brings hidden blocks back.
    pub(super) fn leave(&mut self, blocks: Vec<Block>) {
        self.blocks = blocks;
    }

    fn innermost(&mut self) -> &mut Block {
        self.blocks.last_mut().unwrap_or(&mut self.file)
    }

    /// Whether names are declared for the whole file now.
    pub(super) fn at_file_level(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Declares a name in the innermost block.
    pub(super) fn declare(&mut self, name: &str, binding: Binding) {
        self.innermost().names.insert(name.to_owned(), binding);
    }

    /// What a name means here.
    pub(super) fn find(&self, name: &str) -> Option<&Binding> {
        let inner = self.blocks.iter().rev().find_map(|b| b.names.get(name));
        inner.or_else(|| self.file.names.get(name))
    }

    /// What a name means in the innermost block.
    pub(super) fn find_here(&mut self, name: &str) -> Option<&Binding> {
        self.innermost().names.get(name)
    }

    /// Declares a struct.
    pub(super) fn declare_tag(&mut self, tag: &str, ty: Rc<StructType>) {
        self.innermost().tags.insert(tag.to_owned(), ty);
    }

    /// The struct of a tag.
    pub(super) fn find_tag(&self, tag: &str) -> Option<Rc<StructType>> {
        let inner = self.blocks.iter().rev().find_map(|b| b.tags.get(tag));
        inner.or_else(|| self.file.tags.get(tag)).cloned()
    }
}
