import { type Card, headingOf } from '../card.ts'
import type { Draft } from '../driver.ts'

// A message in the form of Slack. What strangers wrote stands in plain text, which Slack shows as it is: no links, no names, no marks.

type Block = Readonly<Record<string, unknown>>

const plain = (text: string) => ({ type: 'plain_text', text, emoji: false }) as const

/** Only for words in which nothing is a mark. */
const marked = (text: string) => ({ type: 'mrkdwn', text, verbatim: true }) as const

/** Bold, unless there may be a mark in it: whoever proposes a write may name its arguments as they like. */
const bold = (label: string) => (UNMARKED.test(label) ? marked(`*${label}*`) : plain(label))
const UNMARKED = /^(?! )(?:[\p{L}\p{M}\p{N} ,()/-]|(?<=[\p{L}\p{N}])[_.](?=[\p{L}\p{N}]))+(?<! )$/u

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A list of fields of one section. */
const FIELDS_OF_SECTION = 10

/** With its buttons while it waits, and without them from then on. */
export function messageOf({ card, postId, isReminder }: Draft) {
  const { words, action, title } = card
  const isOpen = action.state === 'pending'
  const heading = headingOf(card, isReminder)
  return {
    text: escaped(`${heading}: ${title}`),
    blocks: [
      { type: 'header', text: plain(title) },
      { type: 'section', text: plain(heading) },
      ...facts(card),
      ...(card.why === null ? [] : [{ type: 'section', text: plain(`${words.why}: ${card.why}`) }]),
      ...(card.exactly === null ? [] : exactly(card, card.exactly)),
      { type: 'context', elements: standing(card) },
      ...(isOpen ? buttons(card, postId) : [{ type: 'actions', elements: [link(card)] }]),
    ],
  }
}

function facts({ words, facts }: Card): Block[] {
  if (facts.length === 0) return [{ type: 'section', text: plain(words.noArguments) }]
  const fields = facts.flatMap(([label, value]) => [bold(label), plain(value)])
  return Array.from({ length: Math.ceil(fields.length / FIELDS_OF_SECTION) }, (_, at) => ({
    type: 'section',
    fields: fields.slice(at * FIELDS_OF_SECTION, (at + 1) * FIELDS_OF_SECTION),
  }))
}

const exactly = ({ words }: Card, request: string): Block[] => [
  { type: 'context', elements: [plain(words.exactly)] },
  {
    type: 'rich_text',
    elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: request }] }],
  },
]

/** Each by itself: only the time has a mark, by which Slack shows it in the reader’s own zone. */
function standing({ words, action, asked, approvals, minutesLeft }: Card): Block[] {
  const { risk, expiresAt, state } = action
  const isOpen = state === 'pending'
  const at = Math.floor(expiresAt.getTime() / 1000)
  const utc = `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const when = `<!date^${at}^{date_short_pretty} {time}|${utc}>`
  return [
    plain(`${words.riskLabel}: ${words.risk[risk]}`),
    plain(asked),
    ...(isOpen ? [marked(`${words.runsOut} ${when} (${words.minutesLeft(minutesLeft)})`), plain(approvals)] : []),
    ...(state === 'expired' ? [marked(`${words.ranOut} ${when}`)] : []),
  ]
}

function buttons(card: Card, postId: string): Block[] {
  const { words, action, inInbox } = card
  const value = `${postId} ${action.payloadHash}`
  const button = (verb: 'confirm' | 'reject', text: string, style: 'primary' | 'danger') => ({
    type: 'button',
    action_id: verb,
    text: plain(text),
    style,
    value,
  })
  return [
    ...(inInbox === null ? [] : [{ type: 'section', text: plain(words.inInbox[inInbox]) }]),
    {
      type: 'actions',
      elements: [
        ...(inInbox === null ? [button('confirm', words.approve, 'primary')] : []),
        button('reject', words.reject, 'danger'),
        link(card),
      ],
    },
  ]
}

const link = ({ words, url }: Card) => ({ type: 'button', action_id: 'open', text: plain(words.open), url })

const VALUE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) ([0-9a-f]{64})$/

/** What a button says of itself: its message, which names the write, and the hash of what the message showed. */
export function readButton(value: string): { readonly postId: string; readonly payloadHash: string } | null {
  const [, postId, payloadHash] = VALUE.exec(value) ?? []
  return postId === undefined || payloadHash === undefined ? null : { postId, payloadHash }
}
