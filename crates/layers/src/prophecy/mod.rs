//! Auxiliary variables: what a value was some steps ago, and what it will be at the end.
//!
//! Reading order: [`history`] (Delay), [`prophecize`] (Prophecize), [`frozen`] (when neither is needed).

pub mod frozen;
pub mod history;
pub mod prophecize;

pub use history::Histories;
pub use prophecize::prophecize;
