#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""unlike.py SEED CLUSTER LOG: a random machine of unlike hosts and 400 jobs for it, more than
it can run."""
import random
import sys

seed, cluster, log = int(sys.argv[1]), sys.argv[2], sys.argv[3]
draw = random.Random(seed)
memory = draw.random() < 0.7
hosts = draw.choice([3, 6, 12, 40])
procs = first = 0
with open(cluster, "w") as out:
    while first < hosts:
        count = min(draw.randint(1, hosts // 2), hosts - first)
        each = draw.choice([1, 1, 2, 4, 8, 16])
        size = draw.choice([1000, 3000, 8000])
        line = f"n[{first}-{first + count - 1}] procs={each}"
        out.write(line + (f" memory={size}\n" if memory else "\n"))
        procs += count * each
        first += count
with open(log, "w") as out:
    out.write(f"; MaxProcs: {procs}\n")
    time = 0
    for job in range(1, 401):
        time += int(draw.expovariate(1 / draw.choice([5, 30, 100])))
        size = min(procs, draw.choice([1, 1, 1, 2, 3, 4, 6, 8, 13, max(1, procs // 2)]))
        limit = draw.choice([60, 300, 600, 1800, 3600])
        run = max(1, int(limit * draw.choice([0.1, 0.3, 0.6, 1, 1, 1.2])))
        each = draw.choice([-1, 51200, 204800, 716800])
        out.write(f"{job} {time} -1 {run} {size} -1 {each} {size} {limit} {each} "
                  "1 1 1 1 1 1 -1 -1\n")
