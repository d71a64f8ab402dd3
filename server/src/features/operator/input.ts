import { refuse } from '../../foundation/http/index.ts'

/** A workspace's name: trimmed, 2 to 120 characters, on one line. */
export function checkedName(name: string): string {
  // Looked at before it is normalised: to order a hundred thousand combining marks takes a minute.
  const trimmed = name.length > 1000 ? '' : name.trim().normalize('NFC')
  const length = [...trimmed].length
  if (length < 2 || length > 120 || /\p{Cc}/u.test(trimmed)) {
    throw refuse('invalid_name', 'A workspace’s name has 2 to 120 characters, on one line.')
  }
  return trimmed
}

/** Only what could never be an address is refused here; a mail that arrives is the real check. */
export function checkedEmail(email: string): string {
  const trimmed = email.trim()
  if (trimmed.length > 254 || !/^[^\s@<>(),;:"\\]{1,64}@[^\s@<>(),;:"\\]+\.[^\s@.<>(),;:"\\]{2,}$/.test(trimmed)) {
    throw refuse('invalid_email', 'This is not an e-mail address: send one like name@example.com.')
  }
  return trimmed
}
