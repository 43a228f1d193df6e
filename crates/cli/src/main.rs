//! The command line of Foretell: arguments, rendering, exit codes.

fn main() {}
