import { section, setting } from '../setting.ts'
import { decimal, whole } from '../shapes.ts'

export const events = section('Events', 'How events, and mail, are delivered.', {
  maxAttempts: setting(whole(1, 30), {
    default: 6,
    meaning: 'The most attempts for one event. After the last one it has failed and is not sent again by itself.',
  }),
  firstWaitSeconds: setting(decimal(0.05, 3600), {
    default: 2,
    meaning: 'The wait after the first failed attempt. Each further wait is twice as long, with a little jitter.',
  }),
  longestWaitSeconds: setting(decimal(0.05, 86_400), {
    default: 300,
    meaning: 'The longest wait between two attempts.',
  }),
  answerSeconds: setting(decimal(0.1, 60), {
    default: 10,
    meaning: 'How long one attempt waits for the receiver’s answer.',
  }),
  concurrency: setting(whole(1, 10_000), {
    default: 256,
    meaning: 'How many events one process sends at the same time, not counting those that wait long for an answer.',
  }),
  concurrencyPerTenant: setting(whole(1, 1000), {
    default: 32,
    meaning: 'How many of them may belong to one workspace.',
  }),
  deliveryDays: setting(decimal(0.01, 3650), {
    default: 30,
    meaning: 'How long the list of deliveries goes back.',
  }),
  undeliveredDays: setting(decimal(0.01, 3650), {
    default: 30,
    meaning: 'How long the sealed body of an undelivered event is kept, so that it can be sent again.',
  }),
})
