import { refuse } from '../../kernel/http/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { noTenant } from '../../tenancy/tenants/index.ts'
import * as sql from './queries.ts'

export async function readBrand({ db, asking }: Context): Promise<sql.BrandRow> {
  const row = await db.one(sql.readBrand, { tenantId: asking.tenantId })
  if (row === undefined) throw noTenant()
  return row
}

type BrandInput = { readonly color?: string | null | undefined; readonly logo?: string | null | undefined }

/** An omitted member stays as it is; null or an empty text removes it. */
export async function writeBrand({ db, asking }: Context, { color, logo }: BrandInput): Promise<sql.BrandRow> {
  const row = await db.one(sql.writeBrand, {
    tenantId: asking.tenantId,
    setsColor: color !== undefined,
    color: readColor(color),
    setsLogo: logo !== undefined,
    logo: readLogo(logo),
  })
  if (row === undefined) throw noTenant()
  return row
}

function readColor(color: string | null | undefined): string | null {
  if (color === undefined || color === null || color === '') return null
  if (/^#[0-9a-f]{6}$/i.test(color)) return color.toLowerCase()
  throw refuse('invalid_brand_color', 'A colour must be # and six hexadecimal digits, such as #0b5cad.')
}

const LONGEST_LOGO = 2048

function readLogo(logo: string | null | undefined): string | null {
  if (logo === undefined || logo === null || logo === '') return null
  const url = logo.length <= LONGEST_LOGO && /^https?:\/\/[^\s\\]+$/i.test(logo) ? URL.parse(logo) : null
  if (url !== null && url.username === '' && url.password === '') return url.href
  throw refuse(
    'invalid_brand_logo',
    'A logo must be an http or https address of at most 2048 characters, without a user name or password.',
  )
}
