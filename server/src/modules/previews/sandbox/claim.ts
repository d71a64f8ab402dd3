import { randomUUID } from 'node:crypto'
import type { Queries } from '../../../kernel/db/index.ts'
import { refuse } from '../../../kernel/http/index.ts'
import { newUuid } from '../../../kernel/ids/index.ts'
import type { AnyoneAsking, Asking, Context, House } from '../../../tenancy/context/index.ts'
import { queueMail } from '../../../tenancy/mail/index.ts'
import {
  type Addition,
  admitSignUp,
  createWorkspace,
  invalidLink,
  takeLinkAllowance,
} from '../../../tenancy/signup/index.ts'
import * as previews from '../queries.ts'
import type { PreviewRooms } from '../rooms.ts'
import { SANDBOX_CLAIM } from './letters.ts'
import { GRACE_SECONDS } from './open.ts'
import * as sql from './queries.ts'
import { expired, findSandbox } from './status.ts'
import { checkReady } from './turns.ts'

type ClaimInput = { readonly email: string; readonly name: string; readonly language?: string | undefined }
type Workspace = Awaited<ReturnType<typeof createWorkspace>>

/** A sandbox that becomes a workspace; `claimId` is null if no link was mailed. */
type SandboxClaim = { readonly sandbox: number; readonly claimId: string | null }

export type Claimed =
  | { readonly kind: 'workspace'; readonly workspace: Workspace }
  | { readonly kind: 'mailed'; readonly email: string; readonly expiresAt: Date }

/** Makes a workspace of a sandbox through the checks of a sign-up: at once, or by a link that proves the address. */
export async function claimSandbox(
  ctx: Context<Asking>,
  { mail }: Pick<PreviewRooms, 'mail'>,
  sandbox: number,
  input: ClaimInput,
): Promise<Claimed> {
  await checkReady(ctx, sandbox)
  const { requestId, address } = ctx.asking
  const stranger: Context<AnyoneAsking> = { ...ctx, asking: { kind: 'anyone', requestId, address } }
  const wanted = await admitSignUp(stranger, { mail }, input)
  if (ctx.settings.signup.verifyEmail) return await mailClaim(stranger, sandbox, wanted)
  const addition = keeping(ctx, { sandbox, claimId: null })
  return { kind: 'workspace', workspace: await createWorkspace(stranger, wanted, { confirmed: true, addition }) }
}

const MINUTE = 60_000

/** A second claim replaces the first, whose link then is none. */
async function mailClaim(
  ctx: Context<AnyoneAsking>,
  tenantId: number,
  { email, name, language }: Awaited<ReturnType<typeof admitSignUp>>,
): Promise<Claimed> {
  const { linkLifetimeMinutes: minutes, maxLinksPerEmailPerHour: most } = ctx.settings.signup
  const expiresAt = new Date(Math.round(ctx.clock.now() + minutes * MINUTE))
  const claimId = newUuid(ctx.clock.now())
  await ctx.db.transaction(async (tx) => {
    await takeLinkAllowance(tx, ctx)
    const begun = await tx.one(sql.beginClaim, {
      tenantId,
      claimId,
      until: expiresAt,
      most,
      graceSeconds: GRACE_SECONDS,
    })
    if (begun === undefined) throw tooManyClaims(most, await findSandbox({ db: tx }, tenantId))
    const fields = { claimId, email, name, minutes, expiresAt: expiresAt.getTime() }
    await queueMail(tx, ctx, { tenantId, kind: SANDBOX_CLAIM, to: email, language, fields, internal: true })
  })
  return { kind: 'mailed', email, expiresAt }
}

function tooManyClaims(most: number, { isOver }: sql.SandboxRow) {
  if (isOver) return expired()
  const words = `A sandbox is mailed ${most} link${most === 1 ? '' : 's'} at most, and that limit has been reached. Open the newest one.`
  return refuse('rate_limited', words, {}, { 'retry-after': '3600' })
}

/** Reads what the mail of a claim (`letters.ts`) sealed into its link. */
export async function openClaim(house: Pick<House, 'db' | 'settings'>, content: readonly unknown[]): Promise<Addition> {
  const claim = claimIn(content)
  await checkClaim(house, claim)
  return keeping(house, claim)
}

/** The cast is true because no other mail seals a claim. */
function claimIn(content: readonly unknown[]): SandboxClaim {
  const [sandbox, claimId] = content as [number, string]
  return { sandbox, claimId }
}

const keeping = (house: Pick<House, 'settings'>, claim: SandboxClaim): Addition => ({
  write: (tx, tenantId) => keepFor(tx, house, claim, tenantId),
  nextSteps: ['Have the whole website read, of which the sandbox read some pages: POST /v1/preview.'],
})

/** Refuses a link whose sandbox is gone or kept, or that a newer claim has replaced, before anything else is looked at. */
async function checkClaim({ db }: { readonly db: Queries }, { sandbox, claimId }: SandboxClaim): Promise<void> {
  const row = await db.one(sql.readSandbox, { tenantId: sandbox })
  if (row === undefined || row.isOver) throw expired()
  if (claimId !== null && row.claimId !== claimId) throw invalidLink('verify')
}

/** Runs in the transaction that creates the workspace: the sandbox ends, and what was read for it is the workspace's. */
async function keepFor(
  tx: Queries,
  house: Pick<House, 'settings'>,
  { sandbox, claimId }: SandboxClaim,
  tenantId: number,
): Promise<void> {
  if ((await tx.one(sql.keepSandbox, { tenantId: sandbox, claimId })) === undefined) {
    await checkClaim({ db: tx }, { sandbox, claimId })
    throw expired()
  }
  const values = await tx.one(previews.takePreview, { tenantId: sandbox })
  if (values === undefined) return
  const crawlId = randomUUID()
  await tx.one(previews.claimCrawl, {
    tenantId,
    crawlId,
    seconds: house.settings.preview.timeoutSeconds,
    siteUrl: null,
  })
  await tx.one(previews.storePreview, { tenantId, crawlId, ...values, outcome: null, refreshPages: null })
}
