#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Moldable jobs on one pool of processors, from Huang's adaptive processor allocation.

usage: moldable.py PROCS POLICY MOLD THRESHOLD LOG.swf [extend|past]
       moldable.py make SEED

POLICY is fcfs, easy or priority (with its default weights), MOLD is none, down or both,
THRESHOLD is in per cent, 0: without estimates. A job that reaches its limit ends there or, with extend, runs on; it is then
expected to run for as long again as it is late, at least a minute. With past, it runs on and
is expected to have ended at its limit, which no policy of lxfw does. Prints
"job,start,end,processors" of each job that fits, by job number. The second form prints a
random log for 16 processors. Shares no code with lxfw.
"""
import random
import sys
from fractions import Fraction


def read(name, procs, extend):
    jobs = []
    for line in open(name):
        field = line.split()
        if not field or field[0].startswith(';'):
            continue
        size, run = int(field[4]), int(field[3])
        if size < 1:
            size = int(field[7])
        if run >= 1 and 1 <= size <= procs:
            limit = int(field[8]) if int(field[8]) > 0 else run
            jobs.append({'id': int(field[0]), 'submit': int(field[1]), 'size': size,
                         'run': run if extend else min(run, limit), 'limit': limit})
    return sorted(jobs, key=lambda job: (job['submit'], job['id']))


def priority(job, now):
    wait = now - job['submit']
    return Fraction(wait, 3600) + Fraction(5 * (wait + job['limit']), job['limit']) + \
        Fraction(job['size'], 5)


def scaled(seconds, size, procs):
    return -(-seconds * size // procs)


class Pool:
    def __init__(self, procs, mold, threshold):
        self.free, self.mold, self.threshold = procs, mold, threshold
        self.running = []
        self.now, self.past = 0, False

    def fit_at(self, need):
        """The time from which NEED processors are expected to be free, and how many are
        free beyond them."""
        free = self.free
        if free >= need:
            return self.now, free - need
        due = sorted((job['expected'] if self.past else max(job['expected'], self.now),
                      job['procs'])
                     for job in self.running)
        for at, (time, procs) in enumerate(due):
            free += procs
            last = at + 1 == len(due) or due[at + 1][0] > time
            if free >= need and last:
                return time, free - need

    def go(self, job, procs):
        job['procs'], job['start'] = procs, self.now
        job['due'] = job['expected'] = self.now + scaled(job['limit'], job['size'],
                                                         procs)
        job['end'] = self.now + scaled(job['run'], job['size'], procs)
        self.free -= procs
        self.running.append(job)

    def is_free(self, job, procs, reserved):
        """Whether the job may run on PROCS now beside the reservation (time, spare)."""
        if procs > self.free:
            return False
        if reserved is None or procs <= reserved[1]:
            return True
        return self.now + scaled(job['limit'], job['size'], procs) <= reserved[0]

    def start(self, job, alone, reserved):
        if self.mold == 'both' and alone and self.free > job['size']:
            self.go(job, self.free)
            return True
        if self.is_free(job, job['size'], reserved):
            self.go(job, job['size'])
            return True
        if self.mold == 'none':
            return False
        for procs in range(min(self.free, job['size'] - 1), 0, -1):
            if self.is_free(job, procs, reserved):
                break
        else:
            return False
        if self.threshold:
            down = self.now + scaled(job['limit'], job['size'], procs) - job['submit']
            wait = self.earliest(job, reserved) + job['limit'] - job['submit']
            if down * 100 >= wait * self.threshold:
                return False
        self.go(job, procs)
        return True

    def earliest(self, job, reserved):
        """The earliest start of JOB on all its processors beside the reservation."""
        if reserved is None:
            return self.fit_at(job['size'])[0]
        events = [(max(other['expected'], self.now + 1), other['procs'])
                  for other in self.running]
        events += [(reserved[0], -reserved[2]), (reserved[3], reserved[2])]
        times = sorted({self.now} | {time for time, _ in events})

        def free_at(time):
            return self.free + sum(procs for at, procs in events if at <= time)
        for time in times:
            if all(free_at(at) >= job['size'] for at in times
                   if at == time or time < at < time + job['limit']):
                return time


def simulate(jobs, procs, policy, mold, threshold, past):
    pool = Pool(procs, mold, threshold)
    pool.past = past
    coming, queue = list(reversed(jobs)), []
    while coming or pool.running:
        times = [job['end'] for job in pool.running]
        if coming:
            times.append(coming[-1]['submit'])
        if queue and reserved_at > pool.now:
            times.append(reserved_at)
        pool.now = min(times)
        for job in [job for job in pool.running if job['end'] <= pool.now]:
            pool.running.remove(job)
            pool.free += job['procs']
        while coming and coming[-1]['submit'] <= pool.now:
            queue.append(coming.pop())
        for job in pool.running:
            if job['expected'] < pool.now and not past:
                job['expected'] = pool.now + max(60, pool.now - job['due'])
        if policy == 'priority':
            queue.sort(key=lambda job: (-priority(job, pool.now), job['submit'],
                                        job['id']))
        while queue and pool.start(queue[0], len(queue) == 1, None):
            queue.pop(0)
        if not queue:
            continue
        time, spare = pool.fit_at(queue[0]['size'])
        reserved_at = time
        if policy == 'fcfs':
            continue
        at = 1
        head = queue[0]
        while at < len(queue) and pool.free:
            reserved = (time, spare, head['size'], time + head['limit'])
            job = queue[at]
            if pool.start(job, False, reserved):
                queue.pop(at)
                if job['due'] > time:
                    spare -= job['procs']
            else:
                at += 1


def make(seed):
    random.seed(seed)
    now = 0
    for number in range(1, 301):
        now += random.choice((0, 0, 10, 60, random.randrange(900)))
        run = random.choice((1, 60, random.randrange(1, 900)))
        size = random.choice((1, 2, 4, 8, 9, 12, 16, random.randrange(1, 17)))
        limit = run * random.randrange(1, 4)
        print(number, now, -1, run, size, -1, -1, size, limit, -1, 1, 1, 1, 1, 1,
              1, -1, -1)


def main():
    if sys.argv[1] == 'make':
        make(int(sys.argv[2]))
        return
    jobs = read(sys.argv[5], int(sys.argv[1]), len(sys.argv) > 6)
    simulate(jobs, int(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4]),
             'past' in sys.argv[6:])
    for job in sorted(jobs, key=lambda job: job['id']):
        print(job['id'], job['start'], job['end'], job['procs'], sep=',')


main()
