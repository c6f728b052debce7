#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints the table of doc/age.md: policy sjf with lxfw_age_first of 24, 36 and 48 hours
# on logs, relative to the default policy lxfw. Each figure is the mean over the log and
# its perturbed copies; the last row of each T has the geometric mean over the logs.
#
#	tests/bench/age-first.py [--copies N] LXFW LOG...
#
# A LOG of the form 'FILE OPTION...' has further options of lxfw simulate.
import csv
import io
import math
import os
import re
import subprocess
import sys

COPIES = 5
HOURS = [24, 36, 48]
FIGURES = ["mean_bounded_slowdown", "mean_wait_s", "p95_wait_s", "max_wait_s"]


def simulate(lxfw, log, copies):
    """The figures of each contender."""
    contenders = ["--contender", "lxfw=lxfw_policy=lxfw"]
    for hours in HOURS:
        contenders += ["--contender", f"{hours}=lxfw_policy=sjf,lxfw_age_first={hours * 3600}"]
    command = [lxfw, "simulate", "--threads", "1", "--shake", str(copies), "--format", "csv"]
    result = subprocess.run(command + contenders + log.split(), check=True,
                            capture_output=True, text=True)
    values = {}
    for row in csv.DictReader(io.StringIO(result.stdout)):
        if row["figure"] in FIGURES:
            whole = float(row["value"]) + copies * float(row["shaken_mean"])
            values[row["contender"], row["figure"]] = whole / (copies + 1)
        elif row["figure"] == "jobs":
            values["jobs"] = int(row["value"])
    return values


def main(arguments):
    copies = COPIES
    if arguments[:1] == ["--copies"]:
        copies = int(arguments[1])
        arguments = arguments[2:]
    if len(arguments) < 2:
        sys.exit("usage: age-first.py [--copies N] LXFW LOG...")
    lxfw, *logs = arguments
    ratios = {(hours, figure): [] for hours in HOURS for figure in FIGURES}
    print("| log | jobs | `lxfw`: slowdown | mean wait, h | p95, h | longest, h |", end="")
    print("".join(f" T = {hours} h |" for hours in HOURS))
    print("|---|---|---|---|---|---|" + "---|" * len(HOURS))
    for log in logs:
        values = simulate(lxfw, log, copies)
        base = [values["lxfw", figure] for figure in FIGURES]
        name = re.sub(r"-\d+(\.\d+)?(-cln)?\.swf.*", "", os.path.basename(log.split()[0]))
        cells = [name, str(values["jobs"]), f"{base[0]:.1f}"]
        cells += [f"{value / 3600:.1f}" for value in base[1:]]
        for hours in HOURS:
            ours = []
            for figure in FIGURES:
                # A wait of seconds has no meaningful ratio.
                if min(values["lxfw", figure], values[str(hours), figure]) < 1:
                    ours.append("-")
                    continue
                ratio = values[str(hours), figure] / values["lxfw", figure]
                ratios[hours, figure].append(ratio)
                ours.append(f"{ratio:.2f}")
            cells.append(" / ".join(ours))
        print("| " + " | ".join(cells) + " |", flush=True)
    cells = ["geometric mean", "", "", "", "", ""]
    for hours in HOURS:
        cells.append(" / ".join(
            f"{math.exp(sum(map(math.log, r)) / len(r)):.2f}" if r else "-"
            for r in (ratios[hours, figure] for figure in FIGURES)))
    print("| " + " | ".join(cells) + " |")


main(sys.argv[1:])
