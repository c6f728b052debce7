#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Adaptive jobs in control groups, live: task/cgroup with ConstrainCores, on cgroup v1
# or v2, depending on which controls the cpusets of this machine. Requires root and
# permission to create groups, which most containers lack. The node's name is unique,
# because groups of a node are visible on the whole machine by its name.

node=lxfw$$n1
# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/spank.sh
. "$(dirname "$0")/spank.sh"
# shellcheck source=tests/cluster/shares.sh
. "$(dirname "$0")/shares.sh"

can_make_groups()
{
	mkdir "$1/lxfw$$" 2>/dev/null && rmdir "$1/lxfw$$"
}

# Find the mount point of cpusets of version 1, or of version 2.
find_v1()
{
	local mount
	mount=$(awk '$3 == "cgroup" && $4 ~ /(^|,)cpuset(,|$)/ { print $2; exit }' /proc/mounts)
	[ -n "$mount" ] && can_make_groups "$mount" && can_make_groups "$(dirname "$mount")/freezer" ||
		return
	groups=$(dirname "$mount")
	conf=(--cgroup CgroupPlugin=cgroup/v1)
	of_node=$mount/slurm_$node
}

find_v2()
{
	groups=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
	[ -n "$groups" ] && grep -qw cpuset "$groups/cgroup.controllers" && can_make_groups "$groups" ||
		return
	# systemd does not manage these groups.
	conf=(--cgroup CgroupPlugin=cgroup/v2 --cgroup IgnoreSystemd=yes)
	of_node=$groups/system.slice/${node}_slurmstepd.scope
}

# Print the CPUs of those groups of the job that have their own setting: of the job and
# of each step.
groups_of()
{
	cat "$of_node"/{,uid_*/}job_"$1"/cpuset.cpus "$of_node"/{,uid_*/}job_"$1"/step_*/cpuset.cpus \
		2>/dev/null | grep . | sort | uniq -c | awk '{ printf "%s%s", sep, $2; sep = " " }'
}

has_groups()
{
	[ "$(groups_of "$1")" = "$2" ]
}

# Check that groups, threads and the file agree on the number of processors of a job.
expect_laid()
{
	local list
	expect_count "$1" "$2"
	list=$(told "$1")
	list=${list#* }
	expect_cpus "$1" "$list"
	poll 20 has_groups "$1" "$list" || fail "groups of job $1 have CPUs $(groups_of "$1"), not $list"
}

no_groups()
{
	[ -z "$(find "$of_node" -name 'job_*' 2>/dev/null)" ]
}

test_groups_follow()
{
	local first second
	plugstack
	first=$(submit --adaptive -w "$node" -c 2 --mem 100 -t 5 "($build/tests/cluster/malleable idle 3 &)
		srun --overlap -n1 $build/tests/cluster/malleable idle 2 &
		$build/tests/cluster/malleable idle 4; wait")
	wait_start "$first"
	# bash, srun, and three programs with one thread more than their argument
	poll 20 has_threads "$first" 14 || fail "job $first has $(threads_of "$first") threads"
	expect_laid "$first" 2
	second=$(submit --adaptive -w "$node" -c 2 --mem 100 -t 5 "$build/tests/cluster/malleable idle 2")
	expect_laid "$first" 1
	expect_laid "$second" 1
	[ "$(groups_of "$first")" != "$(groups_of "$second")" ] || fail "both jobs have CPU $(groups_of "$first")"
	scancel "$second"
	expect_laid "$first" 2
	scancel "$first"
	wait_empty
	poll 20 no_groups || fail "groups left over: $(find "$of_node" -name 'job_*')"
	expect_nothing_left
}

# Without cpusets, a process can change its affinity to any CPUs.
test_job_keeps_to_its_cpus()
{
	local first second list
	plugstack
	first=$(submit --adaptive -w "$node" -c 2 --mem 100 -t 5 "until [ -e try ]; do sleep 0.3; done
		taskset -pc 0-1023 \$BASHPID
		sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status >got; sleep 300")
	expect_laid "$first" 2
	second=$(submit --adaptive -w "$node" -c 2 --mem 100 -t 5 'sleep 300')
	expect_laid "$second" 1
	expect_laid "$first" 1
	list=$(told "$first")
	touch "$run/work/try"
	poll 20 test -s "$run/work/got" || fail "the job has no output"
	[ "1 $(cat "$run/work/got")" = "$list" ] || fail "the job uses CPUs $(cat "$run/work/got"), its share is $list"
	scancel "$first" "$second"
	wait_empty
	expect_nothing_left
}

# expect_step JOB OPTIONS...: check that the step's task ran, because srun can succeed
# without starting one.
expect_step()
{
	[ "$(srun --jobid "$1" --overlap -n1 "${@:2}" echo step)" = step ] || fail "no step in job $1"
}

# A step begins before the node was informed of the change. Version 1 does not create a
# group with CPUs that its parent group lacks.
test_step_before_the_node_is_informed()
{
	local first second
	plugstack interval=60
	first=$(submit --adaptive -w "$node" -c 2 --mem 100 -t 5 'sleep 300')
	wait_start "$first"
	expect_count "$first" 2
	second=$(submit --adaptive -w "$node" -c 2 --mem 100 -t 5 'sleep 300')
	wait_start "$second"
	expect_procs "$first" 1
	expect_step "$first"
	scancel "$second"
	expect_procs "$first" 2
	expect_step "$first" -c 2
	scancel "$first"
	wait_empty
	expect_nothing_left
}

[ -e "$build/.libs/spank_lxfw.so" ] || { echo "SKIP: spank_lxfw.so is not built"; exit 77; }
[ "$scheduler" = lxfw ] || { echo "SKIP: sched/$scheduler does not change shares"; exit 77; }
[ "$(id -u)" = 0 ] || { echo "SKIP: control groups require root"; exit 77; }
[ "$(nproc)" -ge 2 ] || { echo "SKIP: two CPUs are required"; exit 77; }
find_v2 || find_v1 || { echo "SKIP: control groups with cpusets cannot be created"; exit 77; }
# shellcheck disable=SC2034
live_policy=$shares_policy
live_main "$@" -- --nodes 1 --prefix "${node%1}" --cpus 2 --memory 4000 \
	--conf TaskPlugin=task/cgroup,task/affinity --conf ProctrackType=proctrack/cgroup \
	--conf PrologFlags=contain \
	--cgroup CgroupMountpoint="$groups" "${conf[@]}" --cgroup ConstrainCores=yes
