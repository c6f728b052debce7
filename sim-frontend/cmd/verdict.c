/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/verdict.h"

#include "sim-frontend/cmd/compare.h"

/* Held jobs and limits are not inferred for a scenario. */
static unsigned given_by(const struct lxfw_scenario *scenario)
{
	unsigned given = LXFW_GIVEN_INFERENCE;

	if (scenario->machine)
		given |= LXFW_GIVEN_SIZE;
	if (scenario->machine && lxfw_needs_matter(&scenario->cluster))
		given |= LXFW_GIVEN_MACHINE;
	if (scenario->outages)
		given |= LXFW_GIVEN_OUTAGES;
	if (scenario->reservations)
		given |= LXFW_GIVEN_RESERVATIONS;
	return given;
}

int lxfw_verdict_of(struct lxfw_scenario *scenario, struct lxfw_verdict *verdict)
{
	struct lxfw_overhead overhead = {
		.start = scenario->options.start_overhead, .start_given = true,
	};
	struct lxfw_recorded recorded;
	struct lxfw_error error;
	int measured = lxfw_scenario_recorded(scenario, &recorded), failed;

	if (measured <= 0) {
		lxfw_verdict_none(verdict);
		return measured;
	}
	recorded.priorities = scenario->options.priorities;
	recorded.given = given_by(scenario);
	failed = lxfw_compare_judge(&recorded, &scenario->options.params,
				    &overhead, verdict, &error);
	if (failed)
		lxfw_cmd_note("%s: %s", scenario->path, error.text);
	lxfw_recorded_clear(&recorded);
	return failed;
}

int lxfw_verdict_refuse(const struct lxfw_scenario *scenario,
			const struct lxfw_verdict *verdict)
{
	lxfw_cmd_note("%s: no search: the simulation of this trace is %s",
		      scenario->path, lxfw_verdict_name(verdict->level));
	for (int i = 0; i < verdict->reason_count; i++)
		lxfw_cmd_note("%s", verdict->reasons[i]);
	lxfw_cmd_note("next: %s", verdict->next);
	lxfw_cmd_note("--despite-verdict searches anyway");
	return LXFW_EXIT_NO;
}
