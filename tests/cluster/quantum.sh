# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Functions shared by the live tests of immediate service; sourced after live.sh.

# shellcheck disable=SC2034
quantum=5 min_run=2 node_procs=8
quantum_policy=lxfw_policy=lxfw,lxfw_quantum=$quantum,lxfw_quantum_min_run=$min_run,lxfw_quantum_mem=1000

# ticker OPTIONS... N: submit a job that counts to N, ten per second while it runs;
# print its id.
ticker()
{
	submit -t 60 -o ticks.%j "${@:1:$#-1}" \
		"i=0; while [ \$i -lt ${*: -1} ]; do i=\$((i + 1)); echo \$i; sleep 0.1; done"
}

ticks_of()
{
	tail -n 1 "$run/work/ticks.$1" 2>/dev/null || echo 0
}

# ticked JOB N: true if the job has counted beyond N
ticked()
{
	(($(ticks_of "$1") > $2))
}

# True if the job has run long enough to be preempted.
has_min_run()
{
	is_state "$1" RUNNING && (($(date +%s) - $(started "$1") >= min_run))
}

wait_min_run()
{
	poll 120 has_min_run "$1" || fail "job $1 is $(state "$1") ($(reason "$1"))"
}

# fill [NODE ...]: on each node (default all), start a preemptable job with all its
# processors. Set the array fillers to their ids.
fill()
{
	local node job
	[ $# -gt 0 ] || set -- n1 n2 n3 n4
	fillers=()
	for node in "$@"; do
		fillers+=("$(ticker -w "$node" -n "$node_procs" --mem 2000 3000)")
	done
	for job in "${fillers[@]}"; do
		wait_min_run "$job"
	done
}

suspended()
{
	squeue -h -t S -o %i | xargs
}

none_suspended()
{
	[ -z "$(suspended)" ]
}

expect_none_suspended()
{
	poll "${1:-60}" none_suspended || fail "still suspended: $(suspended)"
}

# Wait until the plugin has no record of a job that it has suspended or had suspended.
no_preempted_records()
{
	! grep -qs '^lent ' "$run/state/lxfw_quanta"
}

# The job runs within seconds (3 if the machine is otherwise idle; the time is printed),
# before a pass would be made without a cause, and another job is suspended for it.
expect_served()
{
	local seconds
	wait_start "$1"
	seconds=$(($(started "$1") - $(submitted "$1")))
	echo "  served after $seconds s"
	((seconds <= 25)) || fail "job $1 is served late"
	poll 60 some_suspended || fail "job $1 runs, but no job is suspended"
}

# The script of a job that runs until may_end, so that it is seen while it is served, however
# busy the machine.
# shellcheck disable=SC2016,SC2034
until_seen='until [ -e "may-end.$SLURM_JOB_ID" ]; do sleep 0.2; done'

# may_end JOB: let such a job end, and wait until it has
may_end()
{
	touch "$run/work/may-end.$1"
	wait_done "$1"
}

some_suspended()
{
	! none_suspended
}

is_considered()
{
	is_state "$1" RUNNING || has_reason "$1" 'Resources|Priority'
}

# Slurm 24.11 executes itself at a reconfiguration, and must contact its nodes again
# before it knows the reason of a pending job.
set_quantum_params()
{
	set_params "$1"
	poll 60 controller_up && poll 60 nodes_answer || fail "nodes do not respond: $(sinfo -h -N -o '%N %T' | xargs)"
}

# Slurm marks a node that does not respond with a star.
nodes_answer()
{
	local states
	states=$(sinfo -h -N -o %T 2>/dev/null) && [ -n "$states" ] && [[ $states != *\** ]]
}

# The scheduler knows the job, and it is still pending after a pass that included it.
expect_not_served()
{
	poll 60 has_reason "$1" 'Resources|Priority' || fail "job $1 is $(state "$1") ($(reason "$1"))"
	is_state "$1" PENDING || fail "job $1 is $(state "$1"), but should be pending"
	none_suspended || fail "suspended for it: $(suspended)"
}

quantum_over()
{
	is_state "$1" 'PENDING COMPLETED CANCELLED'
}

is_eligible()
{
	(($(field "$1" EligibleTime) <= $(date +%s)))
}

has_priority()
{
	(($(field "$1" Priority) > 0))
}

# Print the running job on a node.
job_on()
{
	squeue -h -t R -w "$1" -o %i | head -n 1
}

named()
{
	[ -n "$(named_job "$1")" ]
}

named_job()
{
	squeue -h -n "$1" -o %i | head -n 1
}

array_states()
{
	squeue -h -r -t all -j "$1" -o '%t %r' | sort | uniq -c | xargs
}

array_over()
{
	! squeue -h -r -t all -j "$1" -o %t | grep -qv '^CD$'
}

# over_capacity [FILE]: print a line for each core with two running jobs, except for
# jobs in FILE, and for each node whose jobs have more memory than it has. All jobs are
# read in one query, so that consecutive jobs do not seem concurrent. FILE is read after
# the query.
over_capacity()
{
	local nodes jobs
	nodes=$(scontrol -o show node 2>/dev/null) &&
		jobs=$(scontrol -d -o show job 2>/dev/null) || return 0
	printf '%s\n' "$nodes" "$jobs" | awk -v but=" $(cat "${1:-/dev/null}" | xargs) " '
		function each_number(list, numbers,    parts, ends, count, i, j, n) {
			count = split(list, parts, ",")
			for (i = 1; i <= count; i++) {
				ends[2] = ""
				if (split(parts[i], ends, "-") == 1)
					ends[2] = ends[1]
				for (j = ends[1]; j <= ends[2] + 0; j++)
					numbers[++n] = j
			}
			return n
		}
		function take(job, node, ids, mem,    cores, count, i) {
			memory[node] += mem + 0
			if (state != "RUNNING" || index(but, " " job " "))
				return
			count = each_number(ids, cores)
			for (i = 1; i <= count; i++) {
				if ((node, cores[i]) in owner)
					print node " core " cores[i] ": jobs " owner[node, cores[i]] " and " job
				owner[node, cores[i]] = job
			}
		}
		function take_nodes(job, nodes, ids, mem,    names, count, i) {
			if (nodes !~ /\[/) {
				take(job, nodes, ids, mem)
				return
			}
			sub(/^n\[/, "", nodes)
			sub(/\]$/, "", nodes)
			count = each_number(nodes, names)
			for (i = 1; i <= count; i++)
				take(job, "n" names[i], ids, mem)
		}
		function value(text) {
			return substr(text, index(text, "=") + 1)
		}
		$1 ~ /^NodeName=/ {
			for (i = 2; i <= NF; i++)
				if ($i ~ /^RealMemory=/)
					has[value($1)] = value($i) + 0
		}
		$1 ~ /^JobId=/ && / JobState=(RUNNING|SUSPENDED) / {
			state = / JobState=RUNNING / ? "RUNNING" : "SUSPENDED"
			for (i = 1; i + 2 <= NF; i++)
				if ($i ~ /^Nodes=/ && $(i + 1) ~ /^CPU_IDs=/)
					take_nodes(value($1), value($i), value($(i + 1)), value($(i + 2)))
		}
		END {
			for (node in memory)
				if (memory[node] > has[node])
					print node ": " memory[node] " of " has[node] " MB"
		}'
}

expect_no_core_twice()
{
	local over
	over=$(over_capacity)
	[ -z "$over" ] || fail "over capacity: $over"
}
