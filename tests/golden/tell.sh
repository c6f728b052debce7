#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# `lxfw predict --tell` with programs in place of squeue and scontrol: which comments are
# written, in which order and how many, and what happens if the programs fail.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

# Twenty jobs of the whole machine, of which five wait at the present.
now=$(date +%s)
i=1
while [ $i -le 20 ]; do
	job $i $((now - 5000 + i)) 300 4 1000
	i=$((i + 1))
done > "$work/log.swf"
"$lxfw" simulate --cluster procs=4 --policy fcfs --journal "$work/whole" "$work/log.swf" \
	> "$work/out" 2>&1 || fail "simulate: $(cat "$work/out")"
"$lxfw" journal "$work/whole" > "$work/text"
for size in $(seq 2000 20 3000); do
	head -c "$size" "$work/whole" > "$work/journal"
	"$lxfw" predict --format csv --journal "$work/journal" > "$work/out" 2> "$work/messages"
	[ "$(grep -c ',expected_start,' "$work/out")" != 5 ] || break
done
[ "$(grep -c ',expected_start,' "$work/out")" = 5 ] || fail "no journal with five jobs"

mkdir "$work/bin"
cat > "$work/bin/squeue" << 'END'
#!/bin/sh
[ "$SLURM_BITSTR_LEN" = 0 ] || exit 9
[ ! -e "$work/no-squeue" ] || { echo 'slurm_load_jobs error: Unable to contact'; exit 1; }
cat "$work/jobs"
END
cat > "$work/bin/scontrol" << 'END'
#!/bin/sh
printf '%s|%s|%s|%s\n' "$1" "$2" "$3" "$#" >> "$work/updates"
[ ! -e "$work/no-scontrol" ] || { echo 'scontrol: error: Access/permission denied'; exit 1; }
END
chmod +x "$work/bin/squeue" "$work/bin/scontrol"
PATH=$work/bin:$PATH
export PATH work

# tell EXIT OPTIONS...
tell()
{
	should=$1 status=0
	shift
	rm -f "$work/updates"
	: > "$work/updates"
	"$lxfw" predict --tell --journal "$work/journal" "$@" > "$work/out" 2> "$work/messages" ||
		status=$?
	[ $status = "$should" ] || fail "tell $*: exit status $status: $(cat "$work/messages")"
}

# updates: standard input has the jobs that were updated, in order
updates()
{
	sed 's/^update|jobid=\([^|]*\)|admincomment=\(lxfw: expected start\|\).*|3$/\1 \2/' \
		"$work/updates" > "$work/is"
	diff -u - "$work/is" > "$work/diff" || fail "updates: $(cat "$work/diff")"
}

# The jobs of the journal are 16 to 20, and start in this order.
cat > "$work/jobs" << 'END'
PENDING|20|20||
PENDING|19|19|(null)|
PENDING|18|18|ask Ann|
PENDING|17|17||
PENDING|16|16||
PENDING|40|40|lxfw: expected start 2026-11-26T05:00, 50 % later to later, 90 % later to later, forecast of 2026-11-26T04:00|
PENDING|41|41|lxfw: expected start 2026-11-26T05:00, 50 % later to later, 90 % later to later, forecast of 2026-11-26T04:00!|
PENDING|42|42||
END
tell 0
updates << 'END'
16 lxfw: expected start
17 lxfw: expected start
19 lxfw: expected start
20 lxfw: expected start
40 
END
grep -q '^5 forecasts: 4 comments written, 0 left for the next round, 1 good enough, 1 removed, 0 refused; 2 jobs have comments of others, 0 do not wait any more$' \
	"$work/out" || fail "summary: $(cat "$work/out")"

# Those first that start first; the others later.
tell 0 --most 2
updates << 'END'
16 lxfw: expected start
17 lxfw: expected start
END
grep -q '2 comments written, 3 left for the next round' "$work/out" || fail "$(cat "$work/out")"

# One job. The old text of another one stays.
tell 0 19
updates << 'END'
19 lxfw: expected start
END

# What was written is good enough.
tell 0 --most 1
sed 's/^.*jobid=\([0-9]*\)|admincomment=\(.*\)|3$/PENDING|\1|\1|\2|/' "$work/updates" > "$work/one"
cat "$work/one" > "$work/jobs"
tell 0
[ ! -s "$work/updates" ] || fail "rewritten: $(cat "$work/updates" "$work/jobs")"
grep -q '^5 forecasts: .* 4 do not wait any more$' "$work/out" || fail "$(cat "$work/out")"
# Another expected start: a day ago.
sed 's/start [0-9-]*T/start 2001-01-01T/' "$work/one" > "$work/jobs"
tell 0
[ "$(wc -l < "$work/updates")" = 1 ] || fail "not rewritten: $(cat "$work/jobs")"

# Three refusals end a round.
for id in 16 17 18 19 20; do
	echo "PENDING|$id|$id||"
done > "$work/jobs"
: > "$work/no-scontrol"
tell 2
[ "$(wc -l < "$work/updates")" = 3 ] || fail "refused: $(cat "$work/updates")"
grep -q 'scontrol: failed: scontrol: error: Access/permission denied' "$work/messages" ||
	fail "refused: $(cat "$work/messages")"
: > "$work/no-squeue"
tell 2
grep -q 'squeue: failed: slurm_load_jobs error' "$work/messages" ||
	fail "no squeue: $(cat "$work/messages")"
[ ! -s "$work/updates" ] || fail "without squeue: $(cat "$work/updates")"
rm "$work/no-squeue" "$work/no-scontrol"

# Rounds follow at the interval; a failed first one ends the command.
tell 2 --every 60 --journal "$work/absent"
"$lxfw" predict --tell --every 60 --journal "$work/journal" > "$work/out" 2>&1 &
teller=$!
i=0
until grep -q '^5 forecasts: 5 comments written' "$work/out" || [ $i = 300 ]; do
	sleep 0.1
	i=$((i + 1))
done
kill -0 $teller 2> "$work/messages" || fail "--every ended: $(cat "$work/out")"
kill $teller
wait $teller 2> /dev/null
[ "$(grep -c forecasts "$work/out")" = 1 ] || fail "two rounds: $(cat "$work/out")"

finish
