// What a provider sends, as it stood when it was asked for: whatever changes meanwhile goes with the next push.
import { CONFIGURATION_PARTS, type ConfigurationPart } from '@tether/contract'
import { Refusal } from '../../kernel/http/index.ts'
import { type Json, parseJson, stringifyJson } from '../../kernel/json/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import type { PartRead, Parts } from './part.ts'

export type Content = Readonly<Partial<Record<ConfigurationPart, PartRead>>>

/** Each part once, in the order in which they are done. */
export const inOrder = (asked: readonly ConfigurationPart[]): ConfigurationPart[] =>
  CONFIGURATION_PARTS.filter((part) => asked.includes(part))

export async function readContent(ctx: Context, parts: Parts, asked: readonly ConfigurationPart[]): Promise<Content> {
  const content: Partial<Record<ConfigurationPart, PartRead>> = {}
  for (const part of asked) content[part] = await parts[part].read(ctx)
  return content
}

/** Looks outside once for all businesses, because what is found there does not depend on any of them. */
export async function checkContent(ctx: Pick<Context, 'egress'>, parts: Parts, content: Content): Promise<Content> {
  const checked: Partial<Record<ConfigurationPart, PartRead>> = {}
  for (const part of inOrder(Object.keys(content) as ConfigurationPart[])) {
    const read = content[part]
    if (read !== undefined) checked[part] = await checkOne(ctx, parts, part, read)
  }
  return checked
}

async function checkOne(
  ctx: Pick<Context, 'egress'>,
  parts: Parts,
  part: ConfigurationPart,
  read: PartRead,
): Promise<PartRead> {
  if ('error' in read) return read
  try {
    await parts[part].check?.(ctx, read.value)
    return read
  } catch (error) {
    if (error instanceof Refusal) return { error: error.message }
    throw error
  }
}

// It was made of JSON, and its numbers are written back as they came.
export const contentText = (content: Content): string => stringifyJson(content as unknown as Json)
export const contentOf = (text: string): Content => parseJson(text) as unknown as Content
