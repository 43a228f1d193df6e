//! Certificates as trees that can be changed.

use foretell_certify::{Document, Id};

/// A token or a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Tree {
    Token(String),
    List(Vec<Tree>),
}

impl Tree {
    /// The top-level expressions of a text.
    pub(crate) fn read(text: &str) -> Vec<Tree> {
        fn convert(doc: &Document<'_>, id: Id) -> Tree {
            match doc.list(id) {
                Some(kids) => Tree::List(kids.iter().map(|&kid| convert(doc, kid)).collect()),
                None => Tree::Token(doc.token_of(id).expect("a token").to_string()),
            }
        }
        let doc = Document::read(text).expect("readable");
        doc.roots().iter().map(|&id| convert(&doc, id)).collect()
    }

    pub(crate) fn show(&self) -> String {
        match self {
            Tree::Token(token) => token.clone(),
            Tree::List(kids) => {
                format!(
                    "({})",
                    kids.iter().map(Tree::show).collect::<Vec<_>>().join(" ")
                )
            }
        }
    }

    pub(crate) fn kids(&self) -> &[Tree] {
        match self {
            Tree::Token(_) => &[],
            Tree::List(kids) => kids,
        }
    }

    pub(crate) fn token(&self) -> Option<&str> {
        match self {
            Tree::Token(token) => Some(token),
            Tree::List(_) => None,
        }
    }

    pub(crate) fn head(&self) -> Option<&str> {
        self.kids().first().and_then(Tree::token)
    }

    /// Paths to all subtrees, the root's (empty) first.
    pub(crate) fn paths(&self) -> Vec<Vec<usize>> {
        let mut all = vec![Vec::new()];
        for (i, kid) in self.kids().iter().enumerate() {
            for mut path in kid.paths() {
                path.insert(0, i);
                all.push(path);
            }
        }
        all
    }

    pub(crate) fn at(&self, path: &[usize]) -> &Tree {
        path.iter().fold(self, |tree, &i| &tree.kids()[i])
    }

    pub(crate) fn at_mut(&mut self, path: &[usize]) -> &mut Tree {
        path.iter().fold(self, |tree, &i| match tree {
            Tree::List(kids) => &mut kids[i],
            Tree::Token(_) => unreachable!("a path leads through lists"),
        })
    }
}
