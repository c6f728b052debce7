#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The expected start at submission: lxfw predict --starts-out writes a table, and
# contrib/cli_filter.lua prints a line from it. Whatever the file is, a submission succeeds.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"

# use_filter: install the script, with the file and the command of this run.
use_filter()
{
	lxfw_only
	sed "s,^local starts = .*,local starts = \"$run/starts\",
		s,^local lxfw = .*,local lxfw = \"$build/lxfw\"," \
		"$here/../../contrib/cli_filter.lua" >"$run/etc/cli_filter.lua" || fail "cli_filter.lua"
	rm -rf "$run/starts"
}

write_table()
{
	"$build/lxfw" predict --journal "$run/journal" --starts-out "$run/starts" >"$run/log/table" 2>&1 ||
		fail "--starts-out: exit status $?: $(cat "$run/log/table")"
}

# says OPTIONS...: submit a job and print what sbatch says on standard error.
says()
{
	sbatch --parsable -D "$run/work" -o /dev/null "$@" --wrap true 2>&1 >"$run/log/id" ||
		fail "sbatch $* fails"
	grep -qx '[0-9]*' "$run/log/id" || fail "sbatch $*: $(cat "$run/log/id")"
}

# expect_line PATTERN OPTIONS...
expect_line()
{
	local said
	said=$(says "${@:2}") || exit 1
	[[ $said =~ $1 ]] || fail "sbatch ${*:2}: '$said', not $1"
}

# expect_silence OPTIONS...
expect_silence()
{
	local said
	said=$(says "$@") || exit 1
	[ -z "$said" ] || fail "sbatch $*: '$said'"
}

at_once='^lxfw: expected start at once$'
later='^lxfw: expected start (now|[0-9T:-]+) \(50 %: (now|[0-9T:-]+) to (later|[0-9T:-]+), 90 %: (now|[0-9T:-]+) to (later|[0-9T:-]+)\)$'

test_line()
{
	local said
	use_filter
	wait_start "$(submit -N 2 --exclusive -t 60 -p p 'sleep 600')"
	write_table
	[ "$(stat -c %a "$run/starts")" = 644 ] || fail "mode $(stat -c %a "$run/starts")"
	! grep -q "$(id -un)" "$run/starts" || fail "the table names users: $(cat "$run/starts")"
	expect_line "$later" -n 1 -t 10
	expect_line "$later" -N 2 --ntasks-per-node 4 -t 1:00:00
	expect_line "$later" -n 3 -t 10 --mem-per-cpu 100 -J 'a "b" , "array":"1"'
	expect_line "$later" -N 1 -n 4 -t 10
	expect_line "$later" -n 1	# the default time limit of the partition
	expect_line "$at_once" -p other -n 1 -t 10
	expect_line "$at_once" -p other -N 1 -n 4 -t 10
	# salloc prints it while it waits.
	said=$(timeout 5 salloc -n 1 -t 10 true 2>&1)
	[[ $said =~ 'lxfw: expected start ' ]] || fail "salloc: $said"
}

# Jobs of which the table knows nothing.
test_unknown()
{
	use_filter
	wait_start "$(submit -N 2 --exclusive -t 60 'sleep 600')"
	write_table
	expect_line "$later" -n 1 -t 10
	expect_silence -n 1 -t 10 --array 1-2
	expect_silence -n 1 -t 10 --begin now+60
	expect_silence -n 1 -t 10 --hold
	expect_silence -n 1 -t 10 -w n1
	expect_silence -n 1 -t 10 --mem-per-cpu 200
	expect_silence -n 1 -t 10 --mem 200
	# The processors of the table may be on any nodes.
	expect_silence -n 3 -c 2 -t 10
	expect_silence -N 1 --exclusive -t 10
	expect_silence -n 1 -t 10 -p p,other
	[ -z "$(sbatch -Q -D "$run/work" -o /dev/null -n 1 -t 10 --wrap true 2>&1)" ] || fail "-Q"
	LXFW_EXPECTED=no expect_silence -n 1 -t 10
	# srun returns from its submission when the job has started.
	srun -p other -n 1 -t 1 true >"$run/log/srun" 2>&1 || fail "srun: $(cat "$run/log/srun")"
	! grep -q lxfw "$run/log/srun" || fail "srun: $(cat "$run/log/srun")"
}

# Whatever the file is, nothing is printed, and the submission works.
test_bad_files()
{
	local begin
	use_filter
	wait_start "$(submit -N 2 --exclusive -t 60 'sleep 600')"
	expect_silence -n 1 -t 10	# no file
	write_table
	expect_line "$later" -n 1 -t 10
	mv "$run/starts" "$run/good"
	ln -s good "$run/starts"
	expect_silence -n 1 -t 10
	rm "$run/starts"
	mkfifo "$run/starts"
	begin=$SECONDS
	expect_silence -n 1 -t 10
	((SECONDS - begin < 30)) || fail "a FIFO delays a submission"
	rm "$run/starts"
	mkdir "$run/starts"
	expect_silence -n 1 -t 10
	rmdir "$run/starts"
	head -c 300 "$run/good" >"$run/starts"
	expect_silence -n 1 -t 10
	truncate -s 100G "$run/starts"
	expect_silence -n 1 -t 10
	rm "$run/starts"
	head -c 100000 /dev/urandom >"$run/starts"
	expect_silence -n 1 -t 10
	: >"$run/starts"
	expect_silence -n 1 -t 10
	install -m 666 "$run/good" "$run/starts"
	expect_silence -n 1 -t 10
	# Written an hour ago.
	awk 'NR == 1 { $3 -= 3600; $4 -= 3600 } { print }' "$run/good" >"$run/starts"
	expect_silence -n 1 -t 10
	install -m 644 "$run/good" "$run/starts"
	expect_line "$later" -n 1 -t 10
	# A command that does not end is ended.
	printf '#!/bin/sh\necho "lxfw: expected start never"\nexec sleep 1000\n' >"$run/slow"
	chmod +x "$run/slow"
	sed -i "s,^local lxfw = .*,local lxfw = \"$run/slow\"," "$run/etc/cli_filter.lua"
	begin=$SECONDS
	says -n 1 -t 10 >/dev/null
	((SECONDS - begin < 30)) || fail "a command that hangs delays a submission"
	sed -i "s,^local lxfw = .*,local lxfw = \"$run/absent\"," "$run/etc/cli_filter.lua"
	expect_silence -n 1 -t 10
}

for plugins in "$LXFW_SLURM_PREFIX/lib/slurm" /usr/lib/*/slurm-wlm /usr/lib64/slurm; do
	[ ! -e "$plugins/cli_filter_lua.so" ] || found=yes
done
[ -n "${found-}" ] || skip "Slurm has no cli_filter/lua"

live_main "$@" -- --nodes 3 --cpus 4 --memory 4000 --conf DefMemPerCPU=100 \
	--conf CliFilterPlugins=cli_filter/lua \
	--partition 'p Nodes=n[1-2] Default=YES DefaultTime=30 MaxTime=2:00:00 State=UP' \
	--partition 'other Nodes=n3 MaxTime=2:00:00 State=UP'
