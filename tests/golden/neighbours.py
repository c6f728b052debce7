#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Independent reference for lxfw grid --graph, and an audit of its schedules: sections 5.1,
5.3 and 8 of Balasubramanian, Sussman and Sadeh 2013, without delays and losses.

usage: neighbours.py make SEED DIR       write DIR/log.swf, DIR/sites and DIR/graph, and print
                                         the options for them
       neighbours.py check DIR JOBS.csv RESULT.json OPTIONS...
                                         simulate, and compare jobs and messages
       neighbours.py audit DIR JOBS.csv RESULT.json

Shares no code with lxfw.
"""
import csv
import json
import random
import sys

WHOLE = 10 ** 6
NONE = float('-inf')


# --- worlds -------------------------------------------------------------------------------

def make(seed, path):
    r = random.Random(seed)
    count = r.randint(2, 9)
    memory = r.random() < 0.5
    params = r.choice([(0, 5), (0.5, 5), (0.5, 30), (1, 20), (2, 60), None])
    if params is None:
        policy = 'policy=list params=lxfw_interval=%d' % r.choice((5, 20))
    else:
        policy = 'policy=remaining params=lxfw_rem_wait=%g,lxfw_interval=%d,' \
            'lxfw_rem_frees=all,lxfw_rem_min_run=0' % params
    names = ['n%d' % i for i in range(count)]
    with open(path + '/sites', 'w') as out:
        for i, name in enumerate(names):
            procs = 8 if i == 0 else r.choice((1, 2, 2, 4, 8))
            host = 'procs=%d' % procs
            if memory:
                mb = 8192 if i == 0 else r.choice((1024, 2048, 4096, 8192))
                with open('%s/host%d' % (path, i), 'w') as line:
                    print('host procs=%d memory=%d' % (procs, mb), file=line)
                host = 'cluster=host%d' % i
            print('site=%s %s speed=%g %s' % (name, host, r.choice((0.5, 0.7, 1, 1, 1.25, 2)),
                                              policy), file=out)
    with open(path + '/graph', 'w') as out:
        for i in range(1, count):
            print(names[i], names[r.randrange(i)], file=out)
        for _ in range(r.randrange(count)):
            one, other = r.sample(names, 2)
            print(one, other, file=out)
    load = r.choice((10, 30, 60, 120))
    time = 0
    with open(path + '/log.swf', 'w') as out:
        for number in range(1, r.randint(20, 150)):
            time += r.choice((0, 0, 1, 5, r.randrange(load)))
            run = r.choice((1, 20, r.randint(1, 400)))
            limit = max(1, run + r.choice((0, 0, 30, 200, -run // 2)))
            procs = r.choice((1, 1, 2, 2, 3, 4, 8))
            each = 1024 * r.choice((64, 128, 512, 1024)) if memory else -1
            print(number, time, -1, run, procs, -1, each, procs, limit, each, 1, 1, 1, 1, 1,
                  1, -1, -1, file=out)
    kind = r.choice((path + '/graph', path + '/graph', '2nn', 'can'))
    moves = r.choice(('push', 'pull', 'push+pull', 'push+balance', 'pull+balance',
                      'push+pull+balance'))
    print('--graph', kind, '--moves', moves, r.choice(('', '', '--stay')))


class Node:
    def __init__(self, name):
        self.name, self.memory = name, 0
        self.waiting, self.running = [], []
        self.wake = None


def read_sites(path):
    nodes, rules = [], None
    for line in open(path + '/sites'):
        words = dict(word.split('=', 1) for word in line.split())
        node = Node(words['site'])
        if 'cluster' in words:
            host = open(path + '/' + words['cluster']).read().split()
            words.update(dict(word.split('=') for word in host[1:]))
            node.memory = int(words['memory'])
        node.procs = int(words['procs'])
        node.speed = round(float(words['speed']) * 1000)
        nodes.append(node)
        params = dict(word.split('=') for word in words['params'].split(','))
        delta = int(params['lxfw_interval'])
        if words['policy'] == 'list':
            rules = (1.0, 0.0, delta, False)
        else:
            rules = (float(params['lxfw_rem_wait']), 1.0, delta, True)
    return nodes, rules


class Job:
    def __init__(self, field):
        self.id, self.submit = field[0], field[1]
        self.size, self.runtime = field[7], field[3]
        self.work, self.asked = 1000 * field[3], 1000 * max(field[8], 1)
        self.memory = -(-max(field[9], 0) * self.size // 1024)
        self.ran = self.ran_before = self.moves = self.preemptions = 0
        self.start = self.end = self.node = self.arrived = self.since = None


def read_jobs(path):
    lines = [line.split() for line in open(path + '/log.swf')]
    return [Job([int(word) for word in line]) for line in lines]


def capable(node, job):
    return job.size <= node.procs and (not node.memory or job.memory <= node.memory)


def graph_of(kind, nodes):
    names = [node.name for node in nodes]
    count = len(nodes)
    edges = set()
    if kind == '2nn':
        edges = {(i, (i + 1) % count) for i in range(count)}
    elif kind == 'can':
        height = next(h for h in range(1, count + 1) if h * h >= count)
        order = sorted(range(count), key=lambda i: (nodes[i].procs, nodes[i].memory, i))
        columns = [sorted(order[i:i + height], key=lambda i: (nodes[i].speed, i))
                   for i in range(0, count, height)]
        for c, column in enumerate(columns):
            for row, node in enumerate(column):
                edges.add((node, column[(row + 1) % len(column)]))
                right = columns[(c + 1) % len(columns)]
                edges.add((node, right[row] if row < len(right) else columns[0][row]))
    else:
        for line in open(kind):
            words = line.split()
            edges |= {(names.index(words[0]), names.index(word)) for word in words[1:]}
    return [sorted(({b for a, b in edges if a == i} | {a for a, b in edges if b == i}) - {i})
            for i in range(count)]


# --- local scheduling -----------------------------------------------------------------------

class World:
    def __init__(self, nodes, rules, kind, moves, stays):
        self.nodes = nodes
        self.a, self.b, self.delta, self.preempts = rules
        self.near = graph_of(kind, nodes)
        self.moves, self.stays = moves, stays
        self.now = 0
        self.views = {}
        for i, row in enumerate(self.near):
            for j in row:
                self.views[i, j] = self.view(j)
        self.changed, self.active = set(), set()
        self.messages = dict.fromkeys(('view', 'push', 'pull', 'accept', 'reject', 'job'), 0)

    def rest(self, job):
        rest = -(-job.asked // self.nodes[job.node].speed)
        if job.since is not None:
            rest -= self.now - job.since
        return max(rest, 0)

    def priority(self, job):
        ran = job.ran + (self.now - job.since if job.since is not None else 0)
        return self.a * (self.now - job.submit - ran) - self.b * self.rest(job)

    def queue(self, node):
        return sorted(self.nodes[node].waiting,
                      key=lambda job: (-self.priority(job), job.submit, job.id))

    def fits(self, node, job, out=()):
        node = self.nodes[node]
        stay = [other for other in node.running if other not in out]
        return node.procs >= job.size + sum(other.size for other in stay) and \
            (not node.memory or
             node.memory >= job.memory + sum(other.memory for other in stay))

    def choose(self, node, job, lower):
        out = []
        for other in lower:
            out.append(other)
            if self.fits(node, job, out):
                break
        else:
            return None
        last = out.pop()
        if self.fits(node, job, [last]):
            return [last]
        out.sort(key=lambda one: (one.size, one.memory, -one.submit, -one.id))
        for other in out:
            if self.fits(node, job, [other, last]):
                return [other, last]
        for other in out[::-1]:
            rest = [one for one in out if one is not other]
            if self.fits(node, job, rest + [last]):
                out = rest
        return out + [last]

    def local(self, index):
        node = self.nodes[index]
        before = sorted(node.running,
                        key=lambda job: (self.priority(job), -job.submit, -job.id))
        stopped = []
        for job in self.queue(index):
            out = [] if self.fits(index, job) else None
            if out is None and self.preempts:
                own = self.priority(job)
                out = self.choose(index, job,
                                  [one for one in before if one not in stopped and
                                   self.priority(one) < own])
            if out is None:
                continue
            for other in out:
                done = self.now - other.since
                other.work -= done * node.speed
                other.asked -= done * node.speed
                other.ran += done
                other.since = None
                other.preemptions += 1
                node.running.remove(other)
                stopped.append(other)
            node.waiting.remove(job)
            node.running.append(job)
            job.since = self.now
            if job.start is None:
                job.start = self.now
            self.changed.add(index)
        node.waiting += stopped
        node.wake = self.now + self.delta if node.waiting and self.preempts else None

    def enter(self, job, index):
        job.node, job.arrived, job.ran_before = index, self.now, job.ran
        self.nodes[index].waiting.append(job)
        self.changed.add(index)

    # --- between neighbours -------------------------------------------------------------

    def rank(self, job):
        return self.priority(job) - self.a * self.now

    def view(self, index):
        node = self.nodes[index]
        queue = self.queue(index)
        return dict(procs=node.procs - sum(job.size for job in node.running),
                    memory=node.memory - sum(job.memory for job in node.running),
                    waiting=len(queue), rank=self.rank(queue[0]) if queue else NONE,
                    queued=(sum(job.size for job in queue),
                            sum(job.memory for job in queue)))

    def objective(self, index, view, job):
        """None if the job does not fit."""
        node = self.nodes[index]
        if not capable(node, job) or job.size > view['procs'] or \
                (node.memory and job.memory > view['memory']):
            return None
        used = [(node.procs - view['procs'] + job.size) * WHOLE // node.procs]
        if node.memory:
            used.append((node.memory - view['memory'] + job.memory) * WHOLE // node.memory)
        k = len(used)
        return max(used) * (k * WHOLE - sum(used)) * 1000 // sum(used) // k * 1000 // \
            node.speed

    def may_move(self, job):
        return not self.stays or job.ran == 0

    def load(self, index, view, job=None, sign=0):
        node = self.nodes[index]
        procs, memory = view['queued']
        if sign:
            procs += sign * job.size
            memory += sign * job.memory
        return max(procs * WHOLE // node.procs,
                   memory * WHOLE // node.memory if node.memory else 0)

    def move(self, job, to):
        self.messages['job'] += 1
        self.nodes[job.node].waiting.remove(job)
        self.changed.add(job.node)
        job.moves += 1
        self.enter(job, to)
        self.local(to)

    def ask(self, kind, a, b):
        """The one that is asked sees the present state of the other."""
        self.messages[kind] += 1
        self.views[b, a] = self.view(a)

    def answer(self, kind, a, b):
        """Node B answers A."""
        self.messages[kind] += 1
        self.views[a, b] = self.view(b)

    def push(self, index):
        asked = set()
        while self.nodes[index].waiting:
            job = self.queue(index)[0]
            best = None
            for j in self.near[index]:
                view = self.views[index, j]
                value = self.objective(j, view, job)
                if j in asked or view['rank'] >= self.rank(job) or value is None or \
                        not self.may_move(job):
                    continue
                if best is None or value < best[0]:
                    best = value, j
            if best is None:
                return
            j = best[1]
            asked.add(j)
            self.ask('push', index, j)
            queue = self.queue(j)
            yes = capable(self.nodes[j], job) and self.fits(j, job) and \
                (not queue or self.rank(queue[0]) < self.rank(job))
            self.answer('accept' if yes else 'reject', index, j)
            if yes:
                self.move(job, j)
                return

    def pull(self, index):
        asked = set()
        while True:
            node, queue = self.nodes[index], self.queue(index)
            own = self.rank(queue[0]) if queue else NONE
            free = node.procs - sum(job.size for job in node.running)
            near = [(self.views[index, j]['rank'], -self.views[index, j]['waiting'], j)
                    for j in self.near[index]
                    if j not in asked and self.views[index, j]['waiting'] > 0 and
                    self.views[index, j]['rank'] > own]
            if free == 0 or not near:
                return
            j = min(near)[2]
            asked.add(j)
            self.ask('pull', index, j)
            view = self.views[j, index]
            jobs = [job for job in self.queue(j) if self.may_move(job) and
                    self.objective(index, view, job) is not None]
            if jobs:
                self.move(min(jobs, key=lambda job: self.objective(index, view, job)), index)
                return
            self.answer('reject', index, j)

    def best_move(self, index, j, own, view):
        """The best job to move from INDEX to J, as (sum, larger, job)."""
        best = None
        for job in self.queue(index):
            if self.rank(job) <= view['rank'] or not self.may_move(job) or \
                    not capable(self.nodes[j], job):
                continue
            loads = self.load(index, own, job, -1), self.load(j, view, job, 1)
            if max(loads) >= self.load(index, own):
                continue
            if best is None or (sum(loads), max(loads)) < best[:2]:
                best = sum(loads), max(loads), job
        return best

    def balance_push(self, index):
        asked = set()
        while True:
            own = self.view(index)
            load = self.load(index, own)
            if load == 0 or any(self.load(j, self.views[index, j]) > load
                                for j in self.near[index]):
                return
            best = None
            for j in self.near[index]:
                found = self.best_move(index, j, own, self.views[index, j])
                if j not in asked and found and (best is None or found[:2] < best[0][:2]):
                    best = found, j
            if best is None:
                return
            (_, _, job), j = best
            asked.add(j)
            self.ask('push', index, j)
            queue = self.queue(j)
            yes = capable(self.nodes[j], job) and \
                (not queue or self.rank(queue[0]) < self.rank(job)) and \
                self.load(j, self.view(j), job, 1) < load
            self.answer('accept' if yes else 'reject', index, j)
            if yes:
                self.move(job, j)
                return

    def balance_pull(self, index):
        asked = set()
        node = self.nodes[index]
        while True:
            load = self.load(index, self.view(index))
            others = {j: self.load(j, self.views[index, j]) for j in self.near[index]}
            weak = [j for j in others if self.nodes[j].procs <= node.procs and
                    self.nodes[j].memory <= node.memory and
                    self.nodes[j].speed <= node.speed]
            if load == 0 or not weak or any(others[j] < load for j in weak):
                return
            near = [(-others[j], j) for j in others if j not in asked and others[j] > load]
            if not near:
                return
            j = min(near)[1]
            asked.add(j)
            self.ask('pull', index, j)
            found = self.best_move(j, index, self.view(j), self.views[j, index])
            if found:
                self.move(found[2], index)
                return
            self.answer('reject', index, j)

    def exchange(self):
        for i in sorted(self.changed):
            self.active.add(i)
            for j in self.near[i]:
                self.messages['view'] += 1
                self.views[j, i] = self.view(i)
                self.active.add(j)
        self.changed = set()
        trying, self.active = sorted(self.active), set()
        for i in trying:
            for name in ('push', 'pull'):
                if name in self.moves:
                    getattr(self, name)(i)
            for name in ('push', 'pull'):
                if name in self.moves and 'balance' in self.moves:
                    getattr(self, 'balance_' + name)(i)

    def end_of(self, job):
        return job.since + -(-job.work // self.nodes[job.node].speed)

    def simulate(self, jobs):
        coming = sorted(jobs, key=lambda job: (job.submit, job.id))
        for i, job in enumerate(coming):
            job.home = i % len(self.nodes)
            while not capable(self.nodes[job.home], job):
                job.home = (job.home + 1) % len(self.nodes)
        origin = self.now = coming[0].submit
        first = True
        while True:
            running = [job for node in self.nodes for job in node.running]
            times = [self.end_of(job) for job in running] + \
                [node.wake for node in self.nodes if node.wake is not None] + \
                [job.submit for job in coming[:1]]
            if (self.changed or self.active) and not first:
                times.append(self.now + self.delta - (self.now - origin) % self.delta)
            if not times:
                return
            first = False
            self.now = min(times)
            touched = set()
            for job in running:
                if self.end_of(job) == self.now:
                    self.nodes[job.node].running.remove(job)
                    job.ran += self.now - job.since
                    job.end = self.now
                    touched.add(job.node)
                    self.changed.add(job.node)
            while coming and coming[0].submit == self.now:
                job = coming.pop(0)
                self.enter(job, job.home)
                touched.add(job.home)
            touched |= {i for i, node in enumerate(self.nodes) if node.wake == self.now}
            for i in sorted(touched):
                self.local(i)
            if (self.now - origin) % self.delta == 0:
                self.exchange()


# --- comparison -----------------------------------------------------------------------------

def read_csv(path):
    return {int(row['job_id']): row for row in csv.DictReader(open(path))}


def check(path, table, result, options):
    nodes, rules = read_sites(path)
    jobs = read_jobs(path)
    kind = options[options.index('--graph') + 1]
    moves = options[options.index('--moves') + 1].split('+')
    world = World(nodes, rules, kind, moves, '--stay' in options)
    world.simulate(jobs)
    rows = read_csv(table)
    for job in jobs:
        is_, row = rows[job.id], {
            'start': job.start, 'end': job.end, 'home': nodes[job.home].name,
            'site': nodes[job.node].name, 'moves': job.moves,
            'preemptions': job.preemptions, 'wait': job.end - job.submit - job.ran,
            'wait_there': job.end - job.arrived - (job.ran - job.ran_before)}
        for key, value in row.items():
            assert is_[key] == str(value), ('job', job.id, key, 'is', is_, 'expected', row)
    messages = json.load(open(result))['results'][0]['messages']
    assert messages == world.messages, (messages, world.messages)
    print('#', len(jobs), 'jobs,', sum(job.moves for job in jobs), 'moves,',
          sum(job.preemptions for job in jobs), 'preemptions,', messages)


def audit(path, table, result):
    """What holds for every schedule: each job ends, was at one site at a time, and ran for
    its work."""
    nodes, _ = read_sites(path)
    speeds = {node.name: node.speed for node in nodes}
    rows = read_csv(table)
    jobs = read_jobs(path)
    assert len(rows) == len(jobs)
    for job in jobs:
        row = rows[job.id]
        start, end, wait = int(row['start']), int(row['end']), int(row['wait'])
        ran = end - job.submit - wait
        assert job.submit <= start < end and wait >= start - job.submit, row
        assert wait >= int(row['wait_there']) >= 0, row
        least = -(-job.work // max(speeds.values()))
        most = -(-job.work // min(speeds.values())) + int(row['moves'])
        assert least <= ran <= most, (row, ran, least, most)
        if int(row['moves']) == 0:
            assert row['site'] == row['home'], row
            assert ran == -(-job.work // speeds[row['site']]), row
    one = json.load(open(result))['results'][0]
    assert sum(int(row['moves']) for row in rows.values()) == one['all_moves']
    assert one['messages']['job'] >= one['all_moves']
    answered = one['messages']['accept'] + one['messages']['reject']
    assert answered <= one['messages']['push'] + one['messages']['pull']


def main():
    if sys.argv[1] == 'make':
        make(int(sys.argv[2]), sys.argv[3])
    elif sys.argv[1] == 'check':
        check(sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5:])
    else:
        audit(*sys.argv[2:5])


main()
