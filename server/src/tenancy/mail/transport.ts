import type { Transporter } from 'nodemailer'
import type SMTPTransport from 'nodemailer/lib/smtp-transport/index.js'
import type { House } from '../context/index.ts'

/** A mail as it leaves, with one address each and everything as text. */
export type Outgoing = {
  readonly id: string
  readonly to: string
  readonly language: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

export type MailTransport = {
  /** Throws if the mail was not accepted. */
  send(mail: Outgoing, signal: AbortSignal): Promise<void>
  /** Throws if it would not accept a mail now. */
  probe(): Promise<void>
  close(): void
}

export type Print = (text: string) => void

/** Null if this deployment sends no mail. Then none is queued either. */
export function openTransport({ mail, http }: House['settings'], print: Print): MailTransport | null {
  if (mail.transport === 'none') return null
  return mail.transport === 'console' ? toConsole(print) : overSmtp(mail, new URL(http.publicUrl).hostname)
}

const toConsole = (print: Print): MailTransport => ({
  async send({ to, subject, text }) {
    const lines = [`To: ${to}`, `Subject: ${subject}`, '', ...text.trimEnd().split('\n')]
    print(
      `\n  ┌─ mail (Mail:Transport is console: nothing was sent)\n${lines.map((line) => `  │ ${line}\n`).join('')}  └─\n\n`,
    )
  },
  probe: async () => {},
  close() {},
})

const LONGEST_PROBE_MS = 5_000

function overSmtp(mail: House['settings']['mail'], ownName: string): MailTransport {
  const { host, port, security, user, password = '', timeoutSeconds } = mail.smtp
  const timeout = timeoutSeconds * 1000
  const senderDomain = mail.from.slice(mail.from.lastIndexOf('@') + 1).replace(/>.*$/, '')
  const within = (ms: number) => ({ connectionTimeout: ms, greetingTimeout: ms, socketTimeout: ms, dnsTimeout: ms })
  const server = {
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    // A link in a mail is a key, so the server has to prove who it is, also where the environment disables that.
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2' as const },
    // The other side should be able to look the name up, so an IP address will not do.
    ...(/[a-z]\.[a-z]{2,}$/i.test(ownName) ? { name: ownName } : {}),
    // A mail is text that we wrote. Nothing in it may make the library read a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(user === undefined ? {} : { auth: { user, pass: password } }),
  }
  const smtp = openMailer({ ...server, ...within(timeout) })
  // A caller waits for the probe.
  const probe = openMailer({ ...server, ...within(Math.min(timeout, LONGEST_PROBE_MS)) })
  return {
    async send({ id, to, language, subject, text, html }, signal) {
      await (await smtp.open()).sendMail({
        from: mail.from,
        // As an object, no part of an address is read as syntax.
        to: { name: '', address: to },
        subject,
        text,
        html,
        // It is the same on every attempt, so that somebody who gets a mail twice can see that it is one.
        messageId: `<${id}@${senderDomain}>`,
        headers: {
          'Auto-Submitted': 'auto-generated',
          'X-Auto-Response-Suppress': 'All',
          'Content-Language': language,
        },
        signal,
      })
    },
    probe: async () => void (await (await probe.open()).verify()),
    close() {
      smtp.close()
      probe.close()
    },
  }
}

/** The first mail loads the library, so that a start does not wait for it. */
function openMailer(options: SMTPTransport.Options) {
  let opening: Promise<Transporter> | undefined
  return {
    open: () => (opening ??= import('nodemailer').then(({ createTransport }) => createTransport(options))),
    close: () => void opening?.then((transporter) => transporter.close()),
  }
}
