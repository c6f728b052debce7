/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Letters of names in UTF-8. A name comes from a log or a user and is written to terminals, tables
 * and pages, where a control character could move the cursor, and a mark of direction could
 * change the order of the text around it.
 */
#ifndef LXFW_UTIL_LETTERS_H
#define LXFW_UTIL_LETTERS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns the number of bytes, 1 to 4, of the character with which TEXT[0..LENGTH) begins, or 0 if
 * it must not be written: the bytes are not valid UTF-8, or the character is a control character,
 * a separator of lines, a mark of direction or otherwise invisible.
 */
size_t lxfw_letter(const char *text, size_t length);

/* Whether TEXT[0..LENGTH) consists of such characters only. */
bool lxfw_letters_only(const char *text, size_t length);

/* Returns the number of columns of a terminal that TEXT takes. Letters of China, Japan and Korea
   take two, marks above or below another letter none. */
int lxfw_letters_columns(const char *text);

/* Returns the number of bytes of the letters of TEXT that fit in COLUMNS. */
int lxfw_letters_fit(const char *text, int columns);

/* Returns the width for printf("%-*s") that fills COLUMNS with TEXT, or with its first BYTES: that
   function counts bytes. */
int lxfw_letters_width(const char *text, int bytes, int columns);

/* Removes the beginning of a letter at the end of TEXT, which was cut. */
void lxfw_letters_trim(char *text);

#endif
