import { askerOf, rotateKey, type WidgetKey, widgetKey } from '../../tenancy/access/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { languageOf, tenantOf } from '../../tenancy/tenants/index.ts'
import { readOrigins } from './origins.ts'
import { scriptUrlOf, snippetOf } from './snippet.ts'
import { readGreeting, readLanguage } from './words.ts'

type EmbedInput = { readonly language?: string | undefined; readonly greeting?: string | undefined }

/**
 * Returns the widget's key and the snippet to paste. The first call makes the key, and later ones return the same one.
 */
export async function readEmbed(ctx: Context, input: EmbedInput) {
  const asked = await wordsAsked(ctx, input)
  return await embedAnswer(ctx, asked, await widgetKey(ctx, askerOf(ctx.asking)), null)
}

/** Replaces the key with a new one; the old one stops at once. A workspace without a key gets its first. */
export async function rotateEmbed(ctx: Context, input: EmbedInput) {
  const asked = await wordsAsked(ctx, input)
  const asker = askerOf(ctx.asking)
  const present = await widgetKey(ctx, asker)
  if (present.issued) return await embedAnswer(ctx, asked, present, null)
  const { key, prefix } = await rotateKey(ctx, asker, present.prefix)
  return await embedAnswer(ctx, asked, { key, prefix, issued: true }, present.prefix)
}

async function wordsAsked(ctx: Context, { language, greeting }: EmbedInput) {
  const own = (await tenantOf(ctx, ctx.asking.tenantId)).language
  return { language: readLanguage(language, languageOf(own)), greeting: readGreeting(greeting) }
}

async function embedAnswer(
  ctx: Context,
  asked: Awaited<ReturnType<typeof wordsAsked>>,
  { key, prefix, issued }: WidgetKey,
  revokedPrefix: string | null,
) {
  const endpoint = ctx.settings.http.publicUrl
  return {
    key,
    prefix,
    kind: 'publishable' as const,
    issued,
    revokedPrefix,
    endpoint,
    scriptUrl: scriptUrlOf(endpoint),
    snippet: snippetOf({ key, endpoint, ...asked }),
    ...(await readOrigins(ctx)),
  }
}
