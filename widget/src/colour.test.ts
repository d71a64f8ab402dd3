import assert from 'node:assert/strict'
import test from 'node:test'
import { readableOn } from './colour.ts'

const luminance = (...channels: readonly number[]): number => {
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
    const part = channel / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
const contrast = (one: number, other: number) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)

test('whatever the brand’s colour is, what is written on it has a contrast of at least 4.5', () => {
  for (let red = 0; red < 256; red += 15)
    for (let green = 0; green < 256; green += 15)
      for (let blue = 0; blue < 256; blue += 15) {
        const chosen = readableOn(`rgb(${red}, ${green}, ${blue})`)
        const ratio = contrast(luminance(red, green, blue), chosen === '#000' ? 0 : 1)
        assert.ok(ratio >= 4.5, `${chosen} on ${red} ${green} ${blue}: ${ratio}`)
      }
})

test('a colour that it cannot read is left to the page', () => {
  assert.equal(readableOn('oklch(0.7 0.1 120)'), '')
})
