// What a visitor does with the widget, in words.
import type { Locator, Page } from 'playwright-core'
import { type MoreWords, moreWords } from '../src/more-words.ts'
import { wordsOf as firstWords } from '../src/words.ts'

export const wordsOf = (language: 'en' | 'ka'): MoreWords =>
  moreWords({ language: () => language, words: () => firstWords(language) })

export const launcherOf = (page: Page): Locator => page.locator('service-assistant .launcher')
export const boxOf = (page: Page): Locator => page.locator('service-assistant .panel textarea[part=input]')
export const answersOf = (page: Page): Locator => page.locator('service-assistant .answer')

export async function openWith(page: Page): Promise<void> {
  await launcherOf(page).click()
  await boxOf(page).waitFor()
}

export async function ask(page: Page, prompt: string): Promise<void> {
  await boxOf(page).fill(prompt)
  await boxOf(page).press('Enter')
}

/** Asks, and waits until the whole answer is there. */
export async function askAndRead(page: Page, prompt: string): Promise<Locator> {
  const before = await page.locator('service-assistant .rating').count()
  await ask(page, prompt)
  await page.locator('service-assistant .rating').nth(before).waitFor()
  return answersOf(page).last()
}

/** A gate that a script waits at until the test opens it. */
export function gate(): { readonly passed: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { passed: promise, open: resolve }
}

/** Bounded: polls until it holds, or says what did not. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, limitMs = 60_000): Promise<void> {
  const deadline = Date.now() + limitMs
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`never came to be: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
