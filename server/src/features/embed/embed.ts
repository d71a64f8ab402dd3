import { findWidgetPrefix, rotateKey, type WidgetKey, widgetKey } from '../../ground/access/index.ts'
import type { Context } from '../../ground/context/index.ts'
import { listOrigins } from './origins.ts'
import { readGreeting, readLanguage, writeSnippet } from './snippet.ts'

export const SCRIPT_PATH = '/widget/service-assistant.js'

export type EmbedInput = { readonly language?: string | undefined; readonly greeting?: string | undefined }

export async function embed(ctx: Context, input: EmbedInput) {
  const wanted = wantedOf(input)
  return await answerOf(ctx, wanted, await widgetKey(ctx, ctx.asking.tenantId), null)
}

/** The old key stops and the new one starts in one commit. A workspace without one is given its first. */
export async function rotateEmbed(ctx: Context, input: EmbedInput) {
  const wanted = wantedOf(input)
  const { tenantId } = ctx.asking
  const old = await findWidgetPrefix(ctx, tenantId)
  if (old === undefined) return await answerOf(ctx, wanted, await widgetKey(ctx, tenantId), null)
  const { key, prefix } = await rotateKey(ctx, tenantId, old)
  return await answerOf(ctx, wanted, { key, prefix, issued: true }, old)
}

type Wanted = ReturnType<typeof wantedOf>

/** Read before anything is issued: a request that is refused has changed nothing. */
function wantedOf(input: EmbedInput) {
  const language = readLanguage(input.language)
  return { language, greeting: readGreeting(input.greeting, language) }
}

async function answerOf(
  ctx: Context,
  wanted: Wanted,
  { key, prefix, issued }: WidgetKey,
  revokedPrefix: string | null,
) {
  const endpoint = ctx.settings.http.publicUrl.replace(/\/+$/, '')
  const scriptUrl = endpoint + SCRIPT_PATH
  return {
    key,
    prefix,
    kind: 'publishable' as const,
    issued,
    revokedPrefix,
    endpoint,
    scriptUrl,
    snippet: writeSnippet({ scriptUrl, endpoint, key, ...wanted }),
    ...(await listOrigins(ctx)),
  }
}
