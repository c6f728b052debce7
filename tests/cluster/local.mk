# SPDX-License-Identifier: GPL-2.0-or-later
#
# Live tests on a private Slurm cluster, and the demo.

live_tests = \
	tests/cluster/live-policy.sh \
	tests/cluster/live-requests.sh \
	tests/cluster/live-nodes.sh \
	tests/cluster/live-journal.sh

TESTS += $(live_tests)

EXTRA_DIST += \
	$(live_tests) \
	contrib/demo-workload.txt \
	contrib/slurm.conf.lxfw \
	tests/cluster/cluster \
	tests/cluster/demo \
	tests/cluster/live.sh \
	tests/cluster/slurm-conf.sh
