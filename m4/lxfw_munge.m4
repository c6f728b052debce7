dnl SPDX-License-Identifier: GPL-2.0-or-later
dnl
dnl LXFW_MUNGE
dnl Set MUNGE_*. Without munge, `lxfw route` knows who asks at sockets only, and not over a
dnl network.

AC_DEFUN([LXFW_MUNGE], [
	AC_ARG_WITH([munge],
		[AS_HELP_STRING([--without-munge],
			[leave out authenticated questions of 'lxfw route' over a network @<:@default: as found@:>@])],
		[], [with_munge=check])
	have_munge=no
	AS_IF([test "x$with_munge" != xno],
		[PKG_CHECK_MODULES([MUNGE], [munge >= 0.5.12],
			[have_munge=yes], [have_munge=no])])
	AS_IF([test "x$with_munge" = xyes && test "x$have_munge" = xno],
		[AC_MSG_ERROR([munge 0.5.12 or later is needed for --with-munge (Debian: libmunge-dev)])])
	AS_IF([test "x$have_munge" = xyes],
		[AC_DEFINE([LXFW_HAVE_MUNGE], [1], [authenticated questions of lxfw route])])
])
