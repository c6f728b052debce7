/* SPDX-License-Identifier: GPL-2.0-or-later */
/* GPUs by socket (common/model/sockets.h) as text: "4+4", the number of socket 0 first. */
#ifndef LXFW_TRACE_SOCKETS_TEXT_H
#define LXFW_TRACE_SOCKETS_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "common/model/sockets.h"

#define LXFW_SOCKETS_TEXT_SIZE (3 * LXFW_SOCKETS_MAX + 1)

/* Writes the text to BUFFER, of LXFW_SOCKETS_TEXT_SIZE bytes, and returns BUFFER. */
const char *lxfw_sockets_text(char *buffer, uint32_t sockets);

/* Reads LENGTH bytes of text. Returns 0, or -1 with errno EINVAL: there are more sockets or
   more GPUs on one than are counted, or no GPU at all. */
int lxfw_sockets_read(const char *text, size_t length, uint32_t *sockets);

#endif
