import { LONGEST_WORD, MOST_DOMAINS, MOST_WORDS } from '@tether/contract'

const MEBIBYTE = 1024 * 1024
/** A character takes this much at most: two escaped units of six bytes. */
const BYTES_OF_A_CHARACTER = 12
/** Of a body with a lexicon. */
export const BODY_LIMIT = MEBIBYTE + BYTES_OF_A_CHARACTER * MOST_DOMAINS * MOST_WORDS * LONGEST_WORD
/** Suggestions that wait at once: each may have two megabytes, and a person has to read them. */
export const MOST_PENDING = 200
/** A page of suggestions. */
export const MOST_BYTES = 4 * MEBIBYTE
/** How often a change is tried again that met another one. Each time the other one got on. */
export const MOST_ATTEMPTS = 20
/** How long a decided suggestion can be looked up. The words that were accepted are in the pack. */
export const KEPT_DAYS = 90
