dnl SPDX-License-Identifier: GPL-2.0-or-later
dnl
dnl LXFW_SQLITE
dnl Set SQLITE_* and the conditional HAVE_SQLITE. Without SQLite, `lxfw tune --state`
dnl reports that it is not available.

AC_DEFUN([LXFW_SQLITE], [
	AC_ARG_WITH([sqlite],
		[AS_HELP_STRING([--without-sqlite],
			[leave out the state files of 'lxfw tune' @<:@default: as found@:>@])],
		[], [with_sqlite=check])
	have_sqlite=no
	AS_IF([test "x$with_sqlite" != xno],
		[PKG_CHECK_MODULES([SQLITE], [sqlite3 >= 3.8],
			[have_sqlite=yes], [have_sqlite=no])])
	AS_IF([test "x$with_sqlite" = xyes && test "x$have_sqlite" = xno],
		[AC_MSG_ERROR([SQLite 3.8 or later is needed for --with-sqlite (Debian: libsqlite3-dev)])])
	AS_IF([test "x$have_sqlite" = xyes],
		[AC_DEFINE([LXFW_HAVE_SQLITE], [1], [state files of lxfw tune])])
	AM_CONDITIONAL([HAVE_SQLITE], [test "x$have_sqlite" = xyes])
])
