#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# job_sort_formula of OpenPBS. The formula that 'lxfw tune --pbs-formula' prints for a policy
# must give the schedule of that policy, as long as the requests do not exceed what a float
# distinguishes. The settings of pbs_sched have their effects, journals replay, and errors
# name the column.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99

{
	echo "; MaxProcs: 4"
	job 1 0 10 2 10
	job 2 5 10 4 10
} > good.swf
if "$lxfw" simulate --pbs-formula ncpus good.swf 2>&1 | grep -q 'were left out'; then
	echo 'policies from files are not built: skipped'
	exit 77
fi
"$lxfw" generate lublin --procs 128 --jobs 2000 --load 0.9 --estimate-factor 3 \
	--out made.swf || fail 'no trace'
"$lxfw" generate ncsa-o2k --month 2000-01 --out memory.swf || fail 'no trace'

# --- the formula of a policy ------------------------------------------------
# The last column is the priority, which only built-in policies report.

# twin KEYS TRACE OPTIONS...
twin()
{
	keys=$1 trace=$2
	shift 2
	"$lxfw" tune --pbs-formula --current "$keys" "$@" > settings 2> err ||
		fail "$keys: $(cat err)"
	formula=$(sed -n "s/^qmgr -c 'set server job_sort_formula = \"\(.*\)\"'\$/\1/p" settings)
	depth=$(sed -n "s/^qmgr -c 'set server backfill_depth = \(.*\)'\$/\1/p" settings)
	grep -q 'strict_ordering: false ALL' settings && depth=none
	"$lxfw" simulate --params "$keys" --jobs-out built-in.csv "$@" "$trace" \
		> /dev/null 2> err || fail "$keys: $(cat err)"
	"$lxfw" simulate --pbs-formula "$formula" --pbs-depth $depth --jobs-out twin.csv \
		"$@" "$trace" > /dev/null 2> err || fail "$formula: $(cat err)"
	[ -s twin.csv ] || fail "$formula: no jobs"
	for table in built-in twin; do
		sed 's/,[^,]*$//' $table.csv > $table
	done
	cmp -s built-in twin ||
		fail "$formula differs from $keys, $* $trace: $(diff built-in twin | head -n 4)"
}

twin lxfw_policy=lxfw made.swf
twin lxfw_policy=lxfw,lxfw_reservations=4 made.swf
twin lxfw_policy=lxfw,lxfw_wx=0.25,lxfw_ww=0 made.swf
twin lxfw_policy=priority made.swf
twin lxfw_policy=easy made.swf
twin lxfw_policy=fcfs made.swf
twin lxfw_policy=list made.swf
twin lxfw_policy=priority,lxfw_wp=0,lxfw_wm=2,lxfw_wpe=0.5 memory.swf --cluster ncsa-o2k

# What of it the formula cannot say is stated.
# tells KEYS TEXT
tells()
{
	"$lxfw" tune --pbs-formula --current "$1" > settings 2> err || fail "$1: $(cat err)"
	grep -q -e "$2" settings || fail "$1: no '$2': $(cat settings)"
}
tells lxfw_policy=lxfw,lxfw_quantum=60 'no immediate service'
tells lxfw_policy=lxfw,lxfw_wbypass=2 'lxfw_wbypass is not possible'
tells lxfw_policy=lxfw,lxfw_wsite=2 'lxfw_wsite is left out'
tells lxfw_policy=conservative 'lxfw_reservations=all is not possible'
tells lxfw_policy=sjf 'Start times that were given are not kept'
tells lxfw_policy=lxfw,lxfw_reservations=3,lxfw_reservation_mode=compress 'lxfw_reservation_mode=compress is not possible'
tells lxfw_policy=lxfw,lxfw_reservation_age=60 'lxfw_reservation_age'
"$lxfw" tune --pbs-formula > settings || fail "the default"
grep -q "^qmgr -c 'set server eligible_time_enable = True'\$" settings ||
	fail "the default: $(cat settings)"

# --- after a search ---------------------------------------------------------
# What the order of a recommended setting is, or that there is none.
"$lxfw" generate lublin --procs 128 --jobs 6000 --load 0.85 --estimate-factor 3 \
	--out long.swf || fail 'no trace'
search="--pbs-formula --settings 20 --round 10 --copies 0 --threads 1 --despite-verdict"
"$lxfw" tune $search --minimize mean_slowdown --keep none long.swf > found 2> err ||
	fail "a search: $(cat err)"
keys=$(sed -n 's/^SchedulerParameters=//p' found)
"$lxfw" tune --pbs-formula --current "$keys" > settings || fail "$keys"
sed '1,/^The order of this setting for pbs_sched/d' found | cmp -s - settings ||
	fail "a search, $keys: $(sed '1,/^The order/d' found)"
"$lxfw" tune $search --minimize max_wait long.swf > found 2> err
[ $? -eq 1 ] && tail -n 1 found | grep -q '^No setting is recommended' ||
	fail "a search without result: $(cat err; tail -n 3 found)"

# --- pbs_sched --------------------------------------------------------------
# Job 1 occupies 2 of 4 processors until 10. Job 2 needs 4, job 3 needs 2 and would delay it.
{
	echo "; MaxProcs: 4"
	job 1 0 10 2 10
	job 2 1 10 4 10
	job 3 2 20 2 20
} > three.swf
# starts WANT OPTIONS...: the starts of the jobs
starts()
{
	want=$1
	shift
	"$lxfw" simulate --jobs-out jobs.csv "$@" three.swf > /dev/null 2> err ||
		fail "$*: $(cat err)"
	got=$(sed 1d jobs.csv | cut -d, -f3 | tr '\n' ' ')
	[ "$got" = "$want " ] || fail "$*: starts at $got, not $want"
}
starts '0 10 20' --pbs-formula eligible_time
starts '0 10 20' --pbs-formula eligible_time --pbs-depth 0
starts '0 22 2' --pbs-formula eligible_time --pbs-depth none
starts '0 22 2' --pbs-formula '-ncpus'
# Values differ by less than a float can say: a tie, by submit time.
starts '0 10 20' --pbs-formula '100000000 + (1 if ncpus < 4 else 0)'
starts '0 22 2' --pbs-formula '(1 if ncpus < 4 else 0)'
# An error of the evaluation is 0.
starts '0 22 2' --pbs-formula '-1 if ncpus == 4 else 1/0'
starts '0 22 2' --pbs-formula 'walltime if ncpus == 2 else 0'

# --- files and journals -----------------------------------------------------
cat > site.formula <<'END'
### PBS INTERNAL FILE DO NOT MODIFY ###
strict_ordering: true
backfill_depth: 2
	eligible_time/walltime + 0.1*queue_priority
END
"$lxfw" simulate --policy-file site.formula --journal j made.swf > table 2> err ||
	fail "a file: $(cat err)"
"$lxfw" replay --policy-file site.formula j > replayed || fail "replay: $(cat replayed)"
printf 'strict_ordering: true\nbackfill_depth: 2\nncpus\n' > same.formula
"$lxfw" simulate --pbs-formula ncpus --pbs-depth 2 --journal j made.swf > table ||
	fail "--pbs-formula with a journal"
"$lxfw" replay --policy-file same.formula j > replayed ||
	fail "the file of --pbs-formula: $(cat replayed)"
"$lxfw" replay --policy-file site.formula j > replayed 2>&1 && fail "another formula replays"

"$lxfw" simulate --pbs-formula 'ncpus + job_priority' --pbs-formula 'fairshare_factor' good.swf \
	> table 2> err || fail "unknown values: $(cat err)"
grep -qx 'lxfw: formula: job_priority is 0 for all jobs, the simulator does not know it' err &&
	grep -qx 'lxfw: formula2: fairshare_factor is 0 .*' err || fail "unknown values: $(cat err)"

# --- misuse and bad input ---------------------------------------------------
# bad MESSAGE COMMAND...
bad()
{
	message=$1
	shift
	"$lxfw" "$@" > out 2> told
	status=$?
	[ $status -eq 2 ] || fail "$*: exit status $status"
	[ "$(sed -n 1p told)" = "$message" ] || fail "$*: message '$(cat told)'"
	[ ! -s out ] || fail "$*: $(cat out)"
}
# wrong TEXT MESSAGE: of a file
wrong()
{
	printf "$1" > wrong.formula
	bad "wrong.formula:$2" simulate --policy-file wrong.formula good.swf
}
bad "--pbs-formula:3: column 3: unknown name 'wall', expected eligible_time, walltime, ncpus, mem, nodect, queue_priority, accrue_type, ngpus, job_priority, fairshare_perc, fair_share_perc, fairshare_tree_usage, fairshare_factor" \
	simulate --pbs-formula '2*wall' good.swf
bad "lxfw simulate: --pbs-depth without --pbs-formula" simulate --pbs-depth 3 good.swf
bad "lxfw simulate: --pbs-depth 'x', expected none, or a number from 0 to 1000000" \
	simulate --pbs-formula ncpus --pbs-depth x good.swf
bad "lxfw tune: --pbs-formula with --format, expected a table" tune --pbs-formula --json
bad "lxfw: --pbs-formula: policy psrs has no formula, expected one that orders jobs by weights, run time or submit time" \
	tune --pbs-formula --current lxfw_policy=psrs
bad "lxfw: --pbs-formula: lxfw_wm: the formula contains the memory per processor of the machine, expected --cluster with memory" \
	tune --pbs-formula --current lxfw_policy=lxfw,lxfw_wm=1
wrong '# none\n' " no formula, expected one such as eligible_time/walltime"
wrong 'ncpus\nmem\n' "2: a second line with a formula, expected one"
wrong 'strict_ordering: yes\nmem\n' "1: strict_ordering: yes, expected true or false"
wrong 'backfill_depth: -1\nmem\n' "1: backfill_depth: -1, expected a number from 0 to 1000000"
wrong 'mem\000\n' " a NUL byte, expected text"
wrong '\n  1 +\n' "2: column 4: the formula ends, expected a number or a name"
finish
