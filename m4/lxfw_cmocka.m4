dnl SPDX-License-Identifier: GPL-2.0-or-later
dnl
dnl LXFW_CMOCKA
dnl Define the conditional HAVE_CMOCKA. Without cmocka the unit tests are not built, and
dnl the summary of configure reports it.

AC_DEFUN([LXFW_CMOCKA], [
	PKG_CHECK_MODULES([CMOCKA], [cmocka >= 1.1],
		[have_cmocka=yes], [have_cmocka=no])
	AM_CONDITIONAL([HAVE_CMOCKA], [test "x$have_cmocka" = xyes])
])
