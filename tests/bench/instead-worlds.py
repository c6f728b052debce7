#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Measures the intervals and statements of 'lxfw compare --instead' on logs that differ
# from those of instead.py: the jobs of the model of Lublin and Feitelson with a trend of
# the load, an extreme week, bursts of equal jobs, ties, or a few days only. The true
# change is that of all logs together. Under the parameters of the second present policy
# it is about 0. The exit status is 1 if more than 5 % of these logs state a change in one
# direction.
#
#	tests/bench/instead-worlds.py LXFW [LOGS [WORLD...]]
import csv
import json
import math
import os
import random
import subprocess
import sys
import tempfile

DAY = 86400
NUMBER, SUBMIT, WAIT, RUN, PROCS, ASKED, TIME, USER = 0, 1, 2, 3, 4, 7, 8, 11
EFFECT = ("lxfw_policy=easy", ["lxfw_policy=lxfw", "lxfw_policy=easy,lxfw_reservations=2"])
NOTHING = ("lxfw_policy=lxfw", ["lxfw_policy=lxfw,lxfw_ww=0.0169",
                                "lxfw_policy=lxfw,lxfw_wx=1.02"])
MEASURES = ["mean_wait", "mean_bounded_slowdown"]


def run(*arguments):
    return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout


def generate(lxfw, seed, jobs, load):
    text = run(lxfw, "generate", "--seed", str(seed), "--jobs", str(jobs), "--load",
               str(load), "--estimate-factor", "2", "lublin").splitlines()
    head = [line for line in text if line.startswith(";")]
    rows = [[int(field) for field in line.split()] for line in text
            if line and not line.startswith(";")]
    return head, rows


def warp(rows, function):
    for row in rows:
        row[SUBMIT] = int(function(row[SUBMIT]))
    return rows


def trend(lxfw, seed):
    head, rows = generate(lxfw, seed, 4000, 0.65)
    end = rows[-1][SUBMIT]
    return head, warp(rows, lambda time: end * (time / end) ** 0.7)


def week(lxfw, seed):
    head, rows = generate(lxfw, seed, 4000, 0.55)
    end = rows[-1][SUBMIT]
    first = random.Random(seed).uniform(0.1, 0.8) * end
    length = end / 7

    def squeezed(time):
        inside = min(max(time - first, 0), length)
        return time - inside + inside / 2.2

    return head, warp(rows, squeezed)


def bursts(lxfw, seed):
    head, rows = generate(lxfw, seed, 4000, 0.7)
    chance = random.Random(seed)
    end = rows[-1][SUBMIT]
    chance.shuffle(rows)
    result = []
    while len(result) < len(rows):
        job = rows[len(result)]
        if job[RUN] * job[PROCS] > 8 * DAY:
            rows.remove(job)
            continue
        size = min(len(rows) - len(result), max(1, int(chance.expovariate(1 / 40))))
        user, submit = chance.randrange(4), int(chance.uniform(0, end))
        for _ in range(size):
            copy = list(job)
            copy[SUBMIT], copy[USER] = submit, user
            copy[RUN] = max(1, int(job[RUN] * chance.uniform(0.8, 1)))
            result.append(copy)
    return head, result


def short(lxfw, seed):
    head, rows = generate(lxfw, seed, 3000, 0.75)
    days = (6.6, 7.4, 8.4)[seed % 3]
    return head, [row for row in rows if row[SUBMIT] < rows[0][SUBMIT] + days * DAY]


def ties(lxfw, seed):
    head, rows = generate(lxfw, seed, 4000, 0.75)
    for row in warp(rows, lambda time: time // 14400 * 14400):
        row[RUN] = max(600, 2 ** round(math.log2(row[RUN])))
        row[TIME] = 2 * row[RUN]
        row[PROCS] = row[ASKED] = 2 ** round(math.log2(row[PROCS]))
    return head, rows


def plain(lxfw, seed):
    return generate(lxfw, seed, 4000, 0.75)


WORLDS = {world.__name__: world for world in (plain, trend, week, ties, short, bursts)}


def write(path, head, rows):
    with open(path, "w") as file:
        file.writelines(line + "\n" for line in head)
        file.writelines(" ".join(map(str, row)) + "\n" for row in rows)


def measure(lxfw, head, rows, present):
    """Writes a log with the waits under the present parameters."""
    rows.sort(key=lambda row: row[SUBMIT])
    for number, row in enumerate(rows, 1):
        row[NUMBER], row[WAIT] = number, -1
    write("trace.swf", head, rows)
    run(lxfw, "simulate", "--params", present, "--jobs-out", "jobs.csv", "trace.swf")
    with open("jobs.csv") as jobs:
        waits = {int(job["job_id"]): int(job["wait"]) for job in csv.DictReader(jobs)}
    for row in rows:
        row[WAIT] = waits.get(row[NUMBER], -1)
    write("log.swf", head, rows)


def compare(lxfw, present, instead):
    text = run(lxfw, "compare", "--json", "--infer", "none", "--start-overhead", "0",
               "--params", present, "--instead", instead, "log.swf")
    return json.loads(text)["instead"]


def report(name, params, results, nothing):
    good = True
    for key in MEASURES:
        sums = [sum(result[side][key.replace("wait", "wait_s")] * result["jobs"]
                    for result in results) for side in ("present", "instead")]
        truth = 100 * (sums[1] / sums[0] - 1)
        changes = [result[key] for result in results if "low_percent" in result[key]]
        covered = sum(change["low_percent"] <= truth <=
                      change.get("high_percent", math.inf) for change in changes)
        stated = [result[key]["shown"] for result in results]
        lower, higher = stated.count("lower"), stated.count("higher")
        intervals = "" if nothing else f"{covered} of {len(changes)} intervals contain it; "
        print(f"{name}, {params}, {key}: true change {truth:+.1f} %, {intervals}"
              f"stated in {len(results)}: lower {lower}, higher {higher}", flush=True)
        good = good and (not nothing or max(lower, higher) <= 0.05 * len(results))
    return good


def main():
    lxfw = os.path.abspath(sys.argv[1])
    logs = int(sys.argv[2]) if len(sys.argv) > 2 else 150
    good = True
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name in sys.argv[3:] or WORLDS:
            results = {}
            for seed in range(9000, 9000 + logs):
                head, rows = WORLDS[name](lxfw, seed)
                for present, others in (EFFECT, NOTHING):
                    measure(lxfw, head, rows, present)
                    for params in others:
                        results.setdefault(params, []).append(
                            compare(lxfw, present, params))
            for params in results:
                good = report(name, params, results[params],
                              params in NOTHING[1]) and good
    sys.exit(0 if good else 1)


main()
