#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Bash completion offers every subcommand, every option and the values of options. Each
# is tested with the command itself.

srcdir=$(cd "${LXFW_TOP_SRCDIR:-.}" && pwd) || exit 99
builddir=$(cd "${LXFW_TOP_BUILDDIR:-.}" && pwd) || exit 99
lxfw=$builddir/lxfw
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 99
failed=0

# shellcheck source=contrib/completions/lxfw
. "$srcdir/contrib/completions/lxfw"

complain()
{
	echo "$*"
	failed=1
}

# offered WORD...: print the completions of the last of these words, sorted
offered()
{
	COMP_WORDS=(lxfw "$@")
	COMP_CWORD=$#
	_lxfw "$lxfw" "${!#}" "${COMP_WORDS[$#-1]}"
	printf '%s\n' "${COMPREPLY[@]}" | sort -u
}

# offers WANT WORD...: the completions are exactly the words of WANT, in any order
offers()
{
	local want=$1
	shift
	[ "$(offered "$@")" = "$(printf '%s\n' $want | sort -u)" ] ||
		complain "lxfw $*: offers $(offered "$@" | xargs), not $want"
}

subcommands=$("$lxfw" frobnicate 2>&1 | sed -n 's/.*expected one of //p' | tr -d ,)
[ -n "$subcommands" ] || complain 'the command tells of no subcommands'
offers "$subcommands --help --version" ''
offers "${subcommands% help}" help ''
offers simulate sim

for name in ${subcommands% help}; do
	offered "$name" -- >options
	grep -qx -- --help options || complain "lxfw $name: no --help is offered"
	# what _lxfw_values takes its values from, read once
	declare -A values=()
	while read -r option value; do
		values[$option]+=" ${value//|/ }"
	done < <(_lxfw_options "$lxfw" "$name")
	while read -r option; do
		[[ $("$lxfw" "$name" "$option" 2>&1) != *unrecognized* ]] ||
			complain "lxfw $name: offers $option, which it does not know"
		[ "$option" != --help ] && [ "$option" != --version ] || continue
		# a value that is offered must not be refused as unknown
		for value in ${values[$option]-}; do
			[[ $value != *[A-Z.=\<]* ]] || continue
			! "$lxfw" "$name" "$option" "$value" 2>&1 | grep -qE "^lxfw $name: $option '" ||
				complain "lxfw $name: offers $option $value, which it does not take"
		done
	done <options
done
# The reverse: each option in the tables of the sources is offered.
for source in "$srcdir"/sim-frontend/cmd/*.c; do
	name=$(sed -n '/^const struct lxfw_command/,/^}/s/.*\.name = "\([a-z-]*\)".*/\1/p' "$source")
	[ -n "$name" ] || continue
	offered "$name" -- >options
	sed -n '/^static const struct option options/,/^}/s/.*{ "\([a-z-]*\)".*/--\1/p' "$source" |
	while read -r option; do
		grep -qx -- "$option" options || echo "lxfw $name: $option is not offered"
	done >missing
	[ ! -s missing ] || complain "$(cat missing)"
	sources=$((${sources-0} + 1))
done
[ "${sources-0}" = "$(wc -w <<<"${subcommands% help}")" ] ||
	complain "options of ${sources-0} subcommands found in the sources"

offers 'table json csv' simulate --format ''
offers 'json' simulate --format j
offers 'json' simulate --format = j
offers 'table json csv' simulate --format =
offers "$("$lxfw" simulate --policy '?' /dev/null 2>&1 | sed 's/.*one of //' | tr -d ,)" simulate --policy ''
offers "$("$lxfw" generate '?' 2>&1 | sed -n '1s/.*expected //p' | sed 's/ or / /')" generate ''
offers "$("$lxfw" reproduce '?' 2>&1 | sed -n '1s/.*expected //p' | sed 's/,//g; s/ or / /')" reproduce ''
keys=$("$lxfw" simulate --params lxfw_what_keys_are_there=1 /dev/null 2>&1 | sed 's/.*one of //' | tr -d ,)
offers "$(printf '%s=\n' $keys)" simulate --params ''
offers "$keys" params ''
offers "$keys" params lxfw_wx ''
offers "$(printf '%s=\n' $keys)" tune --vary ''
offers 'lxfw_quantum_mode= lxfw_quantum_mem= lxfw_quantum_min_run= lxfw_quantum_most_procs=' simulate --params lxfw_quantum_m
offers 'off soon preempt' simulate --params lxfw_quantum_mode =
offers 'soon' simulate --params lxfw_quantum_mode = s
offers 'soon,lxfw_victim_share=' simulate --params lxfw_quantum_mode = soon,lxfw_victim_sh
offers 'rigid refuse' simulate --params lxfw_policy = eqspatial,lxfw_eq_multi_node =
offers '' simulate --params lxfw_wx =
# The jobs of this user that wait.
printf '%s\n' '#!/bin/sh' 'case $* in *--me*) printf "%s\n" 4711 47_3 "48_[2,5-9%2]" 49+1;; esac' >squeue
chmod +x squeue
PATH=$scratch:$PATH
offers '4711 47_3' why 47
offers '48_2' predict 48
offers '' simulate 48
rm squeue
touch log.swf
offers log.swf simulate log
offers log.swf simulate --cluster log
offers log.swf import --token-file log
offers '' simulate --warmup log
exit $failed
