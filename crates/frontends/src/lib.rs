//! Text to a problem, or to located errors.
