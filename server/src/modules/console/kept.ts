// What somebody typed into a form, and sent after their session had ended: it goes along sealed while they sign in, and stands in its
// form again afterwards. Nothing of it is done until they send it themselves.

import { SecretUnreadable } from '../../kernel/crypto/index.ts'
import type { Page } from '../../pages/console-kit/index.ts'
import type { Form } from '../../pages/kit/index.ts'
import type { House } from '../../tenancy/context/index.ts'

export type Kept = {
  /** Of the page, as it is declared, with what stands in its place in the address. */
  readonly path: Page['path']
  readonly params: Readonly<Record<string, string>>
  readonly form: string
  readonly typed: Form
}

const KEPT_MS = 3_600_000
const MOST_LETTERS = 100_000
/** What the page itself put into the form. */
const OURS: readonly string[] = ['token', 'shown']

/** Only in the same workspace does it open. */
const placeOf = (tenantId: number) => ({ table: 'console', column: 'typed', tenantId, row: 'way in' })

/** Null where that is more than a page should carry. A secret is typed again. */
export function sealKept(house: House, tenantId: number, kept: Kept, secrets: readonly string[] = []): string | null {
  const dropped = new Set([...OURS, ...secrets])
  const typed = Object.fromEntries(Object.entries(kept.typed).filter(([name]) => !dropped.has(name)))
  const text = JSON.stringify({ ...kept, typed, until: house.clock.now() + KEPT_MS })
  return text.length > MOST_LETTERS ? null : house.keyring.seal(text, placeOf(tenantId))
}

/** Null where it is too old, or is not what we sealed for this workspace. */
export function openKept({ keyring, clock }: House, tenantId: number, sealed: string): Kept | null {
  if (sealed === '') return null
  try {
    // The cast is true because we sealed it.
    const { until, ...kept } = JSON.parse(keyring.open(sealed, placeOf(tenantId))) as Kept & { until: number }
    return clock.now() < until ? kept : null
  } catch (error) {
    if (error instanceof SecretUnreadable) return null
    throw error
  }
}
