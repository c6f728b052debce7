#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A short soak test of adaptive jobs. `make soak-shares` runs the full one.

export LXFW_SOAK_KIND=shares
export LXFW_SOAK_SEED=${LXFW_SOAK_SEED:-${LXFW_SEED:-1}}
export LXFW_SOAK_SUBMISSIONS=${LXFW_SOAK_SUBMISSIONS:-40}
export LXFW_SOAK_KILLS=${LXFW_SOAK_KILLS:-2}
export LXFW_SOAK_NODES=${LXFW_SOAK_NODES:-3}
export LXFW_SOAK_CPUS=${LXFW_SOAK_CPUS:-16}
export LXFW_SOAK_QUICK=${LXFW_SOAK_QUICK:-yes}
exec "$(dirname "$0")/soak" "$@"
