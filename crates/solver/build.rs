//! Refuses to be built where the pinned Z3 library was not fetched yet: the linker would take another one that
//! the system has, of a version that was never tried.

use std::env;
use std::path::Path;

/// Names the folder of the library (`.cargo/config.toml`).
const FOLDER: &str = "Z3_LIBRARY_PATH_OVERRIDE";

fn main() -> Result<(), String> {
    println!("cargo:rerun-if-env-changed={FOLDER}");
    let Some(folder) = env::var_os(FOLDER) else {
        // A build of another kind, which says by itself where its library is.
        return Ok(());
    };
    let library = Path::new(&folder).join("libz3.so");
    println!("cargo:rerun-if-changed={}", library.display());
    if library.exists() {
        return Ok(());
    }
    let path = library.display();
    Err(format!("there is no {path}: run tools/setup first"))
}
