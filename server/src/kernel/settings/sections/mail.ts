// How mail leaves the service.
import { derivedSetting, type Lookup, optionalSetting, section, setting } from '../setting.ts'
import { decimal, mailbox, oneOf, publicUrl, text, whole } from '../shapes.ts'

const notSmtp = (read: Lookup) => read('Mail:Transport') !== 'smtp'

export const mail = section('Mail', 'How mail leaves the service.', {
  transport: setting(oneOf('none', 'console', 'smtp'), {
    default: 'none',
    meaning:
      'How mails leave: none sends no mail, console writes mails to standard output (for Development), smtp sends them.',
    unsafe: {
      when: 'it is console',
      why: (transport) =>
        transport === 'console' ? 'Links would go to the output instead of a mailbox. Use smtp or none.' : undefined,
    },
  }),
  from: setting(mailbox, {
    default: '',
    meaning: 'The sender of every mail.',
    needed: {
      make: 'Mail:Transport smtp needs it. Set it to an address such as Tether <no-reply@example.com>.',
      unless: notSmtp,
      everywhere: true,
    },
  }),
  inboxBaseUrl: derivedSetting(
    publicUrl,
    { meaning: 'The address at which people reach the inbox of approvals. Links in notices start with it.' },
    { words: '<Http:PublicUrl>/inbox', derive: (read) => `${read('Http:PublicUrl')}/inbox` },
  ),
  maxSignInMailsPerWindow: setting(whole(1, 1000), {
    default: 5,
    meaning: 'The most sign-in mails to one person of one workspace within the lifetime of a link.',
  }),
  maxNewSignInRecipientsPerDay: setting(whole(1, 1_000_000), {
    default: 100,
    meaning:
      'The most addresses that the sign-in mails of one workspace may reach in 24 hours, besides one for each person who has signed in. What is beyond it is not sent, and nobody is told.',
  }),
  maxInvitationsPerHour: setting(whole(1, 100_000), {
    default: 20,
    meaning: 'The most invitations that one workspace may send in an hour.',
  }),
  maxNoticesPerHour: setting(whole(1, 1_000_000), {
    default: 500,
    meaning:
      'The most notices of waiting writes that one workspace may send in an hour. What is beyond it comes later, together.',
  }),
  maxEmbedInstructionsPerHour: setting(whole(1, 1000), {
    default: 5,
    meaning: 'The most mails with instructions for the widget that one workspace may send in an hour.',
  }),
  smtp: section('Smtp', 'The server that accepts our mail.', {
    host: setting(text({ max: 255, of: 'a host name or address' }), {
      default: '',
      meaning: 'Its name or address.',
      needed: {
        make: 'Mail:Transport smtp needs it. Set it to the name of your mail server.',
        unless: notSmtp,
        everywhere: true,
      },
    }),
    port: setting(whole(1, 65_535), {
      default: 587,
      meaning: 'Its port: 587 for starttls, 465 for tls.',
    }),
    security: setting(oneOf('starttls', 'tls', 'none'), {
      default: 'starttls',
      meaning:
        'How the connection is encrypted: starttls refuses a server that does not offer it, tls starts encrypted, none is for a server on this machine.',
      advise: (security, environment) =>
        environment === 'Production' && security === 'none'
          ? 'Mails with links, and the password, travel unencrypted. Use starttls or tls unless the server is on this machine.'
          : undefined,
    }),
    user: optionalSetting(text({ max: 512 }), {
      meaning: 'The user who signs in there. Unset means that nobody signs in.',
    }),
    password: optionalSetting(text({ max: 512, secret: true }), {
      meaning: 'The password of that user.',
      needed: {
        make: 'Mail:Smtp:User needs it to sign in. Set it to the password of that user.',
        unless: (read) => read('Mail:Smtp:User') === undefined || notSmtp(read),
        everywhere: true,
      },
    }),
    timeoutSeconds: setting(decimal(0.1, 300), {
      default: 30,
      meaning: 'How long each step of sending a mail may take.',
    }),
  }),
})
