#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Random requests, each submitted alone to an idle machine. A request that Slurm's own
# scheduler starts must start here too, and a refusal must have the same text. LXFW_SEED
# and LXFW_CASES (30) work as in other random tests.

# shellcheck source=tests/cluster/shapes.sh
. "$(dirname "$0")/shapes.sh"
# shellcheck source=tests/cluster/hostile-requests.sh
. "$(dirname "$0")/hostile-requests.sh"

export LXFW_SEED=${LXFW_SEED:-1}
RANDOM=$((LXFW_SEED % 32768))
[ -n "${LXFW_SHAPES_OUT-}" ] || echo "seed $LXFW_SEED"
shapes_requests=()
while [ ${#shapes_requests[@]} -lt "${LXFW_CASES:-30}" ]; do
	draw_request
	# Simple requests are covered by the other tests.
	[ ${#words[@]} -lt 2 ] || shapes_requests+=("${words[*]}")
done

shapes_main
