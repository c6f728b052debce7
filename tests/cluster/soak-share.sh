# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Part of the soak test: fair share. Several users in accounts with different shares,
# which change, and priorities and nice values that are set by hand; Slurm's priority is
# one of the weights of the policy. Afterwards the jobs of all users must start in the
# order of the priorities that sprio prints.

share_users=()

# Root can submit jobs of other users. Others have one account more.
find_share_users()
{
	local name
	[ "$(id -u)" = 0 ] || { share_users=("$(id -un)"); return; }
	for name in daemon bin sys games; do
		! getent passwd "$name" >/dev/null || share_users+=("$name")
	done
}

account_of()
{
	case $1 in
	daemon | bin)	echo large ;;
	*)		echo small ;;
	esac
}

make_share_accounts()
{
	local user
	sacctmgr -i add account large fairshare=30 >>"$run/log/sacctmgr.out" 2>&1
	sacctmgr -i add account small fairshare=10 >>"$run/log/sacctmgr.out" 2>&1
	for user in "${share_users[@]}"; do
		sacctmgr -i add user "$user" account="$(account_of "$user")" fairshare=1 \
			>>"$run/log/sacctmgr.out" 2>&1
	done
	poll 30 knows_share_accounts || fail "the controller does not know the accounts"
}

knows_share_accounts()
{
	[ "$(scontrol show assoc_mgr flags=assoc 2>/dev/null |
		grep -cE 'Account=(large|small) UserName=[a-z]')" = ${#share_users[@]} ]
}

# Set the array by_user to the options of a user's job. The first user submits most.
choose_user()
{
	by_user=()
	[ "$share" = yes ] || return 0
	between 0 9
	[ "$REPLY" -lt 9 ] || return 0
	one_of "${share_users[0]}" "${share_users[0]}" "${share_users[@]}"
	as_user "$REPLY"
}

as_user()
{
	by_user=(-A "$(account_of "$1")")
	[ "$1" = "$(id -un)" ] || by_user+=(--uid "$1")
}

# Change a share, or set a priority or a nice value by hand.
change_priority()
{
	local job
	[ "$share" = yes ] || return 0
	between 0 5
	case $REPLY in
	0)	one_of "${share_users[@]}"
		job=$REPLY
		between 1 100
		sacctmgr -i modify user "$job" set fairshare="$REPLY" >>"$run/log/sacctmgr.out" 2>&1
		return ;;
	1)	random_job PD
		scontrol top "$REPLY" ;;
	2)	random_job PD
		scontrol update "jobid=$REPLY" priority=3000 ;;
	*)	random_job PD
		job=$REPLY
		between 0 400
		scontrol update "jobid=$job" nice=$((REPLY - 200)) ;;
	esac >/dev/null 2>&1
}

# Print the ids of pending jobs by the priority that sprio prints, the highest first.
by_sprio()
{
	sprio -h -o '%Y %i' | sort -k1,1nr -k2,2n | awk '{ print $2 }' | xargs
}

has_sprio()
{
	[ "$(sprio -h -o %i | wc -l)" = "$1" ]
}

# Print the jobs by their start, or nothing if one has not started.
by_start()
{
	local job
	for job in "$@"; do
		is_state "$job" 'RUNNING COMPLETING COMPLETED' || return
		echo "$(started "$job") $job"
	done | sort -n | awk '{ print $2 }' | xargs
}

have_started()
{
	[ "$(by_start "$@" | wc -w)" = $# ]
}

# Each user waits with a job that needs the whole cluster, the one with the largest use
# first. They start in the order of priority, each after the one before it has ended.
expect_order_of_shares()
{
	local user jobs=() blocker order
	make_share_accounts
	set_params "$(live_params lxfw_policy=lxfw,lxfw_wsite=1000000)"
	poll 60 nodes_up || fail "nodes do not respond"
	sshare -h -P -a -o account,user,normshares,rawusage,fairshare | awk -F '|' '$2 { print "  " $0 }'
	blocker=$(submit -t 5 -N "$nodes" --exclusive 'sleep 300') || exit 1
	wait_state "$blocker" RUNNING 60
	for user in "${share_users[@]}"; do
		as_user "$user"
		jobs+=("$(submit "${by_user[@]}" -t 1 -N "$nodes" --exclusive 'sleep 1')") || exit 1
	done
	poll 20 has_sprio ${#jobs[@]} || fail "sprio prints $(sprio | xargs)"
	order=$(by_sprio)
	scancel "$blocker"
	poll 120 have_started "${jobs[@]}" || fail "not started: $(unfinished | xargs)"
	[ "$(by_start "${jobs[@]}")" = "$order" ] ||
		fail "started in the order $(by_start "${jobs[@]}"), not $order"
}
