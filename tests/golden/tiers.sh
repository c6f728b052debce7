#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Preemption by tier: schedules worked by hand, and their replay. Where all jobs have one level the
# schedule is that without preemption. LXFW_SEED repeats a run.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

shows='\1 \2 \3 \5'
cat > "$work/cluster" <<'END'
a procs=4
partition=low nodes=a tier=1
partition=mid nodes=a tier=2
partition=high nodes=a tier=3
END
cat > "$work/log" <<'END'
JobID|Submit|Start|End|NCPUS|NNodes|Partition|State|Timelimit
1|2025-01-01T00:00:00|2025-01-01T00:00:00|2025-01-01T00:01:40|2|1|low|COMPLETED|00:03:20
2|2025-01-01T00:00:10|2025-01-01T00:00:10|2025-01-01T00:01:50|2|1|low|COMPLETED|00:03:20
3|2025-01-01T00:00:20|2025-01-01T00:00:20|2025-01-01T00:01:10|2|1|mid|COMPLETED|00:00:50
4|2025-01-01T00:00:30|2025-01-01T00:00:30|2025-01-01T00:00:50|4|1|high|COMPLETED|00:00:20
5|2025-01-01T00:01:00|2025-01-01T00:01:00|2025-01-01T00:01:10|2|1|low|COMPLETED|00:00:20
END

# tiers N: the schedule with N tiers in a level
tiers()
{
	agrees "$1 tiers in a level" log --cluster "$work/cluster" --policy site \
		--params "lxfw_preempt_tiers=$1,lxfw_preempt_min_run=0"
}

# 4 has all processors from 150 s on at the latest; 3 and 5 run before it.
tiers 0 <<'END'
1 0 100 0
2 10 110 0
3 100 150 0
4 150 170 0
5 110 120 0
END

# 3 preempts 2, which started last. 4 preempts 1 and 3. At 50 s 3 resumes first, then 1, which was
# submitted before 2; 2 follows when 3 ends, and 5 is behind it.
tiers 1 <<'END'
1 0 120 1
2 10 180 1
3 20 90 1
4 30 50 0
5 120 130 0
END

# The tiers 2 and 3 are one level: 4 waits for 3, and preempts 1 then. At 90 s both resume.
tiers 3 <<'END'
1 0 120 1
2 10 180 1
3 20 70 0
4 70 90 0
5 120 130 0
END

# All tiers are one level.
"$lxfw" simulate --cluster "$work/cluster" --policy site --jobs-out "$work/a" "$work/log" \
	> "$work/report" 2>&1
"$lxfw" simulate --cluster "$work/cluster" --policy site --params lxfw_preempt_tiers=9 \
	--jobs-out "$work/b" "$work/log" > "$work/report" 2>&1
cmp "$work/a" "$work/b" || fail "a level of all tiers"

seed=${LXFW_SEED:-1}
echo "# LXFW_SEED=$seed"
for i in 0 1 2 3 4 5; do
	for k in 1 3; do
		python3 "$golden/remaining.py" make $((seed + i)) 0 > "$work/log.swf" || exit 77
		for n in 0 1; do
			"$lxfw" simulate --cluster procs=16 --policy site --params \
				"lxfw_preempt_tiers=$n,lxfw_reservations=$k" \
				--jobs-out "$work/$n" "$work/log.swf" > "$work/report" 2>&1 ||
				fail "seed $((seed + i)): $(cat "$work/report")"
		done
		cmp "$work/0" "$work/1" || fail "seed $((seed + i)): one level"
	done
done

finish
