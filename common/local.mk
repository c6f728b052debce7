# SPDX-License-Identifier: GPL-2.0-or-later
#
# liblxfw, the policy library: a convenience library of position-independent
# objects that the command, the plugin and the tests link.

noinst_LTLIBRARIES += liblxfw.la

liblxfw_la_CFLAGS = $(AM_CFLAGS) $(LXFW_LIB_CFLAGS)

# All but the growing of arrays, which a test replaces by a stricter one.
lxfw_strict_sources = \
	common/apply.c \
	common/forecast.c \
	common/outlook.c \
	common/outlook.h \
	common/books/block.c \
	common/books/block.h \
	common/books/books.h \
	common/books/candidate.h \
	common/books/check.c \
	common/books/check.h \
	common/books/class.h \
	common/books/decision.c \
	common/books/decision.h \
	common/books/job.h \
	common/books/observer.h \
	common/books/overrun.c \
	common/books/overrun.h \
	common/books/queue.c \
	common/books/queue.h \
	common/books/ranks.c \
	common/books/ranks.h \
	common/books/group.c \
	common/books/group.h \
	common/books/reservation.c \
	common/books/reservation.h \
	common/books/run.c \
	common/books/run.h \
	common/books/weights.c \
	common/books/weights.h \
	common/journal/crc32.c \
	common/journal/decode.c \
	common/journal/decode_event.c \
	common/journal/encode.c \
	common/journal/journal.h \
	common/journal/params_2.c \
	common/journal/reader.c \
	common/journal/reader.h \
	common/journal/valid.c \
	common/journal/wire.h \
	common/model/action.h \
	common/model/event.h \
	common/model/job_classes.c \
	common/model/job_classes.h \
	common/model/request.c \
	common/model/request.h \
	common/model/resources.c \
	common/model/resources.h \
	common/model/time.h \
	common/order/line.c \
	common/order/list.c \
	common/order/list.h \
	common/order/order.h \
	common/order/psrs.c \
	common/order/smart.c \
	common/params/keys.c \
	common/params/keys.h \
	common/params/params.c \
	common/params/params.h \
	common/params/parse.c \
	common/params/policy.h \
	common/params/value.c \
	common/pass/backfill.c \
	common/pass/backfill.h \
	common/pass/consider.c \
	common/pass/consider.h \
	common/pass/group.c \
	common/pass/group.h \
	common/pass/opening.c \
	common/pass/opening.h \
	common/pass/mold.c \
	common/pass/mold.h \
	common/pass/suspended.c \
	common/pass/suspended.h \
	common/place/in_order.c \
	common/place/place.c \
	common/place/place.h \
	common/place/placing.c \
	common/place/placing.h \
	common/place/rule.h \
	common/place/rules.c \
	common/place/stock.c \
	common/policy/classes/account.c \
	common/policy/classes/classes.c \
	common/policy/classes/pass.c \
	common/policy/classes/private.h \
	common/policy/conservative.c \
	common/policy/easy.c \
	common/policy/eqspatial/account.c \
	common/policy/eqspatial/divide.c \
	common/policy/eqspatial/eqspatial.c \
	common/policy/eqspatial/partition.c \
	common/policy/eqspatial/partition.h \
	common/policy/eqspatial/place.c \
	common/policy/eqspatial/private.h \
	common/policy/eqspatial/rigid.c \
	common/policy/fcfs.c \
	common/policy/list.c \
	common/policy/lxfw.c \
	common/policy/module.h \
	common/policy/moldable.c \
	common/policy/pfcfs.c \
	common/policy/priority.c \
	common/policy/psrs.c \
	common/policy/registry.c \
	common/policy/registry.h \
	common/policy/script.c \
	common/policy/site.c \
	common/policy/sjf.c \
	common/policy/smart_ffia.c \
	common/policy/smart_nfiw.c \
	common/profile/boundary.h \
	common/profile/duration.c \
	common/profile/duration.h \
	common/profile/opening.c \
	common/profile/opening.h \
	common/profile/profile.c \
	common/profile/profile.h \
	common/profile/question.c \
	common/profile/release.c \
	common/profile/release.h \
	common/sched.c \
	common/sched.h \
	common/service/claims.c \
	common/service/claims.h \
	common/service/gang.c \
	common/service/gang.h \
	common/service/quanta.h \
	common/service/quantum.c \
	common/service/quantum.h \
	common/service/runner.c \
	common/service/runner.h \
	common/service/serve.c \
	common/service/serve.h \
	common/service/service.c \
	common/service/service.h \
	common/service/victims.c \
	common/service/victims.h \
	common/util/error.c \
	common/util/error.h \
	common/util/grow.h \
	common/util/heap.h \
	common/util/id_map.c \
	common/util/id_map.h

liblxfw_la_SOURCES = \
	$(lxfw_strict_sources) \
	common/util/grow.c
