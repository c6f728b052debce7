# SPDX-License-Identifier: GPL-2.0-or-later
#
# Man pages and guides, and the tests that hold the pages to the command.

dist_man_MANS += \
	doc/lxfw-check-conf.1 \
	doc/lxfw-compare.1 \
	doc/lxfw-import.1 \
	doc/lxfw-params.5 \
	doc/lxfw-pbsd.8 \
	doc/lxfw-grid.1 \
	doc/lxfw-grid-request.5 \
	doc/lxfw-predict.1 \
	doc/lxfw-queue.1 \
	doc/lxfw-recover.8 \
	doc/lxfw-route.1 \
	doc/lxfw-simulate.1 \
	doc/lxfw-snapshot.1 \
	doc/lxfw-tune.1 \
	doc/lxfw-watch.1 \
	doc/lxfw.1 \
	doc/sched_lxfw.8 \
	doc/select_cons_tres_lxfw.8 \
	doc/spank_lxfw.8

TESTS += \
	tests/unit/docs.sh \
	tests/unit/english.sh \
	tests/unit/pages-lint.sh \
	tests/unit/pages.sh

EXTRA_DIST += \
	HACKING.md \
	README.md \
	contrib/example-month \
	doc/README.md \
	doc/age.md \
	doc/architecture.md \
	doc/balasubramanian2013.md \
	doc/chiang2001.md \
	doc/grid.md \
	doc/guide.md \
	doc/history.md \
	doc/collins2001.md \
	doc/datasets.md \
	doc/huang.md \
	doc/compare.md \
	doc/decisions.md \
	doc/malleable.md \
	doc/pbs.md \
	doc/picture.awk \
	doc/placement.md \
	doc/predict.md \
	doc/preempting.md \
	doc/route.md \
	doc/scale.md \
	doc/shadow.md \
	doc/slurm-testsuite.md \
	doc/tuning.md \
	doc/validation-watch.md \
	doc/waits.svg \
	doc/whatif.md \
	doc/when-does-my-job-start.md \
	doc/yahyapour2002.md \
	tests/unit/docs.sh \
	tests/unit/english.sh \
	tests/unit/pages-lint.sh \
	tests/unit/pages.sh

# The pages of doc/compare.md, from logs that are not part of the tree, into the build
# directory.
compare-pages: lxfw$(EXEEXT)
	@traces=$${LXFW_TRACES:-$(srcdir)/../shared/traces}; \
	mkdir -p doc || exit 1; \
	for page in ctc-sp2:CTC-SP2-1996-3.1-cln hpc2n:HPC2N-2002-2.2-cln \
		    sdsc-sp2:SDSC-SP2-1998-4.2-cln; do \
		./lxfw$(EXEEXT) compare \
			--report doc/compare-$${page%%:*}.html \
			"$$traces/$${page#*:}.swf.gz" >/dev/null || exit 1; \
	done

# The picture of README.md: two figures of a report of a generated month.
doc-picture: lxfw$(EXEEXT)
	@mkdir -p doc && \
	./lxfw$(EXEEXT) generate ncsa-o2k --month 2000-02 --out doc/feb.swf && \
	./lxfw$(EXEEXT) simulate --cluster ncsa-o2k --warmup 7d --policy easy --policy lxfw \
		--report doc/feb.html doc/feb.swf >/dev/null && \
	awk -v left='Mean wait by run time' -v right='95th percentile wait by run time' \
		-f $(srcdir)/doc/picture.awk doc/feb.html >doc/waits.new && \
	mv -f doc/waits.new '$(PICTURE)'

PICTURE = $(srcdir)/doc/waits.svg
CLEANFILES += doc/feb.swf doc/feb.html

# A release carries them where they were made.
dist-hook:
	for page in doc/compare-*.html; do \
		test ! -f "$$page" || cp -p "$$page" $(distdir)/doc/ || exit 1; \
	done

.PHONY: compare-pages doc-picture
