import assert from 'node:assert/strict'
import { test } from 'node:test'
import { costOf, priceOf, usdText } from './prices.ts'

const prices = new Map([['gpt', { inputMicros: 150_000, outputMicros: 600_000 }]])

test('a cost is exact, also where a sum of doubles drifts', () => {
  const price = priceOf(prices, 'GPT')
  assert.equal(usdText(costOf({ inputTokens: 1, outputTokens: 1 }, price)), '0.000000750000')
  let sum = 0n
  for (let round = 0; round < 1_000_000; round++) sum += costOf({ inputTokens: 1, outputTokens: 0 }, price)
  assert.equal(usdText(sum), '0.150000000000')
  assert.equal(
    usdText(
      costOf({ inputTokens: 10_000_000_000, outputTokens: 3 }, { inputMicros: 1_000_000_000_000, outputMicros: 1 }),
    ),
    '10000000000.000000000003',
  )
  assert.equal(usdText(-1n), '-0.000000000001')
})

test('offline costs nothing; a model without a price is an error that says what to set', () => {
  assert.equal(costOf({ inputTokens: 9, outputTokens: 9 }, priceOf(prices, 'offline')), 0n)
  assert.throws(() => priceOf(prices, 'big'), /AI:Prices:big:InputPerMillion/)
})
