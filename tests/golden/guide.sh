#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The commands of doc/guide.md work as they stand in the page, one block after the other, and
# print the output shown there. Blocks that begin with "# on the cluster" find imitations of
# Slurm's commands, and of /etc/slurm. The block "# install" is not run. LXFW_KEEP=1 keeps
# the folder.

srcdir=$(cd "${LXFW_TOP_SRCDIR:-.}" && pwd) || exit 99
builddir=$(cd "${LXFW_TOP_BUILDDIR:-.}" && pwd) || exit 99
guide=${LXFW_GUIDE:-$srcdir/doc/guide.md}
scratch=$(mktemp -d) || exit 99
trap '[ -n "${LXFW_KEEP-}" ] && echo "kept $scratch" || rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" "$scratch/etc" "$scratch/run" "$scratch/blocks" || exit 99
ln -s "$srcdir/contrib" "$scratch/run/contrib" || exit 99
work=$scratch/blocks
export scratch builddir

# ---- imitations ---------------------------------------------------------------

# imitate NAME: a command in PATH, with the text of standard input.
imitate()
{
	{ echo '#!/bin/sh'; cat; } >"$scratch/bin/$1" && chmod 755 "$scratch/bin/$1" || exit 99
}

# Requests to slurmrestd are tested in tests/golden/import-https.sh.
imitate lxfw <<'END'
case " $* " in
*' --slurm-rest https://'*)
	[ "$SLURM_JWT" = token ] && [ $# -eq 11 ] && [ -s month.swf ] && [ -s cluster ]
	exit
	;;
# Its output is not in the page: two copies spare most of the time of this test.
*' --outages '*) set -- "$@" --shake 2 ;;
esac
exec "$builddir/lxfw" "$@"
END
imitate sacct <<'END'
[ $# -eq 10 ] || { echo "sacct: $# arguments: $*" >&2; exit 1; }
shift 9
case $1 in
*[!A-Za-z,]* | *,,* | *,) echo "sacct: columns $1" >&2; exit 1 ;;
JobID,*,NTasks) ;;
*) echo "sacct: columns $1" >&2; exit 1 ;;
esac
cat "$scratch/etc/sacct.txt"
END
imitate sacctmgr <<'END'
echo 'Cluster|NodeName|TimeStart|TimeEnd|State|Reason|User'
echo 'example|n3|2026-10-12T08:00:00|2026-10-12T20:00:00|DOWN|disk|root(0)'
END
imitate scontrol <<'END'
[ "$*" = token ] && echo SLURM_JWT=token
END
imitate systemctl <<'END'
[ "$*" = 'restart slurmctld' ] && [ -s "$scratch/etc/installed" ]
END
# Files of /etc/slurm are in the scratch folder.
imitate cp <<'END'
case $* in
'/etc/slurm/slurm.conf slurm.conf') exec /bin/cp "$scratch/etc/slurm.conf" slurm.conf ;;
'new.conf /etc/slurm/slurm.conf') exec /bin/cp new.conf "$scratch/etc/installed" ;;
/etc/* | *' /etc/'*) echo "cp $*" >&2; exit 1 ;;
esac
exec /bin/cp "$@"
END

# ---- the blocks ----------------------------------------------------------------

# N.sh is the Nth block of commands, N.shown the block after it if that is output.
awk -v dir="$work" '
	/^```sh$/ { n++; file = sprintf("%s/%02d.sh", dir, n); next }
	/^```$/ && file == "" {
		file = sprintf("%s/%02d.shown", dir, n)
		if (!n || FNR != last + 1) {
			print FILENAME ":" FNR ": output without a command before it"
			exit 1
		}
		next
	}
	/^```/ {
		if (file == "") {
			print FILENAME ":" FNR ": neither commands (```sh) nor output (```)"
			exit 1
		}
		close(file)
		file = ""
		last = FNR
		next
	}
	file != "" { print >file }' "$guide" || exit 1
count=$(find "$work" -name '*.sh' | wc -l)
shown=$(find "$work" -name '*.shown' | wc -l)
[ "$count" -ge 15 ] && [ "$shown" -ge 9 ] ||
	{ echo "only $count blocks of commands and $shown of output"; exit 1; }
[ "$(grep -lx '# install' "$work"/*.sh | wc -l)" -eq 1 ] ||
	{ echo 'not one block "# install"'; exit 1; }

# One script for all blocks, since variables and the folder last.
{
	echo 'set -e'
	for block in "$work"/*.sh; do
		n=${block%.sh}
		kind=$(head -n 1 "$block")
		[ "$kind" != '# install' ] || continue
		echo "echo '$n' >\"\$scratch/last\""
		[ "$kind" != '# finds something to correct' ] || echo 'set +e'
		printf '%s\n' '{' "$(cat "$block")" "} >'$n.out' 2>'$n.err'"
		[ "$kind" != '# finds something to correct' ] || echo '[ $? -eq 1 ] || exit 1; set -e'
		# What the cluster has is what the example made.
		! grep -q example-month "$block" || echo '/bin/cp sacct.txt slurm.conf "$scratch/etc/"'
	done
	echo 'echo end >"$scratch/last"'
} >"$scratch/script"
(cd "$scratch/run" && PATH=$scratch/bin:$PATH sh "$scratch/script")
n=$(cat "$scratch/last")
[ "$n" = end ] || {
	echo 'this block fails:'
	cat "$n.sh" "$n.out" "$n.err"
	exit 1
}

# ---- the output ----------------------------------------------------------------

# The lines shown are lines of the output, in this order; [...] stands for lines between.
# Messages come first.
failed=0
for file in "$work"/*.shown; do
	n=${file%.shown}
	cat "$n.err" "$n.out" >"$n.got"
	awk -v got="$n.got" '
		BEGIN {
			while ((getline line <got) > 0) {
				sub(/[ \t]+$/, "", line)
				lines[++count] = line
			}
		}
		$0 == "[...]" { gap = 1; next }
		{
			sub(/[ \t]+$/, "")
			i = at + 1
			while (gap && i <= count && lines[i] != $0)
				i++
			if (i > count || lines[i] != $0) {
				print (gap ? "not printed: " : "not printed here: ") $0
				exit 1
			}
			at = i
			gap = 0
		}' "$file" || {
		failed=1
		echo 'by:'
		cat "$n.sh"
	}
done
[ "$failed" -eq 0 ] || exit 1
echo "$count blocks of commands, $shown of output"
