#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Long queues, with programs in place of scontrol and squeue: the first starts are predicted, and
# those of a job that is named in its own time. An answer that is interrupted leaves nothing.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

. "$top_srcdir/tests/golden/played.sh"

now=$(date +%s)
for partition in p q; do
	played_node n$partition 8 $partition
	played_partition $partition n$partition
done
played_job RUNNING 1 8 1:00:00 "$now" "$((now + 3600))" np
played_job RUNNING 2 8 1:00:00 "$now" "$((now + 3600))" nq anna 1 2 q
played_job PENDING 3 4 1:00:00 N/A N/A '' anna 1 '3_[1-3000%2]' p 8
played_job PENDING 4 8 1:00:00 N/A N/A '' anna 1 4 q 7
played_job PENDING 5 8 1:00:00 N/A N/A '' anna 1 5 q 6

"$lxfw" queue 4 > out 2> err || fail "queue 4: $(cat err)"
! grep -q 'starts are predicted' err || fail "queue 4: $(cat err)"
grep -q ' 4 wait' out || grep -q ' 3002 wait' out || fail "queue 4: $(cat out)"
grep -qE '^ *3001 4 ' out && ! grep -q later out || fail "queue 4: $(cat out)"
"$lxfw" queue > out 2> err || fail "queue: $(cat err)"
grep -qE '^lxfw: Slurm: 3002 jobs wait, and the first [0-9]+ starts are predicted: .later. is after these$' err ||
	fail "queue: $(cat err)"
for name in 4 5 3_1 3_20; do
	grep -qE "^ *[0-9]+ $name " out && ! grep -qE "^ *[0-9]+ $name .* later" out ||
		fail "$name: $(grep -E "^ *[0-9]+ $name " out)"
done
grep -qE "^ *3000 3_3000 .* later" out || fail "the last task: $(grep 3_3000 out)"

# Jobs of one or two nodes and of different limits: one that is far behind, and a request, are predicted with fewer
# reservations than the first ones.
: > job
: > node
: > partition
for number in $(seq 16); do
	played_node "n$number" 8
	played_job RUNNING "$number" 8 1:00:00 "$now" "$((now + 3600))" "n$number"
done
played_partition p 'n[1-16]'
for number in $(seq 101 3100); do
	nodes=$((number % 4 / 3 + 1))
	played_job PENDING "$number" "$((nodes * 8))" "$((number % 23 + 1)):$((number % 59)):00" N/A N/A '' \
		anna "$nodes" "$number" p "$((9000 - number))"
done
reservations()
{
	"$lxfw" predict "$@" > out 2> err || fail "predict $*: $(cat err)"
	sed -n 's/^lxfw: Slurm: of 3000 waiting jobs on 16 hosts, the first \([0-9]*\) have reservations .*/\1/p' err
}
first=$(reservations)
[ "$first" -gt 10 ] || fail "$first reservations for the first ones"
for arguments in 2900 '--request=-n16 -t10'; do
	[ "$(reservations "$arguments")" = 10 ] || fail "$arguments: $(cat err)"
done
"$lxfw" why 2900 > out 2> err || fail "why: $(cat err)"
grep -q '^Job 2900 has waited' out || fail "why: $(cat out)"

# Its file is there while sacct is asked.
cat > bin/sacct <<'END'
#!/bin/sh
ls tmp/lxfw.*/slurm > left
echo > asks
read -r line < answer
END
mkfifo asks answer
for signal in INT TERM XCPU; do
	env --default-signal=INT "$lxfw" predict 2900 > out 2> err &
	pid=$!
	read -r line < asks
	[ -s left ] || fail "$signal: there is no file"
	kill -s "$signal" "$pid"
	wait "$pid"
	status=$?
	[ "$status" -gt 128 ] || fail "$signal: status $status: $(cat err)"
	echo > answer
	[ -z "$(ls tmp)" ] || fail "$signal leaves $(ls tmp/*)"
done

finish
