//! The border between outer terms and the bank.

pub(crate) mod symbols;

pub(crate) mod front;

pub(crate) mod back;
