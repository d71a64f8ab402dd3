import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoized, memoizedTexts, once } from './index.ts'

/** A function that records its arguments, and the record. */
function recorded<Key, Value>(compute: (key: Key) => Value) {
  const calls: Key[] = []
  const record = (key: Key): Value => {
    calls.push(key)
    return compute(key)
  }
  return { calls, record }
}

test('computes once per object, even when the result is falsy', () => {
  const { calls, record } = recorded(({ length }: readonly number[]) => length)
  const lengthOf = memoized(record)
  const [none, two] = [[], [1, 2]]
  assert.deepEqual([lengthOf(none), lengthOf(two), lengthOf(none), lengthOf(two), lengthOf([])], [0, 2, 0, 2, 0])
  assert.deepEqual(calls, [none, two, []])
})

test('remembers nothing of a computation that throws', () => {
  const { calls, record } = recorded((key: object | string): number => {
    throw new Error(`no ${typeof key}`)
  })
  const ofObject = memoized<object, number>(record)
  const ofText = memoizedTexts<number>(record, { max: 2 })
  const key = {}
  for (const _ of [1, 2]) {
    assert.throws(() => ofObject(key), /no object/)
    assert.throws(() => ofText('a'), /no string/)
  }
  assert.equal(calls.length, 4)
})

test('forgets the texts it has not been asked for longest', () => {
  const { calls, record } = recorded((text: string) => text.toUpperCase())
  const upper = memoizedTexts(record, { max: 2 })
  for (const text of ['a', 'b', 'a', 'c', 'a', 'b', 'a']) assert.equal(upper(text), text.toUpperCase())
  assert.deepEqual(calls, ['a', 'b', 'c', 'b'])
})

test('bounds the total weight, and keeps a text that is too heavy until the next one', () => {
  const { calls, record } = recorded((text: string) => text.length)
  const lengthOf = memoizedTexts(record, { max: 5, weigh: (text, length) => text.length + length })
  for (const text of ['a', 'b', 'heavy', 'heavy', 'a', 'b', 'a']) lengthOf(text)
  assert.deepEqual(calls, ['a', 'b', 'heavy', 'a', 'b'])
})

test('charges a budget only for a new result', () => {
  const budget = { left: 3 }
  const lengthOf = memoizedTexts(
    (text: string, { left }: { left: number }) => {
      budget.left = left - 1
      return text.length
    },
    { max: 10 },
  )
  for (const text of ['a', 'b', 'a', 'b']) lengthOf(text, budget)
  assert.equal(budget.left, 1)
})

test('makes a value once, when it is first needed, even if the value is undefined', () => {
  let made = 0
  const first = once(() => {
    made++
  })
  assert.equal(made, 0)
  assert.deepEqual([first(), first()], [undefined, undefined])
  assert.equal(made, 1)
})
