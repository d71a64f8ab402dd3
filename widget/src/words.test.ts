import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { LETTERS } from './letters.ts'
import { wordsOf } from './words.ts'
import { EN } from './words-en.ts'
import { KA, WORDS } from './words-ka.ts'

test('the Georgian words stand in the order of the English ones, with the same gaps to fill', () => {
  assert.deepEqual(Object.keys(WORDS), Object.keys(EN))
  for (const [name, text] of Object.entries(WORDS)) {
    assert.equal(text.includes('{}'), EN[name as keyof typeof EN].includes('{}'), name)
    assert.ok(!text.includes('|'), `${name} holds the sign that parts the words`)
    assert.match(text, /[ა-ჰ]/, `${name} is not Georgian`)
    assert.doesNotMatch(text, /[a-z]/i, `${name} holds Latin letters, which the bundle would turn into Georgian ones`)
  }
})

test('written with Latin letters in the bundle, they are read back letter for letter', () => {
  assert.equal(new Set(LETTERS).size, 33)
  const latin = KA.replace(/[ა-ჰ]/g, (letter) => LETTERS[letter.charCodeAt(0) - 0x10d0] ?? '?')
  const bundle = readFileSync(path.join(import.meta.dirname, '../dist/service-assistant.js'), 'utf8')
  assert.ok(bundle.includes(latin), 'the bundle carries these words; `npm run generate` writes it')
  const back = latin.replace(/[a-z]/gi, (letter) => String.fromCharCode(0x10d0 + LETTERS.indexOf(letter)))
  assert.equal(back, KA)
  assert.deepEqual(wordsOf('ka'), WORDS)
})
