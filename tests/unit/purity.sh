#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The policy library does no I/O, reads no clock, starts no thread and has no global
# variables. The headers that its sources include and the symbols of its objects are
# checked: no writable symbol, and no external function except those listed here.
#
# plugins/agent does not depend on a workload manager: it includes the policy library,
# itself, the C library and threads.
#
# Only plugins/slurm/compat distinguishes releases of Slurm. The command reads no
# environment variables except those that its pages document.
#
# The folders of a part are layers. A table below lists the folders that the files of
# each folder may include. A folder may include only folders above it in the table, so
# that there is no cycle of folders. There is no cycle of files either: the symbols of
# their objects show which file depends on which.

srcdir=${LXFW_TOP_SRCDIR:-.}
builddir=${LXFW_TOP_BUILDDIR:-.}
nm=${LXFW_NM:-nm}
archive=$builddir/.libs/liblxfw.a

allowed_headers='
assert.h errno.h float.h inttypes.h limits.h math.h stdalign.h stdbool.h
stddef.h stdint.h stdlib.h string.h
'

# Only exact functions of <math.h>, so that every libm gives the same bits. Names with
# underscores belong to the compiler and the C library.
allowed_functions='
abort bsearch calloc free malloc qsort realloc reallocarray
bcmp memchr memcmp memcpy memmove memset
strchr strcmp strcpy strcspn strlen strncmp strnlen strrchr strspn strstr
ceil fabs floor fmod isfinite isinf isnan round sqrt trunc
__assert_fail __errno_location __stack_chk_fail _GLOBAL_OFFSET_TABLE_
__memcpy_chk __memmove_chk __memset_chk __strcpy_chk
__divti3 __modti3 __multi3 __udivti3 __umodti3 __udivmodti4
'

# A folder, and the other folders of the same part that it may include. Those of
# sim-frontend/ may also include all of common/, and plugins/slurm/parameters, which does
# not depend on Slurm, and those of its watch plugins/agent.
common_layers='
util:
params:           util
model:            params util
profile:          model util
books:            profile model params util
place:            books profile model params util
order:            books profile model params util
pass:             order place books profile model params util
service:          pass order place books profile model params util
policy:           service pass order place books profile model params util
policy/eqspatial: policy service pass order place books profile model params util
policy/classes:   policy service pass order place books profile model params util
journal:          model params util
.:                policy/classes policy/eqspatial service pass order place books profile model params util
grid:             . profile model util
'

frontend_layers='
util:
trace:      util
metrics:    trace util
workload:   trace util
conf:       trace util
rest:       trace util
script:     trace util
history:    trace util
engine:     history metrics trace util
priority:   engine trace util
infer:      engine trace util
predict:    engine history trace util
publish:    predict engine history trace util
tune:       priority engine metrics trace util
grid:       engine history metrics trace util
route:      grid predict engine history trace util
experiment: grid engine history metrics workload trace util
report:     grid experiment tune priority publish predict infer engine history workload metrics trace util
watch:      predict engine history metrics trace util
cmd:        watch publish report route grid experiment tune predict infer engine history script rest priority conf workload metrics trace util
.:          cmd
'

failed=0
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

# complain FILE: print the findings of a check, if any.
complain()
{
	[ -s "$1" ] || return 0
	cat "$1"
	failed=1
}

check_includes()
{
	find "$srcdir/common" -name '*.[ch]' | sort >"$scratch/sources"
	[ -s "$scratch/sources" ] || {
		echo "$srcdir/common: no sources found"
		failed=1
		return
	}
	while IFS= read -r source; do
		awk -v allowed="$allowed_headers" '
			BEGIN {
				count = split(allowed, list)
				for (i = 1; i <= count; i++)
					fine["<" list[i] ">"] = 1
			}
			/^[ \t]*#[ \t]*include/ {
				name = $0
				sub(/^[ \t]*#[ \t]*include[ \t]*/, "", name)
				sub(/[ \t]*(\/[*\/].*)?$/, "", name)
				if (name ~ /^"common\// || name in fine)
					next
				printf "%s:%d: the policy library may not include %s\n",
					FILENAME, FNR, name
			}' "$source"
	done <"$scratch/sources" >"$scratch/includes"
	complain "$scratch/includes"
}

# A header in <> with a folder in its name would belong to a workload manager, except
# for <sys/>.
check_agent()
{
	find "$srcdir/plugins/agent" -name '*.[ch]' | sort >"$scratch/agent"
	[ -s "$scratch/agent" ] || {
		echo "$srcdir/plugins/agent: no sources found"
		failed=1
	}
	while IFS= read -r source; do
		awk '
			/^[ \t]*#[ \t]*include/ {
				name = $0
				sub(/^[ \t]*#[ \t]*include[ \t]*/, "", name)
				sub(/[ \t]*(\/[*\/].*)?$/, "", name)
				if (name ~ /^"(common|plugins\/agent)\// ||
				    name ~ /^<(sys\/)?[a-z]+\.h>$/)
					next
				printf "%s:%d: plugins/agent may not include %s\n",
					FILENAME, FNR, name
			}
			tolower($0) ~ /slurm|openpbs/ {
				printf "%s:%d: plugins/agent knows no workload manager: %s\n",
					FILENAME, FNR, $0
			}' "$source"
	done <"$scratch/agent" >"$scratch/agent-includes"
	complain "$scratch/agent-includes"
}

# GNU nm's table: name|value|class|type|size|line|section. Constants that hold
# addresses are in .data.rel.ro, which is read-only once loaded.
check_symbols()
{
	"$nm" -f sysv "$archive" >"$scratch/symbols" 2>"$scratch/nm-errors" || {
		cat "$scratch/nm-errors"
		echo "$archive: $nm cannot read it"
		failed=1
		return
	}
	awk -F'|' -v allowed="$allowed_functions" '
		BEGIN {
			count = split(allowed, list, /[ \n]+/)
			for (i = 1; i <= count; i++)
				fine[list[i]] = 1
		}
		/^Symbols from/ {
			object = $0
			sub(/^Symbols from [^[]*\[/, "", object)
			sub(/\]:.*/, "", object)
		}
		NF < 7 { next }
		{ gsub(/ /, "", $1); gsub(/ /, "", $3); gsub(/ /, "", $7) }
		$1 == "Name" { next }
		$3 == "U" { wanted[$1] = object; next }
		{ defined[$1] = 1 }
		$3 ~ /^[BbDdCGgSsV]$/ && $7 !~ /^\.data\.rel\.ro/ {
			printf "%s: %s can be written (section %s), the policy library has no globals\n",
				object, $1, $7
		}
		END {
			for (name in wanted)
				if (!(name in defined) && !(name in fine))
					printf "%s: uses %s, which is not among the allowed functions\n",
						wanted[name], name
		}' "$scratch/symbols" | sort >"$scratch/findings"
	grep -q '|' "$scratch/symbols" ||
		echo "$archive: no symbols in it" >>"$scratch/findings"
	complain "$scratch/findings"
}

# A policy is named only in its own file, in the registry, and where its code is
# assigned. All other code tests traits. Tests may name policies.
check_policies()
{
	grep -rn --include='*.[ch]' '\<LXFW_POLICY_[A-Z]*\>' "$srcdir/common" \
		"$srcdir/sim-frontend" "$srcdir/plugins" |
		grep -v -e "^$srcdir/common/policy/" -e "^$srcdir/common/params/params.h:" \
			>"$scratch/policies"
	complain "$scratch/policies"
}

check_releases()
{
	grep -rn --include='*.[ch]' SLURM_VERSION_N "$srcdir/plugins" "$srcdir/tests" |
		grep -v "^$srcdir/plugins/slurm/compat/" >"$scratch/releases"
	complain "$scratch/releases"
}

# Only the watch looks at a workload manager as the plugins do.
check_watch()
{
	grep -rn --include='*.[ch]' '"plugins/agent/' "$srcdir/sim-frontend" |
		grep -v "^$srcdir/sim-frontend/watch/" >"$scratch/watch"
	complain "$scratch/watch"
}

check_environment()
{
	grep -rn --include='*.[ch]' '\<getenv *(' "$srcdir/sim-frontend" |
		grep -v '\<getenv("SLURM_JWT")' |
		grep -v '/trace/sorted_runs\.c:.*\<getenv("TMPDIR")' |
		grep -v '/cmd/predict_moments\.c:.*\<getenv("TMPDIR")' |
		grep -v '/cmd/site_folder\.c:.*\<getenv("LXFW_SITE")' |
		grep -v '/cmd/own_file\.c:.*\<getenv("TMPDIR")' |
		grep -v '/cmd/now_pbs\.c:.*\<getenv("\(PATH\|PBS_CONF_FILE\)")' |
		grep -v '/cmd/now_runs\.c:.*\<getenv("LXFW_HISTORY")' |
		grep -v '/cmd/route_unit\.c:.*\<getenv(\*name)' |
		grep -v '/cmd/route_submit\.c:.*\<getenv("PATH")' >"$scratch/environment"
	complain "$scratch/environment"
}

# check_layers TOP OUTSIDE TABLE: the files below TOP include only the folders of TOP
# that TABLE permits, and of the rest of the project only paths that match the regular
# expression OUTSIDE.
check_layers()
{
	find "$srcdir/$1" -name '*.[ch]' | sort >"$scratch/sources"
	[ -s "$scratch/sources" ] || echo "$srcdir/$1: no sources found" >"$scratch/layers"
	xargs awk -v root="$srcdir/" -v top="$1/" -v outside="$2" -v table="$3" '
		# Return the folder of a path below top; "." is top itself.
		function folder(path)
		{
			path = substr(path, length(top) + 1)
			return sub(/\/[^\/]*$/, "", path) ? path : "."
		}
		BEGIN {
			count = split(table, lines, "\n")
			for (i = 1; i <= count; i++) {
				words = split(lines[i], word, /:? +|:$/)
				if (words == 0)
					continue
				for (j = 2; j <= words; j++) {
					if (word[j] == "")
						continue
					if (!(word[j] in known))
						printf "the layers of %s: %s names %s, which does not stand above it\n",
							top, word[1], word[j]
					may[word[1], word[j]] = 1
				}
				known[word[1]] = 1
				may[word[1], word[1]] = 1
			}
		}
		FNR == 1 {
			from = folder(substr(FILENAME, length(root) + 1))
			if (!(from in known))
				printf "%s: the layers of %s do not name the folder %s\n",
					FILENAME, top, from
		}
		/^[ \t]*#[ \t]*include[ \t]*"/ {
			name = $0
			sub(/^[^"]*"/, "", name)
			sub(/".*/, "", name)
			if (index(name, top) == 1) {
				if (!((from, folder(name)) in may))
					printf "%s:%d: the folder %s may not include %s\n",
						FILENAME, FNR, from, name
			} else if (outside == "" || name !~ outside) {
				printf "%s:%d: %s may not include %s\n",
					FILENAME, FNR, top, name
			}
		}' <"$scratch/sources" >>"$scratch/layers"
	complain "$scratch/layers"
	rm -f "$scratch/layers"
}

# check_circles FOLDER: no file below it depends on itself through other files.
check_circles()
{
	# objects of libraries only, without those of removed sources
	(cd "$builddir" && find "$1" -name '*_la-*.o' -o -name '*_a-*.o') | sort |
	while IFS= read -r object; do
		source=$(echo "$object" | sed 's,/\.libs/,/,; s,/[a-z_]*_l*a-,/,; s,o$,c,')
		[ -e "$srcdir/$source" ] && echo "$builddir/$object"
	done >"$scratch/objects"
	[ -s "$scratch/objects" ] || {
		echo "$builddir/$1: no objects found"
		failed=1
		return
	}
	# libtool makes two objects of a file, x.o and .libs/x.o, and a file may be part of
	# several libraries; they count as one
	xargs "$nm" -A -f posix <"$scratch/objects" 2>"$scratch/nm-errors" |
		sed 's/^\([^:]*\):/\1/; s,/\.libs/,/,; s,/[a-z_]*_l*a-\([^ ]*\.o\),/\1,' | awk '
		$3 == "U" { needs[$1 " " $2]; next }
		$3 ~ /^[TDRBC]$/ { file[$2] = $1 }
		END {
			for (need in needs) {
				split(need, part, " ")
				if (part[2] in file && file[part[2]] != part[1])
					print part[1], file[part[2]]
			}
		}' | sort -u >"$scratch/needs"
	tsort "$scratch/needs" 2>"$scratch/loops" >/dev/null ||
		sed "s,^tsort: [^ ]*needs: .*,files of $1 that need each other in a circle:,
			s,^tsort: $builddir/, ," "$scratch/loops" >"$scratch/circles"
	[ -f "$scratch/circles" ] && complain "$scratch/circles"
	rm -f "$scratch/circles"
}

check_includes
check_agent
check_watch
check_layers common "" "$common_layers"
check_layers sim-frontend '^(common|plugins/slurm/parameters|plugins/agent)/' "$frontend_layers"
check_layers plugins/slurm/parameters '^common/' '.:'
check_policies
check_releases
check_environment
if [ "${LXFW_INSTRUMENTED:-no}" != no ]; then
	echo 'built with sanitizers or fuzzers: symbols not checked'
elif ! "$nm" --version 2>/dev/null | grep -q GNU; then
	echo "$nm is not GNU nm: symbols not checked"
else
	check_symbols
	check_circles common
	check_circles sim-frontend
	check_circles plugins/agent
	# Without Slurm's sources the plugins are not built.
	[ ! -e "$builddir/sched_lxfw.la" ] || check_circles plugins/slurm
fi
exit $failed
