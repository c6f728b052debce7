# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# A stream of small jobs that would keep the machine full forever, and a job that
# competes with it. The caller sets, in simulated seconds, speed, most_wait and
# most_overtakers, and stream_runs, the number of stream jobs that run when the machine
# is full.

# Submit in the background, until the file is removed. Four stream jobs are pending at
# any time.
stream()
{
	local waiting number=0
	while [ -e "$run/stream" ]; do
		waiting=$(squeue -h -n stream -t PD -o %i | wc -l)
		for ((; waiting < 4; waiting++)); do
			sbatch -Q -J stream -D "$run/work" -o /dev/null -t 1 "$@" \
				--wrap "sleep $((40 + number++ * 7 % 15))" 2>>"$run/log/sbatch"
		done
		# 2 or 4 simulated seconds
		sleep 4
	done
}

stream_is_full()
{
	[ "$(squeue -h -n stream -t R -o %i | wc -l)" = "$stream_runs" ] &&
		[ "$(squeue -h -n stream -t PD -o %i | wc -l)" -ge 2 ]
}

# overtakers JOB: print the number of jobs submitted later that started earlier, or have
# started.
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

# begin_stream OPTIONS...: start the stream, which continues until the end of the test.
begin_stream()
{
	local pid
	touch "$run/stream"
	stream "$@" &
	pid=$!
	# End the stream whatever the result of this test is. A test runs in a separate
	# shell.
	# shellcheck disable=SC2064
	trap "rm -f '$run/stream'; wait $pid" EXIT
	poll 120 stream_is_full || fail "the stream does not fill the machine"
}

# Print the number of stream jobs that have started.
stream_started()
{
	squeue -h -n stream -t R,CG,CD -o %i | wc -l
}

stream_has_started()
{
	(($(stream_started) >= $1))
}

# expect_stream_continues N: N more stream jobs start.
expect_stream_continues()
{
	poll 60 stream_has_started $(($(stream_started) + $1)) ||
		fail "the stream has stopped: $(squeue -h -o '%i %T %r %S')"
}

# expect_not_starved 'OPTIONS OF THE STREAM' OPTIONS...: a job starts while the stream
# runs.
expect_not_starved()
{
	local small job wait count
	read -ra small <<<"$1"
	shift
	begin_stream "${small[@]}"
	job=$(submit -t 1 "$@" 'sleep 1') || exit 1
	if ! poll $((most_wait / speed + 120)) is_state "$job" 'RUNNING COMPLETING COMPLETED'; then
		echo "  $*: not started in $(($(date +%s) - $(submitted "$job"))) s ($(reason "$job")), $(overtakers "$job") overtook it"
		grep -E "lxfw.*JobId=${job}[^0-9]" "$run/log/slurmctld" | tail -n 3
		fail "job $job does not start"
	fi
	wait=$(($(started "$job") - $(submitted "$job")))
	count=$(overtakers "$job")
	echo "  $*: waited $wait s, $count overtook it"
	((wait <= most_wait)) || fail "waited longer than $most_wait s"
	((count <= most_overtakers)) || fail "overtaken by more than $most_overtakers"
}
