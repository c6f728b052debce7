# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Settings shared by the live tests of node selection; sourced after live.sh.

# 4 nodes of 8 processors in 2 sockets and 16000 MB each, with 2 GPUs on n3 and n4.
sockets='Sockets=2 CoresPerSocket=4 ThreadsPerCore=1'
# shellcheck disable=SC2034
select_machine=(
	--nodes 4 --cpus 8 --memory 16000
	--conf GresTypes=gpu
	--gres 'NodeName=n[3-4] Name=gpu File=/dev/null'
	--gres 'NodeName=n[3-4] Name=gpu File=/dev/zero'
	--node "n1 $sockets"
	--node "n2 $sockets"
	--node "n3 $sockets Gres=gpu:2"
	--node "n4 $sockets Gres=gpu:2 Feature=big"
)
