"""The log, notes of crashes, and the file of diagnostics: what helps to find a fault, without patient data."""
