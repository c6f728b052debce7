#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw tune on a case with a known optimum, and its messages for bad input.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99

# One processor. Every day at noon a job of 100 s is submitted, and a second later six
# more, the longest first. All end long before the next noon. No order has a lower mean
# wait than shortest first (Smith 1956): 0, 99, 109, 129, 169, 249, 409, so 1164 / 7.
# The second by which the six jobs are later is subtracted.
{
	echo "; MaxProcs: 1"
	day=0 number=0
	while [ $day -lt 17 ]; do
		for run in 100 320 160 80 40 20 10; do
			number=$((number + 1))
			late=1
			[ $run -ne 100 ] || late=0
			job $number $((day * 86400 + late)) $run 1 $run
		done
		day=$((day + 1))
	done
} > known.swf

# tune STATUS ARGUMENTS...: the output is written to the file `out`
tune()
{
	should=$1
	shift
	"$lxfw" tune "$@" > out 2> err
	is=$?
	[ $is -eq "$should" ] ||
		fail "lxfw tune $*: exit status $is, not $should: $(cat out err)"
}

# value PATH: print a value of the JSON in `out`; PATH is a list of keys
value()
{
	awk -v path="$1" '
		BEGIN { n = split(path, keys, " "); at = 1 }
		index($0, "\"" keys[at] "\":") {
			if (at == n) {
				sub(/.*": */, "")
				sub(/,$/, "")
				gsub(/"/, "")
				print
				exit
			}
			at++
		}' out
}

# All days are equal, so the log itself is sufficient, without copies.
days="--warmup 1d --period 1d --copies 0"
# shellcheck disable=SC2086
tune 0 $days --minimize mean_wait --vary lxfw_quantum=0 --settings 60 known.swf
grep -q '^mean_wait ' out && grep -q '^SchedulerParameters=defer,sched_interval=-1,lxfw_policy=' out ||
	fail "table: $(cat out)"
# shellcheck disable=SC2086
tune 0 $days --minimize mean_wait --vary lxfw_quantum=0 --settings 60 \
	--format json known.swf
[ "$(value 'choices all_blocks mean_wait')" = 166.28571428571428 ] ||
	fail "the best is 1164 / 7: $(cat out)"
[ "$(value 'candidate not_seen mean_wait')" = 166.28571428571428 ] ||
	fail "the best is 1164 / 7 on days not seen: $(cat out)"
# first come first served: 0, 99, 419, 579, 659, 699, 719
[ "$(value 'now all_blocks mean_wait')" = 453.42857142857144 ] ||
	fail "without: $(cat out)"

# fifteen equal days: the probability by chance is 2 to the power of -15
seen="candidate changes_not_seen mean_wait"
[ "$(value "$seen blocks_better")" = 15 ] && [ "$(value "$seen blocks")" = 15 ] &&
	[ "$(value "$seen change_low")" = "$(value "$seen change_high")" ] &&
	[ "$(value "$seen chance_if_not_better")" = 3.0517578125e-05 ] &&
	[ "$(value "$seen verdict")" = better ] ||
	fail "spread: $(cat out)"
# the goal that is kept by default
[ "$(value 'candidate changes_not_seen max_wait verdict')" = kept ] ||
	fail "longest wait: $(cat out)"

# The same with copies of the log, for any number of threads. Perturbed run times of the
# first job delay all others, so no order is as good as on the log itself.
for threads in 1 2; do
	tune 0 --warmup 1d --period 1d --minimize mean_wait --vary lxfw_quantum=0 \
		--settings 60 --threads $threads --format json known.swf
	cp out copies.$threads
done
cmp -s copies.1 copies.2 || fail "copies differ: $(diff copies.1 copies.2)"
[ "$(value copies)" = 8 ] || fail "copies: $(value copies)"
[ "$(value 'choices all_blocks mean_wait')" != 166.28571428571428 ] ||
	fail "copies: as the log itself: $(cat out)"
tune 0 --warmup 1d --period 1d --minimize mean_wait --vary lxfw_quantum=0 \
	--settings 60 --copies 3 known.swf
grep -q 'means over 3 perturbed copies of the log' out || fail "copies 3: $(cat out)"
tune 0 --warmup 1d --period 1d --copies 0 --minimize mean_wait \
	--vary lxfw_quantum=0 --settings 60 --format json known.swf

# The figures are those of simulate with the recommended line.
line=$(value recommended)
whole=$(value 'choices whole mean_wait')
"$lxfw" simulate --warmup 1d --params "$line" --format json known.swf > out 2> err
[ "$(value mean_wait_s)" = "$whole" ] ||
	fail "simulate --params $line: $(value mean_wait_s), tune $whole"

# By default, no job may wait longer than now. Every day short jobs are submitted so
# often that, with shortest first, a long job waits for the last of them.
{
	echo "; MaxProcs: 1"
	day=0 number=0
	while [ $day -lt 17 ]; do
		second=$((day * 86400))
		job $((number + 1)) $second 100 1 100
		# two short jobs before it: the first job of the queue has a reservation
		job $((number + 2)) $((second + 1)) 90 1 90
		job $((number + 3)) $((second + 1)) 90 1 90
		job $((number + 4)) $((second + 2)) 1000 1 1000
		number=$((number + 4)) short=0
		while [ $short -lt 30 ]; do
			number=$((number + 1)) short=$((short + 1))
			job $number $((second + 90 * short)) 90 1 90
		done
		day=$((day + 1))
	done
} > longest.swf
policies="lxfw_policy=sjf/fcfs,lxfw_quantum=0,lxfw_reservations=1"
# shellcheck disable=SC2086
tune 1 $days --minimize mean_slowdown --vary $policies --settings 8 longest.swf
# shellcheck disable=SC2086
tune 0 $days --minimize mean_slowdown --keep none --vary $policies --settings 8 longest.swf

# Five days are inconclusive, even if they are equal. The output says how many would be
# sufficient.
awk '/^;/ || $2 < 6 * 86400' known.swf > few.swf
# shellcheck disable=SC2086
tune 1 $days --minimize mean_wait --vary lxfw_quantum=0 --settings 60 few.swf
grep -q '^No setting is recommended' out && grep -q 'about 2 weeks of log' out ||
	fail "five days: $(cat out)"

# If the site has the best setting, none is recommended.
# shellcheck disable=SC2086
tune 1 $days --minimize mean_wait --vary lxfw_quantum=0 --settings 60 \
	--current lxfw_policy=sjf known.swf
grep -q '^No setting is recommended' out || fail "sjf: $(cat out)"

# A limit that no setting meets.
# shellcheck disable=SC2086
tune 1 $days --minimize mean_wait --limit 'max_wait<=5m' --settings 60 known.swf
grep -q '^None of the settings satisfies the limits' out || fail "limit: $(cat out)"

# --- priorities of the workload manager ---------------------------------------
cat > multifactor.conf <<'END'
ClusterName=one
SelectType=select/cons_tres
SlurmctldHost=one
PriorityType=priority/multifactor
NodeName=n CPUs=128 RealMemory=1000
PartitionName=all Nodes=n Default=YES
END
# The current setting is Slurm's own scheduler. Without slurmdbd only the size of jobs
# counts, and there is one partition.
"$lxfw" generate lublin --procs 128 --jobs 600 --load 0.9 --seed 3 --out model.swf ||
	fail "generate"
site_tune()
{
	"$lxfw" tune --cluster multifactor.conf --shape one-host --despite-verdict --period 1d \
		--copies 0 --show 20 --vary lxfw_reservations=1 "$@" model.swf > out 2> err
	[ $? -lt 2 ] || fail "multifactor: $(cat err)"
	sed -n '/^[A-Zn][a-z ]* lxfw_policy/p' out > lines
}
site_tune --settings 30 --threads 2 --vary lxfw_policy=site
grep -q '^now  *lxfw_policy=slurm$' lines || fail "multifactor: $(cat out)"
grep -q 'PriorityWeightJobSize=' lines || fail "multifactor: no weight was searched: $(cat out)"
grep -qE 'PriorityWeight(Age|Fairshare|Partition|QOS)|Priority(MaxAge|Decay)' lines &&
	fail "multifactor: keys without effect were searched: $(cat out)"
cp out before
site_tune --settings 30 --threads 1 --vary lxfw_policy=site
cmp -s out before || fail "multifactor: another result with one thread"
# The values of a line replace those of the file.
echo 'AccountingStorageType=accounting_storage/slurmdbd' >> multifactor.conf
site_tune --settings 30 --vary PriorityWeightAge=7,PriorityMaxAge=2-0,lxfw_policy=site \
	--vary PriorityWeightFairshare=0,PriorityWeightJobSize=5..50
grep -q '^A .*PriorityWeightAge=7,.*PriorityMaxAge=2-0' lines || fail "--vary: $(cat out err)"
grep -qE 'PriorityWeight(Fairshare|JobSize=[0-9]*\.)' lines && fail "--vary: $(cat out)"
for wrong in PriorityWeightAge=-1 PriorityMaxAge=soon PriorityWeightTRES=1 PriorityFlags=0..2; do
	"$lxfw" tune --cluster multifactor.conf --vary $wrong known.swf > out 2> err
	[ $? -eq 2 ] && [ ! -s out ] && grep -q '^lxfw tune: --vary: Priority' err ||
		fail "--vary $wrong: $(cat out err)"
done
"$lxfw" tune --vary PriorityWeightAge=1 known.swf > out 2> err
[ $? -eq 2 ] || fail "--vary PriorityWeightAge without a slurm.conf: $(cat err)"
"$lxfw" tune --current lxfw_policy=easy --cluster multifactor.conf --despite-verdict \
	--settings 2 known.swf > out 2> err
grep -q Priority out && fail "easy: $(cat out)"

# --- quanta -----------------------------------------------------------------
# Quanta are searched if this is requested, or if the site uses them.
# searched STATUS WHAT ARGUMENTS...: check whether a setting has a quantum, and the
# message
searched()
{
	should=$1 what=$2
	shift 2
	# shellcheck disable=SC2086
	tune "$should" $days --minimize mean_wait --settings 60 "$@" known.swf
	sed -n '/^Cost in/,/^$/d; /^[A-Z]    lxfw_/p' out > lines
	case $what in
	no)	! grep -q lxfw_quantum lines && grep -q '^Quanta of immediate service were not searched' out ;;
	left)	! grep -q lxfw_quantum lines && ! grep -q '[Qq]uanta.* searched' out ;;
	yes)	! grep -q '[Qq]uanta.* searched' out ;;
	site)	grep -q '^The current setting has a quantum, so quanta were searched' out ;;
	esac || fail "lxfw tune $*: $(cat out)"
}
searched 0 no
searched 0 yes --quantum
searched 0 yes --vary lxfw_quantum=60/120
searched 0 left --vary lxfw_quantum=0
searched 0 site --current lxfw_policy=easy,lxfw_quantum=60

# The costs of the site's quantum are those that simulate prints. On each day except the
# first, the first job is suspended for a job that ends after 10 s.
site=lxfw_policy=easy,lxfw_quantum=30,lxfw_quantum_min_run=0
"$lxfw" simulate --warmup 1d --params $site --format json known.swf > out 2> err
preemptions=$(value preemptions) requeues=$(value requeues) lost=$(value lost_hours)
most=$(value most_suspensions) share=$(value most_suspended)
[ "$requeues" -gt 0 ] && [ "$most" -gt 0 ] || fail "simulate: $(cat out)"
# shellcheck disable=SC2086
tune 0 $days --minimize mean_wait --settings 60 --current $site --format json known.swf
[ "$(value 'now whole preemptions') $(value 'now whole requeues') $(value 'now whole lost_hours')" = \
	"$preemptions $requeues $lost" ] &&
	[ "$(value 'now whole most_suspensions') $(value 'now whole most_suspended')" = "$most $share" ] &&
	[ "$(value quanta_searched)" = true ] ||
	fail "costs: $(cat out), not $preemptions $requeues $lost $most $share"
# shellcheck disable=SC2086
tune 0 $days --minimize mean_wait --settings 60 --current $site known.swf
sed -n '/^Cost in/,$s/  */ /gp' out > costs
grep -q "^ suspensions $preemptions " costs && grep -q "^ most suspensions of a job $most " costs &&
	grep -q "^ requeues $requeues " costs && grep -q '^ weighted response (AWRT) ' costs ||
	fail "table of costs: $(cat costs)"
# With this limit, no setting with interruptions is confirmed.
# shellcheck disable=SC2086
tune 0 $days --minimize mean_wait --limit 'most_suspensions<=0,lost_hours<=0' --settings 60 \
	--current $site --format json known.swf
[ "$(value 'choices whole most_suspensions') $(value 'choices whole lost_hours')" = '0 0' ] ||
	fail "limits: $(cat out)"

# The result depends neither on the number of threads nor on reading the file a second
# time.
for threads in 1 3; do
	# shellcheck disable=SC2086
	tune 0 $days --minimize mean_wait,max_wait --settings 150 --seed 7 \
		--threads $threads --format json known.swf
	mv out out.$threads
done
cmp -s out.1 out.3 || fail "threads: $(diff out.1 out.3)"

# --- state ------------------------------------------------------------------
# shellcheck disable=SC2086
search()
{
	"$lxfw" tune $days --minimize mean_wait,max_wait --seed 7 "$@" known.swf
}

search --settings 10 --state s.db > out 2> err
if grep -q 'built without SQLite' err; then
	echo 'without SQLite: state files not looked at'
else
	# a resumed search gives the same result as an uninterrupted one; a finished one
	# is printed at once
	mv out.1 whole
	for settings in 60 150 150; do
		search --settings $settings --state s.db --format json > out 2> err ||
			fail "--state, $settings settings: $(cat err)"
	done
	cmp -s whole out || fail "resumed: $(diff whole out)"

	# also after an interrupt; a script cannot send SIGINT to its background
	# children
	rm -f s.db
	# shellcheck disable=SC2086
	"$lxfw" tune $days --minimize mean_wait,max_wait --seed 7 --settings 100000 \
		--state s.db known.swf > out 2> err &
	background=$!
	while kill -0 $background 2> /dev/null && ! [ -s s.db ]; do
		:
	done
	kill -TERM $background
	wait $background
	is=$?
	[ $is -eq 143 ] || fail "interrupted: exit status $is: $(cat err)"
	grep -q '^lxfw: interrupted after [0-9]* of 100000 settings; run the same command to resume from s.db$' err ||
		fail "interrupted: $(cat err)"
	search --settings 150 --state s.db --format json > out 2> err ||
		fail "after an interrupt: $(cat err)"
	cmp -s whole out || fail "after an interrupt: $(diff whole out)"

	# A signal after the search, which a terminal shows. The search is in the state file.
	if command -v python3 > /dev/null; then
		# shellcheck disable=SC2086
		python3 - "$lxfw" tune $days --minimize mean_wait,max_wait --seed 7 --settings 150 \
			--state s.db --copies 100 --threads 1 known.swf > out 2>&1 << 'END'
import os, pty, signal, sys
child, terminal = pty.fork()
if child == 0:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.execv(sys.argv[1], sys.argv[1:])
text = b''
try:
    while True:
        piece = os.read(terminal, 4096)
        if not piece:
            break
        if b'judging' not in text and b'judging' in text + piece:
            os.kill(child, signal.SIGINT)
        text += piece
except OSError:
    pass
os.write(1, text.replace(b'\r', b'\n'))
END
		grep -q 'lxfw: interrupted .* on the log itself, this setting is the best: lxfw_policy=' out &&
			grep -q '^lxfw: mean_wait: -[0-9]* %$' out && ! grep -q '^verdict' out ||
			fail "interrupted judgement: $(cat out)"
	fi

	# refused STATE REASON ARGUMENTS...
	refused()
	{
		state=$1 reason=$2
		shift 2
		search --settings 20 --state "$state" "$@" > out 2> err
		is=$?
		[ $is -eq 2 ] && [ ! -s out ] || fail "$state: exit status $is: $(cat out)"
		grep -q "^$state: $reason" err || fail "$state: $(cat err)"
	}
	refused s.db 'the state file of another search: goals: ' --limit 'awrt<=9h'
	refused s.db 'the state file of another search: goals: ' --slowdown-threshold 1m
	refused s.db 'the state file of another search: weeks: ' --period 2d
	refused s.db 'the state file of another search: machine: ' --overrun kill
	mv known.swf was.swf
	head -n 100 was.swf > known.swf
	refused s.db 'the state file of another search: trace: '
	mv was.swf known.swf
	# files that are not state files, and damaged ones
	cp known.swf other.swf
	refused other.swf "not a state file of 'lxfw tune', or damaged$"
	{ printf 'SQLite'; tail -c +7 s.db | tr '\000' '\377'; } > bad.db
	refused bad.db "not a state file of 'lxfw tune', or damaged$"
	head -c 5000 s.db > bad.db
	refused bad.db 'damaged '
	LC_ALL=C sed 's/166\.2857/966.2857/' s.db > bad.db
	refused bad.db 'damaged (setting '
	cp s.db bad.db
	printf '\000\000\000\007' | dd of=bad.db bs=1 seek=60 conv=notrunc 2> err
	refused bad.db 'state file version 7, expected 2$'
	cp s.db bad.db
	printf 'abcd' | dd of=bad.db bs=1 seek=68 conv=notrunc 2> err
	refused bad.db "an SQLite file of another program, expected a state file of 'lxfw tune'\$"
	# control characters from the file are not printed on the terminal
	LC_ALL=C sed "s/max_wait/m$(printf '\033')[x_wai/g" s.db > bad.db
	refused bad.db 'the state file of another search: goals: .*m?\[x_wai'
	[ -z "$(LC_ALL=C tr -d ' -~\n' < err)" ] || fail "raw bytes: $(od -c err)"
	refused none/s.db 'unable to open database file$'
	# the file is not modified
	[ "$(wc -c < known.swf)" -gt 3000 ] || fail "known.swf was written to"
fi

# --- bad input --------------------------------------------------------------
# expect MESSAGE ARGUMENTS...
expect()
{
	message=$1
	shift
	"$lxfw" tune "$@" > out 2> err
	is=$?
	[ $is -eq 2 ] || fail "lxfw tune $*: exit status $is, not 2"
	[ ! -s out ] || fail "lxfw tune $*: $(cat out)"
	[ "$(head -n 1 err)" = "$message" ] ||
		fail "lxfw tune $*: message '$(head -n 1 err)', not '$message'"
}

measures="mean_wait, median_wait, p95_wait, max_wait, mean_response, mean_slowdown, mean_bounded_slowdown, awrt, preemptions, requeues, lost_hours, most_suspensions, most_suspended"
expect "lxfw tune: 0 files given, expected one TRACE"
expect "lxfw tune: --minimize: no measure 'p59_wait', expected one of $measures" --minimize p59_wait known.swf
expect "lxfw tune: --limit: max_wait<=-1h, expected a number of seconds, or a number with the suffix s, m, h or d" --limit 'max_wait<=-1h' known.swf
expect "lxfw tune: --limit: mean_slowdown<=0.9 is impossible: the value is never below 1" --limit 'mean_slowdown<=0.9' known.swf
expect "lxfw tune: --vary: lxfw_wp=2000000: expected a number from 0 to 1000000 with at most 15 digits" --vary lxfw_wp=0..2000000 known.swf
expect "lxfw tune: --vary: lxfw_shadow=on: it changes no decision" --vary lxfw_shadow=on/off known.swf
expect "lxfw tune: --current: lxfw_wx: not applicable, policy fcfs has no weights" --current lxfw_policy=fcfs,lxfw_wx=1 known.swf
expect "lxfw: known.swf: 2 periods of 7 days after a warm-up of 2 days, expected 4 or more: a longer log, or a shorter --period" --period 7d known.swf
expect "lxfw: known.swf: 3 periods of 5 days after a warm-up of 2 days, expected 6 or more: a longer log, or a shorter --period" --period 5d --folds 6 known.swf
expect "lxfw tune: --margin '-1', expected a percentage from 0 to 100" --margin -1 known.swf
expect "lxfw tune: --margin 'nan', expected a percentage from 0 to 100" --margin nan known.swf
expect "lxfw tune: --folds '1', expected a whole number from 2 to 16" --folds 1 known.swf
expect "lxfw tune: --keep: max_wait twice" --keep max_wait,max_wait --minimize p95_wait known.swf
expect "lxfw: known.swf: no job is in the class of 'mean_wait:65-256'" --keep mean_wait:65-256 known.swf
expect "lxfw: known.swf: no job is in the class of 'p95_wait:big-memory'" --minimize p95_wait:big-memory known.swf
expect "lxfw tune: --period '0', expected a day or more" --period 0 known.swf
expect "lxfw tune: --period '23h', expected a day or more" --period 23h known.swf
expect "lxfw tune: --settings '1', expected a whole number from 2 to 100000" --settings 1 known.swf
expect "none.swf: No such file or directory" none.swf

finish
