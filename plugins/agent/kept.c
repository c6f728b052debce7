/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/agent/kept.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/agent/kept_file.h"
#include "plugins/agent/log.h"

void lxfw_kept_save(const struct lxfw_agent *agent, const char *text)
{
	char *path = lxfw_agent_file(agent, "lxfw_parameters");

	if (!path || lxfw_kept_write(path, text) < 0)
		lxfw_log_error("cannot save the parameters in %s: %m",
			       path ? path : agent->wlm->folder_name);
	free(path);
}

char *lxfw_kept_load(const struct lxfw_agent *agent)
{
	char *path = lxfw_agent_file(agent, "lxfw_parameters");
	char *text = path ? lxfw_kept_read(path) : NULL;

	if (text)
		lxfw_log_info("using the last valid parameters, saved in %s",
			      path);
	else
		lxfw_log_error("no valid parameters in %s: %s; the defaults "
			       "are used",
			       path ? path : agent->wlm->folder_name,
			       errno == EBADMSG ? "the file is empty or "
			       	    "damaged" :
						  strerror(errno));
	free(path);
	return text;
}
