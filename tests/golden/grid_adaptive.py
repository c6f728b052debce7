#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Independent reference for the brokers adaptive and adaptive_procs of lxfw grid, and an audit
of their schedules.

usage: grid_adaptive.py log SEED FILE      a random log; limits are below or above run times
       grid_adaptive.py adaptive|adaptive_procs SITES SPEEDS THRESHOLD LOG JOBS.csv
       grid_adaptive.py mean BROKER SITES SPEEDS THRESHOLD LOG    queue N is at home at site N
                                           the mean turnaround time

SITES is 128,64, SPEEDS is in per mille, THRESHOLD is in per cent, 0: without estimates. Jobs
run for their recorded times in proportion to their processors, and homes are in turn. Shares no
code with lxfw.
"""
import csv
import random
import sys


def write_log(seed, path):
    r = random.Random(seed)
    time = 0
    with open(path, 'w') as out:
        for number in range(1, 301):
            time += r.choice([0, 0, 1, 20, 90, 200])
            run = r.randint(1, 400)
            limit = max(1, run * r.choice([30, 80, 100, 100, 150, 300]) // 100)
            procs = r.choice([1, 1, 2, 3, 4, 5, 8, 12, 16])
            print(number, time, -1, run, procs, -1, -1, procs, limit, -1, 1,
                  r.randint(1, 9), 1, 1, 1, 1, -1, -1, file=out)


def read_log(path, sites, by_queue):
    jobs = []
    for line in open(path):
        if line.startswith(';') or not line.strip():
            continue
        f = [int(word) for word in line.split()]
        jobs.append(dict(number=f[0], submit=f[1], run=f[3], procs=f[4],
                         limit=max(f[8], 1), queue=f[14]))
    jobs.sort(key=lambda job: job['submit'])
    for i, job in enumerate(jobs):
        job['home'] = job['queue'] - 1 if by_queue else i % sites
    return jobs


def up(a, b):
    return -(-a // b)


class Grid:
    def __init__(self, sites, speeds, threshold, by_power):
        self.size, self.free, self.speeds = sites, list(sites), speeds
        self.threshold, self.by_power = threshold, by_power
        self.running, self.queue = [], []      # running: (end, expected end, site, procs)

    def time(self, seconds, job, site, procs):
        return up(up(seconds * job['procs'], procs) * 1000, self.speeds[site])

    def value(self, site, procs):
        return procs * self.speeds[site] if self.by_power else procs

    def wanted(self, job, site):
        return up(self.value(job['home'], job['procs']), self.value(site, 1))

    def choose(self, job, alone):
        need = self.value(job['home'], job['procs'])
        options = [s for s in range(len(self.free)) if self.free[s] > 0]
        if not options:
            return None
        have = {s: self.value(s, self.free[s]) for s in options}
        if alone and self.by_power:
            site = max(options, key=lambda s: (have[s], -s))
            return site, self.free[site]
        large = [s for s in options if have[s] >= need]
        if large:
            site = min(large, key=lambda s: (have[s], s))
        else:
            site = max(options, key=lambda s: (have[s], -s))
        return site, min(self.free[site], self.wanted(job, site))

    def later(self, job, now):
        """The earliest end of the job with all that it requires."""
        ends = []
        for site, free in enumerate(self.free):
            want = self.wanted(job, site)
            if want > self.size[site]:
                continue
            when = now
            for end, procs in sorted((max(e, now + 1), p) for _, e, s, p in self.running
                                     if s == site):
                if free >= want:
                    break
                free, when = free + procs, end
            ends.append(when + self.time(job['limit'], job, site, want))
        return min(ends)

    def start(self, job, alone, now):
        choice = self.choose(job, alone)
        if choice is None:
            return False
        site, procs = choice
        expected = now + self.time(job['limit'], job, site, procs)
        less = self.value(site, procs) < self.value(job['home'], job['procs'])
        if less and self.threshold and self.fits_somewhere(job) and \
           (expected - job['submit']) * 100 >= \
           (self.later(job, now) - job['submit']) * self.threshold:
            return False
        job['start'], job['part'] = now, (site, procs)
        job['end'] = now + self.time(job['run'], job, site, procs)
        self.free[site] -= procs
        self.running.append((job['end'], expected, site, procs))
        return True

    def fits_somewhere(self, job):
        return any(self.wanted(job, s) <= n for s, n in enumerate(self.size))

    def simulate(self, jobs):
        coming = list(jobs)
        coming.reverse()
        while coming or self.running:
            now = min([run[0] for run in self.running] + [j['submit'] for j in coming[-1:]])
            for run in [run for run in self.running if run[0] == now]:
                self.running.remove(run)
                self.free[run[2]] += run[3]
            while coming and coming[-1]['submit'] == now:
                self.queue.append(coming.pop())
            while self.queue and self.start(self.queue[0], len(self.queue) == 1, now):
                self.queue.pop(0)


def audit(jobs, rows, grid):
    """No site over its processors, no job in two places, no work lost."""
    changes = []
    assert len(rows) == len(jobs)
    for job in jobs:
        row = rows[job['number']]
        site, procs = row['part']
        assert row['start'] >= job['submit'], job
        assert procs >= 1
        assert row['end'] == row['start'] + grid.time(job['run'], job, site, procs), (job, row)
        assert (row['end'] - row['start']) * procs * grid.speeds[site] >= \
            job['run'] * job['procs'] * 1000, (job, row)
        changes += [(row['start'], 1, site, procs), (row['end'], 0, site, -procs)]
    used = [0] * len(grid.size)
    for _, _, site, procs in sorted(changes):
        used[site] += procs
        assert 0 <= used[site] <= grid.size[site], (site, used)


def read_csv(path):
    rows = {}
    for row in csv.DictReader(open(path)):
        name, procs = row['sites'].split(':')      # one site only
        rows[int(row['job_id'])] = dict(start=int(row['start']), end=int(row['end']),
                                        part=(int(name[1:]) - 1, int(procs)))
    return rows


def main():
    if sys.argv[1] == 'log':
        write_log(int(sys.argv[2]), sys.argv[3])
        return
    mean = sys.argv[1] == 'mean'
    broker, sites, speeds, threshold, log = sys.argv[1 + mean:6 + mean]
    sites = [int(n) for n in sites.split(',')]
    speeds = [int(n) for n in speeds.split(',')]
    grid = Grid(sites, speeds, int(threshold), broker == 'adaptive')
    jobs = read_log(log, len(sites), mean)
    grid.simulate(jobs)
    if mean:
        print('%.3f' % (sum(job['end'] - job['submit'] for job in jobs) / len(jobs)))
        return
    rows = read_csv(sys.argv[6])
    audit(jobs, rows, grid)
    for job in jobs:
        row = rows[job['number']]
        assert (row['start'], row['end'], row['part']) == \
            (job['start'], job['end'], job['part']), ('job', job, 'is', row)
    print('#', broker, len(jobs), 'starts,',
          sum(j['part'][1] < j['procs'] for j in jobs), 'on fewer processors,',
          sum(j['part'][1] > j['procs'] for j in jobs), 'on more')


main()
