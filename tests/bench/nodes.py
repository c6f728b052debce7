# SPDX-License-Identifier: GPL-2.0-or-later
# A log of jobs with parts of nodes and with whole nodes, for 'make bench': the time of a
# simulation against the number of nodes.
#
#	nodes.py JOBS NODES PROCS_PER_NODE > LOG.swf
import math
import random
import sys

count, nodes, procs = (int(argument) for argument in sys.argv[1:4])
LOAD = 0.85
random.seed(3)
jobs = []
for i in range(count):
    if random.random() < 0.6:
        wanted = random.randint(1, min(procs, 32))
    else:
        largest = max(0, int(math.log2(nodes)) - 3)
        wanted = min(nodes, 2 ** random.randint(0, largest)) * procs
    limit = random.choice([1800, 3600, 7200, 14400, 43200, 86400])
    run = max(1, int(limit * random.betavariate(0.8, 1.5)))
    jobs.append((wanted, limit, run))
work = sum(wanted * run for wanted, limit, run in jobs)
interval = work / (LOAD * nodes * procs * count)
print("; MaxProcs: %d\n; MaxNodes: %d" % (nodes * procs, nodes))
time = 0
for i, (wanted, limit, run) in enumerate(jobs):
    time += random.expovariate(1 / interval)
    print(i + 1, int(time), -1, run, wanted, -1, -1, wanted, limit, -1, 1, 1, 1, 1, 1, 1,
          -1, -1)
