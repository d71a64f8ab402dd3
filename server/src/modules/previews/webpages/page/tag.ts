/** An element as it opens. */
export type Tag = { readonly name: string; readonly attributes: Readonly<Record<string, string>> }

/** What listens to one pass over a page. Every `open` has its `close`. */
export type Listener = {
  open?(tag: Tag): void
  close?(name: string): void
  text?(text: string): void
}

/** The words of an attribute that holds several, lower case. */
export const wordsOf = (value: string | undefined): string[] =>
  (value ?? '').slice(0, 500).toLowerCase().split(/\s+/).filter(Boolean)

export const collapsed = (text: string): string => text.replace(/\s+/g, ' ').trim()
