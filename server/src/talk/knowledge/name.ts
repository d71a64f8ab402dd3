import { normalized } from '../../kernel/text/index.ts'

const LONGEST = 80
// Some scripts write vowels as marks on a letter.
const NAME = /^(?:\p{L}\p{M}*|[\p{Nd}\-_.])+$/u

/** A document's name as it is stored and compared, or undefined if it is none. */
export function nameOf(written: string): string | undefined {
  // Nothing that is much longer can become short enough.
  if (written.length > LONGEST * 8) return undefined
  const name = normalized(written, 'NFC')
  return NAME.test(name) && !/^\.+$/.test(name) && Array.from(name).length <= LONGEST ? name : undefined
}
