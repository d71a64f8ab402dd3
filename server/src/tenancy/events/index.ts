// Sends events: signed, in order per action, at least once. Lists what became of each attempt.
export { deliveriesOf } from './deliveries.ts'
export { forgetDuty } from './forget.ts'
export { openPump, type Pump } from './pump.ts'
export { queuedBodies, sealedBodies } from './queries.ts'
export { redeliver } from './redeliver.ts'
export { type EventParts, eventRoutes } from './routes.ts'
export { sendTest } from './test-event.ts'
export { checkWebhook, placeWebhook, readWebhook, setWebhook, wiringOf } from './webhook.ts'
