#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Random worlds for all brokers of lxfw grid, and an audit of what they do.

usage: grid_audit.py make SEED BROKER FOLDER
           FOLDER/log.swf and FOLDER/sites; print options for them
       grid_audit.py audit BROKER FOLDER JOBS.csv DECISIONS.csv OPTIONS...

No site is over its processors at any time; each job runs once, at the sites to which it was sent
last, after its submission, for its time and with all its processors; and it is sent again only
after it was stopped. Shares no code with lxfw.
"""
import csv
import random
import sys

SPLITTING = 'multi_site', 'multi_site_fair', 'market'
MOLDING = 'adaptive', 'adaptive_procs'
BATCH = 'olb', 'sjs', 'pjs'


def make(seed, broker, folder):
    r = random.Random('%s %s' % (seed, broker))
    procs = [r.choice([1, 2, 3, 4, 6, 8, 16]) for _ in range(r.randint(2, 5))]
    with open(folder + '/sites', 'w') as out:
        for i, n in enumerate(procs):
            print('site=s%d procs=%d speed=%g policy=%s' % (i, n, r.choice(
                [0.5, 0.7, 1, 1, 1.3, 2]), r.choice(['easy', 'easy', 'fcfs', 'conservative',
                                                    'sjf', 'lxfw'])), file=out)
    widest = min(procs) if broker == 'local' else \
        sum(procs) if broker in SPLITTING else max(procs)
    time, load = 0, r.choice([5, 30, 90])
    with open(folder + '/log.swf', 'w') as out:
        for number in range(1, 121):
            time += r.choice([0, 0, 1, r.randint(0, load)])
            run = r.choice([1, r.randint(1, 30), r.randint(1, 300)])
            limit = max(1, run + r.choice([0, 0, 1, 40, 300, -run // 3]))
            width = min(widest, r.choice([1, 1, 2, 3, 5, 8, 16, widest]))
            print(number, time, -1, run, width, -1, -1, width, limit, -1, 1,
                  r.randint(1, 4), 1, 1, r.randint(1, 3), 1, -1, -1, file=out)
    options = ['--overhead', r.choice(['0', '10', '37'])] if broker in SPLITTING else []
    options += r.choice([[], ['--estimates', 'exact'], ['--estimates', 'history']])
    options += r.choice([[], [], ['--overrun', 'kill']])
    options += r.choice([[], ['--kind', 'user']])
    options += r.choice([[], ['--home', 'user']])
    if broker in BATCH:
        options += ['--quantum', r.choice(['0', '10'])]
        options += r.choice([[], ['--priorities', '--preemptions', '2']])
    if broker in MOLDING:
        options += ['--mold-threshold', r.choice(['0', '120', '200'])]
    if broker == 'market':
        options += ['--several', r.choice(['wide', 'always'])]
        options += r.choice([[], ['--reschedule'], ['--delay', '3', '--hops', '2']])
        options += r.choice([[], ['--machine', 'MF2', '--utility', 'UF3']])
    print(' '.join(options))


def up(a, b):
    return -(-a // b)


def read_sites(folder):
    names, procs, speeds = [], [], []
    for line in open(folder + '/sites'):
        words = dict(word.split('=') for word in line.split())
        names.append(words['site'])
        procs.append(int(words['procs']))
        speeds.append(round(1000 * float(words['speed'])))
    return names, procs, speeds


def places(path):
    """The sites to which each job was sent last."""
    sent = {}
    for row in csv.DictReader(open(path)):
        number = int(row['job_id'])
        if row['action'] == 'stop':
            assert sent[number] == row['sites'], ('stopped elsewhere', row)
            sent[number] = None
        else:
            assert sent.get(number) is None, ('sent twice', row)
            sent[number] = row['sites']
    return sent


def audit(broker, folder, table, decisions, options):
    names, procs, speeds = read_sites(folder)
    overhead = 10 * int(options[options.index('--overhead') + 1]) \
        if '--overhead' in options else 0
    rows = {int(row['job_id']): row for row in csv.DictReader(open(table))}
    sent, changes, count = places(decisions), [], 0
    for line in open(folder + '/log.swf'):
        f = [int(word) for word in line.split()]
        number, submit, run, width = f[0], f[1], f[3], f[7]
        if '--overrun' in options:
            run = min(run, f[8])
        row = rows[number]
        start, end = int(row['start']), int(row['end'])
        parts = [(names.index(part.split(':')[0]), int(part.split(':')[1]))
                 for part in row['sites'].split('+')]
        sites = [site for site, _ in parts]
        assert sent[number] == row['sites'], ('sent elsewhere', row, sent[number])
        assert start >= submit, ('before its submission', row)
        assert len(set(sites)) == len(sites), ('twice at a site', row)
        assert len(parts) == 1 or broker in SPLITTING, ('at several sites', row)
        have = sum(n for _, n in parts)
        if broker in MOLDING:
            run = up(run * width, have)
        else:
            assert have == width, ('other processors', row)
        assert broker != 'local' or row['home'] == names[sites[0]], ('not at home', row)
        ends = []
        for site, n in parts:
            ends.append(start + up(run * (1000 + (overhead if len(parts) > 1 else 0)),
                                   speeds[site]))
            changes += [(start, 1, site, n), (ends[-1], 0, site, -n)]
        assert end == max(ends), ('other run time', row, ends)
        count += 1
    assert count == len(rows) == len(sent), (count, len(rows), len(sent))
    used = [0] * len(names)
    for time, _, site, n in sorted(changes):
        used[site] += n
        assert 0 <= used[site] <= procs[site], ('over its processors', time, names[site])


if sys.argv[1] == 'make':
    make(int(sys.argv[2]), sys.argv[3], sys.argv[4])
else:
    audit(sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5], sys.argv[6:])
