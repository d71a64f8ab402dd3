/** As RFC 6570 writes a value: everything but letters, digits and `-._~` is encoded. */
export const encoded = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )

// OpenAPI 3.1.1 leaves it to the application to encode the brackets, and what would end or split a pair.
const SENT_AS_THEY_ARE = /%[0-9a-f]{2}|[:/?@!$'()*,;]+/gi

/** Reserved characters stay, and so does what is encoded already; but for `[ ] # & + =`, which mean something in a query. */
export function reserved(text: string): string {
  let [written, from] = ['', 0]
  for (const { 0: kept, index } of text.matchAll(SENT_AS_THEY_ARE)) {
    written += encoded(text.slice(from, index)) + kept
    from = index + kept.length
  }
  return written + encoded(text.slice(from))
}
