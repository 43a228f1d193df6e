//! libFuzzer on the reader `counterexample`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Some(target) = foretell_testkit::targets::target("counterexample") {
        (target.read)(data);
    }
});
