import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addAdmission, emptyLog, forgetUntil, timeAt } from './admission-log.ts'

test('the ring holds what a plain list would, through any growth and wrap', () => {
  const steps = fc.array(fc.record({ add: fc.nat(9), forget: fc.nat(9) }), { maxLength: 80 })
  fc.assert(
    fc.property(steps, (all) => {
      const log = emptyLog()
      let plain: number[] = []
      let now = 0
      for (const { add, forget } of all) {
        for (let added = 0; added < add; added += 1) {
          now += 1
          addAdmission(log, now)
          plain.push(now)
        }
        const until = (plain[0] ?? 0) + forget - 1
        forgetUntil(log, until)
        plain = plain.filter((time) => time > until)
        assert.deepEqual(
          Array.from({ length: log.count }, (_, index) => timeAt(log, index)),
          plain,
        )
      }
    }),
  )
})

test('the ring grows with what it holds and gives its memory back', () => {
  const log = emptyLog()
  addAdmission(log, 1)
  assert.equal(log.times.length, 1)
  for (let time = 2; time <= 120; time += 1) addAdmission(log, time)
  assert.equal(log.times.length, 128)
  // A steady flow through a full ring does not grow it.
  for (let time = 121; time <= 5_000; time += 1) {
    forgetUntil(log, time - 120)
    addAdmission(log, time)
  }
  assert.deepEqual([log.times.length, log.count], [128, 120])
  forgetUntil(log, 5_000)
  assert.deepEqual([log.times.length, log.count], [0, 0])
})
