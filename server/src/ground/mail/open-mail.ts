import type { House } from '../context/index.ts'
import type { Duty } from '../jobs/index.ts'
import { listMailDeliveries } from './deliveries.ts'
import type { AnyMailKind } from './kinds.ts'
import { countFailed, MAIL_BELL, readOverdue } from './queries.ts'
import { forgetOld, sendDue } from './send.ts'
import { openTransport, type Print } from './transport.ts'

export type MailRoom = {
  /** Whether mail would be taken now; asked before something is promised that only a mail can keep. */
  ready(): Promise<boolean>
  /** Mail has a queue of its own and is listed with the events, for whoever asks for a kind of it. */
  readonly deliveries: MailDeliveries
  /** Empty where this deployment sends no mail. */
  readonly duties: readonly Duty[]
  close(): void
}

export type MailDeliveries = {
  /** Whether this is a kind of mail. */
  owns(event: string): boolean
  readonly list: typeof listMailDeliveries
}

export type MailParts = {
  readonly kinds: readonly AnyMailKind[]
  /** Where the console transport writes. */
  readonly print?: Print
}

// A mail server that answers is asked again after a minute, one that does not after a moment.
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
      house.log.warn({ error }, 'The mail server does not take mail.')
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
        work: (signal) => forgetOld(house, signal),
      },
    ],
    close: () => transport.close(),
  }
}

const toStandardOutput: Print = (text) => void process.stdout.write(text)

/** The figures of what waits and of what was given up, in every process. */
export function watchMails({ db, metrics }: Pick<House, 'db' | 'metrics'>): void {
  const overdue = async () => (await db.one(readOverdue))?.seconds ?? 0
  const failed = async () => (await db.one(countFailed))?.count ?? 0
  metrics.gauge('tether_mails_overdue_seconds', 'For how long a mail has been due and nobody sends it', overdue)
  metrics.gauge('tether_mails_failed', 'Mails of the last days that were given up', failed)
}
