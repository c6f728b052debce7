#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks what 'lxfw tune' says on months of made users: whether it recommends a setting
or calls one worth a trial, and whether that is truly better.

    tests/bench/trial.py LXFW [CASE...]

Each case is a site (its current parameters) with some users and a load. The users of a case
have habits: a number of processors, requested times, how much of these they use, and how
often they submit. Each log has fresh sessions of the same users. The true value of a
setting is its mean over many other logs. A setting is truly worse if a goal is worse by
more than 5 %, and truly better if none is and one is better by 10 %.

Environment: LOGS (20) of each case, from number FIRST (1) on; MONTHS (40) logs for the
true values; SETTINGS (60) tried for each log; USERS: seeds of the users (11,12,13);
DETAILS: print every log."""
import json, math, os, random, subprocess, sys, tempfile

DAY = 86400
DAYS = 28
GOALS = ('p95_wait', 'mean_slowdown', 'max_wait')
KEYS = ('p95_wait_s', 'mean_slowdown', 'max_wait_s')
LIMITS = [h * 1800 for h in (1, 2, 4, 8, 16, 24)]
CONF = '''ClusterName=c
SlurmctldHost=h
NodeName=n CPUs=32
PartitionName=p Nodes=n Default=YES MaxTime=INFINITE State=UP
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityMaxAge=7-0
PriorityWeightJobSize=3000
AccountingStorageType=accounting_storage/slurmdbd
'''
SITES = {
    'poor': 'lxfw_policy=lxfw,lxfw_ww=0.1,lxfw_wx=1,lxfw_wp=1',
    'easy': 'lxfw_policy=easy',
    'fcfs': 'lxfw_policy=fcfs',
    'multifactor': None,    # the site of CONF
    'best': 'best',         # of the settings below, the one with the smallest worst loss
}
OTHERS = ['lxfw_policy=priority', 'lxfw_policy=easy', 'lxfw_policy=lxfw,lxfw_ww=1,lxfw_wx=1',
          'lxfw_policy=lxfw,lxfw_ww=0.3,lxfw_wx=1', 'lxfw_policy=lxfw,lxfw_ww=3,lxfw_wx=1']


def number(name, default):
    return int(os.environ.get(name, default))


class World:
    """Users, drawn from a seed, on a machine with PROCS processors."""

    def __init__(self, seed, procs, load):
        draw = random.Random(seed)
        self.procs, self.load = procs, load
        self.users = [{
            'often': (i + 1) ** -0.8,
            'size': draw.randint(0, int(math.log2(procs)) - 2),
            'limit': draw.choice(LIMITS),
            'used': draw.uniform(0.1, 0.5),
        } for i in range(16)]

    def session(self, draw):
        """Returns jobs as (seconds after the first, run, processors, limit, user)."""
        user = draw.choices(range(len(self.users)), [u['often'] for u in self.users])[0]
        habit = self.users[user]
        procs = 1 << max(0, min(habit['size'] + draw.randint(-1, 1),
                                int(math.log2(self.procs))))
        limit = habit['limit'] if draw.random() < 0.6 else draw.choice(LIMITS)
        count = min(40, 1 + int(draw.expovariate(1 / 4)))
        if procs > self.procs // 8:
            count = min(count, 3)
        jobs, after = [], 0
        used = habit['used'] * math.exp(draw.gauss(0, 0.6))
        for _ in range(count):
            run = limit * min(1, used * math.exp(draw.gauss(0, 0.3)))
            if draw.random() < 0.1:
                run = draw.randint(1, 60)
            jobs.append((after, max(1, int(run)), procs, limit, user + 1))
            after += int(draw.expovariate(1 / 240))
        return jobs

    def write(self, path, seed):
        """Writes a log of four weeks, without waits."""
        draw, jobs, work = random.Random(seed), [], 0
        while work < self.load * self.procs * DAYS * DAY:
            begin = draw.randrange(DAYS * DAY)
            hour, day = begin % DAY // 3600, begin // DAY % 7
            if draw.random() > (1 if 8 <= hour < 19 else 0.4) * (1 if day < 5 else 0.4):
                continue
            for after, run, procs, limit, user in self.session(draw):
                if begin + after < DAYS * DAY:
                    jobs.append((begin + after, run, procs, limit, user))
                    work += run * procs
        with open(path, 'w') as out:
            print('; MaxProcs: %d' % self.procs, file=out)
            for i, (submit, run, procs, limit, user) in enumerate(sorted(jobs)):
                print(i + 1, submit, -1, run, procs, -1, -1, procs, limit, -1, 1, user, user,
                      1, 1, 1, -1, -1, file=out)


def run(words):
    result = subprocess.run(words, capture_output=True, text=True)
    if result.returncode > 1 or not result.stdout:
        sys.exit('%s: %s' % (' '.join(words), result.stderr))
    return json.loads(result.stdout)


class Bench:
    def __init__(self, lxfw, folder):
        self.lxfw, self.folder = lxfw, folder
        self.conf = os.path.join(folder, 'slurm.conf')
        with open(self.conf, 'w') as out:
            out.write(CONF)

    def figures(self, path, line, cluster):
        """Returns the goals of a log under a setting. Its keys of slurm.conf are in a file."""
        items = line.split(',')
        keys = [item for item in items if item.startswith('Priority')]
        if keys:
            line = ','.join(item for item in items if item not in keys)
            names = {item.split('=')[0] for item in keys}
            changed = os.path.join(self.folder, 'changed.conf')
            with open(changed, 'w') as out:
                out.writelines(old + '\n' for old in CONF.split('\n')
                               if old.split('=')[0] not in names)
                out.writelines(key + '\n' for key in keys)
            cluster = ['--cluster', changed, '--shape', 'one-host']
        words = [self.lxfw, 'simulate', '--format', 'json', '--warmup', '2d'] + cluster
        made = run(words + ['--params', line, path])
        return [made[key] for key in KEYS]

    def truth(self, world, lines, cluster):
        """Returns the mean goals of each setting over other logs."""
        months = number('MONTHS', 40)
        means = {line: [0] * len(GOALS) for line in lines}
        path = os.path.join(self.folder, 'truth.swf')
        for month in range(months):
            world.write(path, 1000000 + month)
            for line in lines:
                for i, value in enumerate(self.figures(path, line, cluster)):
                    means[line][i] += value / months
        return means

    def said(self, world, site, seed, cluster):
        """Returns the current setting, the recommended one, the best for a trial, and
        whether it is worth it."""
        path = os.path.join(self.folder, 'log.swf')
        world.write(path, seed)
        words = [self.lxfw, 'tune', '--json', '--despite-verdict', '--threads', '1', '--round',
                 '15', '--settings', str(number('SETTINGS', 60))] + cluster
        made = run(words + (['--current', site] if site else []) + [path])
        trial = made.get('trial', {})
        if os.environ.get('DETAILS'):
            print({goal: ['%+.0f' % (100 * of['change']), '%.2f' % of['chance_worse_than_margin'],
                          '%.2f' % of['chance_better_than_margin']]
                   for goal, of in trial.get('changes', {}).items()}, file=sys.stderr)
        return made['now']['params'], made['recommended'], trial.get('params', ''), \
            trial.get('worth', False)

    def best(self, world):
        """Returns the setting of OTHERS that loses least against any other in any goal."""
        means = self.truth(world, OTHERS, [])
        return min(OTHERS, key=lambda a: max(means[a][i] / means[b][i]
                                             for b in OTHERS for i in range(len(GOALS))))

    def case(self, name, seed, load):
        """Returns the numbers of a case."""
        world = World(seed, 32, load)
        site = SITES[name] if name != 'best' else self.best(world)
        cluster = ['--cluster', self.conf, '--shape', 'one-host'] if site is None else []
        first = number('FIRST', 1)
        said = [self.said(world, site, first + i, cluster)
                for i in range(number('LOGS', 20))]
        now = said[0][0]
        lines = sorted({now} | set(OTHERS) | {s for log in said for s in log[1:3] if s})
        means = self.truth(world, lines, cluster)
        change = {line: [then / before - 1 for then, before in zip(means[line], means[now])]
                  for line in lines}
        worse = {line: max(change[line]) > 0.05 for line in lines}
        numbers = {'logs': len(said), 'exists': 0, 'recommended': 0, 'worse': 0, 'worth': 0,
                   'worth_worse': 0}
        if any(not worse[line] and min(change[line]) <= -0.1 for line in lines):
            numbers['exists'] = len(said)
        for _, recommended, trial, worth in said:
            numbers['recommended'] += recommended != ''
            numbers['worse'] += recommended != '' and worse[recommended]
            numbers['worth'] += worth and recommended == ''
            numbers['worth_worse'] += worth and recommended == '' and worse[trial]
            if os.environ.get('DETAILS'):
                line = recommended or trial
                print(name, seed, load, 'recommended' if recommended else 'worth' if worth
                      else '-', line, ['%+.0f' % (100 * x) for x in change.get(line, [])],
                      file=sys.stderr, flush=True)
        return numbers


def main():
    cases = sys.argv[2:] or list(SITES)
    print('| site | users | load | logs | a better one exists | recommended | truly worse | '
          'worth a trial | truly worse |')
    print('|---|---|---|---|---|---|---|---|---|')
    with tempfile.TemporaryDirectory(prefix='lxfw-bench-') as folder:
        bench = Bench(os.path.abspath(sys.argv[1]), folder)
        for name in cases:
            for i, seed in enumerate(os.environ.get('USERS', '11,12,13').split(',')):
                load = (0.7, 0.6, 0.8)[i % 3]
                of = bench.case(name, int(seed), load)
                print('| %s | %s | %.1f | %d | %s | %d | %d | %d | %d |' % (
                    name, seed, load, of['logs'], 'yes' if of['exists'] else 'no',
                    of['recommended'], of['worse'], of['worth'], of['worth_worse']),
                    flush=True)


if __name__ == '__main__':
    main()
