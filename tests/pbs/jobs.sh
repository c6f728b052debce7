# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Functions of check-pbs, which reads this file: limits, order and resources of jobs, and what they
# must not do to others.

# A user's limit of running jobs; a job that it holds back has a comment.
limits()
{
	local ids=() id i most=0 running
	begin limits -o lxfw_policy=lxfw
	inside qmgr -c 'set queue workq max_run = "[u:PBS_GENERIC=2]"'
	for i in 1 2 3 4 5; do
		ids+=("$(submit 2 -l select=1:ncpus=1 -l walltime=20)")
	done
	await 10 eval "value_of ${ids[4]} comment | grep -q 'a limit of running jobs'"
	for ((i = 0; i < 300; i++)); do
		running=$(inside qselect -s R | wc -l)
		[ "$running" -gt "$most" ] && most=$running
		no_jobs && break
	done
	[ "$most" -eq 2 ] || fail "$most jobs ran at a time"
	await 30 no_jobs
	inside qmgr -c 'unset queue workq max_run'
	end
	replays limits
}

# Jobs of a project over a soft limit come after others if preempt_prio has that level.
soft()
{
	local greedy first over under
	begin soft -o lxfw_policy=fcfs
	inside qmgr -c 'set sched default preempt_prio = "express_queue, normal_jobs, server_softlimits"'
	inside qmgr -c 'set server max_run_soft = "[p:PBS_GENERIC=5],[p:greedy=0]"'
	greedy=$(submit 60 -P greedy -l select=1:ncpus=4 -l walltime=90)
	first=$(submit 8 -l select=7:ncpus=4 -l walltime=10)
	await 10 is_in "$first" R
	over=$(submit 3 -P greedy -l select=7:ncpus=4 -l walltime=10)
	under=$(submit 4 -l select=7:ncpus=4 -l walltime=10)
	await 20 is_over "$first"
	await 10 is_in "$under" R
	is_in "$over" Q || fail "a job over a soft limit came first"
	await 30 is_over "$over"
	inside qdel "$greedy"
	inside qmgr -c 'unset server max_run_soft'
	inside qmgr -c 'set sched default preempt_prio = "express_queue, normal_jobs"'
	end
	replays soft
}

# A script says how much is left of a resource; fractions of another one are counted.
measured()
{
	local priv=$dir/home/sched_priv first second third large small
	cp "$priv/sched_config" "$dir/sched_config"
	mkdir -p "$dir/licenses"
	printf '#!/bin/sh\ncat "%s"\n' "$dir/licenses/left" >"$dir/licenses/script"
	chmod 755 "$dir/licenses" "$dir/licenses/script"
	echo 2 >"$dir/licenses/left"
	printf 'server_dyn_res: "floating !%s"\n' "$dir/licenses/script" >>"$priv/sched_config"
	begin measured -o lxfw_policy=lxfw
	first=$(submit 100 -l select=1:ncpus=1 -l floating=2 -l walltime=200)
	await 10 is_in "$first" R
	second=$(submit 3 -l select=1:ncpus=1 -l floating=1 -l walltime=20)
	await 10 eval "value_of $second comment | grep -q 'waits for resources'"
	echo 0 >"$dir/licenses/left"
	third=$(submit 3 -l select=1:ncpus=1 -l walltime=20)
	await 20 is_over "$third"
	is_in "$second" Q || fail "a job got a license that another one has"
	echo 1 >"$dir/licenses/left"
	await 30 is_over "$second"
	inside qdel "$first"
	inside qmgr -c 'set node v0 resources_available.slice = 1'
	large=$(submit 8 -l select=1:ncpus=1:slice=0.75 -l walltime=20)
	small=$(submit 8 -l select=1:ncpus=1:slice=0.25 -l walltime=20)
	third=$(submit 3 -l select=1:ncpus=1:slice=0.125 -l walltime=20)
	await 10 is_in "$large" R
	await 10 is_in "$small" R
	is_in "$third" Q || fail "more than one slice is in use"
	await 30 is_over "$third"
	inside qmgr -c 'unset node v0 resources_available.slice'
	cp "$dir/sched_config" "$priv/sched_config"
	end
	replays measured
}

# Jobs get vnodes of one switch: as they request, or as the server prescribes.
groups()
{
	local long id i vnodes
	for i in 0 1 2 3 4 5 6 7; do
		inside qmgr -c "set node v$i resources_available.switch = s$((i / 4))"
	done
	begin groups -o lxfw_policy=lxfw
	long=$(submit 60 -l select=1:ncpus=4:switch=s0 -l walltime=90)
	await 10 is_in "$long" R
	id=$(submit 2 -l select=4:ncpus=4 -l place=free:group=switch -l walltime=10)
	await 10 is_in "$id" R
	vnodes=$(value_of "$id" exec_vnode)
	[[ "$vnodes" == *v4*v5*v6*v7* ]] || fail "place=group: $vnodes"
	await 20 is_over "$id"
	inside qmgr -c 'set server node_group_key = switch'
	inside qmgr -c 'set server node_group_enable = True'
	# More than a switch has: the job spans both.
	id=$(submit 2 -l select=5:ncpus=4 -l walltime=10)
	await 10 is_in "$id" R
	await 20 is_over "$id"
	inside qmgr -c 'set sched default do_not_span_psets = True'
	id=$(submit 2 -l select=5:ncpus=4 -l walltime=10)
	await 20 eval "value_of $id comment | grep -q 'no placement set can hold its chunks'"
	inside qmgr -c 'set sched default do_not_span_psets = False'
	await 20 is_over "$id"
	id=$(submit 10 -l select=3:ncpus=4 -l walltime=20)
	await 10 is_in "$id" R
	vnodes=$(value_of "$id" exec_vnode)
	[[ "$vnodes" == *v[0-3]*v[4-7]* || "$vnodes" == *v[4-7]*v[0-3]* ]] &&
		fail "node_group_key: $vnodes"
	inside qdel "$id"
	inside qdel "$long"
	inside qmgr -c 'unset server node_group_key'
	inside qmgr -c 'set server node_group_enable = False'
	end
	replays groups
}

# expect_chunks ID PATTERN: the job runs, and its exec_vnode is like PATTERN.
expect_chunks()
{
	local vnodes
	await 15 is_in "$1" R
	vnodes=$(value_of "$1" exec_vnode)
	[[ "$vnodes" =~ ^$2$ ]] || fail "$1: $vnodes is not like $2"
}

# Jobs whose chunks cannot all be as the largest one, or want different hosts: they start as
# requested, their chunks in their order. The hosts have 8 processors and 16 GB each.
mixed()
{
	local i id long array small='\(v[0-9]:ncpus=1:mem=1048576kb\)'
	for i in 0 1 2 3 4 5 6 7; do
		inside qmgr -c "set node v$i resources_available.switch = s$((i / 4))"
	done
	begin mixed -o lxfw_policy=lxfw
	id=$(submit 2 -l select=2:ncpus=1:mem=1gb+1:ncpus=8:mem=10gb+3:ncpus=1:mem=1gb -l walltime=10)
	expect_chunks "$id" "$small\+$small\+\(v[^)]*\+v[^)]*\)(\+$small){3}"
	await 20 is_over "$id"
	id=$(submit 2 -l select=1:ncpus=3:vnode=v7+1:ncpus=2:vnode=v0 -l walltime=10)
	expect_chunks "$id" '\(v7:ncpus=3\)\+\(v0:ncpus=2\)'
	await 20 is_over "$id"
	id=$(submit 2 -l select=1:ncpus=4:switch=s1+4:ncpus=2:switch=s0 -l place=scatter -l walltime=10)
	await 10 eval "value_of $id comment | grep -q 'cannot hold its chunks'"
	inside qdel "$id"
	# Kinds that must share hosts.
	id=$(submit 2 -l select=4:ncpus=5+4:ncpus=3 -l walltime=10)
	await 15 is_in "$id" R
	await 20 is_over "$id"
	# It waits until all chunks have their hosts, also if the daemon dies, and nothing is held
	# for it that others need. A task of an array.
	long=$(submit 12 -l select=1:ncpus=4:vnode=v7 -l walltime=15)
	await 10 is_in "$long" R
	array=$(submit 3 -J 1-2 -l select=1:ncpus=4:vnode=v7+1:ncpus=4:vnode=v1 -l walltime=5)
	await 10 eval "value_of $array comment | grep -q 'waits for resources'"
	await 10 eval "value_of $array estimated.start_time | grep -q ."
	id=$(submit 1 -l select=1:ncpus=4:vnode=v1 -l walltime=3)
	await 5 is_in "$id" R
	die
	begin mixed -o lxfw_policy=lxfw
	await 25 is_in "${array%%\[*}[1]" R
	is_over "$long" || fail "a mixed job started before its hosts were free"
	is_in "${array%%\[*}[2]" Q || fail "both tasks run on the same hosts"
	await 15 is_in "${array%%\[*}[2]" R
	await 15 is_over "$array"
	# An operator runs it, and it is suspended and resumed.
	inside qmgr -c 'set sched scheduling = False'
	id=$(submit 6 -l select=1:ncpus=4:vnode=v6+1:ncpus=4:vnode=v2+3:ncpus=1 -l walltime=20)
	inside qrun "$id" || fail "qrun of a mixed job"
	expect_chunks "$id" '\(v6:[^)]*\)\+\(v2:[^)]*\)(\+\(v[0-9]:ncpus=1\)){3}'
	inside qmgr -c 'set sched scheduling = True'
	inside qsig -s suspend "$id"
	await 10 is_in "$id" S
	inside qsig -s resume "$id"
	await 10 is_in "$id" R
	inside qrerun "$id"
	await 20 is_over "$id"
	end
	replays mixed
}

# A resource that only the first chunk of a job uses.
first()
{
	local one other vnodes i
	for i in 0 1 2 3 4 5 6 7; do
		inside qmgr -c "set node v$i resources_available.tape = 1"
	done
	begin first -o lxfw_policy=lxfw
	one=$(submit 20 -l select=2:ncpus=1:tape=1 -l place=scatter -l walltime=30)
	await 10 is_in "$one" R
	vnodes=$(value_of "$one" exec_vnode)
	[ "$(grep -o tape=1 <<<"$vnodes" | wc -l)" -eq 1 ] || fail "tape: $vnodes"
	for i in 1 2 3 4 5 6 7; do
		other=$(submit 20 -l select=1:ncpus=1:tape=1 -l walltime=30)
		await 10 is_in "$other" R
	done
	other=$(submit 1 -l select=1:ncpus=1:tape=1 -l walltime=30)
	sleep 2
	is_in "$other" Q || fail "more tapes are in use than there are"
	await 40 is_over "$other"
	end
	replays first
}

# Policy site orders jobs by job_sort_formula, and those under the threshold wait. One that
# cannot be read is logged, and jobs are ordered without it: by their priorities, as sched_config
# prescribes.
formula()
{
	local priv=$dir/home/sched_priv first narrow wide under
	cp "$priv/sched_config" "$dir/sched_config"
	echo 'job_sort_key: "job_priority HIGH" ALL' >>"$priv/sched_config"
	inside qmgr -c 'set server eligible_time_enable = True'
	inside qmgr -c 'set sched default job_sort_formula = "sqrt(ncpus) + eligible_time / 1e6 if walltime < 3600 else 0"'
	inside qmgr -c 'set sched default job_sort_formula_threshold = 0.5'
	begin formula -o lxfw_policy=site
	first=$(submit 4 -l select=8:ncpus=4 -l walltime=10)
	await 10 is_in "$first" R
	narrow=$(submit 3 -l select=5:ncpus=4 -l walltime=10)
	wide=$(submit 4 -l select=7:ncpus=4 -l walltime=10)
	under=$(submit 1 -l select=1:ncpus=1 -l walltime=3600)
	await 20 eval "value_of $under comment | grep -q 'job_sort_formula_threshold'"
	await 20 is_in "$wide" R
	is_in "$narrow" Q || fail "a job of a lower value came first"
	await 20 is_over "$narrow"
	is_in "$under" Q || fail "a job under the threshold ran"
	inside qmgr -c 'set sched default job_sort_formula = "hash(ncpus)"'
	await 20 is_over "$under"
	[ "$(grep -c "job_sort_formula: column 1: " "$log")" -eq 1 ] ||
		fail "the formula that cannot be read is not logged once"
	first=$(submit 4 -l select=8:ncpus=4 -l walltime=10)
	await 10 is_in "$first" R
	narrow=$(submit 3 -l select=5:ncpus=4 -l walltime=10)
	wide=$(submit 3 -p 100 -l select=7:ncpus=4 -l walltime=10)
	await 20 is_in "$wide" R
	is_in "$narrow" Q || fail "a job of a lower priority came first"
	await 20 is_over "$narrow"
	inside qmgr -c 'unset sched default job_sort_formula'
	inside qmgr -c 'unset sched default job_sort_formula_threshold'
	cp "$dir/sched_config" "$priv/sched_config"
	end
	replays formula
}

# Fair share by the files of pbs_sched: jobs of the queue that has used less than its share come
# first, and what jobs use is added to the usage that pbsfs prints.
shares()
{
	local priv=$dir/home/sched_priv first one two
	inside qmgr -c 'create queue q1 queue_type=execution,enabled=True,started=True'
	inside qmgr -c 'create queue q2 queue_type=execution,enabled=True,started=True'
	cp "$priv/sched_config" "$dir/sched_config"
	# With by_queue, jobs of q1 come first whatever they have used.
	sed -i 's/^fair_share:.*/fair_share: true ALL/
		s/^by_queue:.*/by_queue: False ALL/
		s/^fairshare_usage_res:.*/fairshare_usage_res: ncpus*walltime/
		s/^fairshare_entity:.*/fairshare_entity: queue/' "$priv/sched_config"
	printf '%s\n' "q1 50 root 10" "q2 51 root 10" >>"$priv/resource_group"
	inside pbsfs -s q1 5000 >"$dir/pbsfs" 2>&1 || { cat "$dir/pbsfs"; fail "pbsfs"; }
	inside qmgr -c 'set server job_history_enable = True'
	begin shares -o lxfw_policy=site
	first=$(submit 6 -q q2 -l select=8:ncpus=4 -l walltime=10)
	await 10 is_in "$first" R
	one=$(submit 4 -q q1 -l select=8:ncpus=4 -l walltime=10)
	two=$(submit 4 -q q2 -l select=8:ncpus=4 -l walltime=10)
	await 20 is_in "$two" R
	is_in "$one" Q || fail "a job of the queue that has used more came first"
	await 30 is_over "$one"
	# The two jobs of 32 processors had 8 s together at least, and were over before their nodes
	# would have reported what they use.
	await 60 has_used q2 256
	end
	replays shares
	inside qmgr -c 'set server job_history_enable = False'
	cp "$dir/sched_config" "$priv/sched_config"
	: >"$priv/resource_group"
	await 20 no_jobs
	inside qmgr -c 'delete queue q1'
	inside qmgr -c 'delete queue q2'
}

# has_used ENTITY USAGE: its usage is so much at least.
has_used()
{
	local usage
	usage=$(inside pbsfs -g "$1" 2>&1 | sed -n 's/^usage[[:blank:]]*: \([0-9]*\).*/\1/p')
	[ "${usage:-0}" -ge "$2" ]
}

# Licenses that the server and a queue count for all hosts together: jobs never use more, a job
# that needs all of them is not overtaken for ever by those that need one, and jobs without them
# start beside.
licenses()
{
	local all=() big plain id i most=0 used starts
	begin licenses -o lxfw_policy=lxfw
	inside qmgr -c 'set server resources_available.lic = 3'
	for i in 1 2 3 4 5 6; do
		all+=("$(submit 4 -l select=1:ncpus=1 -l lic=1 -l walltime=60)")
	done
	await 10 is_in "${all[2]}" R
	big=$(submit 2 -l select=1:ncpus=1 -l lic=3 -l walltime=60)
	plain=$(submit 20 -l select=1:ncpus=1 -l walltime=60)
	await 10 is_in "$plain" R
	# None of these can end before the licenses of the first ones are expected back.
	for i in 1 2 3 4; do
		all+=("$(submit 4 -l select=1:ncpus=1 -l lic=1 -l walltime=300)")
	done
	for ((i = 0; i < 300; i++)); do
		used=$(inside qstat -B -f -F dsv -D '^' | tr '^' '\n' |
			sed -n 's/^resources_assigned.lic=//p')
		[ "${used:-0}" -gt "$most" ] && most=$used
		is_over "$big" >/dev/null 2>&1 && break
	done
	await 60 is_over "$big"
	for id in "${all[@]}"; do
		await 30 is_over "$id"
	done
	[ "$most" -eq 3 ] || fail "$most licenses were in use, of 3"
	inside qmgr -c 'set queue workq resources_available.lic = 1'
	id=$(submit 1 -l select=1:ncpus=1 -l lic=2 -l walltime=5)
	await 20 eval "value_of $id comment | grep -q 'more than its queue has of lic'"
	inside qdel "$id"
	inside qdel "$plain"
	inside qmgr -c 'unset queue workq resources_available.lic'
	inside qmgr -c 'unset server resources_available.lic'
	end
	starts=$("$builddir/lxfw" journal "$dir/licenses/journal" |
		grep -o "action start \(${big%%.*}\|${all[9]%%.*}\)\b" | head -1)
	[ "$starts" = "action start ${big%%.*}" ] || fail "a job that needs all licenses was overtaken"
	replays licenses
	"$builddir/lxfw" compare "$dir/licenses/journal" >"$dir/compare" 2>&1 ||
		{ cat "$dir/compare"; fail "the journal cannot be compared"; }
}

# One user's jobs do not keep those of others from running: a run time near the bound of 64 bits,
# hosts that do not exist, chunks in turn; an array that cannot run; a limit that ends; and a vnode
# with terabytes.
harm()
{
	local ids=() endless i array many large held
	inside qmgr -c 'create resource scratch type=size, flag=nh'
	inside qmgr -c 'set node v7 resources_available.scratch = 5tb'
	begin harm -o lxfw_policy=lxfw
	endless=$(submit 90 -l walltime=9223372036854775000 -l select=2:ncpus=4 -l place=pack)
	for ((i = 0; i < 20; i++)); do
		submit 1 -l select=1:ncpus=1:host=x$i >/dev/null
	done
	many=$(submit 1 -l select="$(for ((i = 0; i < 600; i++)); do
		printf '1:ncpus=1+1:ncpus=2+'; done)1:ncpus=1")
	array=$(submit 1 -J 0-3 -l select=1:ncpus=1000)
	await 20 is_in "$endless" R
	for i in 1 2 3; do
		ids+=("$(submit 5 -l select=2:ncpus=4 -l place=pack -l walltime=10)")
	done
	for i in 0 1 2; do
		await 10 eval "is_in ${ids[i]} R || is_over ${ids[i]}"
	done
	await 10 eval "value_of $many comment | grep -q 'too many different chunks'"
	await 10 eval "value_of '$array' comment | grep -q 'cannot hold its chunks'"
	large=$(submit 2 -l select=1:ncpus=1:scratch=5tb -l walltime=10)
	await 20 is_over "$large"
	# The same user may run one job, and then any number; other jobs fill the site.
	inside qmgr -c 'set queue workq max_run = "[u:PBS_GENERIC=1]"'
	held=$(submit 1 -l select=7:ncpus=4 -l walltime=10)
	await 10 eval "value_of $held comment | grep -q 'a limit of running jobs'"
	inside qmgr -c 'unset queue workq max_run'
	await 10 eval "value_of $held comment | grep -q 'waits for resources or for jobs that come first'"
	grep -q "is not in the model" "$log" && fail "harm: a job is not in the model"
	inside qdel "$endless"
	await 20 is_over "$held"
	end
	inside qmgr -c 'unset node v7 resources_available.scratch'
	replays harm
}

# The number of jobs of "$@" in state S, Q or R, as given first.
count_in()
{
	local state=$1 id count=0
	shift
	for id; do
		is_in "$id" "$state" && count=$((count + 1))
	done
	echo "$count"
}

are_in()
{
	[ "$(count_in "$1" "${@:3}")" -eq "$2" ]
}

# A job of an express queue takes the place of the youngest of others, which resume, also if the
# daemon is killed in between. With preempt_order=R they are requeued.
preempts()
{
	local old=() young=() id
	inside qmgr <<-EOF >/dev/null
		create queue express queue_type=e,enabled=t,started=t,priority=200
		set sched preempt_order = SCR
	EOF
	begin preempts -v -o lxfw_policy=site
	for _ in 1 2 3 4 5 6; do
		old+=("$(submit 300 -l select=1:ncpus=4 -l walltime=600)")
	done
	await 20 are_in R 6 "${old[@]}"
	sleep 2
	for _ in 1 2; do
		young+=("$(submit 60 -l select=1:ncpus=4 -l walltime=600)")
	done
	await 20 are_in R 2 "${young[@]}"
	sleep 3
	id=$(submit 8 -q express -l select=2:ncpus=4 -l walltime=60)
	await 20 is_in "$id" R
	are_in S 2 "${young[@]}" && are_in R 6 "${old[@]}" || fail "others than the youngest are suspended"
	die
	begin preempts -v -o lxfw_policy=site
	await 40 is_over "$id"
	await 30 are_in R 2 "${young[@]}"
	[ -z "$(over_capacity)" ] || fail "over capacity: $(over_capacity)"
	inside qmgr -c 'set sched preempt_order = R'
	sleep 3
	id=$(submit 4 -q express -l select=1:ncpus=4 -l walltime=60)
	await 40 is_in "$id" R
	are_in Q 1 "${young[@]}" && are_in R 1 "${young[@]}" || fail "not one of the youngest is requeued"
	await 30 is_over "$id"
	await 30 are_in R 2 "${young[@]}"
	inside qdel "${old[@]}" "${young[@]}"
	inside qmgr -c 'set sched preempt_order = SCR'
	await 30 no_jobs
	inside qmgr -c 'delete queue express'
	end
	replays preempts
}

# A job that an operator runs preempts the youngest job, which resumes when there is room; not while
# scheduling is off.
qruns()
{
	local old young id
	begin qruns -v -o lxfw_policy=site
	old=$(submit 300 -l select=4:ncpus=4 -l walltime=600)
	await 20 is_in "$old" R
	sleep 2
	young=$(submit 300 -l select=4:ncpus=4 -l walltime=600)
	await 20 is_in "$young" R
	sleep 4
	id=$(submit 12 -l select=2:ncpus=4 -l walltime=20)
	await 20 eval "value_of $id comment | grep -q 'waits for resources'"
	inside qmgr -c "set sched scheduling = False"
	sleep 2
	inside qrun "$id" 2>"$dir/qrun" && fail "qrun preempted while scheduling was off"
	grep -q "not enough free resources" "$dir/qrun" || { cat "$dir/qrun"; fail "qrun's answer"; }
	inside qmgr -c "set sched scheduling = True"
	sleep 2
	inside qrun "$id" || fail "qrun did not preempt"
	await 10 is_in "$id" R
	is_in "$young" S && is_in "$old" R || fail "another job than the youngest is suspended"
	sleep 6
	is_in "$id" R && is_in "$young" S || fail "the operator's job does not run on"
	await 30 is_over "$id"
	await 30 is_in "$young" R
	[ -z "$(over_capacity)" ] || fail "over capacity: $(over_capacity)"
	id=$(submit 6 -l select=9:ncpus=4 -l walltime=20)
	inside qrun "$id" 2>"$dir/qrun" && fail "qrun of a job that never fits"
	inside qdel "$old" "$young" "$id"
	end
	replays qruns
}
