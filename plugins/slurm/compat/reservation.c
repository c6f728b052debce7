/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/compat/reservation.h"

#include "plugins/slurm/compat/compat.h"
#include "src/slurmctld/reservation.h"

/* Since 23.02 these functions explain errors. */
#define EXPLAINS (SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0))

static int create(resv_desc_msg_t *request)
{
#if EXPLAINS
	char *message = NULL;
	int error_code = create_resv(request, &message);

	xfree(message);
	return error_code;
#else
	return create_resv(request);
#endif
}

static int update(resv_desc_msg_t *request)
{
#if EXPLAINS
	char *message = NULL;
	int error_code = update_resv(request, &message);

	xfree(message);
	return error_code;
#else
	return update_resv(request);
#endif
}

static resv_desc_msg_t *new_request(const char *name, time_t end)
{
	resv_desc_msg_t *request = xmalloc(sizeof(*request));

	slurm_init_resv_desc_msg(request);
	request->name = xstrdup(name);
	request->end_time = end;
	return request;
}

/* Slurm takes some of the strings of a request. */
static int create_for(const char *user, const char *name, const char *nodes, time_t end)
{
	resv_desc_msg_t *request = new_request(name, end);
	int error_code;

	request->start_time = time(NULL);
	request->node_list = xstrdup(nodes);
	request->users = xstrdup(user);
	request->flags = RESERVE_FLAG_IGN_JOBS | RESERVE_FLAG_OVERLAP;
	error_code = create(request);
	slurm_free_resv_desc_msg(request);
	return error_code;
}

int lxfw_compat_reserve(const char *name, const char *nodes, time_t end)
{
	resv_desc_msg_t *request;
	int error_code;

	if (!find_resv_name((char *)name)) {
		error_code = create_for(slurm_conf.slurm_user_name, name, nodes, end);
		/* With AccountingStorageEnforce the user needs an association. */
		return error_code ? create_for("root", name, nodes, end) : SLURM_SUCCESS;
	}
	request = new_request(name, end);
	error_code = update(request);
	slurm_free_resv_desc_msg(request);
	return error_code;
}

void lxfw_compat_unreserve(const char *name)
{
	reservation_name_msg_t request = { .name = (char *)name };

	if (find_resv_name((char *)name))
		(void)delete_resv(&request);
}
