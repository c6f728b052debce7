dnl SPDX-License-Identifier: GPL-2.0-or-later
dnl
dnl LXFW_SLURM
dnl Find what the Slurm plugins are built from:
dnl   - the installed headers (<slurm/slurm.h>, <slurm/slurm_version.h>);
dnl   - the unpacked source of the same release, for internal headers that no -dev
dnl   package contains; nothing in it is compiled or configured;
dnl   - the directory from which the controller loads plugins;
dnl   - the library with the functions that Slurm's daemons share, for tests with a
dnl   simulated controller.
dnl
dnl Conditionals: WITH_SLURM; WITH_CONTROLLER, if these tests can be built, also with
dnl sanitizers and fuzzers. Variables: SLURM_SRC, SLURM_CPPFLAGS, SLURM_PLUGINDIR,
dnl SLURM_LIBS (of commands), SLURM_FULL_LIBS, SLURM_PREFIX (empty for the system's Slurm),
dnl SLURM_VERSION (MAJOR.MINOR.MICRO). A plugin built with the headers of another release
dnl loads, but reads wrong data, so different releases are an error.

AC_DEFUN([LXFW_SLURM], [
	AC_ARG_WITH([slurm],
		[AS_HELP_STRING([--with-slurm=PREFIX],
			[use the Slurm that is installed in PREFIX, with its
			include, bin, sbin and lib (default: the system's);
			--without-slurm: build the library and the command
			alone])],
		[], [with_slurm=auto])
	AC_ARG_WITH([slurm-src],
		[AS_HELP_STRING([--with-slurm-src=DIR],
			[unpacked source of the installed Slurm release
			(default: build/slurm-src in the source tree, where
			./bootstrap --install-deps puts it)])],
		[], [with_slurm_src=])
	AC_ARG_WITH([slurm-plugindir],
		[AS_HELP_STRING([--with-slurm-plugindir=DIR],
			[where the controller looks for plugins (default: where
			those of the installed Slurm are)])],
		[], [with_slurm_plugindir=])

	lxfw_with_slurm=no
	lxfw_with_controller=no
	lxfw_slurm_why_not=
	SLURM_PREFIX=
	AS_CASE([$with_slurm],
		[/*], [SLURM_PREFIX=$with_slurm],
		[yes | no | auto], [],
		[AC_MSG_ERROR([--with-slurm=$with_slurm: expected an absolute path])])
	AS_IF([test "x$with_slurm" = xno],
		[lxfw_slurm_why_not="--without-slurm was given"],
		[_LXFW_SLURM_HEADERS
		 AS_IF([test -z "$lxfw_slurm_why_not"], [_LXFW_SLURM_SRC])
		 AS_IF([test -z "$lxfw_slurm_why_not"], [
			_LXFW_SLURM_SAME_RELEASE
			_LXFW_SLURM_INTERNAL_HEADERS
			_LXFW_SLURM_PLUGINDIR
			_LXFW_SLURM_FULL
			lxfw_with_slurm=yes
		 ])
		 AS_IF([test "x$lxfw_with_slurm" = xno], [
			AS_IF([test "x$with_slurm" != xauto || dnl
test -n "$with_slurm_src"],
				[AC_MSG_ERROR([$lxfw_slurm_why_not])])
		 ])
		])
	dnl A controller built without sanitizers cannot load such a plugin. The
	dnl plugin's parts are then tested by separate programs.
	AS_IF([test "x$lxfw_with_slurm" = xno], [],
	      [test "x$enable_sanitizers" != xno], [
		lxfw_with_slurm=no
		lxfw_slurm_why_not="left out with --enable-sanitizers"
	], [test "x$enable_fuzzers" != xno], [
		lxfw_with_slurm=no
		lxfw_slurm_why_not="left out with --enable-fuzzers"
	])

	AM_CONDITIONAL([WITH_CONTROLLER], [test "x$lxfw_with_controller" = xyes])
	AM_CONDITIONAL([WITH_SLURM], [test "x$lxfw_with_slurm" = xyes])
	AC_SUBST([SLURM_VERSION], [$lxfw_slurm_version])
	AC_SUBST([SLURM_SRC])
	AC_SUBST([SLURM_CPPFLAGS])
	AC_SUBST([SLURM_PLUGINDIR])
	AC_SUBST([SLURM_PREFIX])
	AC_SUBST([SLURM_LIBS])
	AC_SUBST([SLURM_FULL_LIBS])
])

dnl Set lxfw_slurm_number to the installed SLURM_VERSION_NUMBER and lxfw_slurm_version
dnl to its text form.
AC_DEFUN([_LXFW_SLURM_HEADERS], [
	AC_MSG_CHECKING([for the installed Slurm headers])
	SLURM_CPPFLAGS=${SLURM_PREFIX:+"-isystem $SLURM_PREFIX/include"}
	SLURM_LIBS="${SLURM_PREFIX:+-L$SLURM_PREFIX/lib -Wl,-rpath,$SLURM_PREFIX/lib }-lslurm"
	lxfw_saved_cppflags=$CPPFLAGS
	CPPFLAGS="$CPPFLAGS $SLURM_CPPFLAGS"
	AC_COMPUTE_INT([lxfw_slurm_number], [SLURM_VERSION_NUMBER],
		[#include <slurm/slurm_version.h>], [lxfw_slurm_number=0])
	CPPFLAGS=$lxfw_saved_cppflags
	AS_IF([test "$lxfw_slurm_number" -eq 0], [
		AC_MSG_RESULT([no])
		lxfw_slurm_why_not="${SLURM_PREFIX:+$SLURM_PREFIX/include: }<slurm/slurm_version.h> not found (Debian: libslurm-dev)"
	], [
		lxfw_slurm_version=`printf '%d.%02d.%d' \
			$(($lxfw_slurm_number / 65536)) \
			$(($lxfw_slurm_number / 256 % 256)) \
			$(($lxfw_slurm_number % 256))`
		AC_MSG_RESULT([$lxfw_slurm_version])
	])
])

AC_DEFUN([_LXFW_SLURM_SRC], [
	AC_MSG_CHECKING([for the source of Slurm])
	SLURM_SRC=
	AS_IF([test -n "$with_slurm_src"], [
		AS_IF([test -f "$with_slurm_src/src/slurmctld/slurmctld.h"],
			[SLURM_SRC=`cd "$with_slurm_src" && pwd`])
	], [
		for lxfw_dir in "$srcdir/build/slurm-src" build/slurm-src \
			../slurm-src; do
			AS_IF([test -f "$lxfw_dir/src/slurmctld/slurmctld.h"], [
				SLURM_SRC=`cd "$lxfw_dir" && pwd`
				break
			])
		done
	])
	AS_IF([test -n "$SLURM_SRC"], [
		AC_MSG_RESULT([$SLURM_SRC])
	], [test -n "$with_slurm_src"], [
		AC_MSG_RESULT([no])
		lxfw_slurm_why_not="$with_slurm_src: not an unpacked Slurm source, it has no src/slurmctld/slurmctld.h"
	], [
		AC_MSG_RESULT([no])
		lxfw_slurm_why_not="source of Slurm $lxfw_slurm_version not found: run ./bootstrap --install-deps or give --with-slurm-src=DIR"
	])
])

dnl META contains a line such as "  Version:        22.05.8".
AC_DEFUN([_LXFW_SLURM_SAME_RELEASE], [
	AC_MSG_CHECKING([whether source and installed headers are of one release])
	lxfw_meta_version=`$SED -n \
		's/^@<:@ 	@:>@*Version:@<:@ 	@:>@*\(@<:@0-9@:>@@<:@0-9.@:>@*\).*/\1/p' \
		"$SLURM_SRC/META" 2>/dev/null | $SED 1q`
	AS_IF([test "x$lxfw_meta_version" = "x$lxfw_slurm_version"],
		[AC_MSG_RESULT([yes])],
		[AC_MSG_RESULT([no])
		 AC_MSG_ERROR([$SLURM_SRC is Slurm ${lxfw_meta_version:-of unknown release}, the installed headers are $lxfw_slurm_version: both must be the release of the controller])])
])

dnl Slurm's files include "config.h". An empty file of that name is provided.
AC_DEFUN([_LXFW_SLURM_INTERNAL_HEADERS], [
	AC_MSG_CHECKING([whether Slurm's internal headers compile])
	lxfw_saved_cppflags=$CPPFLAGS
	CPPFLAGS="$CPPFLAGS -I$srcdir/plugins/slurm/compat/include $SLURM_CPPFLAGS -isystem $SLURM_SRC"
	AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[
		#include "config.h"
		#include "slurm/slurm.h"
		#include "src/common/slurm_xlator.h"
		#include "src/slurmctld/slurmctld.h"]],
		[[return sizeof(job_record_t) == 0;]])],
		[AC_MSG_RESULT([yes])],
		[AC_MSG_RESULT([no])
		 AC_MSG_ERROR([$SLURM_SRC: src/slurmctld/slurmctld.h does not compile, config.log says why])])
	CPPFLAGS=$lxfw_saved_cppflags
	SLURM_CPPFLAGS="-I\$(top_srcdir)/plugins/slurm/compat/include $SLURM_CPPFLAGS -isystem $SLURM_SRC"
])

dnl Set lxfw_libdirs to where Slurm's libraries may be: in the prefix, or the system's.
AC_DEFUN([_LXFW_SLURM_LIBDIRS], [
	lxfw_multiarch=`$CC -print-multiarch 2>/dev/null`
	lxfw_pc_libdir=`$PKG_CONFIG --variable=libdir slurm 2>/dev/null`
	lxfw_libdirs="$lxfw_pc_libdir ${lxfw_multiarch:+/usr/lib/$lxfw_multiarch} dnl
/usr/lib64 /usr/lib /usr/local/lib64 /usr/local/lib"
	AS_IF([test -n "$SLURM_PREFIX"], [
		lxfw_libdirs="$SLURM_PREFIX/lib64 $SLURM_PREFIX/lib dnl
${lxfw_multiarch:+$SLURM_PREFIX/lib/$lxfw_multiarch}"
	])
])

dnl Debian installs plugins in <libdir>/slurm-wlm, upstream in <libdir>/slurm.
AC_DEFUN([_LXFW_SLURM_PLUGINDIR], [
	AC_MSG_CHECKING([for the directory of Slurm's plugins])
	AS_IF([test -n "$with_slurm_plugindir"], [
		SLURM_PLUGINDIR=$with_slurm_plugindir
	], [
		SLURM_PLUGINDIR=
		_LXFW_SLURM_LIBDIRS
		for lxfw_dir in $lxfw_libdirs; do
			for lxfw_name in slurm-wlm slurm; do
				AS_IF([test -f "$lxfw_dir/$lxfw_name/sched_backfill.so"], [
					SLURM_PLUGINDIR=$lxfw_dir/$lxfw_name
					break 2
				])
			done
		done
	])
	AS_IF([test -n "$SLURM_PLUGINDIR"],
		[AC_MSG_RESULT([$SLURM_PLUGINDIR])],
		[SLURM_PLUGINDIR='${libdir}/slurm'
		 AC_MSG_RESULT([none installed, $SLURM_PLUGINDIR])])
])

dnl libslurmfull.so is in the same directory as the plugins. It belongs to the installed
dnl release even if our plugins are installed elsewhere, so the default directory is
dnl searched too.
AC_DEFUN([_LXFW_SLURM_FULL], [
	AC_MSG_CHECKING([for libslurmfull.so])
	SLURM_FULL_LIBS=
	lxfw_controller_why_not="libslurmfull.so not found (Debian: slurm-wlm-basic-plugins)"
	_LXFW_SLURM_LIBDIRS
	for lxfw_libdir in "$SLURM_PLUGINDIR" $lxfw_libdirs; do
		for lxfw_dir in "$lxfw_libdir" "$lxfw_libdir/slurm-wlm" \
			"$lxfw_libdir/slurm"; do
			AS_IF([test -f "$lxfw_dir/libslurmfull.so"], [
				SLURM_FULL_LIBS="-L$lxfw_dir -Wl,-rpath,$lxfw_dir -lslurmfull"
				break 2
			])
		done
	done
	AS_IF([test -n "$SLURM_FULL_LIBS"], [
		lxfw_saved_libs=$LIBS
		LIBS="$LIBS $SLURM_FULL_LIBS"
		AC_LINK_IFELSE([AC_LANG_PROGRAM([[
			extern int bit_size(void *);]], [[return bit_size(0);]])],
			[lxfw_with_controller=yes],
			[lxfw_controller_why_not="libslurmfull.so cannot be linked with, config.log says why"])
		LIBS=$lxfw_saved_libs
	])
	AS_IF([test "x$lxfw_with_controller" = xyes],
		[AC_MSG_RESULT([$lxfw_dir])], [AC_MSG_RESULT([no])])
])
