import assert from 'node:assert/strict'
import test from 'node:test'
import { assertTakesLess } from '../../../testkit/processor.ts'
import { plainWords } from './plain-words.ts'

test('an answer loses its marks and none of its words', () => {
  const cases: readonly (readonly [written: string, read: string])[] = [
    ['- **Booking number**: V-103\n- *paid*', '• Booking number: V-103\n• paid'],
    ['> ## ჩაფხუტი\n> ქირა _5 ლარი_', 'ჩაფხუტი\nქირა 5 ლარი'],
    ['| Bike | Price |\n|:--|--:|\n| City | 20 |', 'Bike · Price\nCity · 20'],
    ['See [our rules](https://velo.example/r) now[^1]', 'See our rules (https://velo.example/r) now'],
    ['Run `a_b*c` and snake_case_name, 2 * 3 * 4', 'Run a_b*c and snake_case_name, 2 * 3 * 4'],
    ['```js\nlet a = 1\n```\n\n---\n\n\n\nEnd', 'let a = 1\n\nEnd'],
    ['1. one\n2. two\n   - three', '1. one\n2. two\n   • three'],
    ['5 \\* 4 <b>bold</b> & **open', '5 * 4 <b>bold</b> & **open'],
    ['Before\n```block:table\n{"a":1}\n```\nafter ```block:figure {"b"', 'Before\n\nafter'],
    ['__init__ and __strong words__', 'init and strong words'],
    ['- - -', ''],
  ]
  for (const [written, read] of cases) assert.equal(plainWords(written), read, written)
})

test('no text takes long', () => {
  assertTakesLess(1_000, () => {
    for (const part of ['*', '_a', '[', '**a', '`', '|', '[a](', '> ', '![', '\\', '```block:', '- '])
      plainWords(part.repeat(2_000 / part.length))
  })
})
