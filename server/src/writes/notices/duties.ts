import type { House } from '../../tenancy/context/index.ts'
import { type Duty, forgetOld, type Sweep, sweep } from '../../tenancy/jobs/index.ts'
import { sendsMail } from '../../tenancy/mail/index.ts'
import { NOTICES_BELL } from '../../tenancy/outbox/index.ts'
import type { Catalogs } from '../../tools/catalog/index.ts'
import type { Channel } from './port.ts'
import * as sql from './queries.ts'
import { boundsOf, mailChannel, tellOfDue, tellTogether } from './tell.ts'

const BATCH = 200
// A transaction holds the rows of the people whom it tells.
const TOGETHER = 20
const LOOK_MS = 2_000
const LOOK_TOGETHER_MS = 15_000

/** `others` are the channels besides mail. */
export function noticeDuties(house: House, catalogs: Catalogs, others: readonly Channel[]): readonly Duty[] {
  const mails = sendsMail(house.settings)
  const telling = { house, catalogs, channels: mails ? [mailChannel(house), ...others] : others }
  const duty = (everyMs: number, swept: Sweep, more: Pick<Duty, 'wokenBy'> = {}): Duty => ({
    ...more,
    name: swept.name,
    everyMs,
    work: (signal) => sweep(house, swept, signal),
  })
  const due: Sweep = {
    name: 'notices',
    batch: BATCH,
    together: TOGETHER,
    look: (what) => house.db.rows(sql.listDue, what),
    take: (these) => tellOfDue(telling, these),
  }
  const told = duty(LOOK_MS, due, { wokenBy: NOTICES_BELL })
  if (!mails) return [told]
  return [
    told,
    duty(LOOK_TOGETHER_MS, {
      name: 'notices.together',
      batch: BATCH,
      together: TOGETHER,
      look: (what) => house.db.rows(sql.listGathered, { ...what, ...boundsOf(house) }),
      take: (these) => tellTogether(house, these),
    }),
    { name: 'notices.forget', everyMs: 3_600_000, work: (signal) => forgetOld(house, sql.oldNotices, signal) },
  ]
}
