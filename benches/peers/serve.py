"""A program that is asked line by line, as `peers-cardan` is: one JSON object in, one out; and how it takes times."""

import json
import sys
import time


def serve(answers):
    """Answers to every line with the function that its `do` names."""
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            answer = answers[asked.pop("do")](**asked)
        except Exception as error:  # Whatever a package throws is what the caller wants to read.
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


def times(work, seconds, parts=1, least_samples=3):
    """Nanoseconds of one part of the work, which is `parts` of them and is done over and over for so long."""
    work()
    samples, end = [], time.perf_counter() + seconds
    repeats = 1
    while True:
        begin = time.perf_counter()
        for _ in range(repeats):
            work()
        spent = time.perf_counter() - begin
        # The first samples find how much makes one of 200 µs.
        if spent < 200e-6:
            repeats *= 2
            continue
        samples.append(1e9 * spent / (repeats * parts))
        if time.perf_counter() > end and len(samples) >= least_samples:
            break
    samples.sort()
    return {"least": samples[0], "median": samples[len(samples) // 2], "samples": len(samples)}
