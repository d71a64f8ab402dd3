// Keeps mails that wait, and sends them. The features that write them decide which mails there are.
export { listMailDeliveries } from './deliveries.ts'
export { type AnyMailKind, anyKind, type ToWrite } from './kinds.ts'
export { type Letter, letterText, namedInMail, subjectOf } from './letter.ts'
export { letterHtml } from './letter-html.ts'
export { type MailDeliveries, type MailRoom, openMail, watchMails } from './open-mail.ts'
export { sealedMails } from './queries.ts'
export { countHeld, type MailToQueue, type Queued, queueMail, releaseHeld, sendsMail } from './queue.ts'
