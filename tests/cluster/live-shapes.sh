#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Jobs on hosts of different sizes and jobs with GPU binding. A request that Slurm's own
# scheduler starts immediately on an idle machine must start here too.

# shellcheck source=tests/cluster/shapes.sh
. "$(dirname "$0")/shapes.sh"

shapes_requests=(
	# GPUs by job and by task
	'-n8 --gpus-per-task=1'
	'--gpus=8 -n8'
	'--gpus=6'
	'-n2 --gpus=6'
	'-n4 --gpus-per-task=2'
	'--gpus=8 --ntasks-per-gpu=2'
	'--gpus=5 -c2'
	# hosts of different sizes in one job
	'-n72 --mem=1000'
	'-n72 --exclusive'
	'-n20 -c2 --exclusive'
	'-n40 -N2'
	'-N3 -n64'
	'-N8 -n144'
	'-n48 --mem=60000 -C fat|rack1'
	# fit the large host, or several small ones if it is occupied
	'-n18 --mem=2000'
	'-n30 --mem=1000'
	'-n20 --exclusive'
	'n6: -n18 --mem=2000'
	'n6: -n30 --mem=1000'
	'n6: -n20 --exclusive'
)

shapes_main "$@"
