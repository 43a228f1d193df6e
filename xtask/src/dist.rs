//! `cargo xtask dist [FOLDER]`: an archive that runs where it is unpacked.
//!
//! ```text
//! foretell-VERSION-x86_64-linux/
//!   bin/foretell               finds the two below relative to its real path
//!   lib/foretell/libz3.so.5.4
//!   libexec/foretell/z3
//!   share/man/man1/*.1  share/{bash-completion/completions,zsh/site-functions,fish/vendor_completions.d}/…
//!   share/doc/foretell/{README.md,LICENSE-*,THIRD-PARTY.txt}
//!   install  SHA256SUMS
//! ```

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::licences;

/// Where each shell looks for completions, below the prefix.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "share/bash-completion/completions/foretell"),
    ("zsh", "share/zsh/site-functions/_foretell"),
    ("fish", "share/fish/vendor_completions.d/foretell.fish"),
];

/// Builds the executable and packs it; whether that worked.
pub(crate) fn run(root: &Path, folder: &Path) -> io::Result<bool> {
    let build = ["build", "--release", "--locked", "--package", "foretell"];
    command(Command::new("cargo").args(build).current_dir(root))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    let executable = target.join("release/foretell");
    let name = format!("foretell-{}-x86_64-linux", env!("CARGO_PKG_VERSION"));
    let tree = folder.join(&name);
    if tree.exists() {
        fs::remove_dir_all(&tree)?;
    }
    fill(root, &executable, &tree)?;
    sums(&tree)?;
    let archive = folder.join(format!("{name}.tar.gz"));
    command(
        Command::new("tar")
            .args(["--owner=0", "--group=0", "--sort=name", "-czf"])
            .arg(&archive)
            .arg("-C")
            .args([folder.as_os_str(), name.as_ref()]),
    )?;
    writeln!(io::stdout(), "{}", archive.display())?;
    Ok(true)
}

fn fill(root: &Path, executable: &Path, tree: &Path) -> io::Result<()> {
    let solver = root.join(".z3");
    let copies = [
        (executable.to_owned(), "bin/foretell"),
        (solver.join("lib/libz3.so.5.4"), "lib/foretell/libz3.so.5.4"),
        (solver.join("bin/z3"), "libexec/foretell/z3"),
        (root.join("README.md"), "share/doc/foretell/README.md"),
        (root.join("LICENSE-MIT"), "share/doc/foretell/LICENSE-MIT"),
        (
            root.join("LICENSE-APACHE"),
            "share/doc/foretell/LICENSE-APACHE",
        ),
        (root.join("contrib/install/install"), "install"),
    ];
    for (from, to) in copies {
        let to = tree.join(to);
        fs::create_dir_all(to.parent().unwrap_or(tree))?;
        fs::copy(&from, &to).map_err(|e| io::Error::other(format!("{}: {e}", from.display())))?;
    }
    let third = tree.join("share/doc/foretell/THIRD-PARTY.txt");
    fs::write(third, licences::texts(root)?)?;
    // The checkout keeps the lines for back traces; they are four fifths of the executable.
    let packed = tree.join("bin/foretell");
    command(Command::new("strip").arg("--strip-debug").arg(&packed))?;
    // From here on the packed executable is used, which shows that it finds its library.
    for (shell, place) in COMPLETIONS {
        let place = tree.join(place);
        fs::create_dir_all(place.parent().unwrap_or(tree))?;
        fs::write(
            place,
            output(Command::new(&packed).args(["completions", shell]))?,
        )?;
    }
    command(
        Command::new(&packed)
            .arg("man")
            .arg(tree.join("share/man/man1")),
    )
}

/// The digests of all files, in the form of `sha256sum --check`.
fn sums(tree: &Path) -> io::Result<()> {
    let mut files = Vec::new();
    collect(tree, tree, &mut files)?;
    files.sort();
    let text = output(Command::new("sha256sum").args(&files).current_dir(tree))?;
    fs::write(tree.join("SHA256SUMS"), text)
}

fn collect(tree: &Path, folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(tree, &path, files)?;
        } else {
            files.push(path.strip_prefix(tree).unwrap_or(&path).to_owned());
        }
    }
    Ok(())
}

fn output(command: &mut Command) -> io::Result<Vec<u8>> {
    let output = command.stderr(std::process::Stdio::inherit()).output()?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(io::Error::other(format!("{command:?}: {}", output.status))),
    }
}

fn command(command: &mut Command) -> io::Result<()> {
    let status = command.status()?;
    match status.success() {
        true => Ok(()),
        false => Err(io::Error::other(format!("{command:?}: {status}"))),
    }
}
