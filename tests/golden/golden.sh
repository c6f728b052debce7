# SPDX-License-Identifier: GPL-2.0-or-later
# Functions shared by the scripts of this directory, which read this file with '.'.
#
# The scripts run lxfw of this build in a separate directory and count failures.

top_builddir=${LXFW_TOP_BUILDDIR:-.}
top_srcdir=${LXFW_TOP_SRCDIR:-.}
lxfw=$(cd "$top_builddir" && pwd)/lxfw	# absolute: many scripts change the directory
golden=$top_srcdir/tests/golden
failures=0

work=$(mktemp -d "${TMPDIR:-/tmp}/lxfw-golden-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

fail()
{
	echo "FAIL: $*" >&2
	failures=$((failures + 1))
}

# finish: set the exit status of the script
finish()
{
	if [ "$failures" -gt 0 ]; then
		echo "$failures failed" >&2
		exit 1
	fi
	exit 0
}

# random_cases FEW MANY: print the number of random cases: LXFW_CASES if it is set,
# otherwise FEW, or MANY if LXFW_SEED is set, as by `make check-random`. FEW keeps `make
# check` short.
random_cases()
{
	if [ -n "${LXFW_CASES-}" ]; then
		echo "$LXFW_CASES"
	elif [ -n "${LXFW_SEED-}" ]; then
		echo "$2"
	else
		echo "$1"
	fi
}

# job NUMBER SUBMIT RUN PROCS LIMIT [KB-PER-PROC [USED-KB-PER-PROC]]: print a line of a
# trace
job()
{
	echo "$1 $2 -1 $3 $4 -1 ${7:--1} $4 $5 ${6:--1} 1 1 1 1 1 1 -1 -1"
}

# Columns that schedule prints for each job: START and END, HOSTS; \5 and \6 are
# preemptions and requeues. The following eight columns are left out.
shows='\1 \2 \3 \4'

# schedule WHAT TRACE OPTIONS...: simulate TRACE. Standard input has the expected lines,
# "JOB START END HOSTS" for each job, or as in $shows.
schedule()
{
	what=$1 trace=$2
	shift 2
	if ! "$lxfw" simulate --jobs-out "$work/jobs.csv" "$@" "$work/$trace" \
	     > "$work/report" 2> "$work/messages"; then
		fail "$what: exit status $?"
		cat "$work/messages" >&2
		return
	fi
	tail -n +2 "$work/jobs.csv" |
		sed -E 's/(,[^,]*){8}$//; s/^([^,]*),[^,]*,([^,]*),([^,]*),[^,]*,[^,]*,[^,]*,[^,]*,("[^"]*"|[^,]*),(.*),(.*)/'"$shows/" |
		tr -d '"' > "$work/is"
	sed 's/[[:space:]]*#.*//' > "$work/should"
	diff -u "$work/should" "$work/is" > "$work/diff" ||
		fail "$what: $(cat "$work/diff")"
}

# agrees WHAT TRACE OPTIONS...: as schedule, and the journal must replay
agrees()
{
	what=$1
	schedule "$@" --journal "$work/journal"
	"$lxfw" replay "$work/journal" > "$work/replay" 2>&1 ||
		fail "$what: $(cat "$work/replay")"
}
