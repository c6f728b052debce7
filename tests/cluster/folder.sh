# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# A Debian in a folder: created by debootstrap, with a copy of this tree, and commands
# that run in it, in namespaces that end with their script. Requires root. Sourced by
# `trixie` and by contrib/packaging/check.

skip()
{
	echo "SKIP: $*"
	exit 77
}

die()
{
	echo "${0##*/}: $*" >&2
	exit 2
}

# Exit with status 77 if a folder cannot be created here.
folder_needs()
{
	[ "$(id -u)" = 0 ] || skip "a Debian in a folder requires root"
	type -P debootstrap >/dev/null || skip "debootstrap is not installed"
	type -P apt-get >/dev/null || skip "apt-get is not installed"
	[ -n "$(folder_mirror)" ] || skip "this machine has no Debian package source"
}

# Print the package source that this machine uses.
folder_mirror()
{
	apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Origin: Debian' \
		'Label: Debian' 2>/dev/null | sort -u | head -n 1
}

# folder_make SUITE FOLDER: install the smallest Debian of this suite.
folder_make()
{
	local dir=$2
	echo "${0##*/}: installing Debian $1 in $dir"
	rm -rf "$dir"
	mkdir -p "$dir" || exit 2
	# debootstrap mounts file systems, which must be unmounted when it ends.
	unshare --mount --propagation private debootstrap --variant=minbase \
		--include=ca-certificates "$1" "$dir" "$(folder_mirror)" >"$dir.log" 2>&1 || {
		tail -n 5 "$dir.log" >&2
		die "debootstrap failed"
	}
	# Daemons must not start when they are installed.
	printf '#!/bin/sh\nexit 101\n' >"$dir/usr/sbin/policy-rc.d"
	chmod 755 "$dir/usr/sbin/policy-rc.d"
	touch "$dir/.complete"
}

# Print the files of tree $1 known to git, or all files of an unpacked release, one path
# per line.
folder_list_tree()
{
	if [ -e "$1/.git" ] && type -P git >/dev/null; then
		git -c safe.directory='*' -c core.quotePath=false -C "$1" ls-files | (cd "$1" && while read -r file; do
			[ ! -e "$file" ] || echo "$file"
		done)
	else
		(cd "$1" && find . -path ./build -prune -o -type f -print)
	fi | LC_ALL=C sort
}

# folder_copy_tree TREE COPY: files keep their modification times, so that make detects
# new ones. Files deleted from the tree are deleted from the copy.
folder_copy_tree()
{
	mkdir -p "$2/build" && touch "$2/build/files" || exit 2
	folder_list_tree "$1" >"$2/build/files.new" || die "the tree cannot be read"
	LC_ALL=C comm -23 "$2/build/files" "$2/build/files.new" |
		(cd "$2" && xargs -r -d '\n' rm -f)
	tar -c -C "$1" -T "$2/build/files.new" |
		tar -x -C "$2" --no-same-owner || die "the tree cannot be copied"
	mv "$2/build/files.new" "$2/build/files"
}

# folder_enter SCRIPT ARGUMENT...: run a script of this machine as the first process of
# new namespaces. It calls folder_run.
folder_enter()
{
	exec unshare --mount --pid --fork --kill-child --propagation private "$@"
}

# folder_run FOLDER SHELL-COMMANDS ARGUMENT...: run them by bash in the folder, with an
# empty /tmp, and variables LXFW_* of this script.
folder_run()
{
	local dir=$1 variables
	mapfile -t variables < <(env | grep '^LXFW_[A-Z_]*=' | grep -v '^LXFW_TOP_')
	trap 'exit 130' INT TERM HUP
	mount -t proc proc "$dir/proc" && mount --rbind /sys "$dir/sys" &&
		mount -t tmpfs tmpfs "$dir/dev/shm" && mount -t tmpfs tmpfs "$dir/tmp" || die "cannot mount"
	cp -L /etc/resolv.conf /etc/hosts "$dir/etc/"
	chroot "$dir" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
		"${variables[@]}" bash -c "$2" bash "${@:3}" &
	wait $!
}
