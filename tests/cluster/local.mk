# SPDX-License-Identifier: GPL-2.0-or-later
#
# Live tests on a private Slurm cluster, and the demo.
