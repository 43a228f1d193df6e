//! The functions of the input, as far as contracts are concerned.

/// A function that the input declares or defines, or that has a meaning without, and that something
/// calls.
#[derive(Clone, Debug)]
pub struct Outline {
    /// Its name.
    pub name: String,
    /// Where its declaration starts: the definition if there is one, the first one otherwise. None if it
    /// is declared nowhere.
    pub start: Option<u32>,
    /// The names of its parameters, where they have any.
    pub params: Vec<Option<String>>,
    /// What a call of it is.
    pub role: Role,
}

/// What a call of a function is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A value from outside.
    Input,
    /// The end of the execution.
    Stop,
    /// An assumption: execution goes on only if the first argument is not 0.
    Assume,
    /// An assertion about the first argument.
    Assert,
    /// An error.
    Error,
    /// The body of the function.
    Inlined,
    /// A call of a function of its own.
    Recursive,
}
