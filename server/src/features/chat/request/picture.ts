import { decodeBase64 } from '../../../foundation/crypto/index.ts'
import { type Refusal, refuse } from '../../../foundation/http/index.ts'
import type { Picture } from '../../../foundation/model/index.ts'
import type { House } from '../../../ground/context/index.ts'

export type ImageInput = {
  readonly data?: string | undefined
  readonly url?: string | undefined
  readonly mimeType?: string | undefined
}

type Reason =
  | 'disabled'
  | 'both_sources'
  | 'missing_type'
  | 'unsupported_type'
  | 'not_base64'
  | 'too_large'
  | 'type_mismatch'
  | 'insecure_url'
  | 'host_not_allowed'

const bad = (reason: Reason, message: string): Refusal => refuse('invalid_image', message, { reason })

const FETCH_MS = 10_000

/** The picture of a prompt, checked before anything else looks at it. */
export async function readPicture(
  house: Pick<House, 'settings' | 'egress'>,
  image: ImageInput,
  signal: AbortSignal,
): Promise<Picture> {
  const rules = house.settings.ai.multimodal
  if (!rules.enabled) throw bad('disabled', 'This deployment takes no pictures.')
  const { data, url } = image
  if ((data === undefined) === (url === undefined)) {
    throw bad('both_sources', 'Send either `image.data` or `image.url`, and not both.')
  }
  const mimeType = image.mimeType?.trim().toLowerCase()
  if (data !== undefined && mimeType === undefined)
    throw bad('missing_type', 'Say what `image.data` is: `image.mimeType`.')
  if (mimeType !== undefined && !isAllowed(rules, mimeType)) {
    throw bad('unsupported_type', `\`image.mimeType\` must be one of ${rules.allowedMimeTypes.join(', ')}.`)
  }
  const bytes = data === undefined ? await fetched(house, url ?? '', signal) : decoded(data)
  if (bytes.length > rules.maxImageBytes) throw tooLarge(rules.maxImageBytes)
  const found = typeOf(bytes)
  if (found === undefined || !isAllowed(rules, found)) {
    throw bad('type_mismatch', 'These bytes are no picture of a kind that is taken.')
  }
  if (mimeType !== undefined && mimeType !== found) {
    throw bad('type_mismatch', `The picture says that it is ${mimeType}, and is ${found}.`)
  }
  return { mimeType: found, data: bytes }
}

type Rules = House['settings']['ai']['multimodal']
const isAllowed = ({ allowedMimeTypes }: Rules, type: string): boolean => allowedMimeTypes.some((one) => one === type)
const tooLarge = (most: number) => bad('too_large', `The picture is larger than ${most} bytes.`)

function decoded(data: string): Buffer {
  const bytes = decodeBase64(data)
  if (bytes === null || bytes.length === 0) throw bad('not_base64', '`image.data` is not base64.')
  return bytes
}

async function fetched(
  { settings, egress }: Pick<House, 'settings' | 'egress'>,
  given: string,
  signal: AbortSignal,
): Promise<Buffer> {
  const { requireHttpsForUrls, allowedUrlHosts, maxImageBytes } = settings.ai.multimodal
  const url = URL.parse(given)
  if (url === null || !['https:', 'http:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    throw bad('insecure_url', '`image.url` must be an absolute https address without a user name.')
  }
  if (url.protocol === 'http:' && requireHttpsForUrls) throw bad('insecure_url', '`image.url` must be https.')
  if (allowedUrlHosts.length > 0 && !allowedUrlHosts.includes(url.hostname)) {
    throw bad('host_not_allowed', `Pictures are not fetched from ${url.hostname.slice(0, 100)}.`)
  }
  const result = await egress.request({
    purpose: 'picture',
    url: url.href,
    method: 'GET',
    headers: { accept: 'image/*' },
    deadlineMs: FETCH_MS,
    maxBytes: maxImageBytes,
    credentialed: false,
    plainHttp: url.protocol === 'http:',
    signal,
  })
  if (result.kind === 'too_large') throw tooLarge(maxImageBytes)
  if (result.kind === 'refused') throw bad('host_not_allowed', `The picture is not fetched: ${result.message}`)
  if (result.kind !== 'answer' || result.status !== 200) {
    const why = result.kind === 'answer' ? `its server answered ${result.status}` : result.message
    throw bad('type_mismatch', `No picture came from that address: ${why}`)
  }
  return result.body
}

/** By its first bytes: a name says nothing. */
function typeOf(bytes: Buffer): string | undefined {
  if (bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return 'image/png'
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg'
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'image/webp'
  return undefined
}
