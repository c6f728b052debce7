#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Measures how often the 95 % confidence intervals of 'lxfw simulate --policy A --policy
# B' contain the true value, on logs of the model of Lublin and Feitelson. The true
# value is the ratio of the means over all logs. The exit status is 1 if less than 93 of
# 100 do.
#
#	tests/bench/intervals.py LXFW [LOGS [WEEKS...]]	100 logs, of 10 and 20 weeks
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

MEASURES = ("mean_wait_s", "p95_wait_s", "mean_slowdown", "awrt_s")
JOBS_A_WEEK = 840


def simulate(lxfw, folder, weeks, seed):
    path = os.path.join(folder, f"{weeks}-{seed}.swf")
    subprocess.run([lxfw, "generate", "lublin", "--procs", "128", "--jobs",
                    str(JOBS_A_WEEK * weeks), "--load", "0.7", "--estimate-factor",
                    "3", "--seed", str(seed), "--out", path], check=True)
    result = subprocess.run([lxfw, "simulate", "--policy", "easy", "--policy", "lxfw",
                             "--warmup", "2d", "--period", "7d", "--threads", "1",
                             "--format", "json", path], check=True,
                            capture_output=True, text=True)
    os.unlink(path)
    return json.loads(result.stdout)


def find(where, key):
    """Return all values of the key, in order."""
    if isinstance(where, list):
        return [value for each in where for value in find(each, key)]
    if not isinstance(where, dict):
        return []
    return [found for name, value in where.items()
            for found in ([value] if name == key else []) + find(value, key)]


def judge(results, measure, weeks):
    pairs, intervals = [], []
    for result in results:
        of = find(result, measure)
        pairs.append([each["value"] for each in of[:2]])
        low, high = find(of[1], "low_percent"), find(of[1], "high_percent")
        if low and high:
            intervals.append((low[0], high[0]))
    truth = 100 * (sum(b for _, b in pairs) / sum(a for a, _ in pairs) - 1)
    held = sum(low <= truth <= high for low, high in intervals)
    print(f"| {weeks} | {measure} | {truth:+.0f} % | {len(intervals)} | {held} |",
          flush=True)
    return held * 100 >= len(intervals) * 93


def main():
    lxfw = sys.argv[1]
    logs = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    fine = True
    print("| weeks, about | measure | truth | intervals | hold it |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(2) as pool:
        for weeks in [int(each) for each in sys.argv[3:]] or [10, 20]:
            results = list(pool.map(lambda seed: simulate(lxfw, folder, weeks, seed),
                                    range(5000, 5000 + logs)))
            for measure in MEASURES:
                fine &= judge(results, measure, weeks)
    return 0 if fine else 1


sys.exit(main())
