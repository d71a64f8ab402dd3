/**
 * SQL that moves a time of a row into the past, for `set`. Citus refuses the plain form, `column - interval`, in an update, because its
 * result depends on the time zone of the session.
 */
export const setBack = (column: string, by: string): string =>
  `${column} = (${column} at time zone 'UTC' - interval '${by}') at time zone 'UTC'`
