//! The built-in headers: C text inside the executable.

/// The names of the headers.
pub const NAMES: [&str; 9] = [
    "assert.h",
    "limits.h",
    "seahorn/seahorn.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
];

/// The text of a header of this name, if it is built in.
pub fn builtin(name: &str) -> Option<&'static str> {
    Some(match name {
        "assert.h" => include_str!("../../headers/assert.h"),
        "limits.h" => include_str!("../../headers/limits.h"),
        "seahorn/seahorn.h" => include_str!("../../headers/seahorn/seahorn.h"),
        "stdbool.h" => include_str!("../../headers/stdbool.h"),
        "stddef.h" => include_str!("../../headers/stddef.h"),
        "stdint.h" => include_str!("../../headers/stdint.h"),
        "stdio.h" => include_str!("../../headers/stdio.h"),
        "stdlib.h" => include_str!("../../headers/stdlib.h"),
        "string.h" => include_str!("../../headers/string.h"),
        _ => return None,
    })
}
