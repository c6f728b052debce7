/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads metrics in the text format of OpenMetrics, as the plugin writes them. */
#ifndef LXFW_UTIL_METRICS_TEXT_H
#define LXFW_UTIL_METRICS_TEXT_H

#include <stddef.h>

#include "common/util/error.h"

/* A sample: lxfw_starts_total{label="reserved"} 7. The plugin gives each sample one label
   at most. */
struct lxfw_sample {
	const char *name;	/* "lxfw_starts_total" */
	const char *label;	/* value of its label, "reserved", or "" */
	const char *key;	/* name of its label, "label", or "" */
	double value;
};

struct lxfw_samples {
	struct lxfw_sample *samples;	/* in the order of the file */
	size_t count, size;
	char *text;		/* to which they point */
};

/* Reads a file, which must be complete: it ends with "# EOF". Returns 0, or -1 with errno
   and ERROR set. *SAMPLES is initialized in either case; the caller clears it. */
int lxfw_samples_read(struct lxfw_samples *samples, const char *path,
		      struct lxfw_error *error);
void lxfw_samples_clear(struct lxfw_samples *samples);

/* Returns the value of a sample; LABEL may be "". 0 if there is none. */
double lxfw_sample_value(const struct lxfw_samples *samples, const char *name,
			 const char *label);

#endif
