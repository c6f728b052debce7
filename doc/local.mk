# SPDX-License-Identifier: GPL-2.0-or-later
#
# Man pages and guides, and the tests that hold the pages to the command.

dist_man_MANS += \
	doc/lxfw-compare.1 \
	doc/lxfw-import.1 \
	doc/lxfw-params.5 \
	doc/lxfw-tune.1 \
	doc/lxfw.1 \
	doc/sched_lxfw.8

TESTS += \
	tests/unit/docs.sh \
	tests/unit/pages-lint.sh \
	tests/unit/pages.sh

EXTRA_DIST += \
	HACKING.md \
	README.md \
	doc/architecture.md \
	doc/chiang2001.md \
	tests/unit/docs.sh \
	tests/unit/pages-lint.sh \
	tests/unit/pages.sh
