# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Functions shared by the live tests of changing shares; sourced after live.sh.

# shellcheck disable=SC2034
interval=2
shares_policy=lxfw_policy=eqspatial,lxfw_eq_min_interval=$interval

# adaptive OPTIONS... COMMAND: submit an adaptive job.
adaptive()
{
	submit --comment lxfw:adaptive "$@"
}

procs_of()
{
	field "$1" NumCPUs
}

has_procs()
{
	is_state "$1" RUNNING && [ "$(procs_of "$1")" = "$2" ]
}

# expect_procs JOB N [SECONDS]: the job has N processors within that time.
expect_procs()
{
	poll "${3:-60}" has_procs "$1" "$2" ||
		fail "job $1 is $(state "$1") ($(reason "$1")) on $(procs_of "$1") processors, not $2"
	expect_books
}

# cores_of JOB: print the numbers of its cores on its node, one per line.
cores_of()
{
	scontrol -d -o show job "$1" | sed -n 's/.* CPU_IDs=\([^ ]*\) .*/\1/p' | tr , '\n' |
		while IFS=- read -r first last; do
			seq "$first" "${last:-$first}"
		done
}

# tres_of JOB: print its allocated TRES; the field is AllocTRES since 23.02.
tres_of()
{
	echo "$(field "$1" AllocTRES)$(field "$1" TRES)"
}

# Check that Slurm's records of jobs, nodes and cores agree and that no core is
# allocated twice. Jobs and nodes cannot be read in one query, so the check is repeated
# if they differ.
books_agree()
{
	trouble=$({
		scontrol -d -o show job
		scontrol -o show node
	} | awk '
		function value(name,  i) {
			for (i = 1; i <= NF; i++)
				if (index($i, name "=") == 1)
					return substr($i, length(name) + 2)
			return ""
		}
		function expand(list, host, job,  n, parts, i, ends, core) {
			n = split(list, parts, ",")
			for (i = 1; i <= n; i++) {
				if (split(parts[i], ends, "-") == 1)
					ends[2] = ends[1]
				for (core = ends[1] + 0; core <= ends[2] + 0; core++) {
					if ((host, core) in owner)
						print host " core " core ": jobs " owner[host, core] " and " job
					owner[host, core] = job
					count[job]++
				}
			}
		}
		/^JobId=/ {
			id = value("JobId")
			jobstate = value("JobState")
			if (jobstate == "RUNNING" && value("NumNodes") == 1) {
				host = value("NodeList")
				used[host] += value("NumCPUs")
				expand(value("CPU_IDs"), host, id)
				if (count[id] != value("NumCPUs"))
					print "job " id ": " value("NumCPUs") " processors, cores " value("CPU_IDs")
				tres = value("AllocTRES") value("TRES")
				sub(/^cpu=/, "", tres)
				sub(/,.*/, "", tres)
				if (tres != value("NumCPUs"))
					print "job " id ": TRES of " tres ", " value("NumCPUs") " processors"
			} else if (jobstate == "RUNNING" || jobstate == "COMPLETING")
				unsure = 1
		}
		/^NodeName=/ {
			host = value("NodeName")
			if (value("CPUAlloc") + 0 > value("CPUTot") + 0)
				print host ": " value("CPUAlloc") " of " value("CPUTot") " processors"
			if (value("AllocMem") + 0 > value("RealMemory") + 0)
				print host ": " value("AllocMem") " of " value("RealMemory") " MB"
			if (!unsure && value("State") !~ /COMPLETING/ && value("CPUAlloc") + 0 != used[host] + 0)
				print host ": " value("CPUAlloc") " processors allocated, jobs have " used[host] + 0
		}')
	[ -z "$trouble" ]
}

expect_books()
{
	poll 60 books_agree || fail "$trouble"
}

# limit_of JOB: print the seconds from its start to its time limit.
limit_of()
{
	echo $(($(ended "$1") - $(started "$1")))
}

has_field()
{
	[ "$(field "$1" "$2")" = "$3" ]
}

has_limit()
{
	has_field "$1" TimeLimit "$2"
}

# step_has JOB N: true if its first step has N processors.
step_has()
{
	scontrol -o show step "$1.0" 2>/dev/null | grep -q " CPUs=$2 "
}

# node_has NODE N: true if N processors of the node are allocated.
node_has()
{
	scontrol -o show node "$1" | grep -q " CPUAlloc=$2 "
}
