import { type Card, headingOf } from '../card.ts'
import type { Draft } from '../driver.ts'

// A card of Teams. Its one link leads to the inbox, where somebody signs in; nothing in it acts. A TextRun reads no marks.

const run = (text: string, more: object = {}) => ({ type: 'RichTextBlock', inlines: inline(text, more) })

/** A date in two braces is a function in a TextRun, too, so that no two of them stand in one. */
const inline = (text: string, more: object = {}) =>
  text.split(/(?<=\{)(?=\{)/).map((part) => ({ type: 'TextRun', text: part, ...more }))

export function adaptiveCard({ card, isReminder }: Draft): object {
  const { words, action, title, language } = card
  const heading = headingOf(card, isReminder)
  const facts = action.state === 'pending' ? waiting(card) : []
  const body = [run(title, { weight: 'Bolder', size: 'Large' }), run(heading), ...facts]
  const message = messageWith({
    lang: language,
    fallbackText: `${heading}: ${title}`,
    body,
    actions: [{ type: 'Action.OpenUrl', title: words.open, url: card.url }],
    msteams: { width: 'Full' },
  })
  return { actionId: action.actionId, ...message }
}

/** One text, and nothing to press. */
export const plainCard = (text: string): object => messageWith({ fallbackText: text, body: [run(text)] })

function messageWith(parts: object) {
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    ...parts,
  }
  const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }
  return { type: 'message', attachments: [attachment] }
}

function waiting(card: Card): object[] {
  const { words, action, facts, exactly, asked, why, approvals, inInbox, minutesLeft } = card
  const until = action.expiresAt.toISOString().replace(/\.\d+Z$/, 'Z')
  return [
    ...(facts.length === 0 ? [run(words.noArguments)] : facts.map(([label, value]) => fact(label, value))),
    ...(why === null ? [] : [fact(words.why, why)]),
    ...(exactly === null ? [] : [run(words.exactly, { isSubtle: true }), run(exactly, { fontType: 'Monospace' })]),
    run(`${words.riskLabel}: ${words.risk[action.risk]} · ${asked}`),
    // Teams writes it in the reader’s own time.
    {
      type: 'TextBlock',
      text: `${words.runsOut} {{DATE(${until},SHORT)}} {{TIME(${until})}} (${words.minutesLeft(minutesLeft)})`,
      wrap: true,
    },
    run(approvals),
    ...(inInbox === 'gone' || inInbox === 'moved' ? [run(words.inInbox[inInbox])] : []),
  ]
}

const fact = (label: string, value: string) => ({
  type: 'RichTextBlock',
  inlines: [...inline(`${label}: `, { weight: 'Bolder' }), ...inline(value)],
})
