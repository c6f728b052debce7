/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts and numbers that the table and the page of lxfw tune have in common. */
#ifndef LXFW_REPORT_TUNING_TEXT_H
#define LXFW_REPORT_TUNING_TEXT_H

#include "sim-frontend/tune/confirm.h"

/* Size in bytes of a text, and of the sentences of lxfw_tuning_need(). */
#define LXFW_TUNING_TEXT 48
#define LXFW_TUNING_NEED 256

/* Returns the name of a choice: "now", "A", "B", after "Z" "A2". */
const char *lxfw_tuning_name(int choice, char *text);

/* Returns whether goal I is judged by rearranged copies, that is, by other weeks: a maximum,
   unless there are no copies. */
bool lxfw_tuning_is_rearranged(const struct lxfw_confirmation *confirmation, int i);

/* Return the value of goal I that is compared: of a choice, and of the settings that were
   chosen without each fold. It is the mean over rearranged copies, or over all blocks. */
double lxfw_tuning_of_choice(const struct lxfw_confirmation *confirmation, int choice, int i);
double lxfw_tuning_of_crossed(const struct lxfw_confirmation *confirmation, int i);

/* Formats the value of a goal: a duration or a number. */
const char *lxfw_tuning_value(double value, enum lxfw_tune_measure measure, char *text);

/* Formats a difference in per cent of NOW, or as an absolute value if NOW is 0. */
const char *lxfw_tuning_change(double now, double then, enum lxfw_tune_measure measure,
			       char *text);

/* Formats "-9 % to +6 %"; "-" if there is no interval. */
const char *lxfw_tuning_interval(const struct lxfw_judgement *of, char *text);

const char *lxfw_tuning_verdict(const struct lxfw_judgement *of);

/* Returns the length of a log, in weeks, that would suffice to recommend the
   candidate, or INFINITY if no length would. */
double lxfw_tuning_weeks(const struct lxfw_confirmation *confirmation);

/* Describes this in sentences; "" if there is nothing to report, or a setting is worth a
   trial. */
const char *lxfw_tuning_need(const struct lxfw_confirmation *confirmation, char *text);

/* Returns the length in weeks of a log that would show the change of the best setting for
   a trial, or INFINITY. */
double lxfw_tuning_trial_weeks(const struct lxfw_confirmation *confirmation);

/* Describes the intervals of goals that are maxima; "" if there are no such goals. */
const char *lxfw_tuning_maximum(const struct lxfw_confirmation *confirmation);

/* Returns row ROW, from 0 on, of the costs of a setting, or NULL after the last row. */
struct lxfw_tuning_cost {
	const char *name;
	enum lxfw_tune_measure measure;
};
const struct lxfw_tuning_cost *lxfw_tuning_cost(size_t row);

/* Formats its value over the whole log after the warm-up. */
const char *lxfw_tuning_cost_text(const struct lxfw_choice *choice, size_t row,
				  char *text);

#endif
