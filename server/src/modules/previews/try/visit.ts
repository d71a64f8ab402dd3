// Who looks at the page: its one cookie, which names a sandbox, its language, and the tokens of its forms.

import type { RequestHead } from '../../../kernel/http/index.ts'
import { cookieJar, type Form, pageAnswers, strangersForm } from '../../../pages/kit/index.ts'
import type { House } from '../../../tenancy/context/index.ts'

/** The sandbox of this browser. */
export type Trial = { readonly tenantId: number; readonly key: string }

const DAY = 86_400_000
const jar = cookieJar('try')
const forms = strangersForm('try')

/** It outlives its sandbox by a day, in which the page still says that it has ended. */
export const cookieOf = (house: House, { tenantId, key }: Trial, expiresAt: Date): string =>
  jar.set(house, `${tenantId} ${key}`, expiresAt, DAY)

export const noCookie = jar.clear

export function trialOf(house: House, head: Pick<RequestHead, 'headers'>): Trial | null {
  const content = jar.read(house, head)
  if (content === null) return null
  const [tenant = '', key = ''] = content.split(' ')
  return { tenantId: Number(tenant), key }
}

const idOf = (trial: Trial | null): string => String(trial?.tenantId ?? 'none')

/** A form of ours, made lately for this sandbox, or for whoever has none. */
export const formToken = (house: Pick<House, 'keyring' | 'clock'>, trial: Trial | null): string =>
  forms.token(house, idOf(trial))

export const isOurForm = (house: House, head: RequestHead, form: Form, trial: Trial | null): boolean =>
  forms.isOurs(house, head, form, idOf(trial))

export const pageAnswer = pageAnswers({ images: "'self' data:" })
