/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A site for the tests of Slurm's priority/multifactor. */
#ifndef LXFW_TESTS_MULTIFACTOR_SITE_H
#define LXFW_TESTS_MULTIFACTOR_SITE_H

#include <math.h>

#include "sim-frontend/priority/multifactor.h"
#include "tests/unit/file.h"

static struct lxfw_error error;
static struct lxfw_multifactor_site site;

static inline struct lxfw_slice slice(const char *text)
{
	return (struct lxfw_slice) { text, strlen(text) };
}

/* A site of 4 nodes with 16 processors each and a partition p. */
static inline int begin(void **state)
{
	(void)state;
	if (lxfw_multifactor_site_begin(&site) ||
	    lxfw_multifactor_partition_add(&site, slice("p")) < 0)
		return -1;
	site.nodes = 4;
	site.procs = 64;
	lxfw_multifactor_site_finish(&site);
	return 0;
}

static inline int end(void **state)
{
	(void)state;
	lxfw_multifactor_site_clear(&site);
	return 0;
}

static inline void read_assocs(const char *text)
{
	if (lxfw_assocs_read(&site.assocs, unit_file("assocs", text), NULL, &error))
		fail_msg("%s", error.text);
	lxfw_multifactor_site_finish(&site);
}

static inline int32_t assoc(const char *account, const char *user)
{
	int32_t at = lxfw_assocs_find(&site.assocs, slice(account), slice(user),
				      slice(""));

	assert_true(at >= 0);
	return at;
}

static inline void assert_near(double value, double expected, double by)
{
	if (!(fabs(value - expected) <= by))
		fail_msg("%.9f, expected %.9f", value, expected);
}

#define EACH(test) cmocka_unit_test_setup_teardown(test, begin, end)

#endif
