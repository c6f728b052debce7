# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Common part of demo and demo-adaptive, which are the two parts of ./bootstrap --demo.
# Sourced after `set -u`; the caller has set `part`, its name.

top=${LXFW_TOP_SRCDIR:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
build=${LXFW_TOP_BUILDDIR:-$top}
cluster=$top/tests/cluster/cluster
run=		# folder of the private cluster
submitter=	# process that submits the jobs
out=		# temporary files

# The longest time without progress of any job, s. A loaded machine delays everything, but
# some job starts, ends or logs its work within this time.
patience=${LXFW_DEMO_PATIENCE:-120}

# The demo cannot run here.
die()
{
	echo "$part: $*" >&2
	exit 2
}

# The scheduler did not do what it should.
fail()
{
	echo "$part: failed: $*" >&2
	exit 1
}

heading()
{
	printf '\n== %s\n' "$*"
}

# Print a path as the caller of the demo can use it in a command.
shown()
{
	printf '%q' "${1#"$PWD"/}"
}

# Add a line to the summary. ./bootstrap --demo prints it after the last part.
summary()
{
	echo "demo: $*" >>"${LXFW_DEMO_SUMMARY:-$out/summary}"
}

# Keep the logs of a failed run. The next run of this part replaces them.
keep_logs()
{
	local kept=$build/failed-logs/$part
	mkdir -p "$kept" || return
	cp -r "$run/log" "$run/etc" "$kept" 2>/dev/null
	cp "$run"/journal* "$kept" 2>/dev/null
	echo "$part: the logs of the daemons are in $kept/log" >&2
}

cleanup()
{
	local status=$?
	trap '' INT TERM HUP
	[ -z "$submitter" ] || kill "$submitter" 2>/dev/null
	if [ "$status" = 1 ] || [ "$status" = 2 ]; then
		[ ! -d "$run/log" ] || keep_logs
	fi
	[ ! -e "$run/cluster.conf" ] || "$cluster" remove "$run"
	rm -rf "$run" "$out"
	exit "$status"
}

prepare()
{
	trap cleanup EXIT
	trap 'echo; echo "$part: stopped, cleaning up" >&2; exit 130' INT TERM HUP
	[ -e "$build/.libs/sched_lxfw.so" ] || die "$build: sched_lxfw.so is not built"
	rm -rf "$build/failed-logs/$part"
	out=$(mktemp -d "${TMPDIR:-/tmp}/lxfw-demo.XXXXXX") || exit 2
}

# start_cluster PARAMS OPTION...: start a cluster that only sched/lxfw starts jobs on.
start_cluster()
{
	local params=$1
	shift
	run=$(mktemp -d "${TMPDIR:-/tmp}/lxfw-demo.XXXXXX") || exit 2
	"$cluster" start "$run" --owner $$ --scheduler lxfw --plugins "$build/.libs" \
		--conf MessageTimeout=100 \
		--params "defer,sched_interval=-1,$params,lxfw_journal=$run/journal" "$@" ||
		die 'the cluster did not start'
	eval "$("$cluster" env "$run")"
}

stop_controller()
{
	"$cluster" stop-ctld "$run" || fail 'the controller does not end'
}

remove_cluster()
{
	"$cluster" remove "$run"
	run=
}

controller_runs()
{
	"$cluster" runs "$run" slurmctld
}

# wait_for_jobs COUNT SHOW: wait until COUNT jobs have completed, and call SHOW with a
# file that has the state, name, processors and nodes of each job. There is no limit as
# long as the jobs change or write to their logs.
wait_for_jobs()
{
	local count=$1 show=$2 table=$out/jobs now last='' changed=$SECONDS wrong
	while :; do
		controller_runs || fail 'slurmctld has ended'
		[ ! -e "$run/refused" ] || fail "sbatch refused $(xargs <"$run/refused")"
		if squeue -h -t all -o '%t %j %C %N' >"$table.new" 2>"$out/squeue"; then
			mv "$table.new" "$table"
			"$show" "$table"
			wrong=$(awk '$1 !~ /^(PD|CF|R|S|CG|CD)$/ { printf " %s (%s)", $2, $1 }' "$table")
			[ -z "$wrong" ] || fail "jobs ended otherwise than completed:$wrong"
			[ "$(grep -c '^CD' "$table")" -lt "$count" ] || break
			now=$(sort "$table"; cat "$run"/work/log.* 2>/dev/null | wc -c)
			[ "$now" = "$last" ] || changed=$SECONDS
			last=$now
		fi
		((SECONDS - changed < patience)) || {
			cat "$out/squeue" >&2
			fail "no job has made progress for $patience s: $(awk '$1 != "CD" { print $2, $1 }' "$table" | xargs)"
		}
		sleep 0.5
	done
	[ ! -t 1 ] || echo
}

# replay_journal JOURNAL: print how many decisions the library repeats.
replay_journal()
{
	"$build/lxfw" replay "$1" >"$out/replay" || {
		cat "$out/replay"
		fail 'the library decides otherwise than the cluster'
	}
	cat "$out/replay"
}
