//! Sorts, values and hash-consed terms: building, substitution, evaluation and printing.
