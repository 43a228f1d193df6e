//! libFuzzer on the reader `protocol`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Some(target) = foretell_testkit::targets::target("protocol") {
        (target.read)(data);
    }
});
