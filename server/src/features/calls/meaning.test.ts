// What a report of the transport port means for a read and for a write, whichever way the call travelled. Pure.
import assert from 'node:assert/strict'
import test from 'node:test'
import { attemptOf } from './attempt.ts'
import type { NoAnswerCause, SendResult } from './transport.ts'
import { writeResultOf } from './write-result.ts'

type Sent = Exclude<SendResult, { kind: 'not_ready' }>
const answered = (status: number, body = '{}', headers: Record<string, string> = {}): Sent => ({
  kind: 'answered',
  status,
  headers,
  body: Buffer.from(body),
})
const unanswered = (kind: 'not_sent' | 'lost', cause: NoAnswerCause, status: number | null = null): Sent => ({
  kind,
  cause,
  status,
  message: 'It broke.',
})
const writeOf = (sent: SendResult) => {
  const result = writeResultOf(sent)
  return [result.kind, result.status, result.kind === 'failed' ? result.code : null, result.httpStatus]
}
const readOf = (sent: Sent) => {
  const attempt = attemptOf(sent, 0)
  return attempt.ok ? ['ok', false] : [attempt.status, attempt.again]
}

/** Every status that HTTP has room for, by what a write's answer with it means. */
const WRITES: readonly [from: number, to: number, kind: string, status: string, code: string | null][] = [
  [100, 199, 'indeterminate', 'server_error', null],
  [200, 299, 'executed', 'ok', null],
  [300, 399, 'indeterminate', 'server_error', null],
  [400, 400, 'failed', 'endpoint_error', 'VALIDATION_ERROR'],
  [401, 401, 'failed', 'endpoint_error', 'FORBIDDEN'],
  [402, 402, 'failed', 'endpoint_error', 'EXECUTION_FAILED'],
  [403, 403, 'failed', 'endpoint_error', 'FORBIDDEN'],
  [404, 404, 'failed', 'endpoint_error', 'RESOURCE_NOT_FOUND'],
  [405, 407, 'failed', 'endpoint_error', 'EXECUTION_FAILED'],
  [408, 408, 'retryable', 'endpoint_error', null],
  [409, 409, 'failed', 'endpoint_error', 'CONFLICT'],
  [410, 421, 'failed', 'endpoint_error', 'EXECUTION_FAILED'],
  [422, 422, 'failed', 'endpoint_error', 'VALIDATION_ERROR'],
  [423, 428, 'failed', 'endpoint_error', 'EXECUTION_FAILED'],
  [429, 429, 'retryable', 'endpoint_error', null],
  [430, 499, 'failed', 'endpoint_error', 'EXECUTION_FAILED'],
  [500, 599, 'indeterminate', 'server_error', null],
]

test('each status answered to a write means one thing', () => {
  const covered = new Set<number>()
  for (const [from, to, kind, status, code] of WRITES) {
    for (let http = from; http <= to; http++) {
      covered.add(http)
      assert.deepEqual(writeOf(answered(http)), [kind, status, code, http], String(http))
    }
  }
  assert.equal(covered.size, 500)
})

test('a 2xx counts as executed with any JSON or none, and is not known with anything else', () => {
  for (const body of ['', '{}', 'null', '"x"', `${'['.repeat(5000)}${']'.repeat(5000)}`, '1e999', '"\\u0000"'])
    assert.equal(writeOf(answered(200, body))[0], 'executed', body.slice(0, 20))
  for (const body of ['<ok>', '{"a":', 'ok', '{} {}', ' '])
    assert.deepEqual(writeOf(answered(200, body)), ['indeterminate', 'indeterminate', null, 200], body)
  const notText: SendResult = { kind: 'answered', status: 200, headers: {}, body: Buffer.from([0x22, 0xff, 0x22]) }
  assert.equal(writeOf(notText)[0], 'indeterminate')
})

test('a 409 that says in_flight is not known to a write and final to a read; any other 409 is a refusal', () => {
  const held = answered(409, '{"status":"in_flight"}')
  assert.deepEqual(writeOf(held), ['indeterminate', 'in_flight', null, 409])
  assert.deepEqual(readOf(held), ['in_flight', false])
  for (const body of ['{"status":"sold_out"}', '{"error":{"status":"in_flight"}}', '"in_flight"', 'in_flight', ''])
    assert.equal(writeOf(answered(409, body))[0], 'failed', body)
})

const CAUSES: readonly [cause: NoAnswerCause, write: string, read: string, again: boolean][] = [
  ['address_refused', 'invalid_endpoint', 'invalid_endpoint', false],
  ['unreachable', 'unreachable', 'unreachable', true],
  ['timed_out', 'timeout', 'timeout', true],
  ['canceled', 'indeterminate', 'failed', false],
  ['too_large', 'response_too_large', 'response_too_large', false],
  ['unreadable', 'indeterminate', 'endpoint_error', false],
]

test('without an answer a write that was not sent may be confirmed again, and one that was sent is not known', () => {
  for (const [cause, status] of CAUSES) {
    assert.deepEqual(writeOf(unanswered('not_sent', cause)), ['retryable', status, null, null], cause)
    assert.deepEqual(writeOf(unanswered('lost', cause)), ['indeterminate', status, null, null], cause)
  }
  assert.deepEqual(writeOf(unanswered('lost', 'too_large', 200)), ['indeterminate', 'response_too_large', null, 200])
  for (const status of ['not_configured', 'failed'] as const)
    assert.deepEqual(writeOf({ kind: 'not_ready', status, message: 'No.' }), ['retryable', status, null, null])
  assert.match(writeResult('not_sent'), /^It broke\. Nothing was sent\.$/)
  assert.match(writeResult('lost'), /^It broke\. The write may have been performed\.$/)
})

const writeResult = (kind: 'not_sent' | 'lost'): string => {
  const result = writeResultOf(unanswered(kind, 'timed_out'))
  return result.kind === 'executed' ? '' : result.message
}

test('without an answer a read may be tried again after what passes, whether it was sent or not', () => {
  for (const [cause, , status, again] of CAUSES) {
    assert.deepEqual(readOf(unanswered('not_sent', cause)), [status, again], cause)
    assert.deepEqual(readOf(unanswered('lost', cause)), [status, again], cause)
  }
})

test('a read waits for as long as Retry-After asks, in seconds or until a date', () => {
  const waitOf = (header: string) => {
    const attempt = attemptOf(answered(429, '', { 'retry-after': header }), Date.UTC(2026, 10, 21))
    return attempt.ok ? null : attempt.waitMs
  }
  assert.equal(waitOf('3'), 3000)
  assert.equal(waitOf(' 0 '), 0)
  assert.equal(waitOf('Sat, 21 Nov 2026 00:00:07 GMT'), 7000)
  assert.equal(waitOf('Sat, 21 Nov 2020 00:00:07 GMT'), 0)
  for (const nothing of ['soon', '-1', '1.5', 'Dec 1', '', '9'.repeat(12)]) assert.equal(waitOf(nothing), null, nothing)
})
