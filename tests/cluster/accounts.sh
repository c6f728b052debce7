# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Accounts and QOS of the database of a private cluster; sourced after live.sh.
# shellcheck disable=SC2154

# An entry that exists is no error: an earlier test, or a command whose answer was lost, has
# added it. Since 24.11 sacctmgr fails then, for a user with the words that it also uses if
# the account is missing; account() waits until the controller knows the user.
managed()
{
	local out
	out=$(sacctmgr -i "$@" 2>&1) && return
	printf '%s\n' "sacctmgr $*" "$out" >>"$run/log/sacctmgr.out"
	[[ $out = *'Nothing new added'* || $out = *'Already existing'* ||
	   $out = *'Nothing added'* ]]
}

# manage ARGUMENTS OF sacctmgr...: repeat the command until it succeeds. Its messages can time
# out, with a fast clock in particular.
manage()
{
	poll 60 managed "$@" || fail "sacctmgr $*: $(tail -n 3 "$run/log/sacctmgr.out")"
}

known()
{
	scontrol show assoc_mgr flags="$1" 2>/dev/null | grep -q "$2"
}

# usable OPTION OF sbatch...: the controller accepts jobs with these options.
usable()
{
	sbatch --test-only -n 1 -t 1 "$@" --wrap true >"$run/log/usable" 2>&1
}

# account NAME LIMIT...: create an account of this test with a limit. The user is added with the
# limit, so that the controller does not know one without the other.
account()
{
	local name=$1
	shift
	manage add account "$name"
	manage add user "$(id -un)" account="$name" "$@"
	poll 60 known assoc "Account=$name UserName=$(id -un)" && poll 60 usable -A "$name" ||
		fail "the controller does not know account $name: $(cat "$run/log/usable")"
}

qos()
{
	local name=$1
	shift
	manage add qos "$name" "$@"
	manage modify user "$(id -un)" set qos+="$name"
	poll 60 known qos "QOS=$name" && poll 60 usable -q "$name" ||
		fail "the controller does not know QOS $name: $(cat "$run/log/usable")"
}
