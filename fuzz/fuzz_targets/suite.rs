//! libFuzzer on the reader `suite`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Some(target) = foretell_testkit::targets::target("suite") {
        (target.read)(data);
    }
});
