/** The words of a document's name, which are often the only ones that say what it is about: `returns-policy.md`. */
export const titleOf = (name: string): string =>
  name.replace(/\.(?:md|markdown|txt|text)$/i, '').replace(/[-_.]+/g, ' ')
