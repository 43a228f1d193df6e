//! Tests of the reader and the elaborator.
