import type { Transporter } from 'nodemailer'
import type SMTPTransport from 'nodemailer/lib/smtp-transport/index.js'
import type { House } from '../context/index.ts'

/** A mail as it leaves: addresses are one each, and everything is text. */
export type Outgoing = {
  readonly id: string
  readonly to: string
  readonly language: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

export type Transport = {
  /** Throws when the mail was not taken. */
  send(mail: Outgoing, signal: AbortSignal): Promise<void>
  /** Would it take a mail now? Throws when it would not. */
  probe(): Promise<void>
  close(): void
}

export type Print = (text: string) => void

/** Null where mail goes nowhere: then none is written down either. */
export function openTransport({ mail, http }: House['settings'], print: Print): Transport | null {
  if (mail.transport === 'none') return null
  return mail.transport === 'console' ? toConsole(print) : overSmtp(mail, new URL(http.publicUrl).hostname)
}

const toConsole = (print: Print): Transport => ({
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

function overSmtp(mail: House['settings']['mail'], ownName: string): Transport {
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
    // A name that the other side could look up; an address is none.
    ...(/[a-z]\.[a-z]{2,}$/i.test(ownName) ? { name: ownName } : {}),
    // A mail is text that we wrote: nothing in it may ever name a file or an address to be read.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(user === undefined ? {} : { auth: { user, pass: password } }),
  }
  const smtp = opened({ ...server, ...within(timeout) })
  // Somebody waits for its answer.
  const probe = opened({ ...server, ...within(Math.min(timeout, LONGEST_PROBE_MS)) })
  return {
    async send({ id, to, language, subject, text, html }, signal) {
      await (await smtp.open()).sendMail({
        from: mail.from,
        // As an object, so that no part of an address is read as syntax.
        to: { name: '', address: to },
        subject,
        text,
        html,
        // The same on every attempt: who gets a mail twice can tell that it is one.
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

/** Its library is loaded with the first mail: a start does not wait for it. */
function opened(options: SMTPTransport.Options) {
  let opening: Promise<Transporter> | undefined
  return {
    open: () => (opening ??= import('nodemailer').then(({ createTransport }) => createTransport(options))),
    close: () => void opening?.then((transporter) => transporter.close()),
  }
}
