dnl SPDX-License-Identifier: GPL-2.0-or-later
dnl
dnl LXFW_CMOCKA
dnl Conditional HAVE_CMOCKA: without it the unit tests are not built, and the
dnl summary says so.

AC_DEFUN([LXFW_CMOCKA], [
	PKG_CHECK_MODULES([CMOCKA], [cmocka >= 1.1],
		[have_cmocka=yes], [have_cmocka=no])
	AM_CONDITIONAL([HAVE_CMOCKA], [test "x$have_cmocka" = xyes])
])
