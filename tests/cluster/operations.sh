# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Carries out lists of operations.py on private clusters: for `operations` and `watch-days`,
# which set top, build, cluster, trace, hours, speed and name (their own, in messages and for the
# folder of a failed run). tests/pbs/watch-days, which has a PBS, replaces the functions that call
# Slurm: use_clock, stop_machine, start_job, list_jobs and operate, and sets logs.

# shellcheck disable=SC2154
folder= workers=()
# What is kept of a failed run.
logs=(submitted jobs operations.log 'journal*' moments log/backup.out 'log/slurmctld*')
PATH=$PATH:/usr/sbin:/sbin
LXFW_SLURM_PREFIX=${LXFW_SLURM_PREFIX-$(sed -n 's/^SLURM_PREFIX = *//p' "$build/Makefile" 2>/dev/null)}
export LXFW_SLURM_PREFIX

skip()
{
	echo "SKIP: $*"
	exit 77
}

die()
{
	echo "$name: $*" >&2
	exit 2
}

# What every list needs.
operations_need()
{
	type -P faketime >/dev/null || skip 'faketime is not installed'
	type -P python3 >/dev/null || skip 'python3 is not installed'
	[ -r "$trace" ] || skip "no ${trace##*/} beside the source tree"
}

operations_need_slurm()
{
	operations_need
	# slurmd computes the time of the boot from the fast clock and the uptime, which is not
	# fast. It must be earlier than the last response of a node, which can be 2,100 fast
	# seconds old; otherwise Slurm takes the node for rebooted, and requeues its jobs.
	[ "$(cut -d. -f1 /proc/uptime)" -ge 2700 ] ||
		skip 'the machine has been up for less than 45 minutes'
}

# operations_folder LETTERS: make a folder for the clusters, which are stopped at the end.
operations_folder()
{
	folder=$(mktemp -d "${TMPDIR:-/tmp}/lxfw-$1.XXXXXX") || exit 2
	trap cleanup EXIT
	trap 'exit 130' INT TERM HUP
}

cleanup()
{
	local status=$? each
	trap '' INT TERM HUP
	[ ${#workers[@]} = 0 ] || kill "${workers[@]}" 2>/dev/null
	for each in "$folder"/*/; do
		stop_machine "${each%/}"
	done
	[ "$status" = 0 ] || [ -z "$folder" ] || keep
	[ -z "$folder" ] || rm -rf "$folder"
	exit "$status"
}

# What is needed to find the cause of a failure.
keep()
{
	local each log
	rm -rf "$build/$name-failed"
	mkdir "$build/$name-failed" && cp "$folder/list" "$build/$name-failed"
	for each in "$folder"/*/; do
		each=${each%/}
		mkdir "$build/$name-failed/${each##*/}"
		for log in "${logs[@]}"; do
			# shellcheck disable=SC2086
			cp -r "$each"/$log "$build/$name-failed/${each##*/}" 2>/dev/null
		done
	done
	echo "$name: the logs are in $build/$name-failed" >&2
}

# start_machine RUN OPTION...: the machine of the lists
start_machine()
{
	"$cluster" start "$1" --owner $$ --speed "$speed" --nodes 8 --cpus 16 "${@:2}" \
		--conf MinJobAge=10000000 --conf OverTimeLimit=UNLIMITED --conf Licenses=matlab:8 \
		--conf PriorityType=priority/multifactor --conf PriorityWeightAge=1000 \
		--conf PriorityMaxAge=1-0 --conf PriorityWeightJobSize=500 \
		--conf PriorityWeightPartition=1000 \
		--partition 'p Nodes=ALL Default=YES MaxTime=INFINITE State=UP' \
		--partition 'express Nodes=ALL MaxTime=60 PriorityJobFactor=2 State=UP'
}

stop_machine()
{
	[ ! -e "$1/cluster.conf" ] || "$cluster" stop "$1"
}

# use_clock RUN: this shell has the clock and the configuration of the cluster.
use_clock()
{
	eval "$("$cluster" env "$1")"
}

# A command under the real clock.
really()
{
	env -u LD_PRELOAD -u FAKETIME -u FAKETIME_SHARED "$@"
}

# submit NUMBER AFTER SECONDS OPTION...: job NUMBER of the list, which begins after job AFTER of
# it, unless that is 0
submit()
{
	local number=$1 after=$2 seconds=$3 tries id
	shift 3
	[ "$after" = 0 ] || set -- "$@" "--dependency=afterany:$(job_of "$after")"
	# A command under this clock soon gives up, and no controller may answer for a while.
	for ((tries = 0; tries < 60; tries++)); do
		if id=$(start_job "$seconds" "$@" 2>>"$run/operations.log"); then
			echo "$number $id" >>"$run/submitted"
			return
		fi
		really sleep 1
	done
	die "${run##*/}: job $number cannot be submitted"
}

# start_job SECONDS OPTION...: submit a job with options of sbatch; print its number
start_job()
{
	sbatch --parsable -D "$run/work" -o /dev/null "${@:2}" --wrap "exec sleep $1"
}

# Print the jobs, as operations.py reads them.
list_jobs()
{
	scontrol -o show job
}

job_of()
{
	awk -v number="$1" '$1 == number { print $2 }' "$run/submitted"
}

# A request to the controller, which may be refused: the job may have ended.
request()
{
	"$@" >>"$run/operations.log" 2>&1
	return 0
}

# The operations of users, and those of an admin while the controller runs.
operate()
{
	case $1 in
	submit)		submit "${@:2}" ;;
	cancel)		request scancel "$(job_of "$2")" ;;
	hold)		request scontrol hold "$(job_of "$2")" ;;
	release)	request scontrol release "$(job_of "$2")" ;;
	limit)		request scontrol update "jobid=$(job_of "$2")" "timelimit=$3" ;;
	drain)		request scontrol update "nodename=$2" state=drain reason=test ;;
	resume)		request scontrol update "nodename=$2" state=resume ;;
	reserve)	request scontrol create reservation starttime="$(date -d "@$((begin + $2))" +%FT%T)" \
				"duration=$3" "nodes=$4" users=root flags=maint,ignore_jobs ;;
	reconfigure)	request scontrol reconfigure ;;
	*)		operate_controller "$@" ;;
	esac
}

operate_controller()
{
	die "operation $1"
}

# Carry out the list on one cluster. Runs in a subshell, by the fast clock.
live()
{
	local run=$1 begin at words wait
	use_clock "$run"
	begin=$(date +%s)
	: >"$run/submitted"
	echo "$begin" >"$run/begin.new" && mv "$run/begin.new" "$run/begin"
	while read -r at words; do
		wait=$((begin + at - $(date +%s)))
		[ "$wait" -le 0 ] || sleep "$wait"
		echo "$at $(($(date +%s) - begin)): $words" >>"$run/operations.log"
		# shellcheck disable=SC2086
		operate $words
	done <"$folder/list"
	wait=$((begin + hours * 3600 - $(date +%s)))
	[ "$wait" -le 0 ] || sleep "$wait"
	list_jobs >"$run/jobs"
	[ -s "$run/jobs" ] || die "${run##*/}: no answer at the end"
}

# Wait for the runs that have been started, whose processes are in workers.
await_runs()
{
	local worker status=0
	for worker in "${workers[@]}"; do
		wait "$worker" || status=1
	done
	workers=()
	[ "$status" = 0 ] || die "not all runs have ended"
}
