import { readFileSync } from 'node:fs'

/** A style sheet of ours, after what every page of ours looks like. */
export const styleSheet = (own: URL): string =>
  [new URL('./look.css', import.meta.url), own].map((file) => readFileSync(file, 'utf8')).join('\n')
