//! Runs suites of files through tools, records, reports and compares.
