import { memoized } from '../../../kernel/memo/index.ts'
import type { OfferedTool } from '../../../kernel/model/index.ts'

/** Estimates how many tokens a text has, for reservations and for the offer of tools, never for billing. */
export const tokensIn = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4)

/** Estimates how many tokens a tool takes in a request. Every round of every turn asks. */
export const toolTokens = memoized(
  ({ name, description, parameters }: Pick<OfferedTool, 'name' | 'description' | 'parameters'>) =>
    tokensIn(name + description + JSON.stringify(parameters)),
)

/** A rough estimate of the tokens for a picture. */
export const TOKENS_OF_A_PICTURE = 1_000
