import type { House } from '../../../tenancy/context/index.ts'
import { type Duty, type Sweep, sweep } from '../../../tenancy/jobs/index.ts'
import { emptySandbox, eraseSandbox } from '../../../tenancy/tenants/index.ts'
import { GRACE_SECONDS } from './open.ts'
import * as sql from './queries.ts'

export const sandboxDuties = (house: House): readonly Duty[] => [
  {
    name: 'previews.sandboxes',
    everyMs: Math.round(house.settings.previewSandbox.sweepIntervalSeconds * 1000),
    work: async (signal) => (await sweep(house, ended(house), signal)) + (await sweep(house, forgotten(house), signal)),
  },
  { name: 'previews.forget_openings', everyMs: 3_600_000, work: () => house.db.run(sql.forgetOpenings) },
]

const BATCH = 100

/** Erases what was read and said in a sandbox whose time is over. Its key still says so for a day. */
const ended = ({ db }: House): Sweep => ({
  name: 'previews.empty_sandboxes',
  batch: BATCH,
  look: (what) => db.rows(sql.listEnded, what),
  take: ({ tenantId }) =>
    db.transaction(async (tx) => {
      if ((await tx.one(sql.markEmptied, { tenantId })) === undefined) return { taken: 0 }
      await emptySandbox(tx, tenantId)
      return { taken: 1 }
    }),
})

const forgotten = (house: House): Sweep => ({
  name: 'previews.forget_sandboxes',
  batch: BATCH,
  look: (what) => house.db.rows(sql.listForgotten, { ...what, graceSeconds: GRACE_SECONDS }),
  take: async ({ tenantId }) => ({ taken: (await eraseSandbox(house, tenantId)) ? 1 : 0 }),
})
