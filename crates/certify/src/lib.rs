//! Decides whether a certificate proves a verdict about the original text.
