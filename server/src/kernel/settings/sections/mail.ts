// How mail leaves the service.
import { type Lookup, section } from '../setting.ts'
import { decimal, mailbox, oneOf, publicUrl, text, whole } from '../shapes.ts'

const notSmtp = (read: Lookup) => read('Mail:Transport') !== 'smtp'

export const mail = section('Mail', 'How mail leaves the service.', {
  transport: oneOf('none', 'console', 'smtp')
    .default('none')
    .describe(
      'How mails leave: none sends no mail, console writes mails to standard output (for Development), smtp sends them.',
      {
        unsafe: {
          when: 'it is console',
          why: (transport) =>
            transport === 'console'
              ? 'Links would go to the output instead of a mailbox. Use smtp or none.'
              : undefined,
        },
      },
    ),
  from: mailbox.default('').describe('The sender of every mail.', {
    needed: {
      make: 'Mail:Transport smtp needs it. Set it to an address such as Tether <no-reply@example.com>.',
      unless: notSmtp,
      everywhere: true,
    },
  }),
  inboxBaseUrl: publicUrl
    .derived('<Http:PublicUrl>/inbox', (read) => `${read('Http:PublicUrl')}/inbox`)
    .describe('The address at which people reach the inbox of approvals. Links in notices start with it.'),
  maxSignInMailsPerWindow: whole(1, 1000, 5).describe(
    'The most sign-in mails to one person of one workspace within the lifetime of a link.',
  ),
  maxNewSignInRecipientsPerDay: whole(1, 1_000_000, 100).describe(
    'The most addresses that the sign-in mails of one workspace may reach in 24 hours, besides one for each person who has signed in. What is beyond it is not sent, and nobody is told.',
  ),
  maxInvitationsPerHour: whole(1, 100_000, 20).describe('The most invitations that one workspace may send in an hour.'),
  maxNoticesPerHour: whole(1, 1_000_000, 500).describe(
    'The most notices of waiting writes that one workspace may send in an hour. What is beyond it comes later, together.',
  ),
  maxEmbedInstructionsPerHour: whole(1, 1000, 5).describe(
    'The most mails with instructions for the widget that one workspace may send in an hour.',
  ),
  smtp: section('Smtp', 'The server that accepts our mail.', {
    host: text({ max: 255, of: 'a host name or address' })
      .default('')
      .describe('Its name or address.', {
        needed: {
          make: 'Mail:Transport smtp needs it. Set it to the name of your mail server.',
          unless: notSmtp,
          everywhere: true,
        },
      }),
    port: whole(1, 65_535, 587).describe('Its port: 587 for starttls, 465 for tls.'),
    security: oneOf('starttls', 'tls', 'none')
      .default('starttls')
      .describe(
        'How the connection is encrypted: starttls refuses a server that does not offer it, tls starts encrypted, none is for a server on this machine.',
        {
          advise: (security, environment) =>
            environment === 'Production' && security === 'none'
              ? 'Mails with links, and the password, travel unencrypted. Use starttls or tls unless the server is on this machine.'
              : undefined,
        },
      ),
    user: text({ max: 512 }).optional().describe('The user who signs in there. Unset means that nobody signs in.'),
    password: text({ max: 512, secret: true })
      .optional()
      .describe('The password of that user.', {
        needed: {
          make: 'Mail:Smtp:User needs it to sign in. Set it to the password of that user.',
          unless: (read) => read('Mail:Smtp:User') === undefined || notSmtp(read),
          everywhere: true,
        },
      }),
    timeoutSeconds: decimal(0.1, 300, 30).describe('How long each step of sending a mail may take.'),
  }),
})
