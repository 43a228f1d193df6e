//! libFuzzer on the reader `any`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Some(target) = foretell_testkit::targets::target("any") {
        (target.read)(data);
    }
});
