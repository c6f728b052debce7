#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The metrics of a live controller: they count what was done, are complete whenever they
# are read, and a file that cannot be written does not delay jobs.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"

# use_metrics FILE
use_metrics()
{
	lxfw_only
	set_params "$(live_params "lxfw_metrics=$1")"
}

# sample FILE NAME: the value of a sample of the file, such as lxfw_running_jobs
sample()
{
	awk -v name="$2" '$1 == name { print int($2) }' "$1"
}

reaches()
{
	[ "$(sample "$1" "$2")" = "$3" ]
}

# The plugin writes after a pass, which a job causes that is submitted.
reaches_after_a_job()
{
	reaches "$@" && return
	wait_done "$(submit -n 1 -t 1 true)"
	poll 3 reaches "$@"
}

# has_started FILE NUMBER: this number of jobs without a reservation started. A job that is submitted while
# a node is cleaned up does not start at once.
has_started()
{
	local at_once unreserved
	at_once=$(sample "$1" 'lxfw_starts_total{label="at_once"}')
	unreserved=$(sample "$1" 'lxfw_starts_total{label="unreserved"}')
	[ "$at_once" -ge 1 ] && [ $((at_once + unreserved)) = "$2" ]
}

# Four nodes. The first job takes all, the second one gets a reservation, the third one
# starts beside it; the fourth waits.
test_metrics()
{
	local file=$run/lxfw.prom blocker waits i
	use_metrics "$file"
	poll 60 test -s "$file" || fail "no metrics are written"
	rm -f "$run/work/go"
	blocker=$(submit -N 3 --exclusive -t 2 'until [ -e go ]; do sleep 0.3; done')
	wait_start "$blocker"
	waits=$(submit -N 4 --exclusive -t 60 'sleep 1')
	wait_start "$(submit -n 1 -t 1 'sleep 1')"
	poll 90 has_started "$file" 2 || fail "two jobs without reservation: $(cat "$file")"
	"$build/lxfw" status "$file" >"$run/log/status" || fail "status: $?"
	grep -q '^policy             lxfw$' "$run/log/status" || fail "$(cat "$run/log/status")"
	touch "$run/work/go"
	wait_done "$waits"
	poll 90 reaches_after_a_job "$file" 'lxfw_starts_total{label="reserved"}' 1 ||
		fail "one job had a reservation: $(cat "$file")"
	[ "$(sample "$file" lxfw_reservations_kept_total)" = 1 ] || fail "the reservation was kept"
	[ "$(sample "$file" lxfw_forecast_error_seconds_count)" -ge 1 ] || fail "it was expected"
	[ "$(stat -c %a "$file")" = 644 ] || fail "mode $(stat -c %a "$file")"
	# Each reader sees a whole file while it is replaced.
	for ((i = 0; i < 50; i++)); do
		"$build/lxfw" status --json "$file" >/dev/null || fail "while it is replaced: $?"
	done
	if /usr/bin/python3 -c "import prometheus_client" 2>/dev/null; then
		/usr/bin/python3 - "$file" <<-'END' || fail "not OpenMetrics: $(cat "$file")"
			import sys
			from prometheus_client.openmetrics.parser import text_string_to_metric_families
			from prometheus_client.parser import text_fd_to_metric_families
			text = open(sys.argv[1]).read()
			assert len(list(text_string_to_metric_families(text))) > 20
			assert len(list(text_fd_to_metric_families(open(sys.argv[1])))) > 20
		END
	else
		echo "  (format not checked: no python3-prometheus-client)"
	fi
}

test_metrics_not_writable()
{
	use_metrics "$run/nowhere/lxfw.prom"
	wait_done "$(submit -n 1 -t 1 true)"
	expect_logged 'lxfw.*cannot write lxfw_metrics=.*nowhere'
	mkdir "$run/instead"
	use_metrics "$run/instead"
	wait_done "$(submit -n 1 -t 1 true)"
	expect_logged 'lxfw.*cannot write lxfw_metrics=.*instead'
	ln -s nowhere "$run/link"
	use_metrics "$run/link"
	wait_done "$(submit -n 1 -t 1 true)"
	expect_logged 'lxfw.*cannot write lxfw_metrics=.*link'
	[ -L "$run/link" ] || fail "a link was replaced"
}

live_main "$@"
