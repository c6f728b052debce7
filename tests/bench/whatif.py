#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Measures what 'lxfw simulate --from' says of a change, where the truth is known. A log is
# simulated under policy easy, which writes a journal. At random moments when five or more
# jobs wait, a snapshot is taken from it and the change is asked for, for ten days. The true
# change is that of the mean wait of these jobs, up to the same end, with all later
# submissions of the log and its run times.
#
#	tests/bench/whatif.py LXFW MOMENTS [CHANGE [LOG...]]
#
# MOMENTS is their number per log. CHANGE is a policy, or "down": a quarter of the processors
# gets no more jobs. LOG is in the Standard Workload Format; of a long one, 8000 jobs are
# taken. Without logs they are made by the model of Lublin and Feitelson. The exit status is 1 if less than 85 or more than 97 of 100 ranges hold the truth.
import csv
import gzip
import json
import math
import os
import random
import subprocess
import sys
import tempfile

DAY = 86400
HORIZON = 10 * DAY
NUMBER, SUBMIT, WAIT, RUN, PROCS, ASKED, LIMIT = 0, 1, 2, 3, 4, 7, 8
FOLLOWS = slice(16, 18)
LEAST_WAITING = 5
APART = DAY / 4
JOBS = 8000
PRESENT = "easy"
HEAD = "; UnixStartTime: 1700438400\n; TimeZoneString: UTC\n"


def run(*arguments):
    return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout


def text_of(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", errors="replace") as file:
        return file.read().splitlines()


def read(lines):
    """Returns the processors and the jobs that ran, from second 1000 on."""
    procs = next(int(line.split()[2]) for line in lines if line.startswith("; MaxProcs"))
    rows = []
    for line in lines:
        if not line or line.startswith(";"):
            continue
        row = [int(float(field)) for field in line.split()]
        row[PROCS] = row[ASKED] = row[PROCS] if row[PROCS] > 0 else row[ASKED]
        if row[RUN] <= 0 or not 0 < row[PROCS] <= procs:
            continue
        row[LIMIT] = row[LIMIT] if row[LIMIT] > 0 else row[RUN]
        row[RUN] = min(row[RUN], row[LIMIT])
        row[WAIT], row[FOLLOWS] = -1, [-1, -1]
        rows.append(row)
    rows.sort(key=lambda row: row[SUBMIT])
    return procs, rows


def part_of(rows, chance):
    first = chance.randrange(max(1, len(rows) - JOBS))
    rows = [list(row) for row in rows[first:first + JOBS]]
    begin = rows[0][SUBMIT] - 1000
    for number, row in enumerate(rows, 1):
        row[NUMBER] = number
        row[SUBMIT] -= begin
    return rows


def write(procs, rows):
    with open("trace.swf", "w") as file:
        file.write(f"; MaxProcs: {procs}\n{HEAD}")
        file.writelines(" ".join(map(str, row)) + "\n" for row in rows)


def simulate(lxfw, policy, *options):
    run(lxfw, "simulate", "--policy", policy, "--jobs-out", "jobs.csv", *options, "trace.swf")
    with open("jobs.csv") as jobs:
        return {int(job["job_id"]): int(job["start"]) for job in csv.DictReader(jobs)}


def other_policy(lxfw, procs, rows, begun, moment, policy):
    """The starts if the policy changes at the moment. The jobs that run then start at second 0
    and end when they do; until the moment one more job has all other processors, so that
    those that wait then wait."""
    jobs, free = [], procs
    for row in rows:
        row, start = list(row), begun[row[NUMBER]]
        if start > moment and row[SUBMIT] < moment + 40 * DAY:
            jobs.append(row)
        elif row[SUBMIT] < moment and start <= moment < start + row[RUN]:
            free -= row[PROCS]
            row[SUBMIT], row[RUN], row[LIMIT] = 0, start + row[RUN], start + row[LIMIT]
            jobs.append(row)
    if free > 0:
        row = list(rows[0])
        row[NUMBER], row[SUBMIT], row[RUN], row[LIMIT] = len(rows) + 1, 0, moment, moment
        row[PROCS] = row[ASKED] = free
        jobs.append(row)
    write(procs, jobs)
    return simulate(lxfw, policy)


def fewer_nodes(lxfw, procs, rows, moment, nodes, machine):
    with open("outages", "w") as file:
        file.write(f"{moment} {moment + 80 * DAY} {nodes}\n")
    write(procs, [row for row in rows if row[SUBMIT] < moment + 60 * DAY])
    return simulate(lxfw, PRESENT, *machine, "--outages", "outages")


def ask(lxfw, moment, options):
    """Returns the stated difference and its range."""
    run(lxfw, "snapshot", "--journal", "journal", "--at", str(moment), "-o", "snapshot")
    said = json.loads(run(lxfw, "simulate", "--from", "snapshot", "--format", "json",
                          "--hours", str(HORIZON // 3600), *options))["difference"]
    return said["mean_wait"], said["low90"], said["high90"]


def measure(lxfw, name, procs, rows, change, count):
    chance = random.Random(name + change)
    rows = part_of(rows, chance)
    nodes = f"n[1-{max(1, procs // 4)}]"
    machine = ["--cluster", "hosts", "--shape", "anywhere"] if change == "down" else []
    with open("hosts", "w") as file:
        file.write(f"n[1-{procs}] procs=1\n")
    if os.path.exists("journal"):
        os.remove("journal")
    write(procs, rows)
    begun = simulate(lxfw, PRESENT, *machine, "--journal", "journal")
    cases, moments = [], []
    for _ in range(300):
        moment = chance.randint(3 * DAY, max(4 * DAY, rows[-1][SUBMIT] - 4 * DAY))
        waiting = [row[NUMBER] for row in rows if row[SUBMIT] < moment < begun[row[NUMBER]]]
        if len(cases) == count or len(waiting) < LEAST_WAITING or \
           any(abs(moment - other) < APART for other in moments):
            continue
        moments.append(moment)
        truth = (fewer_nodes(lxfw, procs, rows, moment, nodes, machine)
                 if change == "down" else
                 other_policy(lxfw, procs, rows, begun, moment, change))
        options = ["--down", nodes] if change == "down" else ["--policy", change]
        left = [sum(min(starts[job] - moment, HORIZON) for job in waiting) / len(waiting)
                for starts in (begun, truth)]
        cases.append((left[0], left[1] - left[0], *ask(lxfw, moment, options)))
    return cases


def report(name, cases):
    large = [case for case in cases if abs(case[1]) > 0.1 * case[0]]
    right = sum(case[1] * case[2] > 0 for case in large)
    known = [case for case in large if case[3] > 0 or case[4] < 0]
    known_right = sum(case[1] * case[2] > 0 for case in known)
    held = sum(case[3] - 1 <= case[1] <= case[4] + 1 for case in cases)
    true, said = (sum(case[i] for case in cases) / len(cases) for i in (1, 2))
    print(f"{name}: {len(cases)} moments, true change {true:+.0f} s, said {said:+.0f} s "
          f"({said / true if true else math.nan:.2f} times); of {len(large)} true changes "
          f"over 10 %, sign right in {right}; direction stated in {len(known)}, right in "
          f"{known_right}; {held} of {len(cases)} ranges hold the truth", flush=True)
    return held / len(cases)


def made(lxfw):
    for seed in range(300, 310):
        yield f"made {seed}", run(lxfw, "generate", "--seed", str(seed), "--jobs", "5000",
                                  "--load", "0.75", "--estimate-factor", "2",
                                  "lublin").splitlines()


def main():
    lxfw, count = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    change = sys.argv[3] if len(sys.argv) > 3 else "lxfw"
    logs = ([(os.path.basename(log).split(".")[0], text_of(log)) for log in sys.argv[4:]] or
            made(lxfw))
    cases = []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, lines in logs:
            own = measure(lxfw, name, *read(lines), change, count)
            if own:
                report(f"{name}, {change}", own)
            cases += own
    held = report(f"all, {change}", cases)
    sys.exit(0 if 0.85 <= held <= 0.97 else 1)


main()
