//! libFuzzer on the reader `checker`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Some(target) = foretell_testkit::targets::target("checker") {
        (target.read)(data);
    }
});
