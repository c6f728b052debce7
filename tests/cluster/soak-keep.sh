# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Keeps files of a failed soak test for diagnosis, since its cluster is removed.
# LXFW_SOAK_FAILED is the destination (soak-failed in the build directory).
# LXFW_SOAK_FAILED_MB limits the size of each copy (300); of a single file at most a
# quarter of that, its end, is kept. LXFW_SOAK_FAILED_COUNT is the number of copies kept
# (3).

kept_in=${LXFW_SOAK_FAILED:-$build/soak-failed}
kept_count=${LXFW_SOAK_FAILED_COUNT:-3}
kept_left=$((${LXFW_SOAK_FAILED_MB:-300} * 1024 * 1024))
kept_file_most=$((kept_left / 4))

# keep_file PATH FOLDER: copy PATH of $run, or its end if it is too large.
keep_file()
{
	local size
	size=$(stat -c %s "$run/$1") || return 0
	if ((size > kept_file_most)); then
		echo "$1: only its last $kept_file_most of $size bytes" >>"$2/left-out"
		size=$kept_file_most
	fi
	if ((size > kept_left)); then
		echo "$1: left out, $size bytes" >>"$2/left-out"
		return
	fi
	kept_left=$((kept_left - size))
	mkdir -p "$2/$(dirname "$1")" && tail -c "$size" "$run/$1" >"$2/$1" &&
		touch -r "$run/$1" "$2/$1"
}

# Ask the daemons for their current state, for comparison with what the soak test wrote
# to $run.
ask_daemons()
{
	mkdir -p "$run/asked"
	timeout 20 scontrol -d show job >"$run/asked/jobs"
	timeout 20 scontrol -d show node >"$run/asked/nodes"
	timeout 20 squeue -r -t all >"$run/asked/queue"
	timeout 20 sdiag >"$run/asked/sdiag"
	"$cluster" processes "$run" >"$run/asked/processes"
	[ "$accounting" = yes ] || return 0
	timeout 120 sacct -a -D -P -S now-1days -E now+1days -o ALL >"$run/asked/sacct"
	timeout 120 mariadb-dump --no-defaults --socket="$run/mysql/socket" --user=root \
		slurm_acct_db >"$run/asked/accounting.sql"
}

# In the order of importance. The key of munge, the files of the database, output of
# jobs and sockets are excluded.
files_to_keep()
{
	(cd "$run" && find . -maxdepth 1 -type f
		find asked etc work/over log/slurmctld journal* log state spool -type f) 2>/dev/null |
		sed 's,^\./,,' | awk '!seen[$0]++'
}

drop_old_kept()
{
	local old
	find "$kept_in" -mindepth 1 -maxdepth 1 -type d -name 'soak-*' -printf '%T@ %p\n' |
		sort -rn | tail -n "+$((kept_count + 1))" | cut -d ' ' -f 2- |
		while read -r old; do
			rm -rf "$old"
		done
}

# live.sh calls this at the end of a failed test, while the cluster is up.
live_failed()
{
	local folder file
	mkdir -p "$kept_in" &&
		folder=$(mktemp -d "$(cd "$kept_in" && pwd)/soak-$kind-$seed-$1.XXXX") || return 0
	ask_daemons 2>"$run/asked.errors"
	while read -r file; do
		keep_file "$file" "$folder"
	done < <(files_to_keep)
	drop_old_kept
	echo "  logs, state, spool, journal and accounting are kept in $folder ($(du -sh "$folder" | cut -f 1))"
}
