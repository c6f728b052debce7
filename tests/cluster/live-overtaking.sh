#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A job that the model takes for smaller than it is, or cannot express, against a
# stream of small jobs that would keep the machine full for ever: it starts when those
# who run are over (their limit is a minute), but for what is tried in vain before nodes
# are held for it. Clocks run 20 times as fast. Alone, the script runs with Slurm's own
# scheduler first.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"

type -P faketime >/dev/null || skip "faketime is not installed"

if [ -z "${LXFW_SCHEDULER-}" ]; then
	status=0
	for name in backfill lxfw; do
		echo "with sched/$name"
		LXFW_SCHEDULER=$name "$0" "$@" || status=$?
		[ "$status" = 0 ] || break
	done
	exit "$status"
fi

speed=20
# In seconds of the fast clock: whoever runs has 60 at most. As long again is for three
# refusals, after which the job has the hold, and for a busy machine.
most_wait=$((60 + 120))
# Each of the four places of the machine is given away again after 40 at least.
most_overtakers=$((4 * most_wait / 40))

# In the background, until the file is gone: four of the stream wait at any time.
stream()
{
	local waiting
	while [ -e "$run/stream" ]; do
		waiting=$(squeue -h -n stream -t PD -o %i | wc -l)
		for ((; waiting < 4; waiting++)); do
			sbatch -Q -J stream -D "$run/work" -o /dev/null -t 1 "$@" \
				--wrap "sleep $((40 + RANDOM % 15))" 2>>"$run/log/sbatch"
		done
		# 2 s of the fast clock, or 4.
		sleep 4
	done
}

stream_is_full()
{
	[ "$(squeue -h -n stream -t R -o %i | wc -l)" = 4 ] &&
		[ "$(squeue -h -n stream -t PD -o %i | wc -l)" -ge 2 ]
}

# overtakers JOB: how many that came later started earlier, or have started.
overtakers()
{
	scontrol -o show job | awk -v job="$1" '
		{
			delete value
			for (i = 1; i <= NF; i++) {
				split($i, pair, "=")
				value[pair[1]] = pair[2]
			}
			came[value["JobId"]] = value["SubmitTime"]
			if (value["JobState"] != "PENDING" && value["StartTime"] ~ /^[0-9]+$/)
				started[value["JobId"]] = value["StartTime"]
		}
		END {
			for (one in started)
				count += one != job && came[one] > came[job] &&
					(!(job in started) || started[one] < started[job])
			print count + 0
		}'
}

# expect_not_starved 'OPTIONS OF THE STREAM' OPTIONS...: a job, against the stream.
expect_not_starved()
{
	local small job pid wait count
	read -ra small <<<"$1"
	shift
	touch "$run/stream"
	stream "${small[@]}" &
	pid=$!
	# Whatever becomes of this test, which is a shell of its own.
	# shellcheck disable=SC2064
	trap "rm -f '$run/stream'; wait $pid" EXIT
	poll 30 stream_is_full || fail "the stream does not fill the machine"
	job=$(submit -t 1 "$@" 'sleep 1') || exit 1
	if ! poll $((most_wait / speed + 30)) is_state "$job" 'RUNNING COMPLETING COMPLETED'; then
		echo "  $*: not started in $(($(date +%s) - $(submitted "$job"))) s ($(reason "$job")), $(overtakers "$job") overtook it"
		grep -E "lxfw.*JobId=${job}[^0-9]" "$run/log/slurmctld" | tail -n 3
		fail "job $job starves"
	fi
	wait=$(($(started "$job") - $(submitted "$job")))
	count=$(overtakers "$job")
	echo "  $*: waited $wait s, $count overtook it"
	((wait <= most_wait)) || fail "waited longer than $most_wait s"
	((count <= most_overtakers)) || fail "overtaken by more than $most_overtakers"
}

gpu_stream='-p gpu -n 1 --mem=25000'

# Slurm counts the memory of its GPUs: no host of the stream has room for it.
test_memory_of_gpus()
{
	expect_not_starved "$gpu_stream" -p gpu --gpus=1 --mem-per-gpu=40000
}

# Whatever the stream has on any host is in its way.
test_gpus_of_all_hosts()
{
	expect_not_starved "$gpu_stream" -p gpu -n 8 --gpus=8 --mem-per-gpu=8000
}

test_contiguous()
{
	expect_not_starved '-p p -n 1' -p p --contiguous -N 3
}

test_feature_choice()
{
	expect_not_starved '-p p -n 1' -p p -N 2 -C '[rack1|rack2]'
}

live_main "$@" -- --speed $speed \
	--nodes 6 --cpus 1 --memory 64000 \
	--node 'n1 Feature=rack1' --node 'n2 Feature=rack1' \
	--node 'n3 Feature=rack2' --node 'n4 Feature=rack2' \
	--node 'n5 CPUs=8 Gres=gpu:4' --node 'n6 CPUs=8 Gres=gpu:4' \
	--conf GresTypes=gpu \
	--gres 'NodeName=n[5-6] Name=gpu File=/dev/null' \
	--gres 'NodeName=n[5-6] Name=gpu File=/dev/zero' \
	--gres 'NodeName=n[5-6] Name=gpu File=/dev/full' \
	--gres 'NodeName=n[5-6] Name=gpu File=/dev/random' \
	--partition 'p Nodes=n[1-4] Default=YES MaxTime=INFINITE State=UP' \
	--partition 'gpu Nodes=n[5-6] MaxTime=INFINITE State=UP'
