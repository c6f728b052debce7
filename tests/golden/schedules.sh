#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Schedules computed by hand, each small enough to be followed on paper.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

# --- backfill ---------------------------------------------------------------
# 4 processors. Job 1 leaves 2 free. Job 2 requests all 4 and waits until 10. Job 3 fits
# before that. Jobs 4 and 5 fit by processors, but do not end in time.
{
	job 1 0 10 2 10
	job 2 1 10 4 10
	job 3 2 5 2 5
	job 4 3 20 1 20
	job 5 3 4 2 4
} > "$work/backfill.swf"

schedule "fcfs: no job overtakes" backfill.swf \
	--cluster procs=4 --policy fcfs <<END
1 0 10 h0
2 10 20 h0
3 20 25 h0
4 20 40 h0
5 25 29 h0	# 4 and 3 leave 1 processor
END
schedule "easy: short jobs are backfilled" backfill.swf \
	--cluster procs=4 --policy easy <<END
1 0 10 h0
2 10 20 h0
3 2 7 h0
4 20 40 h0	# at 7: 7 + 20 > 10, and 2 leaves no processor unused
5 20 24 h0	# at 7: 7 + 4 > 10
END

# --- one reservation or all -------------------------------------------------
# 4 processors. Job 2 has a reservation at 10 and leaves 2 processors unused. Job 4 uses
# one of them for 30 s. That delays job 3, which has a reservation under conservative
# only.
{
	job 1 0 10 3 10
	job 2 1 10 2 10
	job 3 2 10 4 10
	job 4 3 30 1 30
} > "$work/reserve.swf"

schedule "easy has one reservation" reserve.swf \
	--cluster procs=4 --policy easy <<END
1 0 10 h0
2 10 20 h0
3 33 43 h0
4 3 33 h0
END
schedule "conservative has a reservation for each job" reserve.swf \
	--cluster procs=4 --policy conservative <<END
1 0 10 h0
2 10 20 h0
3 20 30 h0
4 30 60 h0
END
schedule "two reservations are enough here" reserve.swf \
	--cluster procs=4 --policy easy --params lxfw_reservations=2 <<END
1 0 10 h0
2 10 20 h0
3 20 30 h0
4 30 60 h0
END

# --- weights of hosts -------------------------------------------------------
# The heavy host has the fewest processors, so that the rule prefers it; it is used when
# no lighter one has room.
cat > "$work/weights.conf" <<'END'
NodeName=heavy CPUs=2 Weight=30
NodeName=usual CPUs=4
NodeName=light CPUs=4 Weight=0
END
{
	job 1 0 10 2 10
	job 2 1 10 4 10
	job 3 2 10 3 10
	job 4 3 10 2 10
	job 5 4 10 2 10
} > "$work/weights.swf"

schedule "the lightest host that fits" weights.swf \
	--cluster "$work/weights.conf" --shape one-host <<END
1 0 10 light
2 1 11 usual
3 10 20 light
4 3 13 heavy	# 3 has a reservation on light
5 11 21 usual
END

# --- priorities -------------------------------------------------------------
# All jobs request the whole machine. Job 2 is long, 3 is shorter, 4 is the shortest.
{
	job 1 0 100 4 100
	job 2 0 100 4 100
	job 3 10 10 4 10
	job 4 20 5 4 5
} > "$work/priority.swf"

schedule "easy: by submit time" priority.swf --cluster procs=4 <<END
1 0 100 h0
2 100 200 h0
3 200 210 h0
4 210 215 h0
END
# At 100 the expansion factors are 2, 10 and 17; at 105 they are 2.05 and 10.5.
schedule "lxfw: by expansion factor" priority.swf \
	--cluster procs=4 --policy lxfw <<END
1 0 100 h0
2 115 215 h0
3 105 115 h0
4 100 105 h0
END
schedule "priority: the factor counts five times" priority.swf \
	--cluster procs=4 --policy priority <<END
1 0 100 h0
2 115 215 h0
3 105 115 h0
4 100 105 h0
END
# Job 2 got its reservation before the shorter jobs were submitted, and keeps it.
schedule "sjf keeps a reservation" priority.swf \
	--cluster procs=4 --policy sjf <<END
1 0 100 h0
2 100 200 h0
3 205 215 h0
4 200 205 h0
END

# --- a pass per time stamp or per event -------------------------------------
# Jobs 1 and 2 end at the same time, 10; job 2 earlier than estimated. After the end of
# 1 alone, 3 cannot start before 20, so that 4 may start first.
{
	job 1 0 10 1 10
	job 2 0 10 1 20
	job 3 1 10 2 10
	job 4 2 5 1 5
} > "$work/pass.swf"

schedule "a pass at each time" pass.swf --cluster procs=2 <<END
1 0 10 h0
2 0 10 h0
3 10 20 h0
4 20 25 h0
END
schedule "a pass after each event" pass.swf \
	--cluster procs=2 --pass event <<END
1 0 10 h0
2 0 10 h0
3 15 25 h0
4 10 15 h0
END

# --- run times and estimates ------------------------------------------------
{
	job 1 0 30 1 10
	job 2 1 5 1 5
} > "$work/overrun.swf"

schedule "overruns continue" overrun.swf --cluster procs=1 <<END
1 0 30 h0
2 30 35 h0
END
schedule "overruns are killed" overrun.swf \
	--cluster procs=1 --overrun kill <<END
1 0 10 h0
2 10 15 h0
END

# Job 1 requests 100 s and runs for 10. With the request as the estimate, job 3 is
# backfilled. With exact estimates, or with all estimates three times the run time, it
# is not.
{
	job 1 0 10 1 100
	job 2 1 10 2 10
	job 3 2 20 1 20
} > "$work/estimates.swf"

schedule "estimates as requested" estimates.swf --cluster procs=2 <<END
1 0 10 h0
2 22 32 h0
3 2 22 h0
END
for estimates in exact factor:3; do
	schedule "estimates $estimates" estimates.swf \
		--cluster procs=2 --estimates $estimates <<-END
	1 0 10 h0
	2 10 20 h0
	3 20 40 h0
	END
done

# The system overhead is 2 s before a start and 3 s after an end: job 1 occupies its
# processor from 0 to 15, 2 from 15 to 25.
{
	job 1 0 10 1 10
	job 2 1 5 1 5
} > "$work/overhead.swf"

schedule "system overhead" overhead.swf --cluster procs=1 \
	--start-overhead 2 --end-overhead 3s <<END
1 2 12 h0
2 17 22 h0
END

# --- hosts and memory -------------------------------------------------------
cat > "$work/two.txt" <<END
# two hosts of 4 processors and 8 GB
n[0-1] procs=4 memory=8G
END
# 1: both hosts are equal, so the first is selected. 2: the host with fewer free
# processors. 3: only n1 has 4. Job 4 requests 7 GB, which n0 has when 1 has ended. Job
# 5 fits before that.
{
	job 1 0 10 2 10 1048576
	job 2 1 20 1 20 1048576
	job 3 2 20 4 20
	job 4 3 5 1 5 7340032
	job 5 4 3 1 3
	job 6 4 3 1 8
} > "$work/memory.swf"

schedule "one host for each job, with memory" memory.swf \
	--cluster "$work/two.txt" --shape one-host <<END
1 0 10 n0
2 1 21 n0
3 2 22 n1
4 10 15 n0
5 4 7 n0
6 7 10 n0	# 7 + 8 > 10, but 4 leaves 2 processors of n0 unused
END
schedule "without memory" memory.swf \
	--cluster "$work/two.txt" --shape one-host --memory none <<END
1 0 10 n0
2 1 21 n0
3 2 22 n1
4 3 8 n0
5 8 11 n0
6 10 13 n0
END

# No host has 6 free processors. The host with the most free processors, the last of
# equal ones, gives all of them, and the other host the rest.
{
	job 1 0 10 6 10
	job 2 1 10 2 10
	job 3 2 10 9 10
} > "$work/spread.swf"

schedule "a job on two hosts" spread.swf --cluster "$work/two.txt" <<END
1 0 10 n[0-1]
2 1 11 n0
END
grep -q '1 jobs left out: 0 without run time, 0 without processors, 1 larger' \
	"$work/messages" || fail "larger than the machine: $(cat "$work/messages")"
schedule "no host is large enough" spread.swf \
	--cluster "$work/two.txt" --shape one-host <<END
2 1 11 n0
END

# --- logs -------------------------------------------------------------------
# Jobs are not sorted, and numbers repeat. Rows of the output keep the order of the log.
{
	echo "; MaxProcs: 1"
	job 7 5 10 1 10
	job 7 0 10 1 10
	job 8 5 10 1 10
	job 9 5 0 1 10
	job 9 5 5 -1 10
} > "$work/disorder.swf"

schedule "an unsorted log" disorder.swf <<END
7 10 20 h0
7 0 10 h0
8 20 30 h0
9 30 31 h0
END
cat > "$work/should" <<END
lxfw: $work/disorder.swf: 1 jobs with run time 0 (less than half a second) count as 1 s
lxfw: $work/disorder.swf: 1 jobs left out: 0 without run time, 1 without processors, 0 larger than the machine
lxfw: $work/disorder.swf: 1 jobs were not in order of submit time; sorted
END
diff -u "$work/should" "$work/messages" >&2 || fail "messages about the log"

finish
