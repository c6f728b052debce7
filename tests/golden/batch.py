#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Independent reference for the brokers olb, sjs and pjs of lxfw grid, and an audit.

usage: batch.py world SEED FOLDER [times]
           random FOLDER/log.swf and FOLDER/sites, and FOLDER/times
       batch.py olb|sjs|pjs|audit QUANTUM PREEMPTIONS FOLDER JOBS.csv [times]
           compare the schedule of another program with the one computed here; the audit
           holds for all brokers

Every plan is made from the beginning at each step, without the short cuts of the other
program.
"""
import csv
import random
import sys

HIGH, MEDIUM, LOW = range(3)


def write_world(seed, folder, times):
    r = random.Random(seed)
    count = r.randint(2, 7)
    procs = [1 if times else r.randint(1, 6) for _ in range(count)]
    members = [set() for _ in range(count)]
    clusters = ['c%d' % i for i in range(r.randint(1, 3))]
    for cluster in clusters:
        for site in r.sample(range(count), r.randint(1, min(3, count))):
            members[site].add(cluster)
    with open(folder + '/sites', 'w') as out:
        for i in range(count):
            words = 'site=s%d procs=%d speed=%g' % (i, procs[i], r.choice([0.5, 1, 2]))
            if members[i]:
                words += ' member=' + ','.join(sorted(members[i]))
            print(words, file=out)
    with open(folder + '/times', 'w') as out:
        for kind in range(3):
            for i in range(count):
                if i == kind % count or r.random() < 0.9:
                    print('kind=%d place=s%d seconds=%d' % (kind, i, r.randint(5, 90)),
                          file=out)
            for cluster in {c for m in members for c in m}:
                if r.random() < 0.8:
                    print('kind=%d place=%s seconds=%d' % (kind, cluster, r.randint(5, 90)),
                          file=out)
    time = 0
    with open(folder + '/log.swf', 'w') as out:
        for number in range(1, 81):
            time += r.choice([0, 0, 0, 1, 4, 10])
            run = r.randint(1, 90)
            width = r.randint(1, max(procs))
            limit = max(1, run + r.choice([0, 3, 40, -20]))    # some jobs run longer
            print(number, time, -1, run, width, -1, -1, width, limit, -1, 1,
                  r.randint(0, 2), 1, 1, r.choice([1, 2, 3, 3]), 1, -1, -1, file=out)


class World:
    def __init__(self, folder, times):
        self.names, self.procs, self.speeds, members = [], [], [], {}
        for line in open(folder + '/sites'):
            words = dict(word.split('=', 1) for word in line.split())
            for cluster in words.get('member', '').split(',') if 'member' in words else []:
                members.setdefault(cluster, []).append(len(self.names))
            self.names.append(words['site'])
            self.procs.append(int(words['procs']))
            self.speeds.append(round(1000 * float(words['speed'])))
        self.sites = len(self.names)
        # Places: the members of each.
        self.places = [[i] for i in range(self.sites)] + list(members.values())
        names = self.names + list(members)
        self.times = None
        if times:
            self.times = {}
            for line in open(folder + '/times'):
                words = dict(word.split('=', 1) for word in line.split())
                self.times[int(words['kind']), names.index(words['place'])] = \
                    int(words['seconds'])

    def seconds(self, job, place, key):
        """The run time, or with the key `limit` the expected one; None: not there."""
        if self.times is not None:
            return self.times.get((job['kind'], place))
        if place >= self.sites:
            return None
        if job['procs'] > self.procs[place]:
            return None
        return -(-job[key] * 1000 // self.speeds[place])

    def width(self, job, place, site):
        return job['procs'] if place < self.sites else self.procs[site]


def read_log(folder):
    jobs = []
    for line in open(folder + '/log.swf'):
        f = [int(word) for word in line.split()]
        jobs.append(dict(number=f[0], submit=f[1], run=f[3], procs=f[7], limit=f[8],
                         kind=f[11], queue=f[14],
                         priority={1: HIGH, 2: MEDIUM}.get(f[14], LOW)))
    return jobs


class Broker:
    def __init__(self, world, kind, quantum, preemptions):
        self.world, self.kind = world, kind
        self.quantum, self.preemptions = max(quantum, 1), preemptions
        self.waiting, self.placed = [], []
        self.idle = [0] * world.sites
        self.preempted = 0

    # --- free processors over time: one list of times per site, sorted

    def begins(self, free, place, job):
        return max(sorted(free[s])[self.world.width(job, place, s) - 1]
                   for s in self.world.places[place])

    def takes(self, free, place, job, end):
        for s in self.world.places[place]:
            free[s].sort()
            free[s][:self.world.width(job, place, s)] = \
                [end] * self.world.width(job, place, s)

    def yields(self, job):
        if job['priority'] != LOW:
            return False
        if job['start'] is None:
            return self.preemptions > 0
        return job['stopped'] < self.preemptions

    def free_after(self, jobs, now):
        """Free times beside these jobs, and the start of the last one."""
        free = [[now] * procs for procs in self.world.procs]
        start = now
        for waits in (False, True):
            for job in jobs:
                if (job['start'] is None) != waits:
                    continue
                start = self.begins(free, job['place'], job) if waits else job['start']
                self.takes(free, job['place'], job, max(start + job['expected'], now + 1))
        return free, start

    # --- plans: lists of (job, place, start, end) in the order of placing

    def best_site(self, free, job):
        options = []
        for site in range(self.world.sites):
            seconds = self.world.seconds(job, site, 'limit')
            if seconds is not None:
                start = self.begins(free, site, job)
                options.append((start + seconds, site, start))
        return min(options)

    def greedy(self, free, jobs, sign):
        free, left, plan = [list(f) for f in free], list(jobs), []
        while left:
            options = [self.best_site(free, job) for job in left]
            at = min(range(len(left)), key=lambda i: (sign * options[i][0], i))
            end, site, start = options[at]
            job = left.pop(at)
            self.takes(free, site, job, end)
            plan.append((job, site, start, end))
        return plan

    @staticmethod
    def sum(plan):
        return sum(end for _, _, _, end in plan)

    def sequential(self, free, jobs):
        one, other = self.greedy(free, jobs, 1), self.greedy(free, jobs, -1)
        return other if self.sum(other) < self.sum(one) else one

    def parallel(self, free, jobs):
        free, left, moved = [list(f) for f in free], list(jobs), []
        best = self.sequential(free, left)
        while True:
            offers = []
            for at, job in enumerate(left):
                alone = self.best_site(free, job)[0]
                for place in range(self.world.sites, len(self.world.places)):
                    seconds = self.world.seconds(job, place, 'limit')
                    if seconds is not None:
                        start = self.begins(free, place, job)
                        offers.append((-(alone - start - seconds), at, place, start,
                                       start + seconds))
            if not offers or min(offers)[0] >= 0:
                return best
            _, at, place, start, end = min(offers)
            job = left.pop(at)
            self.takes(free, place, job, end)
            moved.append((job, place, start, end))
            plan = moved + self.sequential(free, left)
            if self.sum(plan) >= self.sum(best):
                return best
            best = plan

    def plan(self, priority, now):
        self.waiting.sort(key=lambda j: (j['priority'], j['submit'], j['number']))
        jobs = [j for j in self.waiting if j['priority'] == priority]
        self.waiting = [j for j in self.waiting if j['priority'] != priority]
        if not jobs:
            return
        ahead = priority == HIGH and self.preemptions > 0
        free, _ = self.free_after([j for j in self.placed if not (ahead and self.yields(j))],
                                  now)
        plan = (self.parallel if self.kind == 'pjs' else self.sequential)(free, jobs)
        for job, place, start, _ in plan:
            job['place'], job['planned'] = place, start
            job['expected'] = self.world.seconds(job, place, 'limit')
            self.placed.append(job)
        for job, place, _, _ in plan if ahead else []:
            self.clear_way(job, place, now)

    def clear_way(self, job, place, now):
        sites = set(self.world.places[place])
        while True:
            victims = [j for j in self.placed if self.yields(j) and
                       sites & set(self.world.places[j['place']])]
            until = self.placed[:self.placed.index(job) + 1]
            if not victims or self.free_after(until, now)[1] <= job['planned']:
                return
            victim = victims[-1]
            self.placed.remove(victim)
            if victim['start'] is not None:
                victim['stopped'] += 1
                self.preempted += 1
                for site in self.world.places[victim['place']]:
                    self.idle[site] = now
            victim['start'] = victim['place'] = None
            self.waiting.append(victim)

    # --- starts

    def used(self, site):
        return sum(self.world.width(j, j['place'], site) for j in self.placed
                   if j['start'] is not None and site in self.world.places[j['place']])

    def start(self, job, now):
        job['start'] = now
        job['end'] = now + self.world.seconds(job, job['place'], 'run')

    def start_placed(self, now):
        kept = set()
        for job in self.placed:
            if job['start'] is not None:
                continue
            sites = self.world.places[job['place']]
            if not kept & set(sites) and all(
                    self.world.procs[s] - self.used(s) >=
                    self.world.width(job, job['place'], s) for s in sites):
                self.start(job, now)
            else:
                kept |= set(sites)

    def start_anywhere(self, now):
        while self.ready:
            job = self.ready[0]
            sites = [s for s in range(self.world.sites)
                     if self.world.seconds(job, s, 'limit') is not None and
                     self.world.procs[s] - self.used(s) >= job['procs']]
            if not sites:
                return
            job['place'] = min(sites, key=lambda s: (self.idle[s], s))
            self.placed.append(self.ready.pop(0))
            self.start(job, now)

    def simulate(self, jobs):
        coming = sorted(jobs, key=lambda j: (j['submit'], j['number']))
        self.ready = []
        due = None
        for job in jobs:
            job.update(start=None, end=None, place=None, stopped=0)
        while True:
            times = [j['end'] for j in self.placed if j['start'] is not None]
            times += [j['submit'] for j in coming[:1]]
            times += [due] if due is not None else []
            if not times:
                return
            now = min(times)
            for job in [j for j in self.placed if j['start'] is not None and
                        j['end'] == now]:
                self.placed.remove(job)
                for site in self.world.places[job['place']]:
                    self.idle[site] = now
            while coming and coming[0]['submit'] == now:
                self.waiting.append(coming.pop(0))
                due = -(-now // self.quantum) * self.quantum
            batch = due is not None and due <= now
            due = None if batch else due
            if self.kind == 'olb':
                if batch:
                    self.ready = sorted(self.ready + self.waiting, key=lambda j: (
                        j['priority'], j['submit'], j['number']))
                    self.waiting = []
                self.start_anywhere(now)
                continue
            for priority in range(3) if batch else []:
                self.plan(priority, now)
            self.start_placed(now)


def audit(world, jobs, path):
    """No site over its processors, no job in two places, each runs for its time once."""
    changes = []
    rows = {int(row['job_id']): row for row in csv.DictReader(open(path))}
    assert len(rows) == len(jobs)
    for job in jobs:
        row = rows[job['number']]
        start, end = int(row['start']), int(row['end'])
        parts = sorted((world.names.index(part.split(':')[0]), int(part.split(':')[1]))
                       for part in row['sites'].split('+'))
        sites = [site for site, _ in parts]
        assert start >= job['submit'] and len(set(sites)) == len(sites), row
        places = [p for p, members in enumerate(world.places) if members == sites and
                  parts == [(s, world.width(job, p, s)) for s in sites] and
                  world.seconds(job, p, 'run') == end - start]
        assert places, (job, row)
        job['is'] = (start, end, parts)
        for site, procs in parts:
            changes += [(start, 1, site, procs), (end, 0, site, -procs)]
    used = [0] * world.sites
    for _, _, site, procs in sorted(changes):
        used[site] += procs
        assert 0 <= used[site] <= world.procs[site], (site, used)


def main():
    if sys.argv[1] == 'world':
        write_world(int(sys.argv[2]), sys.argv[3], sys.argv[4:] == ['times'])
        return
    kind, quantum, preemptions, folder, table = sys.argv[1:6]
    world, jobs = World(folder, sys.argv[6:] == ['times']), read_log(folder)
    audit(world, jobs, table)
    if kind == 'audit':
        return
    broker = Broker(world, kind, int(quantum), int(preemptions))
    broker.simulate(jobs)
    for job in jobs:
        parts = [(s, world.width(job, job['place'], s))
                 for s in world.places[job['place']]]
        assert job['is'] == (job['start'], job['end'], parts), \
            ('job', job, 'should be', job['start'], job['end'], parts)
    print('#', kind, len(jobs), 'jobs,', sum(j['place'] >= world.sites for j in jobs),
          'on clusters,', broker.preempted, 'preemptions')


main()
