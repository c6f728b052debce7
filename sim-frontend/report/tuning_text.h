/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the table and the page of lxfw tune say in the same words and digits. */
#ifndef LXFW_REPORT_TUNING_TEXT_H
#define LXFW_REPORT_TUNING_TEXT_H

#include "sim-frontend/tune/confirm.h"

/* Bytes of a text, and of the sentences of lxfw_tuning_need(). */
#define LXFW_TUNING_TEXT 48
#define LXFW_TUNING_NEED 256

/* "now", "A", "B". */
const char *lxfw_tuning_name(int choice, char *text);

/* A value of a goal: a span of time, or a number. */
const char *lxfw_tuning_value(double value, enum lxfw_tune_measure measure, char *text);

/* A difference in per cent of what it is NOW, or as it is where that is 0. */
const char *lxfw_tuning_change(double now, double then, enum lxfw_tune_measure measure,
			       char *text);

/* "-9 % to +6 %"; "-" for none. */
const char *lxfw_tuning_interval(const struct lxfw_judgement *of, char *text);

const char *lxfw_tuning_verdict(const struct lxfw_judgement *of);

/* Weeks of log that it would take to recommend the candidate; INFINITY where no number
   would do. */
double lxfw_tuning_weeks(const struct lxfw_confirmation *confirmation);

/* The same in sentences; "" where there is nothing to say. */
const char *lxfw_tuning_need(const struct lxfw_confirmation *confirmation, char *text);

/* What the intervals are of where a goal is a maximum; "" where none is. */
const char *lxfw_tuning_maximum(const struct lxfw_confirmation *confirmation);

/* Row ROW, from 0 on, of what a setting costs; NULL behind the last. */
struct lxfw_tuning_cost {
	const char *name;
	enum lxfw_tune_measure measure;
};
const struct lxfw_tuning_cost *lxfw_tuning_cost(size_t row);

/* Its value in the whole log after the warm-up. */
const char *lxfw_tuning_cost_text(const struct lxfw_choice *choice, size_t row,
				  char *text);

#endif
