import { section } from '../setting.ts'
import { decimal, decimalNumber, duration, flag, listOf, whole } from '../shapes.ts'
import { assistant } from './assistant.ts'
import { embeddings, models, prices, provider } from './models.ts'

const HOUR = 3_600_000

export const ai = section('AI', 'How the assistant acts.', {
  provider,
  models,
  embeddings,
  prices,
  approvals: section('Approvals', 'How long a staged write waits for a person, and how long it may take.', {
    expiry: section('Expiry', 'The window in which a staged write can be confirmed, by its risk (hh:mm:ss).', {
      low: duration.default(24 * HOUR).describe('The window of a write of low risk.'),
      elevated: duration.default(4 * HOUR).describe('The window of a write of elevated risk.'),
      high: duration.default(HOUR).describe('The window of a write of high risk.'),
    }),
    expirySweep: section('ExpirySweep', 'The regular check for writes past their window.', {
      intervalSeconds: decimal(1, 3600, 60).describe('How often it runs.'),
    }),
    remindAt: listOf(decimalNumber(0.01, 0.99), 'parts of the window such as 0.5 and 0.9')
      .default([])
      .describe(
        'When a waiting write is told of again, in parts of its window: by `action.reminder`, and by mail to those who may decide it. A policy with `remindAtHalf` adds 0.5.',
      ),
    maxPending: whole(1, 10_000_000, 10_000).describe(
      'The most writes of one workspace that wait for a person. Staging another one is refused with 429.',
    ),
    executionLeaseSeconds: decimal(0, 3600, 0).describe(
      'How long an execution may run before the write becomes indeterminate. 0 means the tool timeout plus 10 seconds.',
    ),
  }),
  actionGuardrails: section('ActionGuardrails', 'What a confirm must acknowledge.', {
    enabled: flag(true).describe('Whether a confirm must acknowledge risk and value.'),
    highValueThreshold: whole(0, 1_000_000_000_000, 1000).describe(
      'A confirm must acknowledge a write whose declared value is this or more, or cannot be read. 0 turns this off.',
    ),
  }),
  ...assistant,
})
