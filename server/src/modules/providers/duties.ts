import { ConfigurationPart } from '@tether/contract'
import type { House } from '../../tenancy/context/index.ts'
import { type Duty, sweep } from '../../tenancy/jobs/index.ts'
import { configurationParts, type ProviderRooms } from './configuration.ts'
import { type Content, checkContent, contentOf } from './content.ts'
import type { Parts } from './part.ts'
import * as pushes from './push-queries.ts'
import * as sql from './queries.ts'
import { type Item, sendPart } from './send-part.ts'

const KEPT_DAYS = 30
const HOUR = 3_600_000

export const providerDuties = (house: House, rooms: ProviderRooms): readonly Duty[] => [
  {
    name: 'providers.push',
    everyMs: 5_000,
    wokenBy: pushes.PUSH_BELL,
    work: (signal) => sendAll(house, configurationParts(rooms), signal),
  },
  {
    name: 'providers.add_up',
    // Every page of usage reads what is not added up yet.
    everyMs: 2_000,
    work: (signal) =>
      sweep(
        house,
        {
          name: 'providers.add_up',
          batch: 100,
          look: (what) => house.db.rows(sql.listToAddUp, what),
          take: (these) => house.db.one(sql.addUp, { ...these, most: 2_000 }),
        },
        signal,
      ),
  },
  {
    name: 'providers.forget',
    everyMs: HOUR,
    work: (signal) =>
      sweep(
        house,
        {
          name: 'providers.forget',
          batch: 100,
          look: (what) => house.db.rows(pushes.listOldPushes, { ...what, days: KEPT_DAYS }),
          take: (these) => house.db.one(pushes.forgetPushes, { ...these, days: KEPT_DAYS }),
        },
        signal,
      ),
  },
]

async function sendAll(house: House, parts: Parts, signal: AbortSignal): Promise<number> {
  const contents = openContents(house, parts)
  const sent = await sweep(
    house,
    {
      name: 'providers.push',
      batch: 100,
      look: (what) => house.db.rows(pushes.listDue, what),
      take: async ({ tenantId: businessId, ids }) => {
        let taken = 0
        for (const id of ids) {
          const item = itemOf(id, businessId)
          if (await sendPart(house, parts, item, await contents(item))) taken++
        }
        return { taken }
      },
    },
    signal,
  )
  for (const push of await house.db.rows(pushes.listUnfinished, { limit: 100 }))
    await house.db.run(pushes.finishPush, push)
  return sent
}

function itemOf(id: string, businessId: number): Item {
  const [provider = '', pushId = '', part = ''] = id.split(' ')
  return { tenantId: Number(provider), pushId, businessId, part: ConfigurationPart.parse(part) }
}

/** The newest that was asked for is kept: it is the same for every business of its push. */
function openContents(house: House, parts: Parts): (push: Pick<Item, 'tenantId' | 'pushId'>) => Promise<Content> {
  let kept: { readonly pushId: string; readonly content: Promise<Content> } | undefined
  return ({ tenantId, pushId }) => {
    if (kept?.pushId !== pushId) kept = { pushId, content: readChecked(house, parts, tenantId, pushId) }
    return kept.content
  }
}

async function readChecked(house: House, parts: Parts, tenantId: number, pushId: string): Promise<Content> {
  const row = await house.db.one(pushes.findContent, { tenantId, pushId })
  return row?.content == null ? {} : await checkContent(house, parts, contentOf(row.content))
}
