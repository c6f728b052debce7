#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Compares the start of every job under SMART-FFIA, SMART-NFIW and PSRS with yahyapour.py,
# which was written from the text of the thesis: each order as a list, with EASY and with
# conservative backfill, for both weights, on random jobs and on the beginnings of logs if
# they are present. In the list schedules no job overtakes another one in the order; under
# EASY none delays the first one; all jobs run. Journals replay.
#
#     LXFW_LIST=all LXFW_TOP_BUILDDIR=BUILD tests/golden/list.sh
#
# compares all of SDSC-SP2 and 5,000 lines of CTC-SP2, which takes half an hour.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

traces=$top_srcdir/../shared/traces
python=${PYTHON:-python3}
if ! "$python" -c '' 2> /dev/null; then
	echo "SKIP: no $python"
	exit 77
fi

# made SEED: 150 jobs on 16 processors, more than they can do at first
made()
{
	awk -v seed="$1" 'BEGIN {
		srand(seed)
		for (i = 1; i <= 150; i++) {
			submit += int(rand() * 40 * seed)
			procs = 1 + int(rand() * 16)
			if (rand() < .5)
				procs = 1 + int(procs / 4)
			estimate = 1 + int(exp(rand() * 7))
			run = 1 + int(rand() * estimate)
			print i, submit, -1, run, procs, -1, -1, procs, estimate, -1, \
				1, 1, 1, 1, 1, 1, -1, -1
		}
	}'
}

# compare TRACE PROCS ORDER WEIGHT BACKFILL PARAMS [submission]
compare()
{
	trace=$1 procs=$2 what="$3 $4 $5 ${7:-}"
	"$lxfw" simulate --cluster "procs=$procs" --overrun kill --params "$6" \
		--journal "$work/journal" --jobs-out "$work/jobs.csv" "$trace" \
		> "$work/out" 2> "$work/messages" ||
		fail "$trace, $what: $(cat "$work/messages")"
	equal=$("$python" "$golden/yahyapour.py" "$procs" "$3" "$4" "$5" "$work/jobs.csv" \
		${7:+"$7"})
	echo "$(basename "$trace"), $what: ${equal% *} of ${equal#* } starts are equal"
	[ "${equal% *}" = "${equal#* }" ] && [ "${equal#* }" -gt 0 ] ||
		fail "$trace, $what: $equal"
	"$lxfw" replay "$work/journal" > "$work/replay" 2>&1 ||
		fail "$trace, $what: $(cat "$work/replay")"
	rm -f "$work/journal"
}

# all TRACE PROCS BACKFILL...
all()
{
	trace=$1 procs=$2
	shift 2
	for weight in equal work; do
		for order in ffia nfiw psrs; do
			name=$order
			[ $order = psrs ] || name=smart_$order
			for backfill in "$@"; do
				params=lxfw_policy=$name
				[ "$backfill" != none ] || params=${params}_strict
				[ "$backfill" != conservative ] ||
					params=$params,lxfw_reservations=all,lxfw_reservation_mode=compress
				compare "$trace" "$procs" $order $weight "$backfill" \
					"$params,lxfw_job_weight=$weight"
			done
		done
	done
}

# The program itself, with the orders of which the schedules are known otherwise.
made 3 > "$work/made.swf"
compare "$work/made.swf" 16 submit equal none lxfw_policy=fcfs
compare "$work/made.swf" 16 submit equal easy lxfw_policy=easy
compare "$work/made.swf" 16 submit equal conservative lxfw_policy=conservative
compare "$work/made.swf" 16 submit equal any lxfw_policy=list
# All jobs at once: PSRS then preempts many jobs in its schedule.
made 0 > "$work/made.swf"
for weight in equal work; do
	compare "$work/made.swf" 16 psrs $weight easy "lxfw_policy=psrs,lxfw_job_weight=$weight"
	compare "$work/made.swf" 16 psrs $weight none "lxfw_policy=psrs_strict,lxfw_job_weight=$weight"
done
for seed in 5; do
	made $seed > "$work/made.swf"
	all "$work/made.swf" 16 none easy conservative
done
for order in smart_ffia smart_nfiw psrs; do
	compare "$work/made.swf" 16 ${order#smart_} work easy \
		lxfw_policy=$order,lxfw_job_weight=work,lxfw_list_update=submission \
		submission
done

lines=250
[ "${LXFW_LIST:-}" != all ] || lines=5000
log=$traces/CTC-SP2-1996-3.1-cln.swf.gz
if [ -r "$log" ]; then
	gzip -dc "$log" | head -n $lines > "$work/ctc.swf"
	all "$work/ctc.swf" 256 none easy conservative
fi
log=$traces/SDSC-SP2-1998-4.2-cln.swf.gz
if [ -r "$log" ] && [ "${LXFW_LIST:-}" = all ]; then
	all "$log" 128 none easy
elif [ -r "$log" ]; then
	gzip -dc "$log" | head -n $lines > "$work/sdsc.swf"
	all "$work/sdsc.swf" 128 none easy
fi

finish
