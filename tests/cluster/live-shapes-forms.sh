#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The forms in which a job may request hosts, GPUs, memory and features. A request that
# Slurm's own scheduler starts on an idle machine must start here too, and a refusal
# must have the same text.

# shellcheck source=tests/cluster/shapes.sh
. "$(dirname "$0")/shapes.sh"

shapes_requests=(
	# GPUs and GPU binding
	'-N2 --gres=gpu:2'
	'-N2 --gpus-per-node=4'
	'--gpus=3 --cpus-per-gpu=5'
	'--gpus=8 --cpus-per-gpu=4'
	'--gpus=2 --mem-per-gpu=20000'
	'--gpus=4 --mem-per-gpu=30000'
	'-N1 --gpus=4 --gpus-per-socket=2 --sockets-per-node=2'
	'-n2 --gpus-per-task=1 --gpu-bind=single:1'
	'--gres=shard:2'
	'-N3 --gpus-per-node=1'
	'--gpus=9'
	# tasks on nodes
	'-N2-4 -n40'
	'-N7-8 -n100'
	'-n24 --ntasks-per-node=3'
	'-N8 --ntasks-per-node=2 -c8'
	'-n8 --ntasks-per-socket=2'
	'-n6 --ntasks-per-core=1'
	'-n4 --mincpus=20'
	'-n3 -c12'
	'-n2 -c32'
	'-n36 -c4'
	'-N9'
	'-n145'
	'-n10 -O -N1'
	# memory
	'-n16 --mem-per-cpu=8000'
	'-n144 --mem-per-cpu=2000'
	'-N8 --mem=0'
	'-n20 --mem-per-cpu=4000 -c1'
	'--mem=65000'
	# nodes by name and feature
	'-C fat&rack1'
	'-N3 -C [rack1*2&fat*1]'
	'-N2 -C [rack1|fat]'
	'-N2 -C fat'
	'-C nosuch'
	'-w n2,n7 -N3 -n40'
	'-w n6 -n32'
	'-x n6,n1 -n90'
	'-N3 --contiguous'
	'--tmp=5000'
	'--tmp=20000'
	# shared or exclusive
	'-N4 --exclusive=user -n10'
	'-n32 --exclusive'
	'-n20 -s'
	'-p small,gpu -n20'
	'-p small -n33'
	'--switches=1 -N2'
	'--spread-job -n6'
	'--use-min-nodes -n24'
	'-S2 -N2 --exclusive'
	'--thread-spec=2 -N1'
	'-L lic:2'
	'-L lic:3'
	'--array=1-5 -n30'
	'--array=1-3 --gpus=3'
)

shapes_main "$@"
