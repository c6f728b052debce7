# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# A hostile ordinary user and another user; sourced after live.sh. If the tests run as
# root the hostile user is an unprivileged one, otherwise the user who runs them. Slurm
# 26.05 does not accept user 65534.
# shellcheck disable=SC2154

# shellcheck disable=SC2034
plain_user=$(id -un)
[ "$(id -u)" != 0 ] || plain_user=daemon

# as_plain COMMAND...
as_plain()
{
	if [ "$(id -u)" = 0 ]; then
		setpriv --reuid="$plain_user" --regid="$(id -g "$plain_user")" --clear-groups "$@"
	else
		"$@"
	fi
}

# submit_plain OPTIONS...: submit an empty job and print its id.
submit_plain()
{
	as_plain sbatch --parsable -D /tmp -o /dev/null "$@" --wrap 'sleep 0' \
		2>"$run/log/plain" || fail "sbatch $*: $(xargs <"$run/log/plain")"
}

# lines_about JOB: print what our plugins logged about the job, except its start and
# debug messages.
lines_about()
{
	grep -E "lxfw.*JobId=$1([^0-9]|\$)" "$run/log/slurmctld" |
		grep -vE '\] debug[0-9]*: |started JobId='
}

expect_logged_once()
{
	local count
	count=$(lines_about "$1" | wc -l)
	((count <= 1)) || fail "$count lines on job $1: $(lines_about "$1" | head -n 2)"
	! logged 'rebuilding the model' ||
		fail "the model was rebuilt: $(grep -m 1 'rebuilding the model' "$run/log/slurmctld")"
}

# Count the full states in the journal. Each begins a segment.
segments()
{
	"$build/lxfw" replay "$run/journal" | grep -oE '[0-9]+ segments?' | tail -n 1
}

# expect_others_start: submit five jobs of another user. Each must start at once.
expect_others_start()
{
	local i
	for i in 1 2 3 4 5; do
		expect_prompt "$(submit -J probe -n 1 -t 1 'sleep 0')"
	done
	poll 60 no_probes || fail "jobs that do not end: $(unfinished | xargs)"
}

no_probes()
{
	[ -z "$(squeue -h -n probe -o %A)" ]
}

cancel_plain()
{
	squeue -h -u "$plain_user" -o %A | xargs -r -n 500 -P 4 scancel -Q
}
