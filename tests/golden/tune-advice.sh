#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What lxfw tune tells an administrator to do: the changed lines of the slurm.conf, restart or
# reconfigure, and how to go back; for a site with sched/backfill, with sched/lxfw, with
# OpenPBS, and without a configuration.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99

# One processor, and a case where shortest first is best, as in tune.sh.
jobs()
{
	day=0 number=0
	while [ $day -lt 17 ]; do
		for run in 100 320 160 80 40 20 10; do
			number=$((number + 1))
			late=1
			[ $run -ne 100 ] || late=0
			"$1" $number $((day * 86400 + late)) $run
		done
		day=$((day + 1))
	done
}

swf()
{
	job "$1" "$2" "$3" 1 "$3"
}

# A record of OpenPBS. The day is counted from 1 January 2026.
pbs()
{
	at=$((1767225600 + $2))
	end=$((at + $3))
	printf '%s;E;%s.s;user=u group=g queue=q ctime=%s qtime=%s etime=%s start=%s exec_host=n1/0 ' \
		"$(date -u -d "@$end" '+%m/%d/%Y %H:%M:%S')" "$1" $at $at $at $at
	printf 'Resource_List.ncpus=1 Resource_List.nodect=1 Resource_List.walltime=00:%02d:%02d ' \
		$(($3 / 60)) $(($3 % 60))
	printf 'session=1 end=%s Exit_status=0 resources_used.walltime=00:%02d:%02d\n' $end \
		$(($3 / 60)) $(($3 % 60))
}

{
	echo '; MaxProcs: 1'
	jobs swf
} > known.swf

# tune ARGUMENTS...: the output is in `out`, the page in page.html
tune()
{
	"$lxfw" tune --warmup 1d --period 1d --copies 0 --minimize mean_wait \
		--vary lxfw_quantum=0,lxfw_policy=lxfw/sjf --settings 40 --start-overhead 0 \
		--despite-verdict --report page.html "$@" > out 2> err ||
		fail "$*: exit status $?: $(cat out err)"
}

# says WHAT TEXT...: each in the text, in which lines are joined, and on the page
says()
{
	what=$1
	shift
	sed 's/<[^>]*>//g; s/&#39;/'\''/g; s/&quot;/"/g' page.html > plain
	for text in "$@"; do
		grep -qF -e "$text" out || fail "$what: no '$text' in: $(sed -n '/What to do/,$p' out)"
		grep -qF -e "$text" plain || fail "$what: no '$text' on the page"
	done
}

# lacks WHAT TEXT...
lacks()
{
	what=$1
	shift
	for text in "$@"; do
		! grep -qF -e "$text" out || fail "$what: '$text' in: $(sed -n '/What to do/,$p' out)"
		! grep -qF -e "$text" page.html || fail "$what: '$text' on the page"
	done
}

conf()
{
	printf 'ClusterName=c\nSlurmctldHost=h\n%s\nSelectType=select/cons_tres\n' "$1"
	printf 'PriorityType=priority/basic\nNodeName=n1 CPUs=1\nPartitionName=p Nodes=ALL Default=YES\n'
}

# changed FILE: make the changes of the diff in `out`, to new.conf. The new file must be in
# order, and a simulation with it must be that of the recommended setting.
changed()
{
	"$lxfw" check-conf --no-files "$1" > before
	sed -n '/^--- /,/^Then /p' out | sed '$d' > diff
	awk '
		NR == FNR {
			if (/^(---|\+\+\+) / || /^@@/) next
			if (/^-/) gone[substr($0, 2)] = 1
			if (/^\+/) added[++count] = substr($0, 2)
			next
		}
		$0 in gone { next }
		{ print }
		/^SlurmctldHost/ { for (i = 1; i <= count; i++) print added[i] }' diff "$1" > new.conf
	"$lxfw" check-conf --no-files new.conf > after
	! grep -q 'does not work\|parameters\]' after || fail "$1: not in order: $(cat new.conf after)"
	mean=$("$lxfw" simulate --warmup 1d --cluster new.conf --json known.swf 2> err |
	       sed -n 's/.*"mean_wait_s": *\([0-9.]*\).*/\1/p')
	[ "$mean" = 166.28571428571428 ] ||
		fail "$1: mean wait $mean: $(cat new.conf err)"
}

# --- a stock site -------------------------------------------------------------------------
conf 'SchedulerParameters=bf_interval=60,enable_user_top,bf_max_job_test=500' > stock.conf
tune --cluster stock.conf known.swf
says stock 'Change these lines of stock.conf' \
	'-SchedulerParameters=bf_interval=60,enable_user_top,bf_max_job_test=500' \
	'+SchedulerParameters=defer,sched_interval=-1,enable_user_top,' \
	'+SchedulerType=sched/lxfw' \
	'Then restart slurmctld, since SchedulerType changes' \
	'Running jobs continue.' \
	'To go back, restore the '\''-'\'' lines, remove the '\''+'\'' lines, and restart slurmctld.'
lacks stock 'Then run' 'Add this to SchedulerParameters'
changed stock.conf

conf 'SchedulerType=sched/backfill' > stock.conf
tune --cluster stock.conf known.swf
says 'no parameters' '-SchedulerType=sched/backfill' '+SchedulerType=sched/lxfw' \
	'+SchedulerParameters=defer,sched_interval=-1,lxfw_' 'Then restart slurmctld'
changed stock.conf

# A change of SelectType may lose running jobs.
sed '/^SelectType/d' stock.conf > linear.conf
tune --cluster linear.conf known.swf
says linear '+SelectType=select/cons_tres' 'SelectType changes, too: unless' 'running jobs are lost'
lacks linear 'Running jobs continue'

# --- a site with sched/lxfw -----------------------------------------------------------------
conf 'SchedulerType=sched/lxfw
SelectTypeParameters=CR_Core
SchedulerParameters=defer,sched_interval=-1,lxfw_policy=easy,lxfw_journal=/var/j,max_array_tasks=9' \
	> lxfw.conf
tune --cluster lxfw.conf known.swf
says lxfw 'Change these lines of lxfw.conf' '-SchedulerParameters=defer,sched_interval=-1,lxfw_policy=easy' \
	'+SchedulerParameters=defer,sched_interval=-1,' 'lxfw_journal=/var/j' 'max_array_tasks=9' \
	"Then run 'scontrol reconfigure'. slurmctld need not be restarted." \
	"To go back, restore the '-' lines, remove the '+' lines, and run 'scontrol reconfigure'."
lacks lxfw 'restart slurmctld' '+SchedulerType'
[ "$(grep -c '^[-+][A-Z]' out)" -eq 2 ] || fail "lxfw: $(sed -n '/What to do/,$p' out)"
changed lxfw.conf

# Nothing but the setting is changed, also if check-conf would add a line.
sed '/^SelectTypeParameters/d' lxfw.conf > less.conf
tune --cluster less.conf known.swf
says less "Then run 'scontrol reconfigure'."
lacks less '+SelectTypeParameters'

# What is not in --current stays in the file.
tune --cluster lxfw.conf --current lxfw_policy=fcfs known.swf
says current 'lxfw_journal=/var/j' 'max_array_tasks=9'
changed lxfw.conf

# A trial records only.
sed 's/lxfw_policy/lxfw_shadow=on,&/; s/defer,sched_interval=-1,//' lxfw.conf > trial.conf
tune --cluster trial.conf known.swf
says trial 'The setting has lxfw_shadow=on: sched/lxfw records decisions and starts no jobs'

# --- OpenPBS --------------------------------------------------------------------------------
jobs pbs | sort -t ';' -k 1,1 > accounting
tune --cluster procs=1 accounting
says PBS 'Give lxfw-pbsd these lines in its file of parameters' \
	'Then send lxfw-pbsd SIGHUP.' 'start lxfw-pbsd in its place' \
	'To go back, restore the file and send SIGHUP.'
grep -qx 'lxfw_policy=[a-z]*' out || fail "PBS: $(sed -n '/What to do/,$p' out)"
lacks PBS slurmctld SchedulerParameters=

# --- no configuration -------------------------------------------------------------------------
tune known.swf
says none 'On a Slurm cluster, put these lines into slurm.conf' 'SchedulerType=sched/lxfw' \
	'SchedulerParameters=defer,sched_interval=-1,lxfw_policy=' \
	'If SchedulerType changes, restart slurmctld: without sched/lxfw the items have no effect' \
	"If it was sched/lxfw before, run 'scontrol reconfigure'." 'To go back, restore both lines'
lacks none 'Add this to SchedulerParameters'

# --- the scatter ------------------------------------------------------------------------------
# Reasons why settings that lie better in the chart were not chosen.
grep -q 'mean_wait and max_wait: [0-9]* settings\{0,1\} lies\{0,1\} better than [A-Z] in both on the log itself' \
	page.html || fail 'no reasons under the chart'

finish
