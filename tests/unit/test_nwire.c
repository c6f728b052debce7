/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests of a market (sim-frontend/grid/nwire.h, request.h): the bounds of the language, what
 * contradicts itself and what does not, and at which bounds a site makes an offer.
 * tests/golden/grid-request.sh has the rest.
 */
#include <string.h>

#include "sim-frontend/grid/request.h"
#include "tests/unit/unit.h"

/* --- the language ---------------------------------------------------------------------------- */

static char text[LXFW_NWIRE_SIZE_MAX + 2];

static void append(const char *what, int times)
{
	size_t length = strlen(text);

	for (; times > 0; times--) {
		strcpy(text + length, what);
		length += strlen(what);
	}
}

/* Reads a file. EXPECTED is a part of the error, or NULL. */
static void reads(const char *what, size_t length, const char *expected)
{
	struct lxfw_error error = { "none" };
	struct lxfw_nwire nwire;
	int failed = lxfw_nwire_parse(&nwire, what, length, "f", &error);

	if (!failed)
		lxfw_nwire_clear(&nwire);
	if (failed != (expected ? -1 : 0) || (expected && !strstr(error.text, expected)))
		fail_msg("%.200s: %s, expected %s", what, error.text, expected);
}

/* An expression. */
static void expression(const char *begin, const char *what, int times, const char *end,
		       const char *expected)
{
	strcpy(text, "REQUEST \"r\" {KEY \"k\" {VALUE \"v\" {");
	append(begin, 1);
	append(what, times);
	append(end, 1);
	append("}}}", 1);
	reads(text, strlen(text), expected);
}

static void bounds(void **state)
{
	static const char zero[] = "REQUEST \"r\0\" {KEY \"k\" {VALUE \"v\" {1}}}";

	(void)state;
	/* 63 digits, 1000 nodes, 200 levels. */
	expression("", "1", 63, "", NULL);
	expression("", "1", 64, "", "a number of at most 63 characters");
	expression("-1", "+1", 499, "", NULL);
	expression("1", "+1", 500, "", "f:1:1034: '1', expected at most 1000 numbers");
	expression("", "(", 199, "1", "expected an operator or ')'");
	expression("", "(", 200, "1", "at most 200 levels");
	reads(zero, sizeof(zero) - 1, "the string does not end in its line");
	strcpy(text, "REQUEST \"r\" {KEY \"k\" {ELEMENT 2147483647 {VALUE \"v\" {1}}}}");
	reads(text, strlen(text), NULL);
	*strstr(text, "7 {") = '8';
	reads(text, strlen(text), "the number of the element, 0 to 2147483647");
	/* 65536 bytes. */
	strcpy(text, "REQUEST \"r\" {KEY \"k\" {VALUE \"v\" {1}}}");
	append(" ", LXFW_NWIRE_SIZE_MAX + 1 - (int)strlen(text));
	reads(text, LXFW_NWIRE_SIZE_MAX, NULL);
	reads(text, LXFW_NWIRE_SIZE_MAX + 1, "more than 65536 bytes");
	/* The levels and the nodes of one expression do not count in the next one: 250 groups, and
	   500 nodes before. */
	strcpy(text, "REQUEST \"r\" {KEY \"k\" {VALUE \"v\" {1");
	append("+1", 400);
	append("}} KEY \"l\" {ELEMENT 1 {CONDITION {(ISDEF a)", 1);
	append("&&(ISDEF a)", 249);
	append("} VALUE \"w\" {1}}}}", 1);
	reads(text, strlen(text), NULL);
}

static void contradictions(void **state)
{
	static const struct {
		const char *condition;
		bool holds;
	} cases[] = {
		{ "(b != 5) && (b < 3)", true }, { "(b != 3) && (b == 3)", false },
		{ "(b > 3) && (b < 4)", true }, { "(b >= 3) && (b <= 3)", true },
		{ "(b > 3) && (b <= 3)", false }, { "(b < -3) && (b > -5)", true },
		{ "(b > -3) && (b < -5)", false }, { "(b NE \"x\") && (b NE \"x\")", true },
		{ "(b NE \"x\") && (b EQ \"x\")", false }, { "(b NE \"x\") && (b EQ \"y\")", true },
		{ "(b EQ \"x\") && (b EQ \"x\")", true }, { "(ISNDEF b) && (ISNDEF b)", true },
		{ "(ISNDEF b) && (ISDEF b)", false }, { "(NOT ((b < 1) && (b > 2)))", false },
		{ "(b < 1) || (b > 2)", true }, { "(b < 1) && (c > 2)", true },
		{ "(b < 1 + 1) && (b > 5)", true },	/* not a number */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		snprintf(text, sizeof(text), "REQUEST \"r\" {KEY \"k\" {ELEMENT 1 {CONDITION "
			 "{%s} VALUE \"v\" {1}}}}", cases[i].condition);
		reads(text, strlen(text), cases[i].holds ? NULL : "contradicts that of line 1");
	}
	/* A request and a resource may have the same id. */
	strcpy(text, "REQUEST \"a\" {KEY \"k\" {VALUE \"v\" {1}}}");
	append("MACHINE \"a\" {KEY \"k\" {VALUE \"v\" {1}}}", 1);
	reads(text, strlen(text), NULL);
}

/* --- offers ------------------------------------------------------------------------------------ */

#define MARKET { .machine = "1", .utility = "-StartTime", .ask = "all", .hops = 1, \
		 .live = LXFW_NEVER, .reserved = LXFW_NEVER, .split = LXFW_MARKET_SPLIT_WIDE, \
		 .offers = 1, .combinations = 1, .starts = 1 }

/* Sites `a` of 2 processors, at twice the usual speed if FAST, and `b` of 4. */
struct scene {
	int64_t at, delay;
	bool fast;
};

static void print(const struct lxfw_grid_request *request, const struct lxfw_sites *sites,
		  char *to, size_t size)
{
	FILE *out = fmemopen(to, size, "w");

	for (size_t i = 0; i < request->count; i++) {
		const struct lxfw_grid_offer *offer = &request->offers[i];

		for (int32_t j = 0; j < offer->count; j++)
			fprintf(out, "%s%s:%d", j ? "+" : i ? ", " : "",
				sites->list[offer->parts[j].site].name,
				(int)offer->parts[j].procs);
		fprintf(out, " %lld-%lld", (long long)offer->start, (long long)offer->end);
		if (offer->offer_cost > 0 || offer->reservation_cost > 0)
			fprintf(out, " cost %g %g", offer->offer_cost, offer->reservation_cost);
	}
	fclose(out);
}

/* What the sites offer for a request of VALUES, with values of the resources a and b or NULL.
   EXPECTED are the offers, or with "! " before it a part of the error. */
static bool offers(const struct scene *scene, const char *values, const char *a, const char *b,
		   const char *expected)
{
	struct lxfw_grid_request request = {
		.path = "f", .at = scene->at, .options = MARKET,
	};
	struct lxfw_sites sites = { 0 };
	struct lxfw_error error = { "" };
	struct lxfw_nwire nwire;
	char is[1100] = "";
	bool chooses;

	request.options.delay = scene->delay;
	snprintf(text, sizeof(text), "REQUEST \"r\" {KEY \"k\" {%s}}", values);
	if (a)
		snprintf(text + strlen(text), 1000, "MACHINE \"a\" {KEY \"k\" {%s}}", a);
	if (b)
		snprintf(text + strlen(text), 1000, "MACHINE \"b\" {KEY \"k\" {%s}}", b);
	if (lxfw_nwire_parse(&nwire, text, strlen(text), "f", &error))
		fail_msg("%s: %s", text, error.text);
	assert_int_equal(lxfw_sites_add(&sites, "a", 2, &error), 0);
	assert_int_equal(lxfw_sites_add(&sites, "b", 4, &error), 0);
	sites.list[0].speed = scene->fast ? 2000 : 1000;
	request.nwire = &nwire;
	request.sites = &sites;
	if (lxfw_grid_request_run(&request, &error))
		snprintf(is, sizeof(is), "! %s", error.text);
	else
		print(&request, &sites, is, sizeof(is));
	if (*expected == '!' ? *is != '!' || !strstr(is, expected + 2) : strcmp(is, expected) != 0)
		fail_msg("%s: '%s', expected '%s'", text, is, expected);
	chooses = request.chooses;
	lxfw_grid_request_clear(&request);
	lxfw_sites_clear(&sites);
	lxfw_nwire_clear(&nwire);
	return chooses;
}

#define JOB(procs) "VALUE \"NumberOfProcessors\" {" #procs "} VALUE \"RunTime\" {20} "
#define SET(name, value) "VALUE \"" name "\" {" #value "} "
#define BOTH "a:2 0-20, b:2 0-20"

/* Each just within a bound, and just outside. */
static void sites_that_fit(void **state)
{
	const struct scene usual = { 0, 0, false };
	const char *const other = SET("Colour", 1);

	(void)state;
	offers(&usual, JOB(2), NULL, NULL, BOTH);
	offers(&usual, JOB(2) SET("Memory", 8), SET("Memory", 8), other, BOTH);
	offers(&usual, JOB(2) SET("Memory", 8), SET("Memory", 7), other, "b:2 0-20");
	offers(&usual, JOB(2) SET("StartTime", 5), SET("StartTime", 5), other,
	       "a:2 5-25, b:2 5-25");
	offers(&usual, JOB(2) SET("StartTime", 5), SET("StartTime", 6), other, "b:2 5-25");
	offers(&usual, JOB(2) SET("EndTime", 30), SET("EndTime", 30), other, BOTH);
	offers(&usual, JOB(2) SET("EndTime", 30), SET("EndTime", 29), other, "b:2 0-20");
	offers(&usual, JOB(2) SET("OfferBudget", 3), SET("OfferCost", 3), other,
	       "a:2 0-20 cost 3 0, b:2 0-20");
	offers(&usual, JOB(2) SET("OfferBudget", 3), SET("OfferCost", 4), other, "b:2 0-20");
	offers(&usual, JOB(2) SET("ReservationBudget", 3), SET("ReservationCost", 3), other,
	       "a:2 0-20 cost 0 3, b:2 0-20");
	offers(&usual, JOB(2) SET("ReservationBudget", 3), SET("ReservationCost", 4), other,
	       "b:2 0-20");
	offers(&usual, JOB(2) SET("OfferBudget", 0), other, other, BOTH);
	offers(&usual, JOB(2) SET("JobBudget", 1), other, other, BOTH);
	offers(&usual, JOB(2) SET("JobBudget", 1), SET("Objective", 2), other, "b:2 0-20");
	offers(&usual, JOB(2) SET("OperatingSystem", "AIX"), SET("OperatingSystem", "AIX"),
	       SET("OperatingSystem", "Linux"), "a:2 0-20");
	offers(&usual, JOB(2) SET("OperatingSystem", "AIX"), NULL, NULL, "");
}

static void times(void **state)
{
	const struct scene usual = { 0, 0, false }, later = { 10, 0, false };
	const struct scene fast = { 0, 0, true }, delayed = { 10, 5, false };

	(void)state;
	offers(&later, JOB(2) SET("StartTime", 5), NULL, NULL, "a:2 10-30, b:2 10-30");
	offers(&usual, JOB(2) SET("StartTime", 5) SET("EndTime", 5), NULL, NULL,
	       "! EndTime is 5, expected more than StartTime, 5");
	offers(&later, JOB(2) SET("StartTime", 5) SET("EndTime", 10), NULL, NULL,
	       "! EndTime is 10, expected more than the time of the request, 10");
	/* A start before the request is none: the resource is there at 10. */
	offers(&later, JOB(2) SET("StartTime", 5), SET("StartTime", 10), SET("StartTime", 11),
	       "a:2 10-30");
	/* At twice the speed, 20 s take 10. */
	offers(&fast, JOB(2) SET("EndTime", 10), NULL, NULL,
	       "! RunTime is 20, expected at most the time from StartTime to EndTime, 10");
	offers(&fast, JOB(2) SET("EndTime", 19) SET("Hops", 0), NULL, NULL, "a:2 0-10");
	offers(&usual, SET("NumberOfProcessors", 2) SET("RunTime", 0), NULL, NULL,
	       "! RunTime is 0, expected more than 0");
	/* The home knows at 20 that it is accepted, the other site at 25. */
	offers(&delayed, JOB(2), NULL, NULL, "a:2 20-40, b:2 25-45");
	offers(&delayed, JOB(2) SET("ReservationTime", 25), NULL, NULL, "a:2 20-40, b:2 25-45");
	offers(&delayed, JOB(2) SET("ReservationTime", 24), NULL, NULL, "a:2 20-40");
	/* Parts are agreed in another round. */
	offers(&delayed, JOB(6), NULL, NULL, "b:4+a:2 30-50");
	offers(&delayed, JOB(6) SET("ReservationTime", 30), NULL, NULL, "b:4+a:2 30-50");
	offers(&delayed, JOB(6) SET("ReservationTime", 29), NULL, NULL, "");
}

static void several_sites(void **state)
{
	const struct scene usual = { 0, 0, false }, fast = { 0, 0, true };
	const char *const costs = SET("OfferCost", 2) SET("ReservationCost", 3);

	(void)state;
	/* The end is that of the last part, which is the first one. */
	offers(&fast, JOB(6), NULL, NULL, "b:4+a:2 0-20");
	offers(&usual, JOB(6), costs, costs, "b:4+a:2 0-20 cost 4 6");
	offers(&usual, JOB(6) SET("OfferBudget", 4) SET("ReservationBudget", 6), costs, costs,
	       "b:4+a:2 0-20 cost 4 6");
	offers(&usual, JOB(6) SET("OfferBudget", 3), costs, costs, "");
	offers(&usual, JOB(6) SET("ReservationBudget", 5), costs, costs, "");
	offers(&usual, JOB(6) SET("JobBudget", 2), NULL, NULL, "b:4+a:2 0-20");
	offers(&usual, JOB(6) SET("JobBudget", 1), NULL, NULL, "");
	offers(&usual, JOB(6) SET("OperatingSystemEqual", 1), SET("OperatingSystem", "AIX"),
	       SET("OperatingSystem", "AIX"), "b:4+a:2 0-20");
	offers(&usual, JOB(6) SET("OperatingSystemEqual", 1), SET("OperatingSystem", "AIX"),
	       SET("OperatingSystem", "Linux"), "");
	offers(&usual, JOB(6) SET("OperatingSystemEqual", 0), SET("OperatingSystem", "AIX"),
	       SET("OperatingSystem", "Linux"), "b:4+a:2 0-20");
}

/* What conditions and numbers are. */
static void values(void **state)
{
	const struct scene fast = { 0, 0, true };
#define IF(condition) JOB(2) "} KEY \"l\" {ELEMENT 1 {CONDITION {" condition "} VALUE \"v\" {1}}"

	(void)state;
	/* The speed of the site, or that of its resource. */
	offers(&fast, IF("(Speed == 2)"), NULL, NULL, "a:2 0-10");
	offers(&fast, IF("(Speed == 7)"), NULL, SET("Speed", 7), "b:2 0-20");
	/* An error on the left is one, whatever is on the right. */
	offers(&fast, IF("(Speed < 1 / 0) && (ISDEF Absent)"), NULL, NULL,
	       "! the value has no result");
	offers(&fast, IF("(Speed < 1 / 0) || (ISNDEF Absent)"), NULL, NULL,
	       "! the value has no result");
	/* Below 1E-300 a number is 0. */
	offers(&fast, JOB(2) SET("JobBudget", 1E-299 * 1E299), NULL, NULL, "a:2 0-10, b:2 0-20");
	offers(&fast, JOB(2) SET("JobBudget", 1E-301 * 1E301), NULL, NULL, "");
}

/* The best first: the utility, then the hops, then the price. */
static void order(void **state)
{
	const struct scene usual = { 0, 0, false };

	(void)state;
	offers(&usual, JOB(2) SET("UtilityValue", 1), SET("Objective", 9), NULL, BOTH);
	offers(&usual, JOB(2) SET("UtilityValue", -JobCost), SET("Objective", 9), NULL,
	       "b:2 0-20, a:2 0-20");
	assert_false(offers(&usual, JOB(2), NULL, NULL, BOTH));
	assert_false(offers(&usual, JOB(2) SET("MaxOfferNumber", 1), NULL, NULL, "a:2 0-20"));
	assert_true(offers(&usual, JOB(2) SET("MaxOfferNumber", 0), NULL, NULL, "a:2 0-20"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bounds), cmocka_unit_test(contradictions),
		cmocka_unit_test(sites_that_fit), cmocka_unit_test(times),
		cmocka_unit_test(several_sites), cmocka_unit_test(values),
		cmocka_unit_test(order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
