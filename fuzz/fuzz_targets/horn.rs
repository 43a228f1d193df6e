//! libFuzzer on the reader `horn`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Some(target) = foretell_testkit::targets::target("horn") {
        (target.read)(data);
    }
});
