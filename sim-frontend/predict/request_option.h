/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options in the text of a request. */
#ifndef LXFW_PREDICT_REQUEST_OPTION_H
#define LXFW_PREDICT_REQUEST_OPTION_H

#include <stdbool.h>
#include <stdint.h>

/* Whether WORD is the option -LETTER, if that is not 0, or --NAME. Sets *VALUE to the value that
   the word contains, or NULL. */
bool lxfw_request_option(const char *word, char letter, const char *name, const char **value);

/* Reads a size of --mem. Returns false if it is invalid. */
bool lxfw_request_size(const char *text, int64_t *megabytes);

#endif
