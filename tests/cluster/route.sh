# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
#
# Three clusters with one slurmdbd and `lxfw route`. Sourced after live.sh, whose cluster is
# alpha; beta and gamma are started in folders of it. `sbatch` in alpha chooses the cluster.

routed_clusters=(alpha beta gamma)

folder_of()
{
	[ "$1" = alpha ] && echo "$run" || echo "$run/$1"
}

# on CLUSTER COMMAND...: run a command in the environment of the cluster.
on()
{
	local name=$1
	shift
	(eval "$("$cluster" env "$(folder_of "$name")")"; "$@")
}

# start_server CLUSTER
start_server()
{
	local folder
	folder=$(folder_of "$1")
	(
		eval "$("$cluster" env "$folder")"
		LXFW_CLUSTER=$run exec setsid "$build/lxfw" route --serve "$run/$1.socket" \
			--journal "$folder/journal" --metrics "$folder/metrics" --ping "${route_ping:-1}"
	) </dev/null >>"$run/log/serve.$1" 2>&1 &
	echo $! >"$run/$1.server"
	disown
}

# Another process may have the number of a server that was killed.
server_runs()
{
	grep -qas "$run/$1.socket" "/proc/$(cat "$run/$1.server")/cmdline"
}

stop_server()
{
	server_runs "$1" && kill -"${2:-TERM}" "$(cat "$run/$1.server")"
}

# ask OPTIONS...: print the offers of the clusters. Each choice counts for some seconds as a job
# that was sent, so that a test which asks again and again would see the jobs of its own
# questions: they are added to a copy of the list of those that were sent.
ask()
{
	mkdir -p -m 700 "$run/asked/$(id -u)"
	rm -f "$run/asked/$(id -u)/recent"
	cp "$run/records/$(id -u)/recent" "$run/asked/$(id -u)/recent" 2>/dev/null
	"$build/lxfw" route --conf "$run/ask.conf" --request "$*"
}

# answers CLUSTER: true if it answers questions.
answers()
{
	ask -n 1 -t 1 2>&1 | grep -q "^offer $1 "
}

# write_route_conf LINE...: the clusters, and these lines.
write_route_conf()
{
	local name
	{
		for name in "${routed_clusters[@]}"; do
			echo "cluster=$name at=$run/$name.socket"
		done
		echo "records=$run/records"
		printf '%s\n' "$@"
	} >"$run/route.new"
	sed "s,^records=.*,records=$run/asked," "$run/route.new" >"$run/ask.conf"
	mv "$run/route.new" "$run/route.conf"
}

# The program that the script of cli_filter/lua calls. A test makes it kill a controller
# between the answer and the submission by a file `then`, a command.
write_program()
{
	cat >"$run/lxfw" <<-END
	#!/bin/bash
	answer=\$("$build/lxfw" "\$@"; echo "\$?")
	if [ -e "$run/then" ]; then
		. "$run/then" >/dev/null 2>&1
	fi
	echo "\${answer%?}"
	exit "\${answer: -1}"
	END
	chmod 755 "$run/lxfw"
}

write_filter()
{
	sed "s,^local lxfw = .*,local lxfw = \"${1:-$build/lxfw}\",
		s,^local route = .*,local route = \"$run/route.conf\"," \
		"$here/../../contrib/cli_filter.lua" >"$run/etc/cli_filter.new"
	mv "$run/etc/cli_filter.new" "$run/etc/cli_filter.lua"
}

# Called by live_setup.
live_ready()
{
	local name
	mkdir -m 755 "$run/records" "$run/asked"
	for name in beta gamma; do
		"$cluster" start "$run/$name" --owner $$ --scheduler lxfw --name "$name" --join "$run" \
			--params "${params//$run/$run/$name}" --plugins "$build/.libs" \
			"${route_options[@]}" || return
	done
	write_route_conf "${route_conf[@]}"
	write_filter
	for name in "${routed_clusters[@]}"; do
		start_server "$name"
	done
	for name in "${routed_clusters[@]}"; do
		poll 60 answers "$name" || {
			echo "$name does not answer: $(cat "$run/log/serve.$name")"
			ask -n 1 -t 1
			return 1
		}
	done
}

# Called by live_cleanup.
live_end()
{
	local name
	for name in beta gamma; do
		[ ! -d "$run/$name" ] || "$cluster" stop "$run/$name"
	done
}
