# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Functions of check-pbs, which reads this file: what operators change while jobs wait or run, and
# limits and files at their bounds.

# A queue is stopped, disabled and deleted while jobs of it wait. Its jobs say why they wait, and
# jobs of other queues start.
queues()
{
	local all ours other
	inside qmgr -c 'create queue side queue_type=execution,enabled=True,started=True'
	begin queues -o lxfw_policy=lxfw
	all=$(submit 60 -l select=8:ncpus=4 -l walltime=90)
	await 10 is_in "$all" R
	ours=$(submit 2 -q side -l select=8:ncpus=4 -l walltime=10)
	other=$(submit 2 -l select=8:ncpus=4 -l walltime=10)
	await 20 eval "value_of $ours comment | grep -q 'waits for resources'"
	inside qmgr -c 'set queue side started = False'
	inside qmgr -c 'set queue side enabled = False'
	await 40 eval "value_of $ours comment | grep -q 'its queue is stopped'"
	inside qmgr -c 'delete queue side' 2>"$dir/delete" && fail "a queue with jobs was deleted"
	inside qdel "$all"
	await 20 is_over "$other"
	is_in "$ours" Q || fail "a job of a stopped queue ran"
	inside qmgr -c 'set queue side started = True'
	await 20 is_over "$ours"
	all=$(submit 60 -l select=8:ncpus=4 -l walltime=90)
	await 10 is_in "$all" R
	inside qmgr -c 'set queue side enabled = True'
	ours=$(submit 2 -q side -l select=8:ncpus=4 -l walltime=10)
	sleep 1
	inside qmove workq "$ours"
	inside qmgr -c 'delete queue side' || fail "a queue without jobs was not deleted"
	inside qdel "$all"
	await 20 eval "is_in $ours R || is_over $ours"
	end
	replays queues
}

# Limits that are 0, negative, without bound, or of unknown users, groups and projects.
bounds()
{
	local id limit
	begin bounds -o lxfw_policy=lxfw
	for limit in '[u:PBS_GENERIC=-1]' '[u:nobody_at_all=0],[g:none=0],[p:none=0]' \
		'[o:PBS_ALL=99999999999999999999]' '[o:PBS_ALL=2147483647]'; do
		inside qmgr -c "set queue workq max_run = \"$limit\"" >"$dir/qmgr" 2>&1 ||
			echo "# the server refuses max_run = $limit: $(head -1 "$dir/qmgr")"
		id=$(submit 1 -l select=1:ncpus=1 -l walltime=10)
		await 20 is_over "$id"
		inside qmgr -c 'unset queue workq max_run'
	done
	for limit in '[u:PBS_GENERIC=-1]' '[o:PBS_ALL=9223372036854775807]'; do
		inside qmgr -c "set queue workq max_run_res.ncpus = \"$limit\"" >"$dir/qmgr" 2>&1 ||
			echo "# the server refuses max_run_res.ncpus = $limit: $(head -1 "$dir/qmgr")"
		inside qmgr -c "set queue workq max_run_res.mem = \"$limit\"" >"$dir/qmgr" 2>&1
		id=$(submit 1 -l select=1:ncpus=1:mem=1gb -l walltime=10)
		await 20 is_over "$id"
		inside qmgr -c 'unset queue workq max_run_res.ncpus'
		inside qmgr -c 'unset queue workq max_run_res.mem'
	done
	for limit in 'max_running = -1' 'max_user_run = -5' 'max_group_run = -1'; do
		inside qmgr -c "set queue workq $limit" >"$dir/qmgr" 2>&1 ||
			echo "# the server refuses $limit: $(head -1 "$dir/qmgr")"
		id=$(submit 1 -l select=1:ncpus=1 -l walltime=10)
		await 20 is_over "$id"
		inside qmgr -c "unset queue workq ${limit%% *}"
	done
	inside qmgr -c 'set queue workq max_run_res.ncpus = "[u:root=0]"'
	id=$(submit 1 -l select=1:ncpus=1 -l walltime=10)
	await 20 eval "value_of $id comment | grep -q 'a limit of running jobs'"
	is_in "$id" Q || fail "a job ran over a limit of 0"
	inside qmgr -c 'unset queue workq max_run_res.ncpus'
	await 20 is_over "$id"
	end
	replays bounds
}

# Jobs that depend on each other wait, whatever the server makes of that, and others run.
circles()
{
	local one two other
	begin circles -o lxfw_policy=lxfw
	one=$(submit 1 -h)
	two=$(submit 1 -W "depend=afterok:$one")
	inside qalter -W "depend=afterok:$two" "$one" 2>"$dir/qalter" ||
		echo "# the server refuses a circle: $(head -1 "$dir/qalter")"
	inside qalter -W "depend=afterok:$one" "$one" 2>"$dir/qalter" ||
		echo "# the server refuses a job that depends on itself: $(head -1 "$dir/qalter")"
	inside qrls "$one"
	other=$(submit 1)
	await 20 is_over "$other"
	is_in "$one" H && is_in "$two" H || fail "a job of a circle runs"
	# The server of OpenPBS 23 may die when such jobs are deleted.
	inside qdel "$one" 2>/dev/null
	sleep 2
	site start 2>/dev/null
	await 20 is_over "$two"
	other=$(submit 1)
	await 60 is_over "$other"
	end
	replays circles
}

# The times of a reservation are altered before it begins and while it runs; jobs in it and beside
# it continue.
altered()
{
	local resv inner other now end
	begin altered -o lxfw_policy=lxfw
	now=$(date +%s)
	resv=$(inside pbs_rsub -R "$(date -d "@$((now + 60))" +%Y%m%d%H%M.%S)" -D 60 \
		-l select=4:ncpus=4 -l place=free | cut -d' ' -f1)
	await 10 is_reserved "$resv" CONFIRMED
	inside pbs_ralter -R "$(date -d "@$((now + 15))" +%Y%m%d%H%M.%S)" -D 30 "$resv" \
		>"$dir/ralter" 2>&1 || { cat "$dir/ralter"; fail "pbs_ralter"; }
	await 10 is_reserved "$resv" CONFIRMED
	inner=$(submit 60 -q "${resv%%.*}" -l select=1:ncpus=1 -l walltime=20)
	await 30 is_in "$inner" R
	# It runs: its end is moved.
	end=$((now + 90))
	inside pbs_ralter -E "$(date -d "@$end" +%Y%m%d%H%M.%S)" "$resv" >"$dir/ralter" 2>&1 ||
		{ cat "$dir/ralter"; fail "pbs_ralter of a running reservation"; }
	await 10 eval "inside pbs_rstat -f $resv | grep -q 'RESV_RUNNING'"
	inside pbs_rstat -f "$resv" | grep -q "reserve_end = .*$(date -d "@$end" +%H:%M:%S)" ||
		fail "the end was not moved"
	other=$(submit 2 -l select=8:ncpus=4 -l walltime=10)
	id=$(submit 1 -l select=1:ncpus=4 -l walltime=5)
	await 10 is_over "$id"
	is_in "$other" Q || fail "a job ran in a reservation of others"
	inside pbs_rdel "$resv"
	await 20 is_over "$other"
	end
	replays altered
}

# Immediate service is switched off and on by a reload while quanta are under way. No job stays
# suspended, and none is lost.
toggled()
{
	local long=() id i
	printf '%s\n' lxfw_policy=lxfw lxfw_quantum=20 lxfw_quantum_min_run=2 >"$dir/toggled.conf"
	begin toggled -c /mnt/pbs/toggled.conf
	for i in 1 2 3 4 5 6 7 8; do
		long+=("$(submit 60 -l select=1:ncpus=4:mem=100mb -l walltime=600)")
	done
	for id in "${long[@]}"; do
		await 20 is_in "$id" R
	done
	sleep 3
	for i in 1 2 3; do
		id=$(submit 30 -l select=2:ncpus=4:mem=100mb -l place=scatter -l walltime=60)
		await 20 is_in "$id" R
		sed -i 's/^lxfw_quantum=.*/lxfw_quantum=0/' "$dir/toggled.conf"
		kill -HUP "$daemon"
		[ $i -eq 1 ] && await 40 eval '[ -z "$(inside qselect -s S)" ]'
		[ $i -eq 2 ] && sleep 1
		sed -i 's/^lxfw_quantum=.*/lxfw_quantum=20/' "$dir/toggled.conf"
		kill -HUP "$daemon"
		[ -z "$(over_capacity)" ] || fail "over capacity: $(over_capacity)"
		sleep 3
	done
	sed -i 's/^lxfw_policy=.*/lxfw_policy=easy/' "$dir/toggled.conf"
	kill -HUP "$daemon"
	sed -i 's/^lxfw_quantum=.*/lxfw_quantum=0/' "$dir/toggled.conf"
	kill -HUP "$daemon"
	await 60 eval '[ -z "$(inside qselect -s S)" ]'
	await 300 no_jobs
	[ -z "$(over_capacity)" ] || fail "over capacity: $(over_capacity)"
	end
	replays toggled
}

# The disk of the state and the journal is full: jobs are scheduled, the log says why once, and no
# job is suspended that would not be found again. A log that cannot be written does not matter.
full()
{
	local long=() id i
	mkdir -p "$dir/small"
	inside mount -t tmpfs -o size=128k none /mnt/pbs/small
	begin small/state -o lxfw_policy=lxfw,lxfw_quantum=20,lxfw_quantum_min_run=2
	id=$(submit 1)
	await 20 is_over "$id"
	inside dd if=/dev/zero of=/mnt/pbs/small/filler bs=4k 2>/dev/null
	for i in 1 2 3 4 5 6 7 8; do
		long+=("$(submit 100 -l select=1:ncpus=4:mem=100mb -l walltime=600)")
	done
	for id in "${long[@]}"; do
		await 20 is_in "$id" R
	done
	sleep 4
	id=$(submit 2 -l select=2:ncpus=4:mem=100mb -l place=scatter -l walltime=20)
	await 20 grep -q "no job gets a quantum or is suspended until this is corrected" "$log"
	sleep 5
	[ "$(times_in "until this is corrected")" -eq "$(grep "until this is corrected" "$log" |
		sort -u -k4 | wc -l)" ] || fail "a full disk is logged more than once"
	is_in "$id" Q && [ -z "$(inside qselect -s S)" ] || fail "a job was suspended without a record"
	inside rm /mnt/pbs/small/filler
	await 120 is_over "$id"
	await 60 eval '[ -z "$(inside qselect -s S)" ]'
	inside qdel "${long[@]}"
	await 30 no_jobs
	end
	inside umount /mnt/pbs/small
	log=$dir/full.log
	inside "$(realpath "$builddir")/lxfw-pbsd" --state /mnt/pbs/full --log /dev/full \
		-o lxfw_policy=lxfw,lxfw_journal=/dev/full >"$log" 2>&1 &
	job=$!
	daemon=$(newest)
	id=$(submit 1)
	await 30 is_over "$id"
	end
	# The folder of the log is removed: the log stays where it was.
	mkdir "$dir/logs"
	inside "$(realpath "$builddir")/lxfw-pbsd" --state /mnt/pbs/full --log /mnt/pbs/logs/log \
		-o lxfw_policy=lxfw,lxfw_journal=/dev/full >"$log" 2>&1 &
	job=$!
	await 20 grep -q "registered as" "$dir/logs/log"
	daemon=$(newest)
	mv "$dir/logs" "$dir/moved"
	kill -HUP "$daemon"
	await 20 grep -q "the log stays where it was" "$dir/moved/log"
	id=$(submit 1)
	await 30 is_over "$id"
	end
	[ "$(grep -c "journal /dev/full" "$dir/moved/log")" -ge 1 ] &&
		[ "$(grep -c "journal /dev/full: " "$dir/moved/log")" -eq 1 ] ||
		fail "a journal that cannot be written is not logged once"
}
