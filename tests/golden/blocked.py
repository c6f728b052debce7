#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Jobs that are preempted do not run into reservations of their hosts.

usage: blocked.py make SEED FOLDER
       blocked.py check JOURNAL.txt

The first form writes a random log of jobs that end before their limits, a cluster of whole hosts, and
reservations of hosts to FOLDER. The second one reads what 'lxfw journal' prints, and fails if a
job has processors of a host while the host is reserved. It prints the number of suspensions
and of reservations before which jobs were suspended. Shares no code with lxfw.
"""
import datetime
import random
import sys

BEGIN = 1100000000
PROCS = 4


def date(time):
    return datetime.datetime.fromtimestamp(time, datetime.timezone.utc) \
        .strftime('%Y-%m-%dT%H:%M:%S')


def make(seed, folder):
    random.seed(seed)
    hosts = random.randrange(1, 5)
    with open(f'{folder}/cluster', 'w') as file:
        for host in range(hosts):
            print(f'h{host} procs={PROCS}', file=file)
    now = BEGIN
    with open(f'{folder}/log.swf', 'w') as file:
        for number in range(1, 121):
            now += random.choice((0, 10, 60, random.randrange(200)))
            run = random.choice((1, 60, random.randrange(1, 900)))
            limit = run * random.choice((1, 1, 2, 3))
            procs = random.randrange(1, PROCS + 1)
            count = random.randrange(1, hosts + 1)
            size = random.choice((procs, procs, count * PROCS))
            print(number, now, -1, run, size, -1, -1, size, limit, -1, 1, 1, 1, 1, 1,
                  1, -1, -1, file=file)
    with open(f'{folder}/reservations', 'w') as file:
        for host in range(hosts):
            time = BEGIN
            for number in range(random.randrange(8)):
                time += random.randrange(1, 3000)
                end = time + random.randrange(1, 900)
                print(f'ReservationName=r{host}x{number} StartTime={date(time)} '
                      f'EndTime={date(end)} Nodes=h{host} NodeCnt=1 CoreCnt={PROCS} '
                      f'Flags=MAINT,SPEC_NODES State=INACTIVE', file=file)
                time = end


def shares(words):
    """The hosts on which HOST:PROCS:MEMORY words give processors."""
    fields = [word.split(':') for word in words]
    return {field[0] for field in fields if len(field) > 2 and int(field[1]) > 0}


def check(name):
    blocks = []			# start, end, hosts
    running = {}		# hosts by job
    suspensions = []
    previous = None
    for line in open(name):
        time, kind, what, *words = line.split()
        time = int(time)
        if previous is not None and time > previous:
            for start, end, hosts in blocks:
                if start >= time or end <= previous:
                    continue
                for job, used in running.items():
                    if used & hosts:
                        sys.exit(f'job {job} runs on {used & hosts}, reserved from {start} '
                                 f'to {end}, between {previous} and {time}')
        previous = time
        if what == 'block':
            blocks.append((int(words[2]), int(words[4]), shares(words[5:])))
        elif what in ('start', 'resume'):
            running[words[0]] = shares(words[1:])
        elif what in ('end', 'suspend', 'requeue'):
            running.pop(words[0], None)
            if what == 'suspend':
                suspensions.append(time)
    soon = sum(any(start - 900 <= time < start for time in suspensions)
               for start, _, _ in blocks)
    print(len(suspensions), soon)


if sys.argv[1] == 'make':
    make(int(sys.argv[2]), sys.argv[3])
else:
    check(sys.argv[2])
