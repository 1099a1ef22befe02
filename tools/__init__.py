"""Programs for developers: benchmarks, fault injection, goldens, lists of words, pictures. None of them is a test."""
