// What the servers and the visitors of a shop do through the balancer, as the documents tell them to: with the SDK's client.
import { type Client, client, TetherError } from '../../../sdk/src/index.ts'
import { countTo } from './talker.ts'

export type Figures = {
  /** Turns that were answered whole, and those of them that were read over several connections. */
  answered: number
  resumed: number
  /** Turns that ended because their instance did. */
  lost: number
  /** Questions of which nobody can know whether a turn began: their connection broke before it had a name. */
  unnamed: number
  stopped: number
  /** Actions that were confirmed, by id. */
  readonly executed: Set<string>
  /** Those that were unknown for a while. */
  unknown: number
  /** What was wrong, in words. It has to be empty. */
  readonly wrong: string[]
}

export const noFigures = (): Figures => ({
  answered: 0,
  resumed: 0,
  lost: 0,
  unnamed: 0,
  stopped: 0,
  executed: new Set(),
  unknown: 0,
  wrong: [],
})

export type Visit = {
  readonly url: string
  readonly key: string
  readonly figures: Figures
  /** A number that nobody else has. */
  next(): number
}

/** How often connections that are read again were opened. */
function counting(figures: Pick<Figures, 'resumed'>): typeof fetch {
  return async (input, init) => {
    const body = typeof init?.body === 'string' ? init.body : ''
    const answer = await fetch(input, init)
    if (body.includes('"requestId"') && !body.includes('"stop"') && answer.ok) figures.resumed++
    return answer
  }
}

const clientOf = ({ url, key, figures }: Visit): Client =>
  client({ url, key, retries: 12, longestWaitSeconds: 2, fetch: counting(figures) })

/** Reads a turn to its end. Every word comes once and in order, however many connections it takes. */
export async function converse(visit: Visit): Promise<void> {
  const { figures } = visit
  const number = visit.next()
  let said = ''
  let whole: string | undefined
  try {
    for await (const frame of clientOf(visit).stream({ prompt: `Count ${number}` })) {
      if (frame.type === 'delta') said += frame.text
      if (frame.type === 'complete') whole = textOf(frame.blocks)
    }
  } catch (error) {
    return noteEnd(figures, error)
  }
  const expected = countTo(number)
  if (said.trim() !== expected.trim()) figures.wrong.push(`Turn ${number} was read as ${JSON.stringify(said)}.`)
  if (whole?.trim() !== expected.trim()) figures.wrong.push(`Turn ${number} was answered ${JSON.stringify(whole)}.`)
  figures.answered++
}

const textOf = (blocks: readonly { readonly type: string; readonly markdown?: string }[]): string =>
  blocks.map(({ markdown = '' }) => markdown).join('')

function noteEnd(figures: Figures, error: unknown): void {
  if (!(error instanceof TetherError)) figures.wrong.push(String(error))
  else if (error.code === 'TURN_LOST') figures.lost++
  else if (error.code === 'connection_lost' || error.status === 503) figures.unnamed++
  else figures.wrong.push(`A turn ended with ${error.code}: ${error.message}`)
}

/** Leaves in the middle: the SDK stops the turn, at whichever instance it asks. */
export async function leave(visit: Visit): Promise<void> {
  const control = new AbortController()
  try {
    for await (const frame of clientOf(visit).stream({ prompt: `Count ${visit.next()}` }, { signal: control.signal })) {
      if (frame.type === 'delta') control.abort()
    }
    visit.figures.wrong.push('A turn that was left went on for its reader.')
  } catch (error) {
    if (control.signal.aborted) visit.figures.stopped++
    else noteEnd(visit.figures, error)
  }
}

const PATIENCE_MS = 60_000

/** Stages a write, confirms it, and settles it if its outcome is unknown. */
export async function decide(visit: Visit): Promise<void> {
  const { figures } = visit
  const shop = clientOf(visit)
  const number = visit.next()
  const staged = await shop.stage('refund_order', { number }, { idempotencyKey: `stage-${number}` })
  if (staged.status !== 'preview') return void figures.wrong.push(`Order ${number} was not staged: ${staged.message}`)
  const { actionId } = staged
  const until = Date.now() + PATIENCE_MS
  let { status } = await unlessBusy(() => shop.confirm(actionId, { userId: 7, idempotencyKey: `confirm-${number}` }))
  while (status !== 'Executed' && status !== 'Replayed' && Date.now() < until) {
    figures.unknown++
    await new Promise((resolve) => setTimeout(resolve, 500))
    ;({ status } = await unlessBusy(() => shop.reconcile(actionId, { userId: 7 })))
  }
  const { status: state } = await shop.request('GET /v1/actions/{actionId}', { params: { actionId } })
  if (state === 'executed') figures.executed.add(actionId)
  else figures.wrong.push(`Order ${number} is ${state} after ${status}.`)
}

/** Nobody was there to take it: it is sent again under the same key. */
async function unlessBusy<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  for (const until = Date.now() + PATIENCE_MS; ; ) {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof TetherError) || error.status !== 503 || Date.now() > until) throw error
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}
