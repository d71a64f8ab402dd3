import { LONGEST_NOTE } from '@tether/contract'
import { isUniqueViolation } from '../../kernel/db/index.ts'
import { refuse } from '../../kernel/http/index.ts'
import { newId } from '../../kernel/ids/index.ts'
import { inTurns, isObject, type JsonObject, member, stringifyJson } from '../../kernel/json/index.ts'
import { readSource } from '../../tenancy/access/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { readLexicon, storedLexicon } from './lexicon.ts'
import { MOST_ATTEMPTS, MOST_PENDING } from './limits.ts'
import { presentSuggestion } from './pack.ts'
import * as sql from './queries.ts'

/** Proposes words for the pack. A newer proposal of the same origin takes the place of one that still waits. */
export async function suggest({ db, asking }: Context, body: unknown) {
  const sent = isObject(body) ? body : {}
  const lexicon = storedLexicon(await inTurns(readLexicon(sent)))
  const { source } = sourceIn(sent)
  const suggestion = {
    tenantId: asking.tenantId,
    lexicon,
    source: source === null ? null : stringifyJson(source),
    note: noteIn(sent),
    origin: source === null ? `key ${asking.keyPrefix}` : `path ${source.path}`,
    mostPending: MOST_PENDING,
  }
  for (let attempt = 1; ; attempt++) {
    try {
      const row = await db.one(sql.suggest, { ...suggestion, id: newId('sug') })
      if (row === undefined) throw tooManyPending()
      return presentSuggestion(row)
    } catch (error) {
      // Another one of this origin came at the same moment. It is superseded now.
      if (attempt === MOST_ATTEMPTS || !isUniqueViolation(error)) throw error
    }
  }
}

function sourceIn(sent: JsonObject) {
  const read = readSource(member(sent, 'source'))
  if ('fault' in read) throw refuse('invalid_source', read.fault)
  return read
}

function noteIn(sent: JsonObject): string | null {
  const note = member(sent, 'note') ?? null
  if (note === null) return null
  if (typeof note === 'string' && note.isWellFormed() && Array.from(note).length <= LONGEST_NOTE) return note
  throw refuse('invalid_request', `\`note\` must be text of at most ${LONGEST_NOTE} characters.`)
}

const tooManyPending = () =>
  refuse(
    'rate_limited',
    `${MOST_PENDING} suggestions wait for a person, which is the most. Accept or dismiss some, then send this one again.`,
    { reason: 'pending_suggestions' },
    { 'retry-after': '60' },
  )
