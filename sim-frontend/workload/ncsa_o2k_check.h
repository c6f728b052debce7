/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares a generated month with the statements of Chiang and Vernon 2001. */
#ifndef LXFW_WORKLOAD_NCSA_O2K_CHECK_H
#define LXFW_WORKLOAD_NCSA_O2K_CHECK_H

#include "sim-frontend/workload/character.h"
#include "sim-frontend/workload/ncsa_o2k.h"

#define LXFW_NCSA_O2K_FACTS 13

/* A statement of section 3. A statement about each class has the minimum and the
   maximum over the classes. */
struct lxfw_ncsa_o2k_fact {
	const char *what;
	const char *paper;	/* text or figures of the paper */
	const char *unit;	/* "%" or "" */
	double low, high;	/* accepted range */
	double least, most;	/* in the generated month */
	bool met;
};

struct lxfw_ncsa_o2k_check {
	int month;
	struct lxfw_ncsa_o2k_reached {
		size_t jobs;
		double proc_demand, memory_demand;	/* per cent */
		bool met;
	} classes[LXFW_NCSA_O2K_CLASSES], all;
	struct lxfw_ncsa_o2k_fact facts[LXFW_NCSA_O2K_FACTS];
	bool met;	/* all statements are met */
};

/* Returns the month according to the header of a trace: 0 to 5, or -1. */
int lxfw_ncsa_o2k_month_of(const struct lxfw_trace *trace);

/* The twelve classes; and the options with these classes and the window of a month. */
extern const struct lxfw_class_scheme lxfw_ncsa_o2k_classes;
void lxfw_ncsa_o2k_character_options(struct lxfw_character_options *options,
				     int month);

/* CHARACTER is that of TRACE with these options. */
void lxfw_ncsa_o2k_check_month(struct lxfw_ncsa_o2k_check *check, int month,
			       const struct lxfw_character *character,
			       const struct lxfw_trace *trace);

#endif
