import type { DriverForm } from '../driver.ts'

export const slackForm: DriverForm = {
  lead: { en: 'A click on a message decides.', ka: 'გადაწყვეტილებას შეტყობინების ღილაკით იღებენ.' },
  guide: {
    href: '/docs/slack',
    label: { en: 'How the app is made, step by step', ka: 'როგორ იქმნება აპი, ნაბიჯ-ნაბიჯ' },
  },
  fields: [
    {
      name: 'botToken',
      label: { en: 'Bot token (xoxb-…)', ka: 'ბოტის ტოკენი (xoxb-…)' },
      isSecret: true,
      isKept: true,
      example: 'xoxb-…',
    },
    {
      name: 'signingSecret',
      label: { en: 'Signing secret', ka: 'ხელმოწერის საიდუმლო' },
      isSecret: true,
      isKept: true,
      example: '…',
    },
    {
      name: 'channel',
      label: { en: 'Channel, by its id (C…)', ka: 'არხის იდენტიფიკატორი (C…)' },
      isKept: true,
      example: 'C0123456789',
    },
  ],
  save: { en: 'Try the token and save', ka: 'ტოკენის შემოწმება და შენახვა' },
  saved: {
    en: 'Saved: Slack accepted the token. The next write that waits is posted there.',
    ka: 'შენახულია: Slack-მა ტოკენი მიიღო. შემდეგი მომლოდინე ცვლილება იქ გამოჩნდება.',
  },
}
