#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Independent reference for lxfw grid, and an audit of its schedules.

usage: grid.py log SEED FILE            a random log
       grid.py central|multi_site|multi_site_fair SITES SPEEDS OVERHEAD LOG JOBS.csv
                                        compare with the schedule of another program
       grid.py audit SITES SPEEDS OVERHEAD LOG JOBS.csv

SITES is 128,64, SPEEDS is in per mille, OVERHEAD too. Every job runs for its recorded
time, and its estimate is the requested time.
"""
import csv
import random
import sys


def seconds(run, speed, overhead):
    return -(-run * (1000 + overhead) // speed)


def write_log(seed, path):
    r = random.Random(seed)
    time = 0
    with open(path, 'w') as out:
        for number in range(1, 301):
            time += r.choice([0, 0, 1, 5, 20, 60])
            run = r.randint(1, 400)
            limit = run + r.choice([0, 0, 1, 50, 300])
            procs = r.choice([1, 1, 2, 3, 4, 5, 8, 12, 16])
            print(number, time, -1, run, procs, -1, -1, procs, limit, -1, 1,
                  r.randint(1, 9), 1, 1, 1, 1, -1, -1, file=out)


def read_log(path):
    jobs = []
    for line in open(path):
        if line.startswith(';') or not line.strip():
            continue
        f = [int(word) for word in line.split()]
        jobs.append(dict(number=f[0], submit=f[1], run=f[3], procs=f[7],
                         limit=max(f[8], 1), start=None, parts=[]))
    return jobs


class Central:
    """EASY backfilling over all sites; with `split`, jobs may run at several, and with
    `keep` these do not delay the first job that waits."""

    def __init__(self, sites, speeds, overhead, split, keep):
        self.free = list(sites)
        self.size = list(sites)
        self.speeds, self.overhead, self.split = speeds, overhead, split
        self.keep = keep
        self.queue, self.running = [], []      # running: (expected end, end, site, procs)

    def fits(self, job, shares, overhead, now, shadow):
        """Whether the shares leave the reservation as it is."""
        if shadow is None:
            return True
        start, site, spare = shadow
        last = max(now + seconds(job['limit'], self.speeds[s], overhead) for s, _ in shares)
        if last <= start:
            return True
        if site is not None and all(s != site for s, _ in shares):
            return True
        return job['procs'] <= spare[0]

    def begin(self, job, shares, overhead, now, shadow):
        job['start'], job['parts'] = now, shares
        late = False
        for site, procs in shares:
            self.free[site] -= procs
            expected = now + seconds(job['limit'], self.speeds[site], overhead)
            real = now + seconds(job['run'], self.speeds[site], overhead)
            self.running.append((expected, real, site, procs))
            if shadow and expected > shadow[0] and shadow[1] in (None, site):
                late = True
        if late:
            shadow[2][0] -= job['procs']

    def try_start(self, job, now, shadow):
        best = None
        for site in range(len(self.free)):
            if self.free[site] < job['procs']:
                continue
            if best is not None and self.free[site] >= self.free[best]:
                continue
            if self.fits(job, [(site, job['procs'])], 0, now, shadow):
                best = site
        if best is not None:
            self.begin(job, [(best, job['procs'])], 0, now, shadow)
            return True
        if not self.split or sum(self.free) < job['procs'] or max(self.free) >= job['procs']:
            return False
        left, shares = job['procs'], []
        for site in sorted(range(len(self.free)), key=lambda s: (-self.free[s], s)):
            part = min(left, self.free[site])
            if part > 0:
                shares.append((site, part))
                left -= part
        if self.keep and not self.fits(job, shares, self.overhead, now, shadow):
            return False
        self.begin(job, shares, self.overhead, now, shadow)
        return True

    def reserve(self, job, now):
        best = None
        ends = sorted((max(e, now + 1) if e <= now else e, s, p)
                      for e, _, s, p in self.running)
        for site in [None] if self.split else range(len(self.free)):
            if site is not None and self.size[site] < job['procs']:
                continue
            have = sum(self.free) if site is None else self.free[site]
            when = now
            for end, s, procs in ends:
                if have >= job['procs'] and end > when:
                    break
                if site is None or s == site:
                    have += procs
                    when = end
            if have >= job['procs'] and (best is None or when < best[0]):
                best = (when, site, [have - job['procs']])
        return best

    def decide(self, now):
        shadow, left = None, []
        for job in self.queue:
            if self.try_start(job, now, shadow):
                continue
            if shadow is None:
                shadow = self.reserve(job, now)
            left.append(job)
        self.queue = left

    def simulate(self, jobs):
        coming = sorted(jobs, key=lambda j: j['submit'])
        while coming or self.queue or self.running:
            times = [r[1] for r in self.running] + [j['submit'] for j in coming[:1]]
            # A site is woken when a job exceeds its expected end; nothing changes then.
            now = min(times)
            for run in [r for r in self.running if r[1] == now]:
                self.running.remove(run)
                self.free[run[2]] += run[3]
            while coming and coming[0]['submit'] == now:
                self.queue.append(coming.pop(0))
            self.decide(now)


def read_csv(path, names):
    rows = {}
    for row in csv.DictReader(open(path)):
        parts = []
        for part in row['sites'].split('+'):
            name, procs = part.split(':')
            parts.append((names.index(name), int(procs)))
        rows[int(row['job_id'])] = dict(start=int(row['start']), end=int(row['end']),
                                        home=row['home'], parts=parts)
    return rows


def audit(jobs, rows, sites, speeds, overhead):
    """No site over its processors, no job in two places, each runs for its time."""
    changes = []
    assert len(rows) == len(jobs)
    for job in jobs:
        row = rows[job['number']]
        assert row['start'] >= job['submit'], job
        assert sum(procs for _, procs in row['parts']) == job['procs'], (job, row)
        assert len({site for site, _ in row['parts']}) == len(row['parts']), row
        extra = overhead if len(row['parts']) > 1 else 0
        last = 0
        for site, procs in row['parts']:
            end = row['start'] + seconds(job['run'], speeds[site], extra)
            last = max(last, end)
            changes.append((row['start'], 1, site, procs))
            changes.append((end, 0, site, -procs))
        assert row['end'] == last, (job, row)
    used = [0] * len(sites)
    for _, _, site, procs in sorted(changes):
        used[site] += procs
        assert 0 <= used[site] <= sites[site], (site, used)


def main():
    if sys.argv[1] == 'log':
        write_log(int(sys.argv[2]), sys.argv[3])
        return
    kind, sites, speeds, overhead, log, table = sys.argv[1:]
    sites = [int(n) for n in sites.split(',')]
    speeds = [int(n) for n in speeds.split(',')]
    jobs = read_log(log)
    rows = read_csv(table, ['s%d' % (i + 1) for i in range(len(sites))])
    audit(jobs, rows, sites, speeds, int(overhead))
    if kind == 'audit':
        return
    Central(sites, speeds, int(overhead), kind != 'central',
            kind == 'multi_site_fair').simulate(jobs)
    for job in jobs:
        row = rows[job['number']]
        assert (row['start'], sorted(row['parts'])) == (job['start'], sorted(job['parts'])), \
            ('job', job, 'is', row)
    print('#', kind, len(jobs), 'starts,',
          sum(len(j['parts']) > 1 for j in jobs), 'at several sites')


main()
