#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A short soak test of immediate service. `make soak` runs the full one. Preemption is
# omitted: Slurm delays the preempted jobs by two minutes.

export LXFW_SOAK_SEED=${LXFW_SOAK_SEED:-${LXFW_SEED:-1}}
export LXFW_SOAK_SUBMISSIONS=${LXFW_SOAK_SUBMISSIONS:-40}
export LXFW_SOAK_KILLS=${LXFW_SOAK_KILLS:-2}
export LXFW_SOAK_NODES=${LXFW_SOAK_NODES:-4}
export LXFW_SOAK_CPUS=${LXFW_SOAK_CPUS:-8}
export LXFW_SOAK_QUICK=${LXFW_SOAK_QUICK:-yes}
export LXFW_SOAK_PREEMPT=${LXFW_SOAK_PREEMPT:-no}
exec "$(dirname "$0")/soak" "$@"
