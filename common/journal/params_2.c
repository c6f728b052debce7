/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parameters of format 2: every field, in a fixed order. */
#include "common/journal/reader.h"

#include "common/params/policy.h"

static void get_contract(struct lxfw_reader *reader, struct lxfw_params *params)
{
	params->victim_suspensions = params->victim_interval = params->victim_share = 0;
	if (reader->bad || lxfw_rest(reader) == 0)
		return;
	params->victim_suspensions = lxfw_get_count(reader, INT64_MAX);
	params->victim_interval = lxfw_get_count(reader, INT64_MAX);
	params->victim_share = lxfw_get_count(reader, INT64_MAX);
	if (params->victim_suspensions == 0 && params->victim_interval == 0 &&
	    params->victim_share == 0)
		reader->bad = true;
}

/* Format 2 has no reservation mode. Reservations then moved to earlier times only, and the
   placement rule was the paper's. Other
   keys that it does not have get their presets. */
void lxfw_get_params_2(struct lxfw_reader *reader, struct lxfw_params *params)
{
	lxfw_params_default(params);
	params->policy = lxfw_get_byte(reader);
	params->ww = lxfw_get_double(reader);
	params->wx = lxfw_get_double(reader);
	params->wp = lxfw_get_double(reader);
	params->wm = lxfw_get_double(reader);
	params->wpe = lxfw_get_double(reader);
	params->wbypass = lxfw_get_double(reader);
	params->reservations = lxfw_get_int32(reader);
	params->reservation_mode = LXFW_RESERVATION_COMPRESS;
	params->placement = LXFW_PLACEMENT_PAPER;
	params->interval = lxfw_get_count(reader, INT64_MAX);
	params->quantum_mode = lxfw_get_byte(reader);
	params->quantum_end = lxfw_get_byte(reader);
	params->quantum = lxfw_get_count(reader, INT64_MAX);
	params->quantum_mem = lxfw_get_count(reader, INT64_MAX);
	params->quantum_min_run = lxfw_get_count(reader, INT64_MAX);
	params->eq_min_interval = lxfw_get_count(reader, INT64_MAX);
	params->eq_full_after = lxfw_get_count(reader, INT64_MAX);
	get_contract(reader, params);
	if (lxfw_policy_has(params->policy, LXFW_TRAIT_SCRIPT))
		reader->bad = true;	/* format 2 is older than policies from files */
}
