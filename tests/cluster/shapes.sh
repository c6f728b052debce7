# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Functions shared by the live tests of requests. Each request is submitted alone to an
# idle cluster, under Slurm's own scheduler and under sched/lxfw. It must start under
# sched/lxfw if it starts under Slurm's. Sourced instead of live.sh.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "${BASH_SOURCE[0]}")/live.sh"

# Hosts of different sizes: n6 is twice as large as the others, n7 and n8 have GPUs.
shapes_node='Sockets=2 CoresPerSocket=8 ThreadsPerCore=1'
shapes_gpus="$shapes_node Gres=gpu:4,shard:8"
# shellcheck disable=SC2034,SC2054
shapes_machine=(
	--nodes 8 --cpus 16 --memory 64000
	--node "n1 $shapes_node Feature=rack1 TmpDisk=10000"
	--node "n2 $shapes_node Feature=rack1"
	--node "n3 $shapes_node Feature=rack1,fat"
	--node "n4 $shapes_node"
	--node "n5 $shapes_node"
	--node 'n6 CPUs=32 Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 Feature=fat'
	--node "n7 $shapes_gpus"
	--node "n8 $shapes_gpus"
	--conf GresTypes=gpu,shard
	--gres 'NodeName=n[7-8] Name=gpu File=/dev/null'
	--gres 'NodeName=n[7-8] Name=gpu File=/dev/zero'
	--gres 'NodeName=n[7-8] Name=gpu File=/dev/full'
	--gres 'NodeName=n[7-8] Name=gpu File=/dev/random'
	--gres 'NodeName=n[7-8] Name=shard Count=8'
	--conf Licenses=lic:2
	--partition 'p Nodes=n[1-8] Default=YES MaxTime=INFINITE OverSubscribe=YES State=UP'
	--partition 'gpu Nodes=n[7-8] MaxTime=INFINITE State=UP'
	--partition 'small Nodes=n[1-2] MaxTime=INFINITE State=UP'
)

# Time to wait for a start, in seconds. It is not a speed limit; the table shows the
# waits.
shapes_limit=${LXFW_SHAPES_LIMIT:-30}

all_at_rest()
{
	none_unfinished && all_nodes_idle
}

all_nodes_idle()
{
	[ "$(scontrol -o show node | grep -c ' State=IDLE ')" = 8 ]
}

# have_started JOB: true if all its tasks have started.
have_started()
{
	local states
	states=$(scontrol -o show job "$1" | grep -oE ' JobState=[A-Z_]+') &&
		[[ $states != *=PENDING* ]]
}

# True if Slurm reports that the job cannot start with the current nodes and partitions.
is_hopeless()
{
	has_reason "$1" '^(Partition|BadConstraints)'
}

settled_fate()
{
	have_started "$1" || is_hopeless "$1"
}

# Print the longest wait of its tasks in seconds, and the allocation of the first task.
describe_start()
{
	scontrol -o show job "$1" | awk '
		{
			for (i = 1; i <= NF; i++) {
				split($i, pair, "=")
				value[pair[1]] = pair[2]
			}
			wait = value["StartTime"] - value["SubmitTime"]
			longest = wait > longest ? wait : longest
			if (NR == 1)
				has = value["NumNodes"] "x" value["NumCPUs"]
		}
		END { print longest + 0 "\t" has }'
}

# occupy NODE: allocate the whole node, so that no other job can start there.
occupy()
{
	local job
	job=$(submit -w "$1" --exclusive -t 10 'sleep 600') || exit 1
	wait_state "$job" RUNNING
	busy+=("$job")
}

# measure REQUEST, or NODE: REQUEST to occupy NODE first: print a line of fields
# separated by tabs: the request, seconds or another result, nodes and processors.
measure()
{
	local words job busy=()
	read -ra words <<<"${1#*: }"
	poll 60 all_at_rest || fail "not idle before $1: $(unfinished | xargs), $(sinfo -h -N -o '%N %T' | xargs)"
	[ "$1" = "${1#*: }" ] || occupy "${1%%: *}"
	if ! job=$(sbatch --parsable -D "$run/work" -o /dev/null -t 1 "${words[@]}" \
		--wrap 'sleep 0' 2>"$run/log/sbatch"); then
		printf '%s\trefused\t%s\n' "$1" "$(sed -n 's/^sbatch: error: //p' "$run/log/sbatch" | tail -n 1)"
		[ ${#busy[@]} = 0 ] || scancel -Q "${busy[@]}"
		return 0
	fi
	poll "$shapes_limit" settled_fate "$job"
	# A later pass may change the reason of the last one.
	! is_hopeless "$job" || poll 3 have_started "$job"
	if have_started "$job"; then
		printf '%s\t%s\n' "$1" "$(describe_start "$job")"
	else
		printf '%s\tnever\t%s\n' "$1" "$(reason "$job")"
		grep -E "lxfw.*JobId=${job}[^0-9]" "$run/log/slurmctld" | tail -n 3 >&2
	fi
	scancel -Q "$job" "${busy[@]}"
	return 0
}

test_shapes()
{
	local request
	# shellcheck disable=SC2154
	for request in "${shapes_requests[@]}"; do
		measure "$request" || exit 1
	done >"$LXFW_SHAPES_OUT"
}

# Print the table and compare the results. A refusal at submission must have the same
# text, and a job that cannot start must have the same reason.
shapes_verdict()
{
	awk -F '\t' '
		FNR == 1 { file++ }
		file == 1 { order[++count] = $1 }
		{ answer[file, $1] = $2; detail[file, $1] = $3 }
		function cell(which, request,    text) {
			text = answer[which, request]
			return text == "refused" ? text : text == "never" ? detail[which, request] : text " s " detail[which, request]
		}
		END {
			format = "  %-44s %-24s %-24s %-24s%s\n"
			printf format, "request", "stock", "lxfw", "lxfw, cons_tres_lxfw", ""
			for (i = 1; i <= count; i++) {
				request = order[i]
				wrong = 0
				for (which = 2; which <= 3; which++) {
					one = answer[1, request]
					other = answer[which, request]
					if (one == "refused" || one == "never" ?
					    other != one || detail[1, request] != detail[which, request] :
					    other !~ /^[0-9]+$/)
						wrong = 1
				}
				bad += wrong
				printf format, request, cell(1, request), cell(2, request), cell(3, request), wrong ? " <--" : ""
			}
			if (bad)
				printf "  %d of %d requests are not answered as by sched/backfill\n", bad, count
			exit bad > 0 || count == 0
		}' "$@"
}

# Run the script with each scheduler.
shapes_main()
{
	local out which
	if [ -n "${LXFW_SHAPES_OUT-}" ]; then
		live_main shapes -- "${shapes_machine[@]}"
		exit
	fi
	out=$(mktemp -d "${TMPDIR:-/tmp}/lxfw-shapes.XXXXXX") || exit 1
	# shellcheck disable=SC2064
	trap "rm -rf '$out'" EXIT
	for which in backfill:cons_tres lxfw:cons_tres lxfw:cons_tres_lxfw; do
		beside "with sched/${which%:*}, select/${which#*:}" env "LXFW_SHAPES_OUT=$out/$which" \
			"LXFW_SCHEDULER=${which%:*}" "LXFW_SELECT=${which#*:}" "$0"
	done
	besides || exit
	shapes_verdict "$out"/{backfill:cons_tres,lxfw:cons_tres,lxfw:cons_tres_lxfw}
}
