import { refuse } from '../../foundation/http/index.ts'
import type { Context } from '../../ground/context/index.ts'
import { noTenant } from '../../ground/tenants/index.ts'
import * as sql from './queries.ts'

const LONGEST_LOGO = 2048

export const readBrand = async (ctx: Context): Promise<sql.BrandRow> =>
  (await ctx.db.one(sql.readBrand, [ctx.asking.tenantId])) ?? { color: null, logo: null }

export type NewBrand = { readonly color?: string | null | undefined; readonly logo?: string | null | undefined }

export async function writeBrand(ctx: Context, { color, logo }: NewBrand): Promise<sql.BrandRow> {
  const row = await ctx.db.one(sql.writeBrand, [
    ctx.asking.tenantId,
    color !== undefined,
    readColor(color),
    logo !== undefined,
    readLogo(logo),
  ])
  if (row === undefined) throw noTenant()
  return row
}

function readColor(color: string | null | undefined): string | null {
  if (color === undefined || color === null || color === '') return null
  if (!/^#[0-9a-f]{6}$/i.test(color)) {
    throw refuse('invalid_brand_color', 'A colour is # and six hexadecimal digits, such as #12615b.')
  }
  return color.toLowerCase()
}

function readLogo(logo: string | null | undefined): string | null {
  if (logo === undefined || logo === null || logo === '') return null
  const url = URL.parse(logo)
  const readable = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  if (!readable || logo.length > LONGEST_LOGO) {
    throw refuse(
      'invalid_brand_logo',
      `A logo is an http or https address of at most ${LONGEST_LOGO} characters without a user name.`,
    )
  }
  return logo
}
