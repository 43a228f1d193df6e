//! libFuzzer on the reader `rules`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Some(target) = foretell_testkit::targets::target("rules") {
        (target.read)(data);
    }
});
