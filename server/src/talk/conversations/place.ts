import { refuse } from '../../kernel/http/index.ts'

/** A place in a list: a moment with its microseconds, and the id of what stands there. */
export type Place = { readonly at: string | null; readonly id: string | null }

const FORM = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)_([a-z]{3}_[0-9a-z]{24,26})$/

/** It names its own place, so that it leads on where what stood there has been erased. */
export function placeFrom(before: string | undefined): Place {
  if (before === undefined) return { at: null, id: null }
  const [, at, id] = FORM.exec(before) ?? []
  // A Date reads no microseconds, but knows which days there are.
  if (at === undefined || id === undefined || Number.isNaN(Date.parse(at)))
    throw refuse('invalid_request', '`before` is not a place in this list. Send the `nextBefore` of a page.')
  return { at, id }
}
