// Sends events: signed, in order per action, at least once. Lists what became of each attempt.
export { forgetDuty } from './forget.ts'
export { openPump, type Pump } from './pump.ts'
export { resealBodies, resealQueuedBodies } from './reseal.ts'
export { type EventParts, eventRoutes } from './routes.ts'
export { checkWebhook, placeWebhook, wiringOf } from './webhook.ts'
