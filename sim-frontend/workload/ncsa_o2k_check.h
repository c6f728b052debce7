/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A generated month beside what Chiang and Vernon 2001 tell of it. */
#ifndef LXFW_WORKLOAD_NCSA_O2K_CHECK_H
#define LXFW_WORKLOAD_NCSA_O2K_CHECK_H

#include "sim-frontend/workload/character.h"
#include "sim-frontend/workload/ncsa_o2k.h"

#define LXFW_NCSA_O2K_FACTS 13

/* A statement of section 3. One that is about each class has the lowest and the
   highest of the classes. */
struct lxfw_ncsa_o2k_fact {
	const char *what;
	const char *paper;	/* in its words, or figures */
	const char *unit;	/* "%" or "" */
	double low, high;	/* what counts as meeting it */
	double least, most;	/* here */
	bool met;
};

struct lxfw_ncsa_o2k_check {
	int month;
	struct lxfw_ncsa_o2k_reached {
		size_t jobs;
		double proc_demand, memory_demand;	/* % */
		bool met;
	} classes[LXFW_NCSA_O2K_CLASSES], all;
	struct lxfw_ncsa_o2k_fact facts[LXFW_NCSA_O2K_FACTS];
	bool met;	/* all of it */
};

/* The month that a trace's header says it is: 0 to 5, or -1. */
int lxfw_ncsa_o2k_month_of(const struct lxfw_trace *trace);

/* The twelve classes; and with them the window of a month. */
extern const struct lxfw_class_scheme lxfw_ncsa_o2k_classes;
void lxfw_ncsa_o2k_character_options(struct lxfw_character_options *options,
				     int month);

/* CHARACTER is that of TRACE with these options. */
void lxfw_ncsa_o2k_check_month(struct lxfw_ncsa_o2k_check *check, int month,
			       const struct lxfw_character *character,
			       const struct lxfw_trace *trace);

#endif
