dnl SPDX-License-Identifier: GPL-2.0-or-later
dnl
dnl LXFW_COMPILER
dnl Set LXFW_CFLAGS to the language and warning flags that the compiler supports.
dnl
dnl LXFW_TRY_CFLAG(FLAG, VARIABLE)
dnl Append FLAG to VARIABLE if the compiler accepts it without a warning.

AC_DEFUN([LXFW_TRY_CFLAG], [
	AS_VAR_PUSHDEF([cache], [lxfw_cv_cflag_$1])
	AC_CACHE_CHECK([whether $CC takes $1], [cache], [
		lxfw_saved_cflags=$CFLAGS
		CFLAGS="$CFLAGS -Werror $1"
		AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])],
			[AS_VAR_SET([cache], [yes])],
			[AS_VAR_SET([cache], [no])])
		CFLAGS=$lxfw_saved_cflags
	])
	AS_VAR_IF([cache], [yes], [$2="$$2 $1"])
	AS_VAR_POPDEF([cache])
])

AC_DEFUN([LXFW_COMPILER], [
	LXFW_CFLAGS=
	LXFW_TRY_CFLAG([-std=gnu11], [LXFW_CFLAGS])
	LXFW_TRY_CFLAG([-Wall], [LXFW_CFLAGS])
	LXFW_TRY_CFLAG([-Wextra], [LXFW_CFLAGS])
	LXFW_TRY_CFLAG([-Wshadow], [LXFW_CFLAGS])

	dnl A fused multiply-add rounds once where separate operations round twice.
	dnl Without this flag, the same events could lead to different actions on
	dnl another machine.
	LXFW_TRY_CFLAG([-ffp-contract=off], [LXFW_CFLAGS])

	LXFW_LIB_CFLAGS=
	LXFW_TRY_CFLAG([-Wpedantic], [LXFW_LIB_CFLAGS])
	LXFW_TRY_CFLAG([-fvisibility=hidden], [LXFW_LIB_CFLAGS])

	AC_SUBST([LXFW_CFLAGS])
	AC_SUBST([LXFW_LIB_CFLAGS])
])
