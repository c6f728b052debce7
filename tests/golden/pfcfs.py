#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""PFCFS on one pool of processors, from tables 3.1 and 4.1 of Yahyapour 2002.

usage: pfcfs.py PROCS WIDE FREE DELAY PREEMPTIONS GANG VICTIMS LOG.swf
       pfcfs.py make SEED

Prints "job,start,end" of each job that fits, by job number. WIDE and FREE are in per cent,
DELAY and GANG in seconds; PREEMPTIONS 0 means no bound; VICTIMS is procs or end, the jobs that
are preempted first. Estimates are exact for end. The second form prints a random
log for 16 processors. Shares no code with lxfw.
"""
import random
import sys


def read(name, procs):
    jobs = []
    for line in open(name):
        field = line.split()
        if not field or field[0].startswith(';'):
            continue
        size, run = int(field[4]), int(field[3])
        if size < 1:
            size = int(field[7])
        if run >= 1 and 1 <= size <= procs:
            jobs.append({'id': int(field[0]), 'submit': int(field[1]),
                         'size': size, 'left': run, 'since': None,
                         'start': None, 'end': None})
    return sorted(jobs, key=lambda job: (job['submit'], job['id']))


class Machine:
    def __init__(self, procs):
        self.free = procs
        self.running = []
        self.now = -1

    def go(self, job):
        job['since'] = self.now
        if job['start'] is None:
            job['start'] = self.now
        self.running.append(job)

    def stop(self, job):
        job['left'] -= self.now - job['since']
        job['since'] = None
        self.running.remove(job)

    def next_end(self):
        return min((job['since'] + job['left'] for job in self.running),
                   default=None)

    def ended(self):
        """Remove the jobs that end now."""
        over = [job for job in self.running
                if job['since'] + job['left'] <= self.now]
        for job in over:
            self.running.remove(job)
            job['end'] = self.now
        return over


def choose(running, need, is_wide, victims):
    """The small jobs that are preempted for NEED more processors, or None."""
    def order(job):
        end = job['since'] + job['left'] if victims == 'end' else 0
        return end, job['size'], -job['submit'], -job['id']

    chosen = []
    for job in sorted((job for job in running if not is_wide(job)), key=order):
        if sum(other['size'] for other in chosen) >= need:
            break
        chosen.append(job)
    total = sum(other['size'] for other in chosen)
    if total < need:
        return None
    for job in reversed(chosen[:]):		# not needed after all
        if total - job['size'] >= need:
            chosen.remove(job)
            total -= job['size']
    return chosen


def simulate(jobs, procs, wide, free, delay, preemptions, gang_length,
             victims):
    machine = Machine(procs)
    queue = list(jobs)
    ready = None	# since when the wide job at the head could preempt (C to E)
    gang = None		# the wide job, the jobs that it preempted, whether it runs

    def is_wide(job):
        return job['size'] * 100 > wide * procs

    def turn_at():
        if preemptions and gang['count'] >= preemptions:
            return None
        return machine.now + gang_length

    while queue or machine.running:
        times = [machine.next_end()]
        if queue and queue[0]['submit'] > machine.now:
            times.append(queue[0]['submit'])
        if ready is not None and ready + delay > machine.now:
            times.append(ready + delay)
        if gang:
            times.append(gang['turn'])
        machine.now = min(time for time in times if time is not None)
        ready_at, ready = ready, None
        for job in machine.ended():
            if gang and job is gang['wide']:
                gang['wide'] = None
                machine.free += gang['own']
            elif gang and job in gang['others']:
                gang['others'].remove(job)
                gang['kept'] += job['size']	# for the wide job
            else:
                machine.free += job['size']
        if gang and not gang['wide']:		# K
            if gang['runs']:
                for job in gang['others']:
                    machine.go(job)
            machine.free += gang['kept']
            gang = None
        elif gang and not gang['others']:	# F
            machine.free += gang['kept'] + gang['own'] - gang['wide']['size']
            if not gang['runs']:
                machine.go(gang['wide'])
            gang = None
        elif gang and gang['turn'] == machine.now:
            stops = [gang['wide']] if gang['runs'] else gang['others']
            goes = gang['others'] if gang['runs'] else [gang['wide']]
            for job in stops:			# J or G
                machine.stop(job)
            for job in goes:			# K or H
                machine.go(job)
            gang['runs'] = not gang['runs']
            gang['count'] += 1
            gang['turn'] = turn_at()
        while not gang and queue and queue[0]['submit'] <= machine.now:
            job = queue[0]
            if job['size'] <= machine.free:	# B, F
                machine.free -= queue.pop(0)['size']
                machine.go(job)
                ready_at = None
                continue
            if not is_wide(job):
                break
            ready = ready_at
            if ready is None and machine.free * 100 >= free * procs:	# C
                ready = machine.now
            if ready is None or machine.now < ready + delay:	# E
                break
            others = choose(machine.running, job['size'] - machine.free, is_wide,
                            victims)
            if others is None:
                break
            for other in others:		# G
                machine.stop(other)
            queue.pop(0)
            machine.go(job)			# H
            gang = {'wide': job, 'others': others, 'runs': True, 'count': 1,
                    'own': machine.free, 'kept': 0}
            gang['turn'] = turn_at()
            machine.free = 0
            ready = None


def make(seed):
    random.seed(seed)
    now = 0
    for number in range(1, 301):
        now += random.choice((0, 0, 10, 60, random.randrange(200)))
        run = random.choice((1, 60, random.randrange(1, 900)))
        size = random.choice((1, 2, 4, 8, 9, 12, 16, random.randrange(1, 17)))
        limit = run * random.randrange(1, 4)
        print(number, now, -1, run, size, -1, -1, size, limit, -1, 1, 1, 1, 1, 1,
              1, -1, -1)


def main():
    if sys.argv[1] == 'make':
        make(int(sys.argv[2]))
        return
    procs, wide, free, delay, preemptions, gang = map(int, sys.argv[1:7])
    jobs = read(sys.argv[8], procs)
    simulate(jobs, procs, wide, free, delay, preemptions, gang, sys.argv[7])
    for job in sorted(jobs, key=lambda job: job['id']):
        print(job['id'], job['start'], job['end'], sep=',')


main()
