#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Measures how often the 90 % intervals of 'lxfw compare --instead' contain the true
# change, and how often a change is stated, on logs of the model of Lublin and Feitelson
# that were measured under easy. The true change is that of all logs together; a log whose
# verdict is not "good" has no interval. The exit
# status is 1 if less than 85 of 100 intervals contain it.
#
#	tests/bench/instead.py LXFW [LOGS [PARAMETERS...]]
import csv
import json
import os
import subprocess
import sys
import tempfile

MODEL = "--jobs 6000 --load 0.75 --estimate-factor 2".split()
PARAMETERS = ["lxfw_policy=lxfw", "lxfw_policy=easy,lxfw_reservations=2"]


def run(*arguments):
    return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout


def measure(lxfw, seed):
    """Writes a log with the waits under easy."""
    run(lxfw, "generate", "--seed", str(seed), *MODEL, "--out", "trace.swf", "lublin")
    run(lxfw, "simulate", "--policy", "easy", "--jobs-out", "jobs.csv", "trace.swf")
    with open("jobs.csv") as rows:
        waits = {row["job_id"]: row["wait"] for row in csv.DictReader(rows)}
    with open("trace.swf") as trace, open("log.swf", "w") as log:
        for line in trace:
            fields = line.split()
            if fields and not line.startswith(";"):
                fields[2] = waits[fields[0]]
                line = " ".join(fields) + "\n"
            log.write(line)


def compare(lxfw, params):
    text = run(lxfw, "compare", "--json", "--infer", "none", "--start-overhead", "0",
               "--instead", params, "log.swf")
    return json.loads(text)["instead"]


def report(params, results):
    present = sum(result["present"]["mean_wait_s"] for result in results)
    instead = sum(result["instead"]["mean_wait_s"] for result in results)
    truth = 100 * (instead / present - 1)
    changes = [result["mean_wait"] for result in results if "low_percent" in result["mean_wait"]]
    covered = sum(change["low_percent"] <= truth <= change["high_percent"]
                  for change in changes)
    stated = [result["mean_wait"]["shown"] for result in results]
    print(f"{params}: true change {truth:+.1f} %, {covered} of {len(changes)} intervals "
          f"contain it; stated: lower {stated.count('lower')}, "
          f"higher {stated.count('higher')}")
    return covered >= 0.85 * len(changes)


def main():
    lxfw = os.path.abspath(sys.argv[1])
    logs = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    all_params = sys.argv[3:] or PARAMETERS
    results = {params: [] for params in all_params}
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for seed in range(100, 100 + logs):
            measure(lxfw, seed)
            for params in all_params:
                results[params].append(compare(lxfw, params))
    good = [report(params, results[params]) for params in all_params]
    sys.exit(0 if all(good) else 1)


main()
