import { randomUUID } from 'node:crypto'
import { isObject, type Json, stringifyJson } from '../../../kernel/json/index.ts'
import { textOf, typedText } from './styles.ts'

export type Part = { readonly name: string; readonly value: Json; readonly contentType?: string | undefined }

/** A body of parts: one for each item of a list, an object as JSON. */
export function multipartOf(parts: readonly Part[]): { readonly contentType: string; readonly body: string } {
  const written = parts.flatMap(({ value, ...part }) =>
    (Array.isArray(value) ? value : [value]).map((item) => partOf({ ...part, value: item })),
  )
  const boundary = boundaryFor(written)
  const body = written.map((part) => `--${boundary}\r\n${part}\r\n`).join('')
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: `${body}--${boundary}--\r\n` }
}

/** Nobody can guess it, so it stands in no value. */
function boundaryFor(parts: readonly string[]): string {
  const boundary = `part-${randomUUID()}`
  return parts.some((part) => part.includes(boundary)) ? boundaryFor(parts) : boundary
}

function partOf({ name, value, contentType }: Part): string {
  const json = isObject(value) || Array.isArray(value)
  const type = contentType ?? (json ? 'application/json' : null)
  const head = `Content-Disposition: form-data; name="${quoted(name)}"`
  const text = contentType !== undefined ? typedText(value, contentType) : json ? stringifyJson(value) : textOf(value)
  return `${head}${type === null ? '' : `\r\nContent-Type: ${type}`}\r\n\r\n${text}`
}

/** As browsers write a name, so that it cannot end its own line. */
const quoted = (name: string): string => name.replace(/["\r\n]/g, (mark) => encodeURIComponent(mark))
