#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# select/cons_tres_lxfw must never delay a job that select/cons_tres would start, nor
# start one that select/cons_tres would delay. Random requests on a partly used machine
# are tested with both plugins, under Slurm's own schedulers, on the machine of
# select.sh.
#
# Environment: LXFW_SEED, the seed of the requests; LXFW_SLOW=1, more requests.

# shellcheck disable=SC2034
LXFW_SCHEDULER=backfill LXFW_SELECT=cons_tres_lxfw
# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/select.sh
. "$(dirname "$0")/select.sh"

# pick WORD...: set REPLY to one of the words.
pick()
{
	shift $((RANDOM % $#))
	REPLY=$1
}

# Set the array request to a random request, one option per word.
random_request()
{
	local procs
	procs=$((1 + RANDOM % 10))
	request=(-n "$procs" -t "$((1 + RANDOM % 30))")
	pick 100 1000 3000 7000 12000 15900
	if ((RANDOM % 3)); then
		request+=(--mem "$REPLY")
	else
		request+=(--mem-per-cpu "$((REPLY / 4))")
	fi
	case $((RANDOM % 24)) in
	0)	request+=(-N 1) ;;
	1)	request+=(-N 2) ;;
	2)	request+=(-N 1-3) ;;
	3)	request+=(--exclusive) ;;
	4)	request+=(--gres gpu:1) ;;
	5)	request+=(--gres gpu:2) ;;
	6)	request+=(-C big) ;;
	7)	request+=(--ntasks-per-node $((1 + RANDOM % procs))) ;;
	8)	request+=(--ntasks-per-socket 2) ;;
	9)	request+=(--cores-per-socket 4 --sockets-per-node 1) ;;
	10)	request+=(-c 2) ;;
	11)	request+=(-w n2) ;;
	12)	request+=(-x "n1,n3") ;;
	13)	request+=(--contiguous) ;;
	14)	request+=(--spread-job) ;;
	15)	request+=(--gpus 3) ;;
	16)	request+=(--gpus-per-task 1) ;;
	17)	request+=(--mem 0) ;;
	18)	request+=(--mincpus 6) ;;
	19)	request+=(--use-min-nodes) ;;
	20)	request+=(--overcommit) ;;
	esac
}

# Occupy part of the machine with jobs, one of them suspended.
occupy()
{
	local i job
	for ((i = 0; i < 8; i++)); do
		random_request
		job=$(sbatch --parsable -D "$run/work" -o /dev/null "${request[@]}" -t 60 \
			--wrap 'sleep 600' 2>/dev/null) || continue
		poll 60 is_considered "$job" || scancel "$job"
		is_state "$job" RUNNING || scancel "$job"
	done
	wait_none_pending
	job=$(squeue -h -t R -o %i | head -n 1)
	[ -z "$job" ] || scontrol suspend "$job"
}

is_considered()
{
	is_state "$1" RUNNING || has_reason "$1" 'Resources|Priority'
}

none_pending()
{
	[ -z "$(squeue -h -t PD,CG -o %i)" ]
}

wait_none_pending()
{
	poll 60 none_pending || fail "still there: $(squeue -h -t PD,CG -o %i | xargs)"
}

# verdict OPTION...: print "now", the time at which the job could start, or why it never
# can.
verdict()
{
	sbatch --test-only "$@" --wrap true 2>&1 | awk -v now="$(date +%s)" '
		/ to start at / {
			sub(/.* to start at /, "")
			print $1 + 0 <= now + 2 ? "now" : $1 + 0
			exit
		}
		{ print; exit }'
}

# verdicts FILE: print the result of each request of the file, one per line.
verdicts()
{
	local line
	while read -r -a line; do
		verdict "${line[@]}"
	done <"$1"
}

# Both plugins agree on which requests can start now, later and never. Only the nodes
# differ.
test_same_verdicts()
{
	local i round rounds=1 count=60 request
	[ -z "${LXFW_SLOW-}" ] || rounds=4 count=200
	RANDOM=$seed
	for ((round = 0; round < rounds; round++)); do
		occupy
		rm -f "$run/requests"
		for ((i = 0; i < count; i++)); do
			random_request
			echo "${request[*]}" >>"$run/requests"
		done
		# A restart of slurmctld can change the verdict of either plugin, so that one
		# precedes both.
		use_select cons_tres_lxfw
		verdicts "$run/requests" >"$run/verdicts.ours"
		use_select cons_tres
		verdicts "$run/requests" >"$run/verdicts.stock"
		use_select cons_tres_lxfw
		paste -d '|' "$run"/verdicts.{stock,ours} "$run/requests" >"$run/verdicts"
		awk -F '|' '$1 != $2 { print "  stock: " $1 ", ours: " $2 ": " $3; bad = 1 }
			END { exit bad }' "$run/verdicts" || fail "the plugins differ; LXFW_SEED=$seed"
		echo "  seed $seed: $(sed 's/|.*//; s/^[0-9][0-9]*$/later/; s/^[^nl].*/never/' "$run/verdicts" | sort | uniq -c | xargs)"
		now_is_a_start
		scancel --quiet -u "$(id -un)"
		wait_empty
	done
}

# The first requests that could start now do start.
now_is_a_start()
{
	local line job
	while read -r -a line; do
		job=$(submit "${line[@]}" 'sleep 600')
		wait_start "$job" 10
		scancel "$job"
		wait_none_pending
	done < <(sed -n 's/^now|now|//p' "$run/verdicts" | head -n 8)
}

seed=${LXFW_SEED:-1}
live_main "$@" -- "${select_machine[@]}"
