# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# A day beside a scheduler of its own, for `watch-days` here and in tests/pbs, which set top, build,
# cluster and name, and have the functions

#   start_day      start the site in folder $run, with "$run/work" for what users write
#   watch_day      replace this shell by the watch, as a user, with the journal "$run/work/journal"
#   stop_watch PID end it; it is process PID
#   become_user    replace this shell by lxfw as a user
#   record_queue TO
#                  write the files 'starts' and 'queue' of a moment, see watch-days.py

# shellcheck disable=SC2154
trace=$top/../shared/traces/SDSC-SP2-1998-4.2-cln.swf.gz
hours=${LXFW_WATCH_DAYS_HOURS:-24}
seed=${LXFW_WATCH_DAYS_SEED:-1}
speed=${LXFW_WATCH_DAYS_SPEED:-60}
first=${LXFW_WATCH_DAYS_FIRST:-5836}
warmup=${LXFW_WATCH_DAYS_WARMUP:-6}
every=${LXFW_WATCH_DAYS_EVERY:-1320}
# shellcheck source=tests/cluster/operations.sh
. "$top/tests/cluster/operations.sh"

# share_clock RUN: users may read its clock. Only root may use the memory of faketime.
share_clock()
{
	local names
	names=$(sed -n 's/^FAKETIME_SHARED=//p' "$1/clock.env")
	# shellcheck disable=SC2086
	set -- $names
	chmod 666 "/dev/shm/sem.${1#/}" "/dev/shm/${2#/}"
}

# What is known at a moment.
record_moment()
{
	local to=$1
	mkdir -p "$to"
	cp "$run/work/journal" "$to/journal"
	date +%s >"$to/time"
	record_queue "$to"
	cut -d' ' -f1 /proc/loadavg >"$to/load"
	(become_user predict --json) >"$to/present" 2>"$to/present.messages"
}

# Runs in a subshell, by the fast clock.
moments()
{
	local at wait begin
	use_clock "$run"
	until [ -e "$run/begin" ]; do
		really sleep 0.1
	done
	begin=$(cat "$run/begin")
	for ((at = warmup * 3600; at < hours * 3600 - every; at += every)); do
		wait=$((begin + at - $(date +%s)))
		[ "$wait" -le 0 ] || sleep "$wait"
		record_moment "$run/moments/$at"
	done
}

# run_day MANAGER: the day, and the comparison with what happened.
run_day()
{
	local watcher
	[ -x "$build/lxfw" ] || skip 'lxfw is not built'
	operations_folder days
	# A user without privileges runs lxfw in it.
	chmod 755 "$folder"
	run=$folder/stock
	python3 "$top/tests/cluster/watch-days.py" list "$trace" "$seed" "$hours" "$first" \
		>"$folder/list" || exit 2
	start_day
	(watch_day) >"$run/log/watch.out" 2>&1 &
	watcher=$!
	(live "$run") &
	workers=($!)
	(moments) &
	workers+=($! "$watcher")
	wait "${workers[0]}" && wait "${workers[1]}" || die "the run has not ended"
	stop_watch "$watcher"
	wait "$watcher" || die "lxfw watch: $(cat "$run/log/watch.out")"
	workers=()
	stop_machine "$run"
	cp "$run/work/journal" "$run/journal"
	cat "$run/log/watch.out"
	[ -z "${LXFW_WATCH_DAYS_KEEP-}" ] || cp -r "$run" "$LXFW_WATCH_DAYS_KEEP"
	[ -z "${LXFW_WATCH_DAYS_KEEP-}" ] || cp "$folder/list" "$LXFW_WATCH_DAYS_KEEP"
	python3 "$top/tests/cluster/watch-days.py" report "$1" "$build/lxfw" "$run" "$folder/list"
}
