//! libFuzzer on the reader `vmt`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Some(target) = foretell_testkit::targets::target("vmt") {
        (target.read)(data);
    }
});
