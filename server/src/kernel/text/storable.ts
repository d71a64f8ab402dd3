/** Whether PostgreSQL can store the text: it takes neither NUL nor half of a surrogate pair. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/**
 * Text from a website, an MCP server, a model or an endpoint, with U+FFFD for each character that PostgreSQL cannot store.
 * A request that contains one is refused instead (`requireStorable`).
 */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')
