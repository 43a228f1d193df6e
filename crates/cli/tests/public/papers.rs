//! The systems of the papers by their names: each proves examples of its paper, and has its place on a page.

use foretell_testkit::corpus::root;

use super::foretell;

#[test]
fn they_prove_examples_of_their_papers() {
    for (system, file) in [
        ("prophic3", "vmt/safe/paper_cgp_fig1_running.vmt"),
        ("prophic3", "vmt/safe/quantified_property.vmt"),
        ("condhist", "vmt/safe/paper_hps_fig9.vmt"),
        ("acsar", "chc/safe/paper_qaa_array_init.smt2"),
        ("ic3ia-paper", "vmt/safe/counter_mod.vmt"),
        ("la-mark-1", "chc/safe/lia_lockstep.smt2"),
        ("treeic3ia", "chc/safe/lia_lockstep.smt2"),
        ("ic3-lra-qe", "vmt/safe/counter_mod.vmt"),
        ("la-mark-2", "chc/safe/lia_lockstep.smt2"),
        ("la-mark-3", "chc/safe/lia_lockstep.smt2"),
        ("la-mark-4", "chc/safe/lia_lockstep.smt2"),
        ("la-mark-5", "chc/safe/lia_lockstep.smt2"),
        ("la-final", "chc/safe/lia_lockstep.smt2"),
        ("duality", "chc/safe/lia_lockstep.smt2"),
    ] {
        let file = format!("corpus/{file}");
        let outcome = foretell(&["--engine", system, "--timeout", "100s", &file]);
        assert_eq!(outcome.code, Some(0), "{system}: {}", outcome.stderr);
    }
}

#[test]
fn every_one_is_on_a_page() {
    let listed = foretell(&["options", "--papers"]);
    assert_eq!(listed.code, Some(0), "{}", listed.stderr);
    let pages = std::fs::read_dir(root().join("docs/papers"))
        .unwrap()
        .flatten();
    let pages: String = pages
        .map(|page| std::fs::read_to_string(page.path()).unwrap())
        .collect();
    // What a system is about stands below it, further to the right.
    let is_name = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    let names = listed.stdout.lines().filter(is_name);
    let names: Vec<&str> = names
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(names.len() >= 15, "{names:?}");
    for name in names {
        // Variants of one system are named by their endings.
        let ending = name.rsplit_once('-').map_or(name, |(_, ending)| ending);
        let known = pages.contains(name) || pages.contains(&format!("`-{ending}`"));
        assert!(known, "no page mentions {name}");
    }
}
