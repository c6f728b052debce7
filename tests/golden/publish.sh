#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# `lxfw predict --publish` and what reads it: `lxfw queue`, and `lxfw predict` without a journal.
# Programs in place of squeue and scontrol count how often the controller is asked.
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
for size in $(seq 2000 20 3000); do
	head -c "$size" "$work/whole" > "$work/journal"
	"$lxfw" predict --format csv --journal "$work/journal" > "$work/out" 2> "$work/messages"
	[ "$(grep -c ',expected_start,' "$work/out")" != 5 ] || break
done
[ "$(grep -c ',expected_start,' "$work/out")" = 5 ] || fail "no journal with five jobs"

mkdir "$work/bin"
cat > "$work/bin/squeue" << 'END'
#!/bin/sh
echo squeue >> "$work/asked"
[ -z "$SLURM_CLUSTERS$SQUEUE_PARTITION" ] || exit 9
[ "$SLURM_TIME_FORMAT" = %s ] || exit 9
[ ! -e "$work/silent" ] || { echo 'slurm_load_jobs error: Unable to contact'; exit 1; }
case $* in
*--user=*)	user=$(printf '%s\n' "$*" | sed 's/.*--user=\([^ ]*\).*/\1/')
		sed -n "s/^[^|]*|\([^|]*\)|$user|\([^|,]*\)[^|]*|\(.*\)$/\1|$user|\2|PENDING|1000|\34|Resources|/p" "$work/jobs" ;;
*)		cat "$work/jobs" ;;
esac
END
cat > "$work/bin/scontrol" << 'END'
#!/bin/sh
echo scontrol >> "$work/asked"
[ -z "$SLURM_CLUSTERS$SCONTROL_ALL" ] || exit 9
[ ! -e "$work/silent" ] || { echo 'slurm_load_partitions error'; exit 1; }
case $* in
*config*)	printf 'ClusterName             = alps\nSelectTypeParameters    = CR_CORE\n'; cat "$work/private" ;;
*)		echo 'PartitionName=p AllowGroups=ALL Default=YES DefaultTime=NONE MaxTime=UNLIMITED Nodes=ALL State=UP Hidden=NO' ;;
esac
END
chmod +x "$work/bin/squeue" "$work/bin/scontrol"
: > "$work/private"
PATH=$work/bin:$PATH LXFW_SITE=$work/site
# The cluster of this machine is asked, for all that it has.
SLURM_CLUSTERS=foo SQUEUE_PARTITION=q SCONTROL_ALL=1
export PATH work LXFW_SITE SLURM_CLUSTERS SQUEUE_PARTITION SCONTROL_ALL
cat > "$work/jobs" << END
16|16|anna|p,q|$((now + 100))|
17|17|bob|p|N/A|
18|18|anna|p|$((now + 900))|
19|19|evil$(printf '\033')[2J|p|N/A|
20|20|anna|p|N/A|
15|15|bob|p|$((now - 100))|
END

# run EXIT COMMAND...
run()
{
	should=$1 status=0
	shift
	: > "$work/asked"
	"$lxfw" "$@" > "$work/out" 2> "$work/messages" || status=$?
	[ $status = "$should" ] || fail "$*: exit status $status: $(cat "$work/messages")"
}

# publish: a round, with two moments of the past
publish()
{
	run 0 predict --journal "$work/journal" --publish "$work/site" --moments 2 "$@"
}

# asked COUNT: the controller got this number of questions
asked()
{
	[ "$(wc -l < "$work/asked")" = "$1" ] || fail "asked: $(xargs < "$work/asked")"
}

# --- what is written ------------------------------------------------------------------

run 2 predict --journal "$work/journal" --publish "$work/site"
mkdir "$work/site"
mask=$(umask)
umask 077
publish
umask "$mask"
asked 3
[ "$(ls "$work/site" | xargs)" = 'index.html owners predictions.db queue.json starts' ] ||
	fail "files: $(ls "$work/site")"
for file in index.html owners queue.json starts; do
	[ "$(stat -c %a "$work/site/$file")" = 644 ] || fail "$file: mode"
done
[ "$(stat -c %a "$work/site/predictions.db")" = 600 ] || fail "predictions.db: mode"
! grep -q 'anna\|bob' "$work/site/queue.json" "$work/site/index.html" ||
	fail "users are published"
grep -q '"cluster":"alps"' "$work/site/queue.json" || fail "no cluster"
until=$(sed -n 's/.*"outdated_after":\([0-9]*\).*/\1/p' "$work/site/queue.json")
[ "$until" -gt "$now" ] && head -n 1 "$work/site/starts" | grep -q "^lxfw-starts 1 [0-9]* $until " ||
	fail "until $until: $(head -n 1 "$work/site/starts")"
grep -q '<td>16</td>' "$work/site/index.html" || fail "no job on the page"
! grep -qi '<script' "$work/site/index.html" || fail "a script"

# A second round knows the predictions of the first one.
publish --users
grep -q '"user":"anna"' "$work/site/queue.json" || fail "no users"
! grep -q "$(printf '\033')" "$work/site/queue.json" "$work/site/index.html" ||
	fail "an escape character"

# --- what reads it ----------------------------------------------------------------------

run 0 queue
asked 0
grep -q '^alps, .*: 4 processors, 1 jobs run, 5 wait, 0 are not predicted$' "$work/out" ||
	fail "queue: $(cat "$work/out")"
grep -q '^   1 16 *anna *p *4 *16.7m ' "$work/out" || fail "queue: $(cat "$work/out")"
[ "$(grep -c '^ *[1-5] ' "$work/out")" = 5 ] || fail "queue: $(cat "$work/out")"
run 0 queue --user bob --running
asked 0
[ "$(grep -c ' bob ' "$work/out")" = 2 ] && grep -q 'runs, until about ' "$work/out" ||
	fail "queue --user: $(cat "$work/out")"
run 0 queue 18
[ "$(grep -c ' anna ' "$work/out")" = 1 ] || fail "queue 18: $(cat "$work/out")"
run 1 queue 18 77
grep -q 'job 77 is not in the queue' "$work/messages" || fail "$(cat "$work/messages")"
run 0 queue --format csv 18
grep -q ',1,position,3,$' "$work/out" || fail "queue --format csv: $(cat "$work/out")"
run 0 predict
asked 0
[ "$(grep -c '^1[6-9] \|^20 ' "$work/out")" = 5 ] || fail "predict: $(cat "$work/out")"
run 0 predict --json 17
asked 0
[ "$(grep -c '"job"' "$work/out")" = 1 ] && grep -q '"expected_start"' "$work/out" ||
	fail "predict --json: $(cat "$work/out")"

run 0 status
asked 0
grep -q '^of the jobs that wait, the first is expected to start ' "$work/out" &&
	[ "$(wc -l < "$work/out")" -le 3 ] || fail "status: $(cat "$work/out")"

# Users are in a file of their own, if Slurm shows all users the jobs of others.
publish
run 0 queue --user bob
asked 0
[ "$(grep -c ' bob ' "$work/out")" = 1 ] || fail "queue --user: $(cat "$work/out")"
! grep -q ' anna ' "$work/out" || fail "queue --user: $(cat "$work/out")"
# A file of another round, or that is damaged, is not used: squeue is asked once.
cp "$work/site/owners" "$work/owners"
sed -i '1s/1 /1 9/' "$work/site/owners"
run 0 queue --user bob
asked 1
head -n 3 "$work/owners" > "$work/site/owners"
run 0 queue --user bob
asked 1
echo 'PrivateData             = accounts,jobs,usage' > "$work/private"
publish
[ ! -e "$work/site/owners" ] || fail "PrivateData: $(ls "$work/site")"
run 0 queue --user bob
asked 1
[ "$(grep -c ' bob ' "$work/out")" = 1 ] || fail "queue --user: $(cat "$work/out")"
run 0 queue --user nobody-else
grep -q 'no jobs of nobody-else' "$work/messages" || fail "queue nobody-else: $(cat "$work/messages" "$work/out")"
# A number is that of a user, as for squeue.
run 0 queue --user 0
grep -q 'no jobs of root' "$work/messages" || fail "queue --user 0: $(cat "$work/messages" "$work/out")"
for name in 3999999999 bob,anna ''; do
	run 2 queue --user "$name"
	grep -q 'expected the name of' "$work/messages" || fail "queue --user '$name': $(cat "$work/messages")"
done
# If it does not answer, all jobs are shown, and none in a form for programs.
touch "$work/silent"
run 1 queue --user bob
asked 1
grep -q 'which jobs are those of bob is not known: squeue: failed: slurm_load_jobs' "$work/messages" &&
	! grep -q 'no jobs of' "$work/messages" || fail "unknown users: $(cat "$work/messages")"
[ "$(grep -c '^ *[1-5] ' "$work/out")" = 5 ] || fail "unknown users: $(cat "$work/out")"
run 1 queue --user bob --format csv
! grep -q position "$work/out" || fail "unknown users: $(cat "$work/out")"
rm "$work/silent"
run 0 queue 15
grep -q 'runs, until about ' "$work/out" || fail "queue 15: $(cat "$work/out")"
run 1 predict 15
grep -q 'job 15 runs' "$work/messages" || fail "predict 15: $(cat "$work/messages")"

# --- when something is wrong ------------------------------------------------------------

# A publication that is not renewed is printed with its age if Slurm does not answer.
touch "$work/silent"
sed -i "s/\"outdated_after\":[0-9]*/\"outdated_after\":$((now - 10))/" "$work/site/queue.json"
run 0 queue
asked 1
grep -q 'this is outdated' "$work/out" || fail "outdated: $(cat "$work/out")"
grep -q 'the queue of Slurm or PBS cannot be read: scontrol: failed: .*; this is the queue as it was published [0-9.]*[sm] ago, which is outdated$' \
	"$work/messages" || fail "outdated: $(cat "$work/messages")"
run 1 queue --user bob
asked 1
grep -q 'which jobs are those of bob is not known: users are not published, and Slurm does not answer$' "$work/messages" ||
	fail "outdated, users: $(cat "$work/messages")"
run 0 predict 17
grep -q 'does not answer: this is its state of [0-9.]*[smh] ago$' "$work/messages" ||
	fail "predict, outdated: $(cat "$work/messages")"
grep -q '^17 ' "$work/out" || fail "predict, outdated: $(cat "$work/out")"
run 0 predict
run 2 predict 99
sed -i "s/\"heard\":0/\"heard\":$((now - 7200))/" "$work/site/queue.json"
run 0 queue
grep -q "'lxfw watch' does not run, and has not seen the workload manager for 2.0h" "$work/out" ||
	fail "no watch: $(cat "$work/out")"
sed -i 's/"manager_answers":true/"manager_answers":false/' "$work/site/queue.json"
run 0 queue
grep -q 'the workload manager has not answered for 2.0h' "$work/out" ||
	fail "silent: $(cat "$work/out")"

# A round without Slurm publishes what the journal has, and what only Slurm knows as in the round before.
: > "$work/private"
rm "$work/silent"
publish
touch "$work/silent"
publish
grep -q 'partitions are not known' "$work/messages" || fail "$(cat "$work/messages")"
grep -q '"cluster":"alps"' "$work/site/queue.json" || fail "no cluster: $(cat "$work/site/queue.json")"
run 0 queue --user bob
asked 0
grep -q '^ *2 17 *bob *p ' "$work/out" && ! grep -q ' anna ' "$work/out" || fail "bob, silent: $(cat "$work/out")"
# In the round after it, too.
publish
run 0 queue --user anna
asked 0
grep -q '^ *1 16 *anna *p ' "$work/out" || fail "anna, silent: $(cat "$work/out")"
rm "$work/site/queue.json"
publish
! grep -q '"partition"' "$work/site/queue.json" || fail "partitions"
[ ! -e "$work/site/owners" ] || fail "owners without a round before: $(cat "$work/site/owners")"

# SQLite would wait for a FIFO in place of its files.
for suffix in journal wal shm; do
	mkfifo "$work/site/predictions.db-$suffix"
	rm -f "$work/site/queue.json"
	timeout 60 "$lxfw" predict --journal "$work/journal" --publish "$work/site" --moments 0 \
		> "$work/out" 2> "$work/messages" || fail "a FIFO for $suffix: exit status $?"
	grep -q "predictions.db-$suffix: not a regular file; nothing is learned" "$work/messages" ||
		fail "a FIFO for $suffix: $(cat "$work/messages")"
	[ -e "$work/site/queue.json" ] || fail "a FIFO for $suffix: $(ls "$work/site")"
	rm "$work/site/predictions.db-$suffix"
done

# Damaged files, and files of others.
head -c 500 "$work/site/queue.json" > "$work/part" && mv "$work/part" "$work/site/queue.json"
run 2 queue --site "$work/site"
grep -q 'queue.json: damaged or truncated' "$work/messages" || fail "$(cat "$work/messages")"
# The first round of --watch must succeed.
timeout 20 "$lxfw" queue --watch --site "$work/site" > "$work/out" 2> "$work/messages"
[ $? = 2 ] || fail "queue --watch: $(cat "$work/messages")"
run 2 queue
rm "$work/site/queue.json" && mkfifo "$work/site/queue.json"
run 2 queue --site "$work/site"
grep -q 'not a regular file' "$work/messages" || fail "$(cat "$work/messages")"
rm "$work/site/queue.json"
head -c 5000 "$work/site/predictions.db" > "$work/part" &&
	cat "$work/part" > "$work/site/predictions.db"
publish
grep -q 'predictions.db: .*nothing is learned from what was published' "$work/messages" ||
	fail "half a data base: $(cat "$work/messages")"
[ -e "$work/site/queue.json" ] || fail "half a data base: $(ls "$work/site")"
rm -f "$work/site/queue.json"
echo 'not a data base, nor anything that is like one' > "$work/site/predictions.db"
publish
grep -q 'predictions.db: damaged, or not a file' "$work/messages" || fail "$(cat "$work/messages")"
[ -e "$work/site/queue.json" ] || fail "files: $(ls "$work/site")"

# --- options ----------------------------------------------------------------------------

run 2 predict --publish "$work/site"
run 2 predict --journal "$work/journal" --publish ''
run 2 predict --journal "$work/journal" --publish "$work/site" 17
run 2 predict --journal "$work/journal" --users
run 2 queue --site a --journal b
run 2 queue --watch --json
run 2 status --json
run 2 queue abc

finish
