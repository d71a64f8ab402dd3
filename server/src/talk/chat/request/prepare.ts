import type { Language } from '@tether/contract'
import { refuse } from '../../../kernel/http/index.ts'
import { inTurns } from '../../../kernel/json/index.ts'
import type { Picture } from '../../../kernel/model/index.ts'
import type { Context } from '../../../tenancy/context/index.ts'
import { isFree, type PlanTerms, planTerms, spendTurns } from '../../../tenancy/usage/index.ts'
import type { Catalog } from '../../../tools/catalog/index.ts'
import { keepWords } from '../../conversations/index.ts'
import { type ImageInput, readPicture } from '../../pictures/index.ts'
import { mayTakeBack } from '../../proposals/index.ts'
import type { ChatRooms } from '../rooms.ts'
import { beginSession, findSession, type OpenSession } from '../sessions/open-session.ts'
import { turnLanguage } from '../turn/language.ts'
import { offerInTurns, type Surface, type Terms } from '../turn/offer.ts'
import type { ChosenModel } from '../turn/ports.ts'
import { type Earlier, noHistory, promptsOf, type Turn } from '../turn/turn.ts'

export type TurnRequest = {
  readonly surface: Surface
  readonly source: string
  readonly prompt: string
  readonly sessionId: string | null
  readonly isDeep: boolean
  readonly enableWriteActions: boolean
  readonly language: string | undefined
  readonly image: ImageInput | undefined
  readonly maxRounds: number | undefined
  readonly instructions: string | null
  /** What was said before, as the caller has it. It is read only where no conversation of ours goes on. */
  readonly earlier: readonly Earlier[]
  /** False if whoever reads the answer cannot be handed the token of a write, even where its caller could. */
  readonly mayHoldTokens: boolean
}

const noTools: Catalog = { version: 0, tools: [], find: () => undefined }

/** What the visitor says while a person has taken over: it is theirs to answer, and no turn of the assistant. */
export type Unanswered = { readonly sessionId: string; readonly requestId: string; readonly language: Language }

/**
 * Makes every check that may refuse a turn before the turn begins, and freezes the rest. Where a person has taken over, it keeps and
 * announces the visitor's words instead, and nothing is spent.
 */
export async function prepareTurn(
  ctx: Context,
  rooms: ChatRooms,
  request: TurnRequest,
  signal: AbortSignal,
): Promise<Turn | Unanswered> {
  const { asking, settings } = ctx
  const isSandbox = asking.kind === 'sandbox'
  if (isSandbox) await rooms.sandboxes.ready(ctx)
  const prompt = checkedPrompt(request.prompt, settings.ai.chat.maxPromptChars)
  const plan = planTerms(settings, asking.plan)
  rooms.retrieval.warm?.(ctx)
  if (isSandbox && request.image !== undefined) {
    throw refuse('invalid_image', 'The preview does not accept pictures. Send the prompt without `image`.', {
      reason: 'disabled',
    })
  }
  const known = request.surface === 'insights' ? null : await findSession(ctx, request.sessionId)
  if (known?.takenOver === true) {
    const { sessionId } = known
    const unanswered = {
      sessionId,
      requestId: asking.requestId,
      language: turnLanguage(request.language, [prompt, ...promptsOf(known.history)]),
    }
    if (await keepWords(ctx, { ...unanswered, text: prompt })) return unanswered
  }
  const pictures = request.image === undefined ? [] : [await readPicture(ctx, request.image, signal)]
  // This check comes last, so that a refused request uses none of the day's allowance.
  if (isSandbox) {
    // What the turn before this one reserved beyond its cost is given back first.
    await rooms.ledger.write()
    await rooms.sandboxes.admit(ctx)
  } else if (isFree(asking.plan)) await spendTurns(ctx, asking.tenantId, settings.rateLimit.freePlanRequestsPerDay, 1)
  const catalog = isSandbox ? noTools : await rooms.catalogs.of(ctx)
  const session = known ?? (request.surface === 'insights' ? null : await beginSession(ctx))
  const terms: Terms = {
    surface: request.surface,
    isDeep: request.isDeep && plan.deep && !isSandbox,
    // A visitor of a page cannot opt into more than the page may do.
    mayWrite: request.enableWriteActions && (asking.kind === 'secret' || asking.kind === 'agent'),
    hasPicture: pictures.length > 0,
    isSandbox,
    mayWithdraw: request.surface === 'chat' && isVisitor(ctx) && session?.history.proposals.some(mayTakeBack) === true,
  }
  return await freeze(ctx, rooms, { request: { ...request, prompt }, plan, terms, catalog, session, pictures })
}

/** Whoever stands behind a secret key without a customer is the business itself, which rejects by its own route. */
const isVisitor = ({ asking: { kind, customer } }: Context): boolean => kind === 'publishable' || customer !== null

function checkedPrompt(prompt: string, most: number): string {
  if (prompt.trim() === '') throw refuse('empty_prompt', '`prompt` is empty. Send a question.')
  if (prompt.length > most) throw refuse('invalid_request', `\`prompt\` is longer than ${most} characters. Shorten it.`)
  return prompt
}

type TurnInput = {
  readonly request: TurnRequest
  readonly plan: PlanTerms
  readonly terms: Terms
  readonly catalog: Catalog
  readonly session: OpenSession | null
  readonly pictures: readonly Picture[]
  /** That of the plan, unless set. */
  readonly model?: ChosenModel
}

export async function freeze(
  ctx: Context,
  rooms: Pick<ChatRooms, 'models' | 'vocabulary'>,
  { request, plan, terms, catalog, session, pictures, model }: TurnInput,
): Promise<Turn> {
  const { asking, settings } = ctx
  const { chat, orchestration } = settings.ai
  const history = session?.history ?? noHistory
  const earlier = request.sessionId === null ? request.earlier : []
  const asked = [...promptsOf(history), ...earlier.flatMap(({ by, text }) => (by === 'user' ? text : [])).toReversed()]
  const domains = catalog.tools.length === 0 ? [] : await rooms.vocabulary.domainsIn(ctx, request.prompt)
  const rounds = Math.max(1, Math.min(plan.rounds, request.maxRounds ?? plan.rounds))
  return {
    ctx,
    requestId: asking.requestId,
    sessionId: session?.sessionId ?? null,
    surface: request.surface,
    source: request.source,
    prompt: request.prompt,
    pictures,
    language: turnLanguage(request.language, [request.prompt, ...asked]),
    isDeep: terms.isDeep,
    instructions: request.instructions,
    earlier,
    mayHoldTokens: request.mayHoldTokens,
    catalog,
    offering: await inTurns(
      offerInTurns({
        catalog,
        terms,
        query: `${asked[0] ?? ''} ${request.prompt}`,
        domains: new Set(domains),
        usedBefore: history.usedTools,
        tokenBudget: chat.toolTokenBudget,
      }),
    ),
    domain: domains[0] ?? null,
    history,
    model: model ?? rooms.models.of(asking.plan),
    limits: {
      rounds,
      maxOutputTokens: plan.maxOutputTokens,
      concurrentTools: orchestration.maxConcurrentTools,
      toolResultChars: chat.maxToolResultChars,
      argumentBytes: ctx.settings.toolTransport.maxArgumentBytes,
    },
  }
}
