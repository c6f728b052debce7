# SPDX-License-Identifier: GPL-2.0-or-later
"""The predictions of other machines that are part of lxfw, sim-frontend/predict/elsewhere_*.c.

  elsewhere.py known|unknown CALIBRATION ...

The files are those of `lxfw predict --calibration-out`, of parts of logs that tests/bench/ten-days.py
keeps: FOLDER/LOG-DAY-LIMITS.SCHEDULER.cal. The source file is printed. Each log with each kind of limits
has the same number of moments, drawn at random with a fixed seed, and of each moment up to three jobs
are drawn.

  LXFW_TEN_DAYS_KEEP=known tests/bench/ten-days.py ./lxfw TRACES 4 0 pbs,site \\
      SDSC-BLUE-2000-4.2-cln LANL-CM5-1994-4.1-cln CTC-SP2-1996-3.1-cln Sandia-Ross-2001-1.1-cln
  tests/bench/elsewhere.py known known/*.cal > sim-frontend/predict/elsewhere_known.c

For `unknown` they are two parts with 60 moments, with the requested times of the log, and with others:

  export LXFW_TEN_DAYS_KEEP=unknown LXFW_TEN_DAYS_LOOK=1 LXFW_TEN_DAYS_MOMENTS=60
  tests/bench/ten-days.py ./lxfw TRACES 2 0 pbs,site LOG ...
  LXFW_TEN_DAYS_LIMITS=86400s tests/bench/ten-days.py ...
  LXFW_TEN_DAYS_LIMITS=604800s tests/bench/ten-days.py ...
  LXFW_TEN_DAYS_LIMITS=3x tests/bench/ten-days.py ...
  tests/bench/elsewhere.py unknown unknown/*.cal > sim-frontend/predict/elsewhere_unknown.c
"""
import os
import random
import sys

MOMENTS = {"known": 120, "unknown": 320}
JOBS = 3
TIME, START, AGE, EXPECTED, LIMIT, WEIGHT, LOW50, HIGH50, LOW90, HIGH90 = range(10)


def moments_of(path):
    """The predictions of each moment of a calibration."""
    moments = {}
    with open(path) as file:
        for line in file.readlines()[2:]:
            fields = line.split()
            moments.setdefault(fields[TIME], []).append([int(float(one)) for one in fields])
    return list(moments.values())


def main(kind, paths):
    logs = {}
    for path in sorted(paths):
        parts = os.path.basename(path).split("-")
        name = parts[0] + "-" + parts[1], parts[-1].split(".")[0]
        logs.setdefault(name, []).extend(moments_of(path))
    draw = random.Random(1)
    print("/* SPDX-License-Identifier: GPL-2.0-or-later */")
    print("/* Printed by tests/bench/elsewhere.py, of parts of ten days of %s. */" %
          ", ".join(sorted({name for name, _ in logs})))
    print('#include "sim-frontend/predict/elsewhere.h"\n')
    print("static const struct lxfw_elsewhere_job jobs[] = {")
    number = 0
    for name in sorted(logs):
        for jobs in draw.sample(logs[name], MOMENTS[kind] // len(logs)):
            for job in sorted(draw.sample(jobs, min(JOBS, len(jobs)))):
                print("\t{ %d, %d, %d, %d, %d, %d, %d, %d, %d }," % (
                    number, job[EXPECTED], job[AGE], job[LIMIT], job[LOW50], job[HIGH50],
                    job[LOW90], job[HIGH90], job[START] - job[TIME]))
            number += 1
    print("};\n")
    print("const struct lxfw_elsewhere lxfw_elsewhere_%s = {\n"
          "\tjobs, sizeof(jobs) / sizeof(*jobs), %d,\n};" % (kind, number))


if len(sys.argv) < 3 or sys.argv[1] not in ("known", "unknown"):
    sys.stderr.write(__doc__)
    sys.exit(2)
main(sys.argv[1], sys.argv[2:])
