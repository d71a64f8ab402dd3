// A form whose answer is read as it comes. Its last event is the page, sealed: the script sends the form again with it, and is answered
// the same page as whoever has no scripts. So nothing is made of HTML in the browser, and nothing is done twice.

import { SecretUnreadable } from '../../kernel/crypto/index.ts'
import { Html } from '../../kernel/html/index.ts'
import type { RequestHead, ServerEvent } from '../../kernel/http/index.ts'
import type { Outcome, Reader, Tell } from '../../pages/console-kit/index.ts'
import { type Form, field } from '../../pages/kit/index.ts'
import type { House } from '../../tenancy/context/index.ts'

/** What a form came to, as it stands on the page at once. */
export type ShownOutcome = Extract<Outcome, { kind: 'shown' }> & { readonly status?: number }

export const isReadAsItComes = ({ headers }: RequestHead): boolean =>
  headers.accept?.includes('text/event-stream') === true

const placeOf = ({ ctx, session }: Reader) => ({
  table: 'console',
  column: 'shown',
  tenantId: ctx.asking.tenantId,
  row: session.hash.toString('hex'),
})

const sealed = ({ keyring }: House, reader: Reader, { note, ...outcome }: ShownOutcome): string =>
  keyring.seal(JSON.stringify({ ...outcome, note: note.text }), placeOf(reader))

/** Null where the form brings none; undefined where it is not one that we sealed for this session. */
export function sealedOutcome({ keyring }: House, reader: Reader, form: Form): ShownOutcome | null | undefined {
  const brought = field(form, 'shown')
  if (brought === '') return null
  try {
    // The cast is true because we sealed it, and the note was HTML then.
    const { note, ...outcome } = JSON.parse(keyring.open(brought, placeOf(reader))) as Omit<ShownOutcome, 'note'> & {
      note: string
    }
    return { ...outcome, note: new Html(note) }
  } catch (error) {
    if (error instanceof SecretUnreadable) return undefined
    throw error
  }
}

/** What the form tells while it is at work, and then its page. */
export async function* asItComes(
  house: House,
  reader: Reader,
  work: (tell: Tell) => Promise<Outcome & { status?: number }>,
): AsyncGenerator<ServerEvent> {
  const left: Readonly<Record<string, string>>[] = []
  let news = Promise.withResolvers<void>()
  let isOver = false
  const tell: Tell = (told) => {
    left.push(told)
    news.resolve()
  }
  const working = work(tell)
    .then((outcome) => {
      if (outcome.kind !== 'shown') throw new Error('A form that is read as it comes leads nowhere else.')
      tell({ page: sealed(house, reader, outcome) })
    })
    .finally(() => {
      isOver = true
      news.resolve()
    })
  // It is thrown below, when everything before it has been read.
  working.catch(() => undefined)
  for (;;) {
    const next = left.shift()
    if (next !== undefined) yield { data: JSON.stringify(next) }
    else if (isOver) break
    else {
      await news.promise
      news = Promise.withResolvers()
    }
  }
  await working
}
