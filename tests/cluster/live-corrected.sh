#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What `lxfw check-conf --write` corrects works at least as well as before, and with sched/lxfw
# and a quantum: if slurmctld starts with a slurm.conf, it starts with the corrected one, and
# each partition that accepts a plain job before accepts it after. The plugin accepts its
# parameters. The files are those of tests/golden/corrected and tests/golden/described, the
# slurm.conf in ../shared/cases/files, and some that are made here: LXFW_CASES of them, 200 with
# LXFW_SLOW=1.

# The cluster starts with Slurm's own scheduler, in case the plugin is not built.
LXFW_SCHEDULER=backfill
# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"

golden=$here/../golden
plugins=()
[ ! -e "$build/.libs/sched_lxfw.so" ] || plugins=(--plugins "$build/.libs")

# Lines that belong to the private cluster, and lines of it that the file replaces.
own='^(ClusterName|SlurmctldHost|ControlMachine|AccountingStorage[A-Za-z]*|AuthAlt[A-Za-z]*|SuspendProgram|TopologyPlugin)='
other='^(SelectType|SelectTypeParameters|NodeName|PartitionName|DefMem[A-Za-z]*|SlurmdParameters|SchedulerType|SchedulerParameters|Preempt[A-Za-z]*|GresTypes)='

# The clients report what slurmctld changes in a file, such as CPUs.
scontrol()
{
	command scontrol "$@" 2>>"$run/log/scontrol"
}

# Without our plugin, Slurm's scheduler reads the file.
scheduler_of()
{
	if [ ${#plugins[@]} -gt 0 ]; then
		cat
	else
		sed -E 's,^(SchedulerType=)sched/lxfw,\1sched/backfill,I'
	fi
}

# flat FILE: print it with the files that it includes.
flat()
{
	local name line
	name=$(sed -nE 's/^ClusterName=([^ ]*).*/\1/Ip' "$1" | tail -n 1)
	while IFS= read -r line || [ -n "$line" ]; do
		if [[ ${line,,} =~ ^include\ +([^ ]+) ]]; then
			line=${line:${#line}-${#BASH_REMATCH[1]}}
			line=${line//%c/$name}
			[[ $line = /* ]] || line=$(dirname "$1")/$line
			flat "$line"
		else
			printf '%s\n' "$line"
		fi
	done <"$1"
}

# with_quantum: add a quantum to SchedulerParameters, unless it has one, or only records.
with_quantum()
{
	sed -E '/^SchedulerParameters=/I{/lxfw_quantum=|lxfw_shadow=on/I!s/^[^ ]*/&,lxfw_quantum=60/}'
}

# Print logical lines without comments.
logical()
{
	sed -e ':more' -e '/\\$/{N; s/\\\n//; b more' -e '}' -e 's/[[:space:]]*#.*//'
}

# addressed FILE: print the lines for the private cluster.
addressed()
{
	flat "$1" | logical | grep -viE "$own" | scheduler_of | with_addresses
}


# try FILE: start slurmctld with these lines, and print "started" and the partitions that
# accept a job; nothing if slurmctld ends.
try()
{
	local partition
	rm -rf "${run:?}"/state/* "$run/log/slurmctld"
	{
		grep -vE "$other" "$run/work/generic"
		cat "$1"
	} >"$run/etc/slurm.conf"
	"$cluster" start-ctld "$run" >>"$run/log/corrected" 2>&1 || return 0
	echo started
	grep -oiE '^PartitionName=[^ ]*' "$1" | cut -d= -f2 | grep -vx DEFAULT |
		while read -r partition; do
			sbatch -p "$partition" -n1 -t1 -o /dev/null --wrap true >/dev/null 2>&1 &&
				echo "$partition"
		done
}

# The plugin has read its parameters.
plugin_read()
{
	grep -qE 'sched/lxfw: (policy |SchedulerParameters: )' "$run/log/slurmctld"
}

# expect_plugin FILE: sched/lxfw runs with the corrected file.
expect_plugin()
{
	local wrong='parameters stay as they were|also starts jobs|without effect|neither'
	# Only recorded, other items are those of the scheduler that starts jobs.
	! grep -qi 'lxfw_shadow=on' "$run/work/quantum.conf" || wrong='parameters stay as they were'
	grep -qiE '^SchedulerType=sched/lxfw' "$run/work/quantum.conf" ||
		fail "$1: no sched/lxfw: $(cat "$run/work/quantum.conf")"
	[ ${#plugins[@]} -gt 0 ] || return 0
	poll 30 plugin_read || fail "$1: sched/lxfw does not run: $(tail -n 5 "$run/log/slurmctld")"
	! grep -E "sched/lxfw: .*($wrong)" "$run/log/slurmctld" || fail "$1: $(cat "$run/work/quantum.conf")"
}

# compare FILE: correct it, add a quantum, and try both. If the quantum is removed, a finding
# says why it cannot work.
compare()
{
	local before=$run/work/before after=$run/work/after new=$run/work/new.conf
	local quantum=$run/work/quantum.conf with=with_quantum
	"$build/lxfw" check-conf --no-files --release "$release" --write "$new" "$1" \
		>"$run/work/told" 2>&1 || [ $? = 1 ] || fail "$1: $(cat "$run/work/told")"
	flat "$new" | with_quantum >"$run/work/given.conf"
	"$build/lxfw" check-conf --no-files --release "$release" --write "$quantum" \
		"$run/work/given.conf" >>"$run/work/told" 2>&1 || with='no quantum'
	grep -q 'lxfw_quantum=' "$quantum" || grep -qi 'lxfw_shadow=on' "$quantum" ||
		grep -qE '\[(exclusive-quantum|gang|parameters)[],]' "$run/work/told" ||
		fail "$1: no quantum, and no reason: $(cat "$run/work/told")"
	addressed "$1" >"$run/work/was"
	addressed "$quantum" >"$run/work/is"
	try "$run/work/was" | sort >"$before"
	stop_it
	try "$run/work/is" | sort >"$after"
	[ -z "$(comm -23 "$before" "$after")" ] ||
		fail "$1: before: $(tr '\n' ' ' <"$before"); after: $(tr '\n' ' ' <"$after"): $(cat "$run/work/told")"
	! grep -qx started "$after" || expect_plugin "$1"
	grep -qx started "$after" || grep -q '^    # ' "$run/work/told" ||
		fail "$1: slurmctld does not start with the corrected file: $(grep -hE 'fatal|error' "$run/log/slurmctld.out" | tail -n 2)"
	stop_it
	echo "  $(basename "$1"): $(tr '\n' ' ' <"$before")/ $(tr '\n' ' ' <"$after")${with#with_quantum}"
}

# Its state is not needed again.
stop_it()
{
	"$cluster" kill9-ctld "$run" >>"$run/log/corrected" 2>&1
}

test_corrected()
{
	local file seed release count=${LXFW_CASES:-12}
	[ -z "${LXFW_SLOW-}" ] || count=${LXFW_CASES:-200}
	release=$("$cluster" release)
	cp "$run/etc/slurm.conf" "$run/work/generic"
	cp "$golden"/corrected/xx_nodes "$run/work"
	"$cluster" stop-ctld "$run" >>"$run/log/corrected" 2>&1
	for file in "$golden"/{corrected,described}/*.conf "$golden"/../../../shared/cases/files/*.conf; do
		[ ! -e "$file" ] || ! grep -qi '^PartitionName\|^include' "$file" || compare "$file"
	done
	for seed in $(seq "${LXFW_SEED:-1}" "$((${LXFW_SEED:-1} + count - 1))"); do
		awk -v seed="$seed" -f "$golden/corrected/made.awk" >"$run/work/made$seed.conf"
		compare "$run/work/made$seed.conf"
	done
	cp "$run/work/generic" "$run/etc/slurm.conf"
	"$cluster" start-ctld "$run" >>"$run/log/corrected" 2>&1
}

live_main "$@" -- --no-slurmd --conf 'NodeName=first CPUs=4' --partition 'p Nodes=first' "${plugins[@]}"
