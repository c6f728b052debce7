#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Random requests, each alone on an idle machine: what Slurm's own scheduler starts
# starts here, too, and what it refuses is refused with the same words. LXFW_SEED and
# LXFW_CASES (30) as for other random tests.

# shellcheck source=tests/cluster/shapes.sh
. "$(dirname "$0")/shapes.sh"
# shellcheck source=tests/cluster/hostile-requests.sh
. "$(dirname "$0")/hostile-requests.sh"

export LXFW_SEED=${LXFW_SEED:-$(date +%s)}
RANDOM=$((LXFW_SEED % 32768))
[ -n "${LXFW_SHAPES_OUT-}" ] || echo "seed $LXFW_SEED"
shapes_requests=()
while [ ${#shapes_requests[@]} -lt "${LXFW_CASES:-30}" ]; do
	draw_request
	# What is simple is in the other tests.
	[ ${#words[@]} -lt 2 ] || shapes_requests+=("${words[*]}")
done

shapes_main
