/** How often and how patiently a delivery is tried. Events and mail share the numbers. */
export type RetryRules = { readonly attempts: number; readonly firstWaitMs: number; readonly longestWaitMs: number }

export const RETRIES: RetryRules = { attempts: 6, firstWaitMs: 2_000, longestWaitMs: 300_000 }

/** Doubles from the first wait up to the longest; a fifth of it is left to chance, so that what failed together does not return together. */
export function waitAfter(attempt: number, rules: RetryRules, chance: number): number {
  const whole = Math.min(rules.longestWaitMs, rules.firstWaitMs * 2 ** (attempt - 1))
  return Math.round(whole * (0.8 + 0.2 * chance))
}
