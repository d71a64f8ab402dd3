import { section } from '../setting.ts'
import { decimal, whole } from '../shapes.ts'

export const events = section('Events', 'How events, and mail, are delivered.', {
  maxAttempts: whole(1, 30, 6).describe(
    'The most attempts for one event. After the last one it has failed and is not sent again by itself.',
  ),
  firstWaitSeconds: decimal(0.05, 3600, 2).describe(
    'The wait after the first failed attempt. Each further wait is twice as long, with a little jitter.',
  ),
  longestWaitSeconds: decimal(0.05, 86_400, 300).describe('The longest wait between two attempts.'),
  answerSeconds: decimal(0.1, 60, 10).describe('How long one attempt waits for the receiver’s answer.'),
  concurrency: whole(1, 10_000, 256).describe(
    'How many events one process sends at the same time, not counting those that wait long for an answer.',
  ),
  concurrencyPerTenant: whole(1, 1000, 32).describe('How many of them may belong to one workspace.'),
  deliveryDays: decimal(0.01, 3650, 30).describe('How long the list of deliveries goes back.'),
  undeliveredDays: decimal(0.01, 3650, 30).describe(
    'How long the sealed body of an undelivered event is kept, so that it can be sent again.',
  ),
})
