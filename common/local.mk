# SPDX-License-Identifier: GPL-2.0-or-later
#
# liblxfw, the policy library: a convenience library of position-independent
# objects that the command, the plugin and the tests link.

noinst_LTLIBRARIES += liblxfw.la

liblxfw_la_CFLAGS = $(AM_CFLAGS) $(LXFW_LIB_CFLAGS)

# All but the growing of arrays, which a test replaces by a stricter one.
lxfw_strict_sources = \
	common/journal/crc32.c \
	common/journal/decode.c \
	common/journal/encode.c \
	common/journal/journal.h \
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
	common/params/params.c \
	common/params/params.h \
	common/policy/backfill.c \
	common/policy/block.c \
	common/policy/block.h \
	common/policy/books.h \
	common/policy/check.c \
	common/policy/check.h \
	common/policy/decision.c \
	common/policy/equipartition.c \
	common/policy/equipartition.h \
	common/policy/equipartition_books.c \
	common/policy/equipartition_divide.c \
	common/policy/equipartition_place.c \
	common/policy/equipartition_rigid.c \
	common/policy/classes.c \
	common/policy/observer.h \
	common/policy/order.h \
	common/policy/overrun.c \
	common/policy/partition.c \
	common/policy/partition.h \
	common/policy/placement.c \
	common/policy/placement.h \
	common/policy/placement_rule.c \
	common/policy/priority.c \
	common/policy/quantum.c \
	common/policy/quantum.h \
	common/policy/queue.c \
	common/policy/reservation.c \
	common/policy/serve.c \
	common/policy/start.c \
	common/policy/suspended.c \
	common/policy/victims.c \
	common/profile/boundary.h \
	common/profile/duration.c \
	common/profile/duration.h \
	common/profile/profile.c \
	common/profile/profile.h \
	common/profile/question.c \
	common/profile/release.c \
	common/profile/release.h \
	common/sched.c \
	common/sched.h \
	common/util/error.c \
	common/util/error.h \
	common/util/grow.h \
	common/util/id_map.c \
	common/util/id_map.h

liblxfw_la_SOURCES = \
	$(lxfw_strict_sources) \
	common/util/grow.c
