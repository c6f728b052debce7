#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Checks that the units of contrib/ confine their services: systemd rates the exposure of each at
# 4.0 at most, of 10. It also checks what the rate does not include: invalid options are not tried
# again, and the memory of a service that exceeds its limit is released.
top_srcdir=${LXFW_TOP_SRCDIR:-.}
status=0

# --offline is there since systemd 250.
if ! systemd-analyze security --help 2> /dev/null | grep -q -e --offline; then
	echo "SKIP: no systemd-analyze with --offline"
	exit 77
fi

for unit in "$top_srcdir"/contrib/*.service; do
	rate=$(systemd-analyze security --offline=true --no-pager "$unit" 2> /dev/null |
	       sed -n 's/.*Overall exposure level for [^:]*: \([0-9.]*\) .*/\1/p')
	if [ -z "$rate" ]; then
		echo "$unit: systemd-analyze rates nothing" >&2
		status=1
	elif ! awk "BEGIN { exit !($rate <= 4.0) }"; then
		echo "$unit: exposure $rate, expected 4.0 at most" >&2
		status=1
	fi
	for line in RestartPreventExitStatus=2 OOMPolicy=kill NoNewPrivileges=yes; do
		if ! grep -qx "$line" "$unit"; then
			echo "$unit: no line $line" >&2
			status=1
		fi
	done
	echo "$(basename "$unit"): $rate"
done
exit $status
