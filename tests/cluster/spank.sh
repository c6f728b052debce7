# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Functions shared by the live tests of the node side; sourced after live.sh. Jobs run
# on $node.

node=${node-n1}

# plugstack [ARGUMENT ...]: set the arguments of the plugin for jobs submitted from now
# on.
plugstack()
{
	echo "required spank_lxfw.so folder=$run/lxfw interval=1 $*" >"$run/etc/plugstack.conf"
	mkdir -p "$run/shares"
}

# share JOB 'PROCESSORS CORES': set the share of the job, if plugstack has share_from.
share()
{
	echo "$2" >"$run/shares/$1.new"
	mv "$run/shares/$1.new" "$run/shares/$1"
}

told()
{
	cat "$run/lxfw/$node.$1/cpus" 2>/dev/null
}

has_count_and_cpus()
{
	[ "$(told "$1")" = "$2" ]
}

expect_count_and_cpus()
{
	poll 60 has_count_and_cpus "$1" "$2" || fail "job $1 has '$(told "$1")', not '$2'"
}

# Print the processes of the job, independently of their parents.
pids_of()
{
	grep -lzx "SLURM_JOB_ID=$1" /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3 |
	while read -r pid; do
		! grep -qzxF "SLURM_CONF=$run/etc/slurm.conf" "/proc/$pid/environ" 2>/dev/null ||
			echo "$pid"
	done
}

# Print the CPUs that threads of a job may use: each list, and the number of threads
# that have it.
cpus_of()
{
	local pid
	for pid in $(pids_of "$1"); do
		sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' "/proc/$pid"/task/*/status 2>/dev/null
	done | sort | uniq -c | awk '{ printf "%s%s", sep, $2; sep = " " }'
}

has_cpus()
{
	[ "$(cpus_of "$1")" = "$2" ]
}

expect_cpus()
{
	poll 60 has_cpus "$1" "$2" || fail "threads of job $1 have CPUs $(cpus_of "$1"), not $2"
}

threads_of()
{
	local pid
	for pid in $(pids_of "$1"); do
		ls "/proc/$pid/task" 2>/dev/null
	done | wc -l
}

has_threads()
{
	(($(threads_of "$1") >= $2))
}

is_gone()
{
	[ ! -e "$run/lxfw/$node.$1" ]
}

no_steps()
{
	! "$cluster" processes "$run" | grep -q '[s]lurmstepd: \['
}

expect_nothing_left()
{
	poll 60 no_steps || fail "slurmstepd left over: $("$cluster" processes "$run" | grep slurmstepd)"
	[ -z "$(ls -A "$run/lxfw")" ] || fail "left over: $(ls -A "$run/lxfw")"
}

logged_on_node()
{
	grep -qE "$1" "$run/log/slurmd.$node"
}

has_count()
{
	[[ $(told "$1") = "$2 "* ]]
}

expect_count()
{
	poll 60 has_count "$1" "$2" || fail "job $1 has '$(told "$1")', not $2 processors"
}
