#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Digests of whole schedules, of generated workloads and of the logs in ../shared/traces
# if they are present. A change that must not alter decisions leaves decisions.sha256
# unchanged. A change that alters decisions on purpose must justify it and replace the
# lines:
#
#     LXFW_DECISIONS=new LXFW_TOP_BUILDDIR=BUILD tests/golden/decisions.sh
#
# prints the new content of the file. tests/unit/test_decisions covers every action,
# including reservations, on small random workloads.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

traces=$top_srcdir/../shared/traces
expected=$golden/decisions.sha256
log_lines=5000
logs=0

# digest NAME TRACE OPTIONS...: of job, times, processors, memory and hosts of every job
digest()
{
	name=$1 trace=$2
	shift 2
	"$lxfw" simulate --jobs-out "$work/jobs.csv" "$@" "$trace" \
		> "$work/report" 2> "$work/messages" || {
		fail "$name: $(cat "$work/messages")"
		return
	}
	echo "$(cut -d, -f1-9 "$work/jobs.csv" | sha256sum | cut -c1-32) $name" \
		>> "$work/digests"
}

# policies NAME TRACE OPTIONS...: the schedules of all policies and quantum modes
policies()
{
	of=$1 log=$2
	shift 2
	quantum=lxfw_quantum=300,lxfw_quantum_min_run=900
	for policy in fcfs easy conservative priority lxfw sjf list; do
		digest "$of $policy" "$log" --policy $policy "$@"
	done
	digest "$of eqspatial" "$log" --policy eqspatial "$@"
	digest "$of eqspatial mixed" "$log" --policy eqspatial --adaptive 0.5 \
		--least 2 "$@"
	digest "$of eqspatial quantum" "$log" --policy eqspatial \
		--params $quantum "$@"
	digest "$of easy preempt" "$log" --policy easy --params $quantum "$@"
	digest "$of lxfw suspend" "$log" --policy lxfw \
		--params $quantum,lxfw_quantum_end=suspend "$@"
	digest "$of priority soon" "$log" --policy priority \
		--params $quantum,lxfw_quantum_mode=soon,lxfw_wbypass=0.5 "$@"
	digest "$of lxfw contract" "$log" --policy lxfw --params \
		$quantum,lxfw_victim_suspensions=3,lxfw_victim_interval=1800 "$@"
	digest "$of lxfw 4 reservations" "$log" --policy lxfw \
		--params lxfw_reservations=4,lxfw_wm=1,lxfw_wpe=0.5 "$@"
	digest "$of lxfw 4 compressed" "$log" --policy lxfw --params \
		lxfw_reservations=4,lxfw_wm=1,lxfw_wpe=0.5,lxfw_reservation_mode=compress \
		"$@"
	digest "$of sjf per event" "$log" --policy sjf --pass event "$@"
	digest "$of sjf oldest first" "$log" --policy sjf --params lxfw_age_first=7200 "$@"
	digest "$of lxfw oldest first" "$log" --policy lxfw --params \
		lxfw_age_first=7200,lxfw_reservations=4 "$@"
	digest "$of lxfw per event" "$log" --policy lxfw --pass event "$@"
	digest "$of slurm" "$log" --policy slurm "$@"
	digest "$of slurm 20 jobs" "$log" --policy slurm --params \
		lxfw_reservations=20,lxfw_main_pass=off,lxfw_backfill_interval=60 "$@"
	for policy in smart_ffia smart_ffia_strict smart_nfiw smart_nfiw_strict psrs \
		      psrs_strict; do
		digest "$of $policy" "$log" --policy $policy "$@"
		digest "$of $policy work" "$log" --policy $policy \
			--params lxfw_job_weight=work "$@"
	done
	digest "$of remaining" "$log" --policy remaining \
		--params lxfw_rem_min_run=0 "$@"
	for policy in pfcfs1 pfcfs2 pfcfs3 fcfs_moldable easy_moldable \
		      priority_moldable; do
		digest "$of $policy" "$log" --policy $policy "$@"
	done
	for placement in paper stock worst; do
		digest "$of lxfw $placement" "$log" --policy lxfw \
			--placement $placement "$@"
	done
}

# made COUNT: jobs of various sizes, lengths and memory, on a machine that is too small
made()
{
	awk -v count="$1" 'BEGIN {
		draw = 42
		for (i = 1; i <= count; i++) {
			draw = (draw * 69069 + 1) % 1048576
			procs = 1 + draw % 13
			run = 30 + draw % 3001
			submit += draw % 331
			print i, submit, -1, run, procs, -1, 2000 * (1 + draw % 7), procs, \
				run * (1 + draw % 3), 1000 * (1 + draw % 7), \
				1, 1, 1, 1, 1, 1, -1, -1
		}
	}'
}

made 600 > "$work/made.swf"
printf 'n[0-3] procs=4 memory=60\nn[4-5] procs=13 memory=90\n' > "$work/hosts"
cat > "$work/classes" <<END
time short run=1000 reserve=1h
time long reserve=2h running=9
size small procs=6
size large procs=13
hosts n[0-3] sizes=small>large times=short>long running=small:2
hosts n[4-5] sizes=large>small times=short,long running=large:2
END
policies 'made one-host' "$work/made.swf" --cluster procs=16 --memory none
policies 'made hosts' "$work/made.swf" --cluster "$work/hosts"
digest 'made hosts classes' "$work/made.swf" --cluster "$work/hosts" \
	--policy classes --classes "$work/classes"

# Reservations that move on hosts that differ in processors and memory
for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
	python3 "$golden/unlike.py" $seed "$work/unlike" "$work/unlike.swf"
	digest "unlike hosts $seed conservative" "$work/unlike.swf" --shape anywhere \
		--cluster "$work/unlike" --policy conservative
	digest "unlike hosts $seed sjf 3" "$work/unlike.swf" --shape anywhere \
		--cluster "$work/unlike" --policy sjf --params lxfw_reservations=3
done

# log FILE OPTIONS...: the first lines of a log
log()
{
	file=$1
	shift
	[ -r "$traces/$file.swf.gz" ] || return
	logs=$((logs + 1))
	gzip -dc "$traces/$file.swf.gz" | head -n $log_lines > "$work/log.swf"
	policies "$file" "$work/log.swf" "$@"
	digest "$file classes" "$work/log.swf" --cluster ncsa-o2k --policy classes \
		--classes ncsa-o2k
}

echo 'h[0-23] procs=10' > "$work/h"
echo 'b[0-143] procs=8' > "$work/b"
log CTC-SP2-1996-3.1-cln --cluster procs=338
log SDSC-SP2-1998-4.2-cln --cluster procs=128
log HPC2N-2002-2.2-cln --cluster "$work/h"
log OSC-Clust-2000-3.1-cln --cluster procs=60
log SDSC-BLUE-2000-4.2-cln --cluster "$work/b"
log LPC-EGEE-2004-1.2-cln --cluster procs=12

# The values of an independent list scheduling program of twenty lines in another
# language.
sdsc=$traces/SDSC-SP2-1998-4.2-cln.swf.gz
if [ -r "$sdsc" ] && [ "${LXFW_DECISIONS:-}" != new ]; then
	"$lxfw" simulate --cluster procs=128 --policy list "$sdsc" \
		> "$work/report" 2> "$work/messages"
	{
		grep -q '^mean wait  *21145.625 s$' "$work/report" &&
			grep -q '^maximum wait  *8665180 s$' "$work/report"
	} || fail "list scheduling: $(cat "$work/report")"
fi

if [ "${LXFW_DECISIONS:-}" = new ]; then
	cat "$work/digests"
	finish
fi
while read -r digest name; do
	grep -qxF "$digest $name" "$expected" || fail "$name: the schedule differs"
done < "$work/digests"
echo "$(grep -c . "$work/digests") schedules, $logs of 6 logs"
[ "$logs" -eq 6 ] || echo "the logs that are absent from $traces were skipped"
finish
