"""The report of a study: texts, pictures, preview, print, signature, clips."""
