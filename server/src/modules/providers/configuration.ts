// The parts of a configuration, each with the rooms that it needs.
import type { ApprovalParts } from '../../writes/approvals/index.ts'
import type { Parts } from './part.ts'
import { type CatalogRooms, catalogPart } from './parts/catalog.ts'
import { domainPackPart } from './parts/domain-pack.ts'
import { eventsWebhookPart } from './parts/events-webhook.ts'
import { originsPart } from './parts/origins.ts'
import { policyPart } from './parts/policy.ts'

/** What the app hands to this room. */
export type ProviderRooms = CatalogRooms & ApprovalParts

export const configurationParts = (rooms: ProviderRooms): Parts => ({
  catalog: catalogPart(rooms),
  domain_pack: domainPackPart,
  events_webhook: eventsWebhookPart,
  origins: originsPart,
  policy: policyPart(rooms),
})
