/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parameter string, with two policies: the usual one, and one that depends on the text. */
#include "tests/fuzz/fuzz.h"

#include <errno.h>
#include <string.h>

#include "common/params/policy.h"

const char fuzz_name[] = "params";

static void check_range(const struct lxfw_params *params)
{
	FUZZ_CHECK(lxfw_policy_type(params->policy));
	FUZZ_CHECK(params->ww >= 0 && params->ww <= 1e6);
	FUZZ_CHECK(params->wx >= 0 && params->wx <= 1e6);
	FUZZ_CHECK(params->wp >= 0 && params->wp <= 1e6);
	FUZZ_CHECK(params->wm >= 0 && params->wm <= 1e6);
	FUZZ_CHECK(params->wpe >= 0 && params->wpe <= 1e6);
	FUZZ_CHECK(params->wbypass >= 0 && params->wbypass <= 1e6);
	FUZZ_CHECK(params->reservations >= 1);
	FUZZ_CHECK(params->reservations <= 1000000 ||
		   params->reservations == LXFW_RESERVATIONS_ALL);
	FUZZ_CHECK(params->interval >= 0 && params->interval <= 86400);
	FUZZ_CHECK(params->quantum >= 0 && params->quantum <= 86400);
	FUZZ_CHECK(params->quantum_mem >= 1 && params->quantum_mem <= 1000000000);
	FUZZ_CHECK(params->quantum_min_run >= 0 &&
		   params->quantum_min_run <= 31536000);
	FUZZ_CHECK(params->victim_suspensions >= 0 &&
		   params->victim_suspensions <= 1000000);
	FUZZ_CHECK(params->victim_interval >= 0 &&
		   params->victim_interval <= 31536000);
	FUZZ_CHECK(params->victim_share >= 0 && params->victim_share <= 100);
	FUZZ_CHECK(params->eq_min_interval >= 0 &&
		   params->eq_min_interval <= 31536000);
	FUZZ_CHECK(params->eq_full_after >= 0 &&
		   params->eq_full_after <= 31536000);
}

static void parse(const char *text, size_t size, enum lxfw_policy policy)
{
	struct lxfw_params params, before;
	const char *journal = NULL;
	int length = 0;
	struct lxfw_error error = { "" };

	memset(&before, 0, sizeof(before));
	lxfw_params_preset(&before, policy);
	params = before;
	if (lxfw_params_parse(&params, text, &journal, &length, &error) < 0) {
		FUZZ_CHECK(errno == EINVAL);
		FUZZ_CHECK(error.text[0] != '\0');
		FUZZ_CHECK(memchr(error.text, '\0', sizeof(error.text)));
		FUZZ_CHECK(!memchr(error.text, '\n', strlen(error.text)));
		FUZZ_CHECK(memcmp(&params, &before, sizeof(params)) == 0);
		return;
	}
	check_range(&params);
	if (journal) {
		FUZZ_CHECK(journal >= text && length > 0);
		FUZZ_CHECK(journal + length <= text + size);
		FUZZ_CHECK(!memchr(journal, ',', (size_t)length));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	unsigned sum = 0;

	if (!text)
		return 0;
	for (size_t i = 0; i < size; i++)
		sum = sum * 31 + data[i];
	parse(text, size, LXFW_POLICY_LXFW);
	/* All of them, and the search for the meaning of an unknown key in each, would be slow. */
	parse(text, size, (enum lxfw_policy)(LXFW_POLICY_FCFS +
					     sum % (unsigned)lxfw_policy_count));
	free(text);
	return 0;
}
