//! Assembles ladder, layers and engines; supervises worker processes.
