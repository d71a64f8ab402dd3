// Secrets for every place at which one enters the service.
import { createHmac, randomBytes } from 'node:crypto'
import { everySetting } from '../../src/kernel/settings/schema.ts'
import type { Canary } from './canary.ts'

const hex = (bytes = 24): string => randomBytes(bytes).toString('hex')

/** A value for every secret setting that takes a random text; those that are addresses would lead somewhere else. */
export function settingsPlanted(): { settings: Record<string, string>; canaries: Canary[] } {
  const settings: Record<string, string> = {}
  for (const { name, setting } of everySetting) {
    if (!setting.shape.secret) continue
    const fits = [randomBytes(32).toString('base64'), hex()].find(
      (candidate) => setting.shape.type.safeParse(candidate).success,
    )
    if (fits !== undefined) settings[name] = fits
  }
  return { settings, canaries: Object.entries(settings).map(([name, value]) => ({ name, value })) }
}

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** What a caller presents beside its key: a customer token that is good, and tokens that open nothing here. */
export function callersSecrets(tenantId: number, customerTokenKey: string) {
  const now = Math.floor(Date.now() / 1000)
  const claims = { sub: `customer-${hex(4)}`, tenant_id: tenantId, iat: now, exp: now + 600 }
  const signed = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url(claims)}`
  const signature = createHmac('sha256', customerTokenKey).update(signed).digest('base64url')
  const headers = {
    'x-service-customer-token': `${signed}.${signature}`,
    'x-service-upstream-token': `upstream-${hex()}`,
    'x-service-user-session': `tus_${hex()}`,
    'x-service-relay': hex(32),
    cookie: `session=${hex()}`,
    'proxy-authorization': `Basic ${randomBytes(30).toString('base64')}`,
  }
  const forged = { ...headers, 'x-service-customer-token': `${signed}.${randomBytes(32).toString('base64url')}` }
  const canaries = [...Object.entries(headers), ...Object.entries(forged)].map(([name, value]) => ({
    name: `the header ${name}`,
    // Of a token the signature, of a header with words before it the last word.
    value: value.split(/[. =]/).findLast((part) => part.length > 16) ?? value,
  }))
  return { headers, forged, canaries }
}

/** A key of the right shape that was never issued. */
export const strangersKey = (): string => `tth_${hex()}`

const ISSUED = /\b(?:t(?:th|ag|pk|ac|pv|ib|sb|ci|ck|us)_[0-9a-f]{48}|whsec_[A-Za-z0-9+/]{42,}=*)/g

/** Every whole secret that a text shows. */
export const shownIn = (text: string): string[] => [...new Set(text.match(ISSUED) ?? [])]
