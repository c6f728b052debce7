dnl SPDX-License-Identifier: GPL-2.0-or-later
dnl
dnl LXFW_SUMMARY
dnl Print what configure found and what will be built.

AC_DEFUN([LXFW_SUMMARY], [
	AS_IF([test "x$have_cmocka" = xyes],
		[lxfw_unit_tests="yes, with cmocka"],
		[lxfw_unit_tests="NO: cmocka not found (Debian: libcmocka-dev), unit tests are left out of 'make check'"])
	AS_IF([test "x$have_sqlite" = xyes],
		[lxfw_states="yes, with SQLite"],
		[lxfw_states="NO: SQLite not used (Debian: libsqlite3-dev), 'lxfw tune --state' is left out"])
	AS_IF([test "x$have_munge" = xyes],
		[lxfw_route_network="yes, with munge"],
		[lxfw_route_network="NO: munge not used (Debian: libmunge-dev), 'lxfw route --serve' needs a socket or a trusted network"])
	AS_IF([test "x$have_scripts" = xyes],
		[lxfw_policy_files="yes, with Lua"],
		[lxfw_policy_files="NO: Lua 5.4 not used (Debian: liblua5.4-dev), '--policy-file' is left out"])
	AS_IF([test "x$lxfw_with_slurm" = xyes],
		[lxfw_plugin="sched/lxfw, select/cons_tres_lxfw and spank_lxfw for Slurm $lxfw_slurm_version"],
		[lxfw_plugin="NO: $lxfw_slurm_why_not"])
	AS_IF([test "x$lxfw_with_controller" = xyes],
		[lxfw_bridge_tests="yes, with libslurmfull"],
		[lxfw_bridge_tests="NO: ${lxfw_controller_why_not:-$lxfw_slurm_why_not}, they are left out of 'make check'"])
	AS_ECHO(["
$PACKAGE_NAME $PACKAGE_VERSION
  compiler       $CC $CFLAGS
  sanitizers     $enable_sanitizers
  fuzzers        $enable_fuzzers
  unit tests     $lxfw_unit_tests
  bridge tests   $lxfw_bridge_tests
  command        lxfw, into $bindir
  tune --state   $lxfw_states
  --policy-file  $lxfw_policy_files
  route by TCP   $lxfw_route_network
  Slurm plugins  $lxfw_plugin"])
	AS_IF([test "x$lxfw_with_slurm" = xyes], [AS_ECHO(["    Slurm in     ${SLURM_PREFIX:-the system}
    sources      $SLURM_SRC
    plugins to   $SLURM_PLUGINDIR"])])
	AS_ECHO(["  OpenPBS        $lxfw_pbs_summary
    standing     $lxfw_ical_summary"])
	AS_ECHO([""])
])
