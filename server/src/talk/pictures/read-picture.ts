import { decodeBase64 } from '../../kernel/crypto/index.ts'
import { type Refusal, refuse } from '../../kernel/http/index.ts'
import type { Picture } from '../../kernel/model/index.ts'
import type { Context, House } from '../../tenancy/context/index.ts'

export type ImageInput = {
  readonly data?: string | undefined
  readonly url?: string | undefined
  readonly mimeType?: string | undefined
}

type ImageReason =
  | 'disabled'
  | 'both_sources'
  | 'missing_type'
  | 'unsupported_type'
  | 'not_base64'
  | 'too_large'
  | 'type_mismatch'
  | 'insecure_url'
  | 'host_not_allowed'

const invalidImage = (reason: ImageReason, message: string): Refusal => refuse('invalid_image', message, { reason })

const FETCH_MS = 10_000

type PictureContext = Pick<Context, 'settings' | 'egress' | 'asking'>

/** Reads and checks the picture of a prompt before anything else uses it. */
export async function readPicture(ctx: PictureContext, image: ImageInput, signal: AbortSignal): Promise<Picture> {
  const rules = ctx.settings.ai.multimodal
  if (!rules.enabled)
    throw invalidImage('disabled', 'This deployment does not accept pictures. Send the prompt without `image`.')
  const { data, url } = image
  if ((data === undefined) === (url === undefined)) {
    const sent = data === undefined ? '`image` has neither `data` nor `url`' : '`image` has both `data` and `url`'
    throw invalidImage('both_sources', `${sent}. Send one of them, or the prompt without \`image\`.`)
  }
  const mimeType = image.mimeType?.trim().toLowerCase()
  if (data !== undefined && mimeType === undefined)
    throw invalidImage('missing_type', '`image.data` needs `image.mimeType`. Set it to the type of the picture.')
  if (mimeType !== undefined && !isAllowed(rules, mimeType)) {
    throw invalidImage('unsupported_type', `\`image.mimeType\` must be one of ${rules.allowedMimeTypes.join(', ')}.`)
  }
  const bytes = data === undefined ? await fetchPicture(ctx, url ?? '', signal) : decodedData(data)
  if (bytes.length > rules.maxImageBytes) throw pictureTooLarge(rules.maxImageBytes)
  const found = typeOf(bytes)
  if (found === undefined || !isAllowed(rules, found)) {
    if (url !== undefined) throw noPicture(rules)
    throw invalidImage(
      'type_mismatch',
      `The picture's bytes are not a type that we accept. Send ${rules.allowedMimeTypes.join(', ')}.`,
    )
  }
  if (mimeType !== undefined && mimeType !== found) {
    throw invalidImage(
      'type_mismatch',
      `\`image.mimeType\` is ${mimeType}, but the picture's bytes are ${found}. Send the type that matches.`,
    )
  }
  return { mimeType: found, data: bytes }
}

type Rules = House['settings']['ai']['multimodal']
const isAllowed = ({ allowedMimeTypes }: Rules, type: string): boolean => allowedMimeTypes.some((one) => one === type)
const pictureTooLarge = (most: number) =>
  invalidImage('too_large', `The picture is larger than ${most} bytes. Send a smaller one.`)

function decodedData(data: string): Buffer {
  const bytes = decodeBase64(data)
  if (bytes === null || bytes.length === 0)
    throw invalidImage('not_base64', '`image.data` is not valid base64. Send standard base64 with padding.')
  return bytes
}

async function fetchPicture(
  { settings, egress, asking }: PictureContext,
  given: string,
  signal: AbortSignal,
): Promise<Buffer> {
  const { requireHttpsForUrls, allowedUrlHosts, maxImageBytes } = settings.ai.multimodal
  const url = URL.parse(given)
  if (url === null || !['https:', 'http:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    throw invalidImage('insecure_url', '`image.url` must be an absolute https address without a user name or password.')
  }
  if (url.protocol === 'http:' && requireHttpsForUrls) throw invalidImage('insecure_url', '`image.url` must be https.')
  if (allowedUrlHosts.length > 0 && !allowedUrlHosts.includes(url.hostname)) {
    throw invalidImage(
      'host_not_allowed',
      `This deployment does not fetch pictures from ${url.hostname.slice(0, 100)}. Send the picture in \`image.data\`.`,
    )
  }
  const result = await egress.request({
    purpose: 'picture',
    share: asking.tenantId,
    url: url.href,
    method: 'GET',
    headers: { accept: 'image/*' },
    deadlineMs: FETCH_MS,
    maxBytes: maxImageBytes,
    credentialed: false,
    plainHttp: url.protocol === 'http:',
    signal,
  })
  if (result.kind === 'too_large') throw pictureTooLarge(maxImageBytes)
  if (result.kind === 'refused') {
    throw invalidImage(
      'host_not_allowed',
      'This deployment does not fetch pictures from that address. Send the picture in `image.data`.',
    )
  }
  if (result.kind !== 'answer' || result.status !== 200) throw noPicture(settings.ai.multimodal)
  return result.body
}

/** Whoever may send an address must not learn from us what is behind it: whether nobody is there, or what somebody answered. */
const noPicture = ({ allowedMimeTypes }: Rules) =>
  invalidImage(
    'type_mismatch',
    `No picture could be read from \`image.url\`. It must answer 200 with ${allowedMimeTypes.join(', ')}; otherwise send the picture in \`image.data\`.`,
  )

/** Finds the type from the first bytes, because a name proves nothing. */
function typeOf(bytes: Buffer): string | undefined {
  if (bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return 'image/png'
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg'
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'image/webp'
  return undefined
}
