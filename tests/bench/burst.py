# SPDX-License-Identifier: GPL-2.0-or-later
# A log of jobs that are submitted almost at once and are all unlike, for 'make bench': the
# time of a simulation against the length of the queue.
#
#	burst.py JOBS PROCS > LOG.swf
import random
import sys

count, procs = (int(argument) for argument in sys.argv[1:3])
random.seed(1)
print("; MaxProcs: %d\n; MaxNodes: %d" % (procs, procs))
for i in range(count):
    wanted = min(procs, max(1, int(2 ** random.uniform(0, 7))))
    limit = random.randint(600, 86400)
    run = max(1, int(limit * random.uniform(0.05, 1)))
    print(i + 1, i // 10, -1, run, wanted, -1, -1, wanted, limit, -1, 1, 1, 1, 1, 1, 1, -1,
          -1)
