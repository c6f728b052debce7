# SPDX-License-Identifier: GPL-2.0-or-later
"""A made slurm.conf: nodes described in the ways that sites use, node sets and partitions.

  described.py SEED   print it
"""
import random
import sys


def memory(source):
    text = ""
    if source.random() < 0.8:
        text += " RealMemory=%d" % source.choice([1000, 7821, 64000, 515600])
        if source.random() < 0.3:
            text += " MemSpecLimit=%d" % source.choice([100, 512])
    return text


def processors(source):
    sockets, cores, threads = source.choice([1, 2, 4]), source.choice([1, 2, 6, 8]), source.choice([1, 2])
    all_ = sockets * cores * threads
    topology = " Sockets=%d CoresPerSocket=%d ThreadsPerCore=%d" % (sockets, cores, threads)
    text = source.choice([
        " CPUs=%d" % source.choice([2, 3, 7, 16, 48]),
        topology,
        " CPUs=%d" % all_ + topology,
        " CPUs=%d" % (sockets * cores) + topology,
        " Procs=%d" % all_ + topology,
        " Procs=%d" % source.choice([2, 5, 24]),
        " CPUs=%d CoresPerSocket=%d ThreadsPerCore=%d" % (all_, cores, threads),
        " Boards=1 SocketsPerBoard=%d CoresPerSocket=%d ThreadsPerCore=%d" % (sockets, cores, threads),
        " cpus=%d ThreadsPerCore=1" % source.choice([4, 12]),
    ])
    if all_ >= 16 and topology in text and "CPUs" not in text and source.random() < 0.4:
        text += source.choice([" CoreSpecCount=1", " CoreSpecCount=2"])
    return text


def nodes(source, number):
    letter = "abcdefg"[number]
    names = source.choice([letter + "1", letter + "[1-3]", letter + "[01-02,05]", letter + "1," + letter + "x7"])
    line = source.choice(["NodeName=", "nodename="]) + names + processors(source) + memory(source)
    if source.random() < 0.4:
        line += " Gres=" + source.choice(["gpu:4", "gpu:a100:2", "gpu:a100:1,gpu:k80:2", "nic:1", "gpu:1,nic:2"])
    if source.random() < 0.6:
        line += " Feature=" + source.choice(["fast", "slow", "fast,ib"])
    if source.random() < 0.3:
        line += " Weight=%d" % source.choice([1, 5, 100])
    state = source.choice([None] * 6 + ["UNKNOWN", "DOWN", "DRAIN", "FUTURE", "IDLE"])
    if state and number > 0:
        line += " State=" + state
    return names, line


def partition(source, number, groups, sets):
    one, two = source.choice(groups), source.choice(groups)
    members = source.choice(["ALL", one, one + "," + two] + ["ALL"] * (number == 0) + sets)
    line = "PartitionName=p%d Nodes=%s" % (number, members)
    if source.random() < 0.3:
        line += " MaxCPUsPerNode=%d" % source.choice([1, 2, 10])
    if source.random() < 0.3:
        line += " MaxNodes=%s" % source.choice(["1", "2", "UNLIMITED"])
    if source.random() < 0.2:
        line += " MinNodes=2"
    line += source.choice(["", " MaxTime=60", " maxtime=INFINITE", " DefaultTime=30 MaxTime=2-0"])
    return line + source.choice(["", "", " OverSubscribe=EXCLUSIVE", " Shared=NO", " OverSubscribe=FORCE:2"])


def main():
    source = random.Random(int(sys.argv[1]))
    select = source.choice([
        "SelectType=select/cons_tres\n" + line for line in
        ("SelectTypeParameters=CR_Core", "SelectTypeParameters=cr_core_memory", "",
         "SelectTypeParameters=CR_CPU_Memory,CR_LLN", "SelectTypeParameters=CR_Socket_Memory")
    ] + ["SelectType=select/linear", "SelectType=select/linear\nSelectTypeParameters=CR_Memory",
         "SelectTypeParameters=CR_Memory", ""])
    made = [nodes(source, i) for i in range(source.randint(1, 5))]
    groups = [names for names, _ in made]
    print("ClusterName=made\nSlurmctldHost=h\nGresTypes=gpu,nic\n" + select)
    if source.random() < 0.3:
        print("NodeName=DEFAULT RealMemory=2000 CoresPerSocket=2")
    for _, line in made:
        print(line)
    sets = []
    if source.random() < 0.6:
        sets.append("set1")
        print("NodeSet=set1 " + source.choice(["Feature=fast", "Nodes=" + source.choice(groups)]))
    if len(groups) > 2 and source.random() < 0.4:
        print("DownNodes=%s State=DOWN" % groups[2].replace("[1-3]", "[2-3]"))
    if source.random() < 0.3:
        print("PartitionName=DEFAULT MaxTime=120 MaxNodes=3")
    for i in range(source.randint(1, 4)):
        print(partition(source, i, groups, sets))


main()
