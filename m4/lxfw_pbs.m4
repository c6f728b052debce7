dnl SPDX-License-Identifier: GPL-2.0-or-later
dnl
dnl LXFW_PBS
dnl Find an installed OpenPBS, whose library the daemon lxfw-pbsd is linked with. Nothing is
dnl searched for: --with-pbs names its folder. Without it the daemon is not built; its code
dnl is tested with a simulated server.
dnl
dnl libical computes the times of standing reservations, where it is installed.
dnl
dnl Conditional: WITH_PBS. Variables: PBS_PREFIX, PBS_CPPFLAGS, PBS_LIBS, ICAL_CFLAGS,
dnl ICAL_LIBS.

AC_DEFUN([LXFW_PBS], [
	AC_ARG_WITH([pbs],
		[AS_HELP_STRING([--with-pbs=PREFIX],
			[build lxfw-pbsd, a scheduler of the OpenPBS that is
			installed in PREFIX, with its include and lib (default:
			not built)])],
		[], [with_pbs=no])
	PBS_PREFIX=
	PBS_CPPFLAGS=
	PBS_LIBS=
	lxfw_pbs_summary="NO: --with-pbs=PREFIX was not given, lxfw-pbsd is not built"
	AS_CASE([$with_pbs],
		[no], [],
		[/*], [
			PBS_PREFIX=$with_pbs
			PBS_CPPFLAGS="-DLXFW_WITH_PBS -isystem $PBS_PREFIX/include"
			PBS_LIBS="-L$PBS_PREFIX/lib -Wl,-rpath,$PBS_PREFIX/lib -lpbs"
			_LXFW_PBS_LINK
			lxfw_pbs_summary="lxfw-pbsd for $PBS_PREFIX"
		],
		[AC_MSG_ERROR([--with-pbs=$with_pbs: expected an absolute path])])
	PKG_CHECK_MODULES([ICAL], [libical >= 3.0], [
		ICAL_CFLAGS="-DLXFW_WITH_ICAL $ICAL_CFLAGS"
		lxfw_ical_summary="yes, with libical"],
		[lxfw_ical_summary="NO: libical not found (Debian: libical-dev), the daemon refuses standing reservations"])
	AM_CONDITIONAL([WITH_PBS], [test -n "$PBS_PREFIX"])
	AC_SUBST([PBS_PREFIX])
	AC_SUBST([PBS_CPPFLAGS])
	AC_SUBST([PBS_LIBS])
])

AC_DEFUN([_LXFW_PBS_LINK], [
	AC_MSG_CHECKING([for libpbs in $PBS_PREFIX])
	lxfw_saved_cppflags=$CPPFLAGS
	lxfw_saved_libs=$LIBS
	CPPFLAGS="$CPPFLAGS $PBS_CPPFLAGS"
	LIBS="$LIBS $PBS_LIBS"
	AC_LINK_IFELSE([AC_LANG_PROGRAM([[
		#include <pbs_ifl.h>
		extern int pbs_register_sched(const char *, int, int);]],
		[[return pbs_connect(0) + pbs_register_sched("", 0, 0);]])],
		[AC_MSG_RESULT([yes])],
		[AC_MSG_RESULT([no])
		 AC_MSG_ERROR([$PBS_PREFIX has no OpenPBS whose schedulers register (20 or later), or it cannot be linked with: config.log says why])])
	CPPFLAGS=$lxfw_saved_cppflags
	LIBS=$lxfw_saved_libs
])
