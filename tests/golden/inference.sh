#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw compare on logs with known disturbances: it infers nothing if nothing happened,
# finds the outages that happened, and makes no claim if users have ranks.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/measured.sh"

# value KEY: print a value of the inferred part of the JSON
value()
{
	sed -n '/"inferred": /,/^  }/p' "$work/json" |
		sed -n "s/^ *\"$1\": \([^,]*\),*/\1/p" | head -n 1
}

# infers WHAT LOG OPTIONS...
infers()
{
	what=$1
	shift
	"$lxfw" compare --json --infer ${infer:-all} --shake 2 --start-overhead 0 "$@" > "$work/json" 2> "$work/messages" ||
		fail "$what: exit status $?: $(cat "$work/messages")"
}

# nothing WHAT: nothing was inferred
nothing()
{
	[ "$(value without_mean_wait_s)" = "$(value with_mean_wait_s)" ] &&
		[ "$(value held_jobs) $(value limited_jobs)" = "0 0" ] &&
		! grep -q '"known_s"\|"in_use"' "$work/json" ||
		fail "$1: found $(sed -n '/"inferred"/,/^  }/p' "$work/json" | head -n 40)"
}

# --- logs of this simulator -------------------------------------------------
"$lxfw" generate lublin --seed 6 --jobs 2000 --procs 64 --load 0.9 --estimate-factor 3 \
	--out "$work/base.swf" || fail generate
for policy in fcfs easy priority lxfw sjf; do
	"$lxfw" simulate --policy $policy --jobs-out "$work/jobs.csv" "$work/base.swf" \
		> "$work/out" 2>&1 || fail "simulate $policy"
	awk -F, 'NR == FNR { if (FNR > 1) wait[FNR - 1] = $5; next }
		/^;/ { print; next }
		{ n++; split($0, f, " "); f[3] = wait[n]
		  for (i = 1; i <= 18; i++) printf "%s%s", f[i], i < 18 ? " " : "\n" }' \
		"$work/jobs.csv" "$work/base.swf" > "$work/$policy.swf"
	infers "$policy" --policy $policy "$work/$policy.swf"
	nothing "$policy"
done

# Jobs whose starts take 5 to 60 s did not overtake one another and were not held.
awk '/^;/ { print; next }
	{ n++; delay = 5 + n * 7919 % 56
	  if ($4 > 120) { $3 += delay; $4 -= delay }
	  print }' "$work/easy.swf" > "$work/delayed.swf"
infers delayed "$work/delayed.swf"
[ "$(value other_order)" = false ] || fail 'delayed: another order was inferred'
nothing delayed

# A stop that becomes visible only at the end of the job before it. In the simulation
# that job ends sooner, because it has no system overhead. The stop counts nevertheless.
{
	echo '; MaxProcs: 4'
	# jobs that show that none from before the log holds processors any more
	seq 1 196 | awk '{ print $1, 2000 * $1, 0, 1000, 4, -1, -1, 4, 2000, -1, 1, 1 + $1 % 4, 1, -1, 1, -1, -1, -1 }'
	echo "201 500000 40 1000 4 -1 -1 4 2000 -1 1 1 1 -1 1 -1 -1 -1"
	echo "202 500100 19900 100 4 -1 -1 4 2000 -1 1 2 1 -1 1 -1 -1 -1"
	echo "203 503000 17100 100 4 -1 -1 4 2000 -1 1 3 1 -1 1 -1 -1 -1"
	echo "204 506000 14200 100 4 -1 -1 4 2000 -1 1 4 1 -1 1 -1 -1 -1"
} > "$work/sooner.swf"
infers sooner "$work/sooner.swf"
# 4 of 200 jobs wait, 12800 s on average
[ "$(value with_mean_wait_s)" = 256 ] ||
	fail "sooner: $(value without_mean_wait_s), $(value with_mean_wait_s), not 256"

# --- outages given by the administrator -------------------------------------
printf '# two hours\n24h 26h\n\n30h 31h 16\n' > "$work/outages"
infers given --infer none --outages "$work/outages" "$work/easy.swf"
grep -A 5 '"outages"' "$work/json" | tr -d ' \n' | grep -q '"procs":0' || fail "given: whole"
grep -q '"procs": 48' "$work/json" || fail "given: a part"
[ "$(grep -c '"given": true' "$work/json")" -eq 2 ] || fail "given: not two"
printf '%s\n' 'SchedulerType=sched/backfill' 'NodeName=n[1-4] CPUs=2' > "$work/slurm.conf"
cat > "$work/sacct" <<'END'
JobID|Submit|Start|End|NCPUS|Timelimit|Partition|User|Group|State
1|2025-02-01T00:00:00|2025-02-01T00:00:00|2025-02-01T00:10:00|3|00:10|long|ann|phys|COMPLETED
2|2025-02-01T00:01:00|2025-02-01T00:20:00|2025-02-01T00:30:00|8|01:00|long|bob|chem|COMPLETED
END
cat > "$work/events" <<'END'
Cluster|NodeName|TimeStart|TimeEnd|State|Reason|User
c||2025-01-01T00:00:00|Unknown||Cluster Registered TRES|
c|n[2-3]|2025-02-01T00:05:00|2025-02-01T00:20:00|DOWN*|Not responding|slurm
c|old|2025-02-01T00:05:00|2025-02-01T00:20:00|DOWN*|Not responding|slurm
END
infers events --infer none --cluster "$work/slurm.conf" --outages "$work/events" "$work/sacct"
[ "$(value without_mean_wait_s) $(value with_mean_wait_s)" = "270 570" ] ||
	fail "events: $(value without_mean_wait_s) $(value with_mean_wait_s)"
grep -q '1 records left out: their nodes are not in the cluster' "$work/messages" ||
	fail "events: $(cat "$work/messages")"
# No event is a good answer, and so is none of a node: nothing is known of outages, so
# that they are inferred as without the file.
for lines in 1 2; do
	head -n $lines "$work/events" > "$work/quiet"
	infer=none infers "no event" --cluster "$work/slurm.conf" --outages "$work/quiet" "$work/sacct"
	grep -q 'quiet: no outages recorded' "$work/messages" || fail "no event: $(cat "$work/messages")"
	nothing "no event"
	"$lxfw" simulate --cluster "$work/slurm.conf" --outages "$work/quiet" "$work/sacct" \
		> "$work/out" 2> "$work/messages" || fail "simulate, no event: $(cat "$work/messages")"
done

# bad input
refuse()
{
	"$lxfw" compare --outages "$work/bad" "$work/easy.swf" > "$work/out" 2> "$work/messages"
	[ $? -eq 2 ] || fail "$1: exit status is not 2"
	grep -qF -e "$1" "$work/messages" || fail "$1: $(cat "$work/messages")"
	[ ! -s "$work/out" ] || fail "$1: a result was printed"
}
echo '24h' > "$work/bad"
refuse "bad:1: too few words, expected FROM TO"
printf '\n26h 24h\n' > "$work/bad"
refuse "bad:2: it ends before it begins"
echo '24h 26h nowhere[1-2]' > "$work/bad"
refuse "bad:1: host 'nowhere1', expected one of the --cluster"
echo '24h noon' > "$work/bad"
refuse "bad:1: time 'noon'"
echo 'Cluster|TimeStart|TimeEnd' > "$work/bad"
refuse "bad:1: expected the columns NodeName"
echo '# nothing' > "$work/bad"
refuse "no outage in it"
"$lxfw" compare --infer some "$work/easy.swf" > "$work/out" 2> "$work/messages"
grep -q "expected all, none, or some of outages,holds,limits" "$work/messages" ||
	fail "--infer some: $(cat "$work/messages")"

# --- logs of another scheduler, with known outages --------------------------
if ! command -v python3 > "$work/out"; then
	echo "python3 is not installed: known outages are not tested" >&2
	finish
fi
"$lxfw" generate lublin --seed 2 --jobs 1500 --procs 128 --load 0.8 --estimate-factor 3 \
	--out "$work/base.swf" || fail generate
for scenario in none part stops kills order; do
	truth=$(python3 "$top_srcdir/tests/bench/easy.py" $scenario 2 "$work/base.swf" \
		"$work/log.swf") || fail "easy.py $scenario"
	infers $scenario "$work/log.swf"
	case $scenario in
	none)
		nothing none
		;;
	order)
		nothing order
		[ "$(value other_order)" = true ] || fail "order: not reported"
		;;
	*)
		echo "$truth $(value with_mean_wait_s)" | awk '
			{ effect = $1 - $2; left = $NF - $1
			  exit !(left * left < 0.01 * effect * effect && effect != 0) }' ||
			fail "$scenario: $truth, simulated $(value with_mean_wait_s)"
		;;
	esac
done

# Holds of single jobs are not outages and do not hide outages. The same is true of
# random late starts.
infer=outages
for scenario in holds begins chains limits holds+part; do
	for late in 0 600; do
		python3 "$top_srcdir/tests/bench/easy.py" $scenario 2 "$work/base.swf" \
			"$work/log.swf" 0 $late > "$work/out" || fail "easy.py $scenario"
		infers "$scenario $late" "$work/log.swf"
		outages=$(grep -c '"in_use"' "$work/json")
		case $scenario in
		*part)
			grep -q '"procs": 96' "$work/json" ||
				fail "$scenario $late: $outages outages, none of 32"
			;;
		*)
			[ "$outages" -eq 0 ] || fail "$scenario $late: $outages outages"
			;;
		esac
	done
done

# Other subcommands that simulate the log use the same outages and report them.
python3 "$top_srcdir/tests/bench/easy.py" stops 2 "$work/base.swf" "$work/log.swf" \
	> "$work/out" || fail 'easy.py stops'
infers elsewhere "$work/log.swf"
for from in '--infer outages' "--outages $work/log.swf.outages"; do
	"$lxfw" simulate --policy easy $from "$work/log.swf" > "$work/out" 2> "$work/messages" ||
		fail "simulate $from: $(cat "$work/messages")"
	[ "$(sed -n 's/^mean wait *\([0-9]*\).*/\1/p' "$work/out")" = \
		"$(value with_mean_wait_s | cut -d. -f1)" ] ||
		fail "simulate $from: $(cat "$work/out"), not $(value with_mean_wait_s)"
	grep -q 'outages (--infer .*): 2, ' "$work/messages" ||
		fail "simulate $from: $(cat "$work/messages")"
done
"$lxfw" simulate --policy easy "$work/log.swf" 2> "$work/messages" |
	grep -q "^mean wait *$(value without_mean_wait_s | cut -d. -f1)" ||
	fail 'simulate: uses outages by default'
[ ! -s "$work/messages" ] || fail "simulate: message $(cat "$work/messages")"
"$lxfw" tune --settings 3 --copies 1 "$work/log.swf" > "$work/out" 2> "$work/messages"
grep -q 'outages (--infer outages): 2, ' "$work/messages" ||
	fail "tune: $(cat "$work/messages")"
! grep -q 'simulated mean wait' "$work/out" || fail "tune: $(head -n 4 "$work/out")"
"$lxfw" tune --infer none --settings 3 --copies 1 "$work/log.swf" > "$work/out" 2> "$work/messages"
! grep -q outages "$work/messages" || fail "tune --infer none: $(cat "$work/messages")"
cat "$work/out" "$work/messages" | grep -q 'simulated mean wait is .* % shorter' ||
	fail "tune --infer none: $(head -n 4 "$work/out")"
# A log without measured waits: recorded outages are simulated, none is inferred, and there
# is nothing to compare.
"$lxfw" generate lublin --seed 6 --jobs 2000 --procs 64 --load 0.8 --out "$work/plain.swf" ||
	fail generate
printf '24h 48h\n' > "$work/day"
"$lxfw" simulate --format csv "$work/plain.swf" > "$work/without" 2> "$work/messages" ||
	fail "plain: $(cat "$work/messages")"
"$lxfw" simulate --format csv --outages "$work/day" "$work/plain.swf" > "$work/out" 2> "$work/messages" ||
	fail "plain: $(cat "$work/messages")"
grep -q 'outages (--infer none, --outages): 1, 24.0h in total, 64 processors' "$work/messages" ||
	fail "plain: $(cat "$work/messages")"
[ "$(tail -n 1 "$work/out" | cut -d, -f4 | cut -d. -f1)" -gt \
	"$(tail -n 1 "$work/without" | cut -d, -f4 | cut -d. -f1)" ] ||
	fail "plain: waits no longer than without the outage: $(cat "$work/out" "$work/without")"
"$lxfw" simulate --format csv --infer outages "$work/plain.swf" > "$work/out" 2> "$work/messages"
grep -q 'no outages inferred: the log contains no measured waits' "$work/messages" &&
	cmp -s "$work/out" "$work/without" || fail "plain, --infer: $(cat "$work/messages")"
"$lxfw" tune --settings 3 --copies 1 --outages "$work/day" "$work/plain.swf" > "$work/out" 2> "$work/messages"
grep -q 'outages (--infer none, --outages): 1, 24.0h' "$work/messages" &&
	grep -q '^verdict: none$' "$work/out" || fail "plain, tune: $(cat "$work/messages")"
"$lxfw" compare --outages "$work/day" "$work/plain.swf" > "$work/out" 2> "$work/messages"
[ $? -eq 2 ] && grep -q 'the log contains no measured waits' "$work/messages" ||
	fail "plain, compare: $(cat "$work/messages")"
"$lxfw" simulate --infer holds "$work/log.swf" > "$work/out" 2> "$work/messages"
[ $? -eq 2 ] || fail 'simulate --infer holds: exit status is not 2'
grep -q "infer 'holds', expected" "$work/messages" ||
	fail "simulate --infer holds: $(cat "$work/messages")"


# --- a part of a longer log --------------------------------------------------
# Jobs that were submitted before the part hold processors at its beginning. That is no
# outage.
for seed in 1 3 9; do
	"$lxfw" generate lublin --seed $seed --jobs 3000 --procs 64 --load 0.85 --estimate-factor 3 \
		--out "$work/lublin.swf" || fail generate
	measured "$work/lublin.swf" --policy easy || fail "part: simulate: $(cat "$work/messages")"
	middle=$(awk '!/^;/ { submit[n++] = $2 } END { print submit[int(n / 2)] }' "$work/measured.swf")
	awk -v from="$middle" '/^;/ || $2 >= from' "$work/measured.swf" > "$work/part.swf"
	"$lxfw" compare --shake 0 --json "$work/part.swf" > "$work/json" 2> "$work/messages" ||
		fail "part: $(cat "$work/messages")"
	! grep -q '"in_use"' "$work/json" || fail "part, seed $seed: $(grep -A6 '"outages"' "$work/json")"
	grep -q '"beginning_unclear": true' "$work/json" || fail "part, seed $seed: nothing is said"
done
# --- hosts that may have been away ---------------------------------------------
# rack AWAY HELD: compare a site with hosts, and keep the lines for --outages
rack()
{
	python3 "$golden/rack.py" ${seed:-1} "$work" "$1" "$2" || exit 99
	"$lxfw" compare --shake 0 --policy easy --cluster "$work/rack.cluster" "$work/rack.sacct" \
		> "$work/out" 2> "$work/messages" || fail "rack: $(cat "$work/messages")"
	sed -n '/^possible outages/,$ s/^    \(2026-.* n\)/\1/p' "$work/out" > "$work/lines"
}
for seed in 1 2; do
	# four hosts are away from the 7th to the 21st, and jobs run on until they end
	rack 1 0
	grep -qE '^2026-03-0[67]T[0-9:]* 2026-03-21T00:00 n\[4-7\]$' "$work/lines" && [ $(wc -l < "$work/lines") = 1 ] ||
		fail "rack, seed $seed: $(sed -n '/^cannot tell out/,/^by/p' "$work/out")"
	"$lxfw" compare --json --shake 0 --policy easy --cluster "$work/rack.cluster" --outages "$work/lines" "$work/rack.sacct" \
		> "$work/json" 2> "$work/messages" || fail "rack, outages: $(cat "$work/messages")"
	grep -q '"possible_outages": \[$' "$work/json" && fail "rack, outages: still possible"
	[ "$(value procs)" = 96 ] || fail "rack, outages: $(sed -n '/"outages"/,/]/p' "$work/json")"
	# jobs that are held, or kept waiting by a reservation, are no evidence
	for held in 0 0.2; do
		rack 0 $held
		[ ! -s "$work/lines" ] || fail "rack, seed $seed, held $held: $(cat "$work/lines")"
	done
done
finish
