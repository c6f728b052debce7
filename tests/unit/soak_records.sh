#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The comparison of the soak test with slurmdbd's records, with made-up records: it excuses
# a job that is unknown to slurmdbd if its whole run was just before a kill, and no other
# difference.

# shellcheck source=tests/cluster/soak-records.sh
. "${LXFW_TOP_SRCDIR:-.}/tests/cluster/soak-records.sh"
run=$(mktemp -d) || exit 99
trap 'rm -rf "$run"' EXIT
kills=1
failed=0

sacct()
{
	cat "$run/sacct"
}

# compare: the journal is $run/text.
compare()
{
	short_runs "$run/components" "$run/kills" <"$run/text" >"$run/short-runs"
	accounted | cut -d ' ' -f 1,2 >"$run/accounted"
	accounted -D >"$run/accounted-all"
	accounts_differ | xargs
}

# expect NAME DIFFERENCES LOST: after make_case.
expect()
{
	local found lost
	found=$(compare)
	lost=$(xargs <"$run/lost")
	[ "$found" = "$2" ] && [ "$lost" = "$3" ] && return
	echo "$1: differences '$found', not '$2'; excused '$lost', not '$3'"
	failed=1
}

# make_case: job 5 ran from 92 to 97, slurmctld was killed at 100.4, and slurmdbd does not
# know the job.
make_case()
{
	echo '90.5 100.4' >"$run/kills"
	: >"$run/components"
	printf '%s\n' '4 COMPLETED' '5 COMPLETED' '6 CANCELLED' >"$run/states"
	printf '%s\n' '4|COMPLETED' '6|CANCELLED by 0' >"$run/sacct"
	cat >"$run/text" <<-END
	80 event submit 4 1 pieces:1:0 on 1 hosts or more with:945 limit 120 submitted 80
	80 action start 4 n1:1:945
	85 event end 4
	92 event submit 5 1 pieces:1:0 on 1 hosts or more with:945 limit 120 submitted 92
	92 event priority 5 1
	92 action start 5 n1:1:945
	97 event end 5
	END
}

make_case
expect 'a short run before a kill' '' 5

make_case
: >"$run/kills"
expect 'no kill' '< 5 COMPLETED' ''
make_case
echo '101 103' >"$run/kills"
expect 'started too long before the kill' '< 5 COMPLETED' ''
make_case
echo '90 96.9' >"$run/kills"
expect 'ended after the kill' '< 5 COMPLETED' ''
make_case
printf '%s\n' '20 30' '90 100' '190 200' >"$run/kills"
expect 'one of several kills' '' 5

make_case
sed -i '/event end 5/d' "$run/text"
expect 'no end in the journal' '< 5 COMPLETED' ''
make_case
sed -i '/action start 5/d' "$run/text"
expect 'no start in the journal' '< 5 COMPLETED' ''
make_case
sed -i 's/action start 5/event run 5 until 212 since 92/' "$run/text"
expect 'started by Slurm' '' 5
make_case
sed -i '/event end 5/i 92 event refused 5' "$run/text"
expect 'refused' '< 5 COMPLETED' ''
make_case
sed -i -e '/action start 5/i 70 action start 5 n1:1:945\n75 event end 5' -e '/action start 5/d' "$run/text"
expect 'an earlier run' '< 5 COMPLETED' ''

make_case
echo '5|RUNNING' >>"$run/sacct"
expect 'slurmdbd has no end' '< 5 COMPLETED > 5 RUNNING' ''
make_case
echo '5|PENDING' >>"$run/sacct"
expect 'slurmdbd has no start' '< 5 COMPLETED > 5 PENDING' ''
make_case
sed -i '/^4/d' "$run/sacct"
expect 'another job' '< 4 COMPLETED' 5
make_case
echo '9|COMPLETED' >>"$run/sacct"
expect 'a job that Slurm does not have' '> 9 COMPLETED' 5

# A task of an array is excused if slurmdbd has only the record of the whole array.
make_case
sed -i 's/ 5\b/ 5_1/; s/^5 /5_1 /' "$run/text" "$run/states"
echo '5_[0-1]|PENDING' >>"$run/sacct"
expect 'a task' '> 5_0 PENDING' 5_1
sed -i 's/5_\[0-1\]/5_[1]/' "$run/sacct"
expect 'the last task' '' 5_1
echo '5_1|PENDING' >"$run/sacct"
printf '%s\n' '4|COMPLETED' '6|CANCELLED by 0' >>"$run/sacct"
expect 'a task with a record' '< 5_1 COMPLETED > 5_1 PENDING' ''

# The journal has components under their numbers.
make_case
echo '5 4+1' >"$run/components"
sed -i 's/^5 /4+1 /' "$run/states"
expect 'a component' '' '4+1'
echo '4+1|RUNNING' >>"$run/sacct"
expect 'a component with a record' '< 4+1 COMPLETED > 4+1 RUNNING' ''

exit $failed
