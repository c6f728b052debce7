#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What `lxfw check-conf --write` corrects works at least as well as before: if slurmctld starts
# with a slurm.conf, it starts with the corrected one, and each partition that accepts a plain
# job before accepts it after. The files are those of tests/golden/corrected, and some that are
# made there.

# Slurm's own scheduler is sufficient.
LXFW_SCHEDULER=backfill
# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"

corrected=$here/../golden/corrected

# Lines that belong to the private cluster, and lines of it that the file replaces.
own='^(ClusterName|SlurmctldHost|ControlMachine|SchedulerType|AccountingStorage[A-Za-z]*|AuthAlt[A-Za-z]*|SuspendProgram|include )'
other='^(SelectType|SelectTypeParameters|NodeName|PartitionName|DefMem[A-Za-z]*|SlurmdParameters|SchedulerParameters|Preempt[A-Za-z]*|GresTypes)='

# try FILE: print "started", and the partitions that accept a job; nothing if slurmctld ends.
try()
{
	local partition
	"$cluster" stop-ctld "$run" >>"$run/log/corrected" 2>&1
	rm -rf "${run:?}"/state/*
	{
		grep -vE "$other" "$run/work/generic"
		cat "$run/work/addressed"
	} >"$run/etc/slurm.conf"
	"$cluster" start-ctld "$run" >>"$run/log/corrected" 2>&1 || return 0
	scontrol ping 2>/dev/null | grep -q 'is UP' || return 0
	echo started
	grep -oiE '^PartitionName=[^ ]*' "$1" | cut -d= -f2 | grep -vx DEFAULT |
		while read -r partition; do
			sbatch -p "$partition" -n1 -t1 -o /dev/null --wrap true >/dev/null 2>&1 &&
				echo "$partition"
		done
}

# compare FILE: correct it, and try both.
compare()
{
	local before=$run/work/before after=$run/work/after new=$run/work/new.conf
	"$build/lxfw" check-conf --no-files --write "$new" "$1" >"$run/work/told" 2>&1 ||
		[ $? = 1 ] || fail "$1: $(cat "$run/work/told")"
	cp "$run/work/generic" "$run/etc/slurm.conf"
	grep -viE "$own" "$1" | with_addresses >"$run/work/addressed.was"
	grep -viE "$own" "$new" | with_addresses >"$run/work/addressed.new"
	cp "$run/work/addressed.was" "$run/work/addressed"
	try "$1" | sort >"$before"
	cp "$run/work/addressed.new" "$run/work/addressed"
	try "$new" | sort >"$after"
	[ -z "$(comm -23 "$before" "$after")" ] ||
		fail "$1: before: $(tr '\n' ' ' <"$before"); after: $(tr '\n' ' ' <"$after"): $(cat "$run/work/told")"
	echo "  $(basename "$1"): $(tr '\n' ' ' <"$before")/ $(tr '\n' ' ' <"$after")"
}

test_corrected()
{
	local file seed
	cp "$run/etc/slurm.conf" "$run/work/generic"
	for file in "$corrected"/*.conf; do
		grep -qi '^include' "$file" || compare "$file"
	done
	for seed in $(seq 1 "${LXFW_CASES:-12}"); do
		awk -v seed="$seed" -f "$corrected/made.awk" >"$run/work/made$seed.conf"
		compare "$run/work/made$seed.conf"
	done
	cp "$run/work/generic" "$run/etc/slurm.conf"
	"$cluster" stop-ctld "$run" >>"$run/log/corrected" 2>&1
	"$cluster" start-ctld "$run" >>"$run/log/corrected" 2>&1
}

live_main "$@" -- --no-slurmd --conf 'NodeName=first CPUs=4' --partition 'p Nodes=first'
