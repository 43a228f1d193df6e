//! Abstract, check, refine: wrappers around any engine.
