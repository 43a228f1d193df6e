//! Child processes with limits: clock, memory, no orphans.
