import { statement } from '../../kernel/db/index.ts'
import { dueRows, ofFound, oldRows, SWEEP, type SweepFound, type SweepLook } from '../jobs/index.ts'
import { sealedRows } from '../sealing/index.ts'

export const MAIL_BELL = 'tether_mail'

export type NewMail = {
  tenantId: number
  mailId: string
  kind: string
  language: string
  sealed: string
  recipientHash: string
  internal: boolean
  state: 'held' | 'queued'
}

export const insertMail = statement<unknown, NewMail>(
  'mail.insert',
  `with alive as (
     select tenant_id from tenants where tenant_id = $tenantId::int and deleted_at is null for key share
   )
   insert into mails (tenant_id, mail_id, kind, language, sealed, recipient_hash, internal, state)
   select tenant_id, $mailId::text, $kind::text, $language::text, $sealed::text, $recipientHash::text,
          $internal::boolean, $state::text
     from alive`,
  { wakes: [MAIL_BELL] },
)

/** Counts the mails of a kind in the window, to one recipient or to all. */
export const countMails = statement<
  { count: number },
  { tenantId: number; kind: string; recipientHash: string | null; windowMs: number }
>(
  'mail.count',
  `select count(*)::int as count from mails
    where tenant_id = $tenantId::int and kind = $kind::text
      and ($recipientHash::text is null or recipient_hash = $recipientHash::text)
      and created_at > now() - $windowMs::float8 * interval '1 millisecond'`,
)

/** Counts whom mails of a kind went to in the window, besides this one recipient. Null if that one is among them. */
export const countOtherRecipients = statement<
  { count: number | null },
  { tenantId: number; kind: string; recipientHash: string; windowMs: number }
>(
  'mail.count_other_recipients',
  `select case when not coalesce(bool_or(recipient_hash = $recipientHash::text), false)
               then count(distinct recipient_hash)::int end as count
     from mails
    where tenant_id = $tenantId::int and kind = $kind::text
      and created_at > now() - $windowMs::float8 * interval '1 millisecond'`,
)

export const countHeld = statement<{ count: number }, { tenantId: number }>(
  'mail.count_held',
  `select count(*)::int as count from mails where tenant_id = $tenantId::int and state = 'held'`,
)

export const releaseHeld = statement<unknown, { tenantId: number }>(
  'mail.release_held',
  `update mails set state = 'queued', due_at = now() where tenant_id = $tenantId::int and state = 'held'`,
  { wakes: [MAIL_BELL] },
)

export const readOverdue = statement<{ seconds: number }>(
  'mail.read_overdue',
  `select coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as seconds from mails
    where state = 'queued' and due_at < now()`,
  { looks: 'a figure of the whole deployment' },
)

/** Failed mails stay for as long as the list of mails goes back. */
export const countFailed = statement<{ count: number }>(
  'mail.count_failed',
  `select count(*)::int as count from mails where state = 'failed'`,
  { looks: 'a figure of the whole deployment' },
)

export type DueMail = {
  tenantId: number
  mailId: string
  kind: string
  language: string
  sealed: string
  attempt: number
}

export const listDue = statement<SweepFound, SweepLook>(
  'mail.list_due',
  dueRows({ table: 'mails', id: 'mail_id', due: `state = 'queued' and due_at <= now()`, order: 'due_at' }),
  { looks: SWEEP },
)

/** If a worker dies with a mail, its lease ends and another worker takes the mail. */
export const claimMails = statement<DueMail, { tenantId: number; ids: readonly string[]; leaseMs: number }>(
  'mail.claim',
  `with due as (
     select mail_id from mails
      where tenant_id = $tenantId::int and mail_id = any ($ids::text[]) and state = 'queued' and due_at <= now()
      for update skip locked
   )
   update mails m
      set attempt = m.attempt + 1, due_at = now() + $leaseMs::float8 * interval '1 millisecond'
     from due
    where m.tenant_id = $tenantId::int and m.mail_id = due.mail_id
   returning m.tenant_id as "tenantId", m.mail_id as "mailId", m.kind, m.language, m.sealed, m.attempt`,
)

export type MailSettlement = {
  tenantId: number
  mailId: string
  attempt: number
  state: 'sent' | 'failed' | 'queued'
  statusCode: number | null
  error: string | null
  durationMs: number
  waitMs: number | null
}

/** Only the attempt that holds the mail settles it. The sealed content goes as soon as nothing is left to send. */
export const settleMail = statement<unknown, MailSettlement>(
  'mail.settle',
  `with alive as (
     select tenant_id, now() + $waitMs::float8 * interval '1 millisecond' as later
       from tenants where tenant_id = $tenantId::int and deleted_at is null for key share
   ), moved as (
     update mails m
        set state = $state::text,
            sealed = case when $state::text = 'queued' then m.sealed end,
            due_at = case when $state::text = 'queued' then alive.later else m.due_at end
       from alive
      where m.tenant_id = $tenantId::int and m.mail_id = $mailId::text and m.attempt = $attempt::smallint and m.state = 'queued'
     returning m.tenant_id, m.mail_id, m.kind, m.due_at
   )
   insert into mail_attempts
     (tenant_id, mail_id, attempt, kind, delivered, status_code, error, duration_ms, retry_at)
   select tenant_id, mail_id, $attempt::smallint, kind, $state::text = 'sent', $statusCode::smallint, $error::text,
          $durationMs::int, case when $state::text = 'queued' then due_at end
     from moved`,
)

/** For a mail that no longer has anything to say. There was no attempt, so none is listed. */
export const dropMail = statement<unknown, { tenantId: number; mailId: string; attempt: number }>(
  'mail.drop',
  `update mails set state = 'dropped', sealed = null
    where tenant_id = $tenantId::int and mail_id = $mailId::text and attempt = $attempt::smallint and state = 'queued'`,
)

export type AttemptRow = {
  deliveryId: number
  event: string
  delivered: boolean
  statusCode: number | null
  error: string | null
  durationMs: number
  attemptedAt: Date
  eventId: string
  attempt: number
  retryAt: Date | null
}

export const listAttempts = statement<
  AttemptRow,
  {
    tenantId: number
    kind: string | null
    mailId: string | null
    failed: boolean | null
    before: number | null
    limit: number
  }
>(
  'mail.list_attempts',
  `select a.delivery_id::float8 as "deliveryId", a.kind as event, a.delivered, a.status_code as "statusCode", a.error, a.duration_ms as "durationMs",
          a.attempted_at as "attemptedAt", a.mail_id as "eventId", a.attempt, a.retry_at as "retryAt"
     from mail_attempts a
     join mails m on m.tenant_id = $tenantId::int and m.mail_id = a.mail_id
    where a.tenant_id = $tenantId::int and not m.internal
      and ($kind::text is null or a.kind = $kind::text)
      and ($mailId::text is null or a.mail_id = $mailId::text)
      and ($failed::boolean is null or a.delivered <> $failed::boolean)
      and ($before::bigint is null or a.delivery_id < $before::bigint)
    order by a.delivery_id desc
    limit $limit::int`,
)

/** True for a mail that was settled a month ago. */
const isOld = `state in ('sent', 'failed', 'dropped') and created_at < now() - interval '30 days'`

/** Deleted with their attempts. */
export const oldMails = oldRows('mail.forget', {
  table: 'mails',
  columns: ['mail_id'],
  type: 'text',
  due: isOld,
  more: `, attempts as (
     delete from mail_attempts a using old where ${ofFound('a')} and a.tenant_id = old.tenant_id and a.mail_id = old.mail_id
   )`,
})

/** Some mails wait for a long time. */
export const sealedMails = sealedRows('mail.reseal', {
  what: 'a waiting mail',
  table: 'mails',
  id: 'mail_id',
  column: 'sealed',
})
