"""What a job will take: speeds and memory as measured on this computer, and sizes of files. Imports no torch."""
