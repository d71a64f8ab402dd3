// Puts writes of several trades into many sentences. Only a wish may stage one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Message, OfferedTool } from '../../kernel/model/index.ts'
import { answerTo } from './answer.ts'
import { CATALOGS } from './fixtures/catalogs.ts'

type Written = Omit<OfferedTool, 'isWrite'> & { readonly is_write: boolean }

const toolsOf = (name: string): OfferedTool[] =>
  (CATALOGS[name]?.tools ?? []).map((tool) => {
    // Our own fixture has these members.
    const { is_write: isWrite, ...rest } = tool as Written
    return { ...rest, isWrite }
  })

const ENGLISH = [
  ['library', 'renew', 'renewed', 'loan L-2041 for 2 weeks'],
  ['library', 'cancel', 'cancelled', 'reservation 551'],
  ['telecom', 'block', 'blocked', 'sim 599123456'],
  ['telecom', 'change', 'changed', 'the plan of 599123456 to max'],
  ['clinic', 'move', 'moved', 'visit 7312 to 2026-12-09'],
  ['clinic', 'cancel', 'cancelled', 'visit 7312'],
] as const

const NO_WISH = [
  'My friend told me you V N slowly, is that true?',
  'I heard that you V N only after 14 days',
  'My wife says you V N',
  'Did you V N?',
  'Will you V N?',
  'Why did you V N?',
  'Do not V N',
  "Please don't V N",
  'Please don’t V N',
  'Never V N',
  'I do not want to V N',
  "I don't want you to V N",
  'If I V N, what happens?',
  'What happens when I V N?',
  'You said you would V N',
  'They V N all the time',
  'I thought about whether to V N',
  'How can I V N?',
  'Who can V N?',
  'Is it true that you V N?',
  'The letter says: V N',
  '"V N" was in the mail',
  "Someone wrote 'V N' on my door",
  'I was told to V N',
  'V N? No.',
  'V N - just kidding',
  "V N... no wait, don't",
  'Imagine you V N',
  'I might V N',
  'It is a bad idea to V N',
  'V N if it is free',
  'V N unless it costs money',
  'My boss asked me to V N',
  'I forgot to V N',
  'I already asked you to V N',
  'Nobody may V N',
  'She will V N tomorrow',
  'I wonder if I should V N',
  'Is it expensive to V N?',
  'It took a week to V N',
  'They refused to V N',
  'Without asking you V N',
  'No need to V N',
  'There is no reason to V N',
  'Stop! Do not V N',
  'You must not V N',
  'Can I V N?',
  'I would never V N',
  "Let's not V N",
  'To V N is easy',
  'You did not V N',
  'I used to V N',
  'You D N yesterday',
  'N was D last week',
  'Who D N?',
  'I D N already',
  'Has N been D?',
  'I want to know why you D N',
  'I would like to complain: you D N',
  'I like how quickly you V N',
  'I love that you V N',
  'I need to know whether you V N',
  'Please explain how to V N',
  'Tell me what it costs to V N',
  'Thanks for offering to V N',
  'My neighbour wants to V N',
  'He asked: can you V N?',
  'I am afraid that you V N',
  'I hope you V N some day',
  'Sorry that I had to V N',
  'You wanted to V N, right?',
  'Should I V N?',
  'What if you V N?',
  'When will you V N?',
  'The article "How to V N" is nice',
  'According to the website you V N',
  'Apparently you V N',
  'Maybe V N',
  'I am not sure, perhaps V N',
  'Once you V N, call me',
  'After you V N, everything is fine',
  'You can V N, I suppose',
]

const WISH = [
  'V N',
  'V N please',
  'V N!',
  'Please V N',
  'Please V N.',
  'Could you V N?',
  'Can you please V N?',
  'Would you please V N',
  'I want to V N',
  'I want you to V N',
  'I would like to V N',
  "I'd like you to V N, please",
  'I’d like to V N',
  'I need to V N',
  'Hi, V N. Thanks',
  'Hello! Please V N',
  'go ahead and V N',
  "I can't come. V N",
  "I can't come, please V N",
  'OK, V N',
  'Yes, please V N',
  'I changed my mind, V N',
  'V N because I am ill and do not need it',
  'My name is Nino and I want to V N',
  'I want N D',
]

const GEORGIAN = [
  {
    of: 'telecom',
    n: 'სიმ ბარათი 599123456',
    you: 'დაბლოკეთ',
    forMe: 'დამიბლოკეთ',
    i: 'დავბლოკო',
    may: 'დაბლოკოთ',
    did: 'დავბლოკე',
    act: 'დაბლოკვა',
  },
  {
    of: 'clinic',
    n: 'ვიზიტი 7312',
    you: 'გააუქმეთ',
    forMe: 'გამიუქმეთ',
    i: 'გავაუქმო',
    may: 'გააუქმოთ',
    did: 'გავაუქმე',
    act: 'გაუქმება',
  },
  {
    of: 'clinic',
    n: 'ვიზიტი 7312 2026-12-09-ზე',
    you: 'გადაიტანეთ',
    forMe: 'გადამიტანეთ',
    i: 'გადავიტანო',
    may: 'გადაიტანოთ',
    did: 'გადავიტანე',
    act: 'გადატანა',
  },
] as const

const NO_GEORGIAN_WISH = [
  'მეგობარმა მითხრა, რომ N YOU. მართალია?',
  'ცოლი ამბობს, რომ N YOU',
  'გავიგე, რომ N YOU',
  'რატომ YOU N?',
  'როდის YOU N?',
  'ვინ YOU N?',
  'N YOU?',
  'თქვენ YOU N და არ გამაფრთხილეთ',
  'გუშინ YOU N',
  'N უკვე DID',
  'N არ MAY',
  'ნუ YOU N',
  'არ I N',
  'არ მინდა I N',
  'თუ I N, რა მოხდება?',
  'რომ I N, ფული დამიბრუნდება?',
  'როგორ I N?',
  'შეიძლება I N?',
  'უნდა I N?',
  'ალბათ I N',
  'ვფიქრობ, I N თუ არა',
  'მეუბნებიან, რომ უნდა I N',
  'თურმე N YOU',
  '„YOU N“ ეწერა წერილში',
  'მითხრეს: YOU N',
  'YOU N, თუ უფასოა',
  'YOU N... არა, მოიცა',
  'როცა N YOU, დამირეკეთ',
  'მგონი N YOU',
  'რა ღირს N ACT?',
  'N ACT ძვირია?',
  'N ACT არ მინდა',
]

const GEORGIAN_WISH = [
  'YOU N',
  'N YOU',
  'გთხოვთ, YOU N',
  'გთხოვთ YOU N',
  'FORME N',
  'FORME N, თუ შეიძლება',
  'მინდა I N',
  'მინდა, რომ MAY N',
  'მსურს I N',
  'უნდა I N',
  'შეგიძლიათ MAY N?',
  'გამარჯობა, YOU N',
  'ვერ მოვდივარ, YOU N',
  'კარგი, YOU N',
  'მინდა N ACT',
  'YOU N, რადგან არ მჭირდება',
]

const staged = (of: string, text: string): string[] => {
  const messages: Message[] = [{ role: 'user', text }]
  const tools = toolsOf(of)
  return answerTo({ model: 'offline', messages, tools, maxOutputTokens: 1 })
    .calls.filter(({ name }) => tools.find((tool) => tool.name === name)?.isWrite)
    .map(({ name }) => name)
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const english = (frames: readonly string[]) =>
  ENGLISH.flatMap(([of, verb, done, thing]) =>
    frames.map((frame) => {
      const text = capital(frame.replace(/\bV\b/, verb).replace(/\bD\b/, done).replace(/\bN\b/, thing))
      return { of, text }
    }),
  )

const georgian = (frames: readonly string[]) =>
  GEORGIAN.flatMap(({ of, n, you, forMe, i, may, did, act }) =>
    frames.map((frame) => {
      const said = { N: n, YOU: you, FORME: forMe, I: i, MAY: may, DID: did, ACT: act }
      return { of, text: frame.replace(/[A-Z]+/g, (part) => said[part as keyof typeof said]) }
    }),
  )

test('a remark, a question, a refusal, a condition and what others said stage nothing', () => {
  const wrong = [...english(NO_WISH), ...georgian(NO_GEORGIAN_WISH)].filter(
    ({ of, text }) => staged(of, text).length > 0,
  )
  assert.deepEqual(wrong, [])
})

test('a wish stages, however it is put', () => {
  const wrong = [...english(WISH), ...georgian(GEORGIAN_WISH)].filter(({ of, text }) => staged(of, text).length !== 1)
  assert.deepEqual(wrong, [])
})
