/** Suggestions that wait at once: each may have a megabyte, and a person has to read them. */
export const MOST_PENDING = 200
/** A page of suggestions. */
export const MOST_BYTES = 4 * 1024 * 1024
/** How often a change is tried again that met another one. Each time the other one got on. */
export const MOST_ATTEMPTS = 20
/** How long a decided suggestion can be looked up. The words that were accepted are in the pack. */
export const KEPT_DAYS = 90
