// What the forms of our pages take, some of them from people who have no key.
import { type HostileCase, repeated } from '../case.ts'
import { prose } from '../ordinary.ts'
import type { Shot } from '../wire.ts'

const BYTES = 1_000_000

const form = (text: string): Shot => ({
  key: '',
  method: 'POST',
  path: '/inbox/sign-in',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: Buffer.from(text),
})
const filled = (name: string, text: string): HostileCase => ({
  name: `a form of ${name}`,
  prepare: async () => ({
    hostile: () => form(text),
    harmless: () => form(`email=${prose(text.length).replaceAll(' ', '+')}`),
  }),
})

export const formCases: readonly HostileCase[] = [
  filled('one field very many times', repeated('a=&', BYTES)),
  filled('as many fields as there may be', `${repeated('a=&', 4_998 * 3)}a=${prose(900_000).replaceAll(' ', '+')}`),
  filled('separators', repeated('&', BYTES)),
  filled('escaped letters', `a=${repeated('%E1%83%90', BYTES)}`),
]
