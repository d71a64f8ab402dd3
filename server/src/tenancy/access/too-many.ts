import { type Refusal, refuse } from '../../kernel/http/index.ts'
import { limitHeaders, type Verdict } from '../limits/index.ts'

export const tooMany = (verdict: Verdict): Refusal =>
  refuse('rate_limited', `Too many requests: try again in ${verdict.retryAfterSeconds} s.`, {}, limitHeaders(verdict))
