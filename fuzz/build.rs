//! The targets find the pinned Z3 library where `tools/setup` put it.

fn main() {
    println!(
        "cargo::rustc-link-arg-bins=-Wl,-rpath,{}/../.z3/lib",
        env!("CARGO_MANIFEST_DIR")
    );
}
