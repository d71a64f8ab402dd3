import { readFileSync } from 'node:fs'

/** Style sheets of ours in one, after what every page of ours looks like. */
export const styleSheet = (...own: readonly URL[]): string =>
  [new URL('./look.css', import.meta.url), ...own].map((file) => readFileSync(file, 'utf8')).join('\n')
