import { refuse } from '../../../kernel/http/index.ts'
import type { Context } from '../../../tenancy/context/index.ts'
import { mostDraftBytes } from './keep.ts'

const DEADLINE_MS = 20_000
const MOST_REDIRECTS = 3
const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads a document from where a person says it is. The API itself never fetches one. */
export async function fetchDocument({ egress, asking }: Context, url: string, signal: AbortSignal): Promise<string> {
  const answer = await egress.request({
    purpose: 'check',
    share: asking.tenantId,
    url,
    method: 'GET',
    headers: { accept: 'application/json, application/yaml, text/yaml, */*;q=0.5' },
    deadlineMs: DEADLINE_MS,
    maxBytes: mostDraftBytes,
    redirects: MOST_REDIRECTS,
    credentialed: false,
    compressed: true,
    signal,
  })
  if (answer.kind !== 'answer') throw notRead(answer.message)
  if (answer.status < 200 || answer.status > 299) throw notRead(`The address answered ${answer.status}.`)
  try {
    return strictUtf8.decode(answer.body)
  } catch {
    throw notRead('What it answered is not a text in UTF-8.')
  }
}

const notRead = (why: string) => refuse('invalid_request', `The document could not be read. ${why} Paste it instead.`)
