import type { House } from '../context/index.ts'
import { type Duty, forgetOld } from '../jobs/index.ts'
import { listMailDeliveries } from './deliveries.ts'
import type { AnyMailKind } from './kinds.ts'
import { countFailed, MAIL_BELL, oldMails, readOverdue } from './queries.ts'
import { sendDue } from './send.ts'
import { openTransport, type Print } from './transport.ts'

export type MailRoom = {
  /** True if mail can be sent now. Ask before you promise something that needs a mail. */
  ready(): Promise<boolean>
  /** Mail has its own queue. The list of events includes its deliveries if the caller asks for a kind of mail. */
  readonly deliveries: MailDeliveries
  /** Empty if this deployment sends no mail. */
  readonly duties: readonly Duty[]
  close(): void
}

export type MailDeliveries = {
  /** True if this is a kind of mail. */
  owns(event: string): boolean
  readonly list: typeof listMailDeliveries
}

type MailParts = {
  readonly kinds: readonly AnyMailKind[]
  /** The console transport writes here. */
  readonly print?: Print
}

// We ask a mail server that answered again after a minute, and one that did not after a moment.
const GOOD_FOR_MS = 60_000
const BAD_FOR_MS = 3_000

export function openMail(house: House, { kinds, print = toStandardOutput }: MailParts): MailRoom {
  const byKind = new Map(kinds.map((one) => [one.kind, one]))
  const deliveries: MailDeliveries = { owns: (event) => byKind.has(event), list: listMailDeliveries }
  const transport = openTransport(house.settings, print)
  if (transport === null) return { ready: async () => false, deliveries, duties: [], close() {} }
  const { now } = house.clock
  let asked: { readonly until: number; readonly answer: Promise<boolean> } | undefined

  async function probe(): Promise<boolean> {
    try {
      await transport?.probe()
      return true
    } catch (error) {
      house.log.warn({ error }, 'The mail server does not accept mail. Check Mail:Smtp and the server.')
      asked = { until: now() + BAD_FOR_MS, answer: Promise.resolve(false) }
      return false
    }
  }

  return {
    ready() {
      if (asked === undefined || asked.until <= now()) asked = { until: now() + GOOD_FOR_MS, answer: probe() }
      return asked.answer
    },
    deliveries,
    duties: [
      {
        name: 'mail',
        everyMs: 2_000,
        wokenBy: MAIL_BELL,
        work: (signal) => sendDue({ house, transport, kinds: byKind }, signal),
      },
      {
        name: 'mail.forget',
        everyMs: 3_600_000,
        work: (signal) => forgetOld(house, oldMails, signal),
      },
    ],
    close: () => transport.close(),
  }
}

const toStandardOutput: Print = (text) => void process.stdout.write(text)

/** Registers the figures of overdue and failed mails, in every process. */
export function watchMails({ db, metrics }: Pick<House, 'db' | 'metrics'>): void {
  const overdue = async () => (await db.one(readOverdue))?.seconds ?? 0
  const failed = async () => (await db.one(countFailed))?.count ?? 0
  metrics.gauge('tether_mails_overdue_seconds', 'How long the oldest due mail has been waiting', overdue)
  metrics.gauge('tether_mails_failed', 'Mails of the last days that failed for good', failed)
}
