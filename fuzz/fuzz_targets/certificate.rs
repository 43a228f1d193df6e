//! libFuzzer on the reader `certificate`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Some(target) = foretell_testkit::targets::target("certificate") {
        (target.read)(data);
    }
});
