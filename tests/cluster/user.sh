# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The command as a user without privileges runs it, and without the variables of the caller. Sourced
# after live.sh.

# Replace this shell by lxfw, as a user without privileges if this is root.
become_nobody()
{
	local as=()
	[ -x "$run/work/lxfw" ] || cp "$build/lxfw" "$run/work/lxfw" || exit 1
	[ "$(id -u)" != 0 ] || as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	exec env -i "PATH=$PATH" "SLURM_CONF=$SLURM_CONF" ${LXFW_SITE:+"LXFW_SITE=$LXFW_SITE"} \
		"${as[@]}" "$run/work/lxfw" "$@"
}

as_nobody()
{
	(become_nobody "$@")
}
