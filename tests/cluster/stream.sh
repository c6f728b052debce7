# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# A stream of small jobs that would keep the machine full for ever, and a job against it.
# The caller sets, in seconds of the fast clock: speed, most_wait, and most_overtakers,
# stream_runs: how many of the stream run when the machine is full.

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
	[ "$(squeue -h -n stream -t R -o %i | wc -l)" = "$stream_runs" ] &&
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

# begin_stream OPTIONS...: it goes on until the end of the test.
begin_stream()
{
	local pid
	touch "$run/stream"
	stream "$@" &
	pid=$!
	# Whatever becomes of this test, which is a shell of its own.
	# shellcheck disable=SC2064
	trap "rm -f '$run/stream'; wait $pid" EXIT
	poll 30 stream_is_full || fail "the stream does not fill the machine"
}

# How many of the stream have started.
stream_started()
{
	squeue -h -n stream -t R,CG,CD -o %i | wc -l
}

stream_has_started()
{
	(($(stream_started) >= $1))
}

# expect_stream_goes_on N: N more of it start.
expect_stream_goes_on()
{
	poll 60 stream_has_started $(($(stream_started) + $1)) ||
		fail "the small jobs do not go on: $(squeue -h -o '%i %T %r %S')"
}

# expect_not_starved 'OPTIONS OF THE STREAM' OPTIONS...: a job, against the stream.
expect_not_starved()
{
	local small job wait count
	read -ra small <<<"$1"
	shift
	begin_stream "${small[@]}"
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
