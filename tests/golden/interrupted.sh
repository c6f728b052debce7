#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Schedules with jobs that are suspended, requeued and resized, computed by hand. A row
# of a chart is one processor, or several that always run the same job. Time increases
# to the right; '.' is idle. Each journal is replayed and must give the same decisions.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

# JOB START END PREEMPTIONS REQUEUES
shows='\1 \2 \3 \5 \6'

quantum=lxfw_quantum=10,lxfw_quantum_min_run=20

# --- a quantum with preemption ----------------------------------------------
# 4 processors, two rows of 2.
#
#      0         30 35        55   65              115     145
#   2  1111111111222111111111133333331111111111111113333333
#   2  1111111111...1111111111.......111111111111111.......
#
# Job 2 ends within its quantum. Job 3 is submitted at 40, when 1 has run for only 5 s
# without interruption. It is served at 55, does not end within its quantum, and waits
# for the end of 1, which has 50 s left at 65.
{
	job 1 0 100 4 100
	job 2 30 5 2 50
	job 3 40 30 2 30
} > "$work/preempt.swf"

agrees "preempted and requeued" preempt.swf \
	--cluster procs=4 --params $quantum <<END
1 0 115 2 0
2 30 35 0 0
3 115 145 0 1
END
grep -q '^preemptions  *2$' "$work/report" &&
	grep -q '^requeues  *1$' "$work/report" ||
	fail "totals: $(cat "$work/report")"
# costs: 10 s on 2 processors; 15 of the 115 s of job 1
grep -q '^work lost by requeues  *0.006 processor-h$' "$work/report" &&
	grep -q '^most suspensions of a job  *2$' "$work/report" &&
	grep -q '^most of its time suspended  *0.130$' "$work/report" ||
	fail "costs: $(cat "$work/report")"
# waits are 15, 0 and 75 s: response time minus run time
grep -q '^mean wait  *30.000 s$' "$work/report" ||
	fail "waits: $(cat "$work/report")"
# (100 * 4 + 5 * 2 + 30 * 2) / (145 * 4): lost work does not count
grep -q '^utilization  *0.810$' "$work/report" ||
	fail "utilization: $(cat "$work/report")"

# Job 3 keeps the work of its quantum, and job 1 its memory, which no job requests:
#
#      0         30 35        55   65              115  135
#   2  1111111111222111111111133333331111111111111113333
#   2  1111111111...1111111111.......111111111111111....
agrees "preempted and suspended" preempt.swf \
	--cluster procs=4 --params $quantum,lxfw_quantum_end=suspend <<END
1 0 115 2 0
2 30 35 0 0
3 55 135 1 0
END

# --- as soon as processors are free -----------------------------------------
# 4 processors. Job 2 needs all and has a reservation at 100. Job 3 is too long to be
# backfilled, but the idle processor can serve its quantum.
#
#      0   10  20  30                100         150     165
#   3  1111111111111111111111111111112222222222222.......
#   1  ........3333..................22222222222223333333
{
	job 1 0 100 3 100
	job 2 10 50 4 50
	job 3 20 15 1 200
} > "$work/soon.swf"

agrees "served soon" soon.swf --cluster procs=4 \
	--params $quantum,lxfw_quantum_mode=soon <<END
1 0 100 0 0
2 100 150 0 0
3 150 165 0 1
END
agrees "served soon, work kept" soon.swf --cluster procs=4 \
	--params $quantum,lxfw_quantum_mode=soon,lxfw_quantum_end=suspend <<END
1 0 100 0 0
2 100 150 0 0
3 20 155 1 0
END

# --- the end of a quantum and of its job ------------------------------------
# Job 2 needs exactly its quantum. It has ended, even if a decision is made between the
# end of 3 and its own end, both at 40.
#
#      0      15    30   40                    110
#   2  1111111111111222221111111111111111111111
#   2  ......33333333333333....................
{
	job 1 0 100 2 100
	job 3 15 25 2 25
	job 2 30 10 2 50
} > "$work/same.swf"

for pass in timestamp event; do
	agrees "ends with its quantum, a pass per $pass" same.swf \
		--cluster procs=4 --pass $pass --params $quantum <<-END
	1 0 110 1 0
	3 15 40 0 0
	2 30 40 0 0
	END
done

# --- memory in a quantum ----------------------------------------------------
# Job 1 has 1 GB of 4 GB. Jobs 2 and 3 request 2 GB and get 1 GB for their quanta. Job 2
# uses no more and ends. Job 3 uses 2 MB more and does not end, though it needs only 5
# s.
#
#      0         30 35       60   70           115 120
#   2  11111111112221111111113333331111111111113333
#   2  1111111111...111111111......111111111111....
echo 'n0 procs=4 memory=4G' > "$work/n0.txt"
{
	job 1 0 100 4 100 262144
	job 2 30 5 2 50 1048576 524288
	job 3 60 5 2 50 1048576 525312
} > "$work/memory.swf"

agrees "more memory than the quantum's" memory.swf \
	--cluster "$work/n0.txt" --params $quantum,lxfw_quantum_mem=1024 <<END
1 0 115 2 0
2 30 35 0 0
3 115 120 0 1
END
# without memory, the size does not matter
agrees "without memory" memory.swf \
	--cluster procs=4 --params $quantum,lxfw_quantum_mem=1024 <<END
1 0 110 2 0
2 30 35 0 0
3 60 65 0 0
END

# --- equal shares -----------------------------------------------------------
# 8 processors, rows of 4. From 20 on each job has half. Job 2 has 400 processor-seconds
# of work, and job 1 has 240 more.
#
#      0    20                       120     150
#   4  1111122222222222222222222222222111111
#   4  1111111111111111111111111111111111111
{
	job 1 0 100 8 100
	job 2 20 50 8 50
} > "$work/equal.swf"

agrees "equal shares" equal.swf --cluster procs=8 --policy eqspatial \
	--params lxfw_eq_min_interval=0 <<END
1 0 150 0 0
2 20 120 0 0
END
# the processors of 2 stay idle until 220, and 1 ends before
agrees "not repartitioned too often" equal.swf --cluster procs=8 \
	--policy eqspatial --params lxfw_eq_min_interval=200 <<END
1 0 180 0 0
2 20 120 0 0
END
# S(4) / S(8) = 1.6 / 1.777... = 0.9: job 2 takes 55.6 s. Job 1 has done 20 + 50.4 s of
# 100 when 2 ends, rounded up to 76.
agrees "speedup on half of the processors" equal.swf --cluster procs=8 \
	--policy eqspatial --params lxfw_eq_min_interval=0 \
	--speedup amdahl:0.5 <<END
1 0 106 0 0
2 20 76 0 0
END

# No more than requested: 2 of 8 for 30 s. Then job 1 has done 80 + 180
# processor-seconds and needs 67.5 s for the rest.
{
	job 1 0 100 8 100
	job 2 10 30 2 30
} > "$work/bounded.swf"

agrees "shares bounded by requests" bounded.swf --cluster procs=8 \
	--policy eqspatial --params lxfw_eq_min_interval=0 <<END
1 0 108 0 0
2 10 40 0 0
END

# Each job is on one host, with any shape. A job larger than every host is left out.
echo 'n[0-1] procs=4' > "$work/two.txt"
{
	job 1 0 10 4 10
	job 2 0 10 4 10
	job 3 0 10 5 10
} > "$work/large.swf"

shows='\1 \2 \3 \4'
schedule "one host each" large.swf --cluster "$work/two.txt" \
	--policy eqspatial --shape anywhere <<END
1 0 10 n0
2 0 10 n1
END
grep -q '1 jobs left out: 0 without run time, 0 without processors, 1 larger' \
	"$work/messages" || fail "larger than any host: $(cat "$work/messages")"

finish
