//! Tests of the engine by itself: golden cases, chains, and the search's own consistency.

mod differential;

mod golden;

mod support;

mod deep;
