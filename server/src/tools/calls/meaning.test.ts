// What a report of the transport port means for a read and for a write, whichever way the call travelled. Pure.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { HttpBinding } from '../catalog/index.ts'
import { attemptOf } from './attempt.ts'
import type { Attempted, CalledWith, NoAnswerCause, SendResult } from './transport.ts'
import { writeResultOf } from './write-result.ts'

type Sent = Attempted
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
const ENDPOINT = { http: null }
const writeOf = (sent: SendResult) => {
  const result = writeResultOf(sent, ENDPOINT)
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
  const notText: Sent = { kind: 'answered', status: 200, headers: {}, body: Buffer.from([0x22, 0xff, 0x22]) }
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
  const result = writeResultOf(unanswered(kind, 'timed_out'), ENDPOINT)
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

// An imported API.

const http: HttpBinding = {
  method: 'POST',
  path: '/orders',
  query: [],
  headers: [],
  body: 'json',
  arguments: {},
  outcomes: {},
}
const fromApi = (
  status: number,
  body = '{}',
  calledWith: CalledWith = 'stored',
): Extract<Sent, { kind: 'answered' }> => ({
  kind: 'answered',
  status,
  headers: {},
  body: Buffer.from(body),
  api: { calledWith },
})
const apiWriteOf = (sent: SendResult, outcomes: HttpBinding['outcomes'] = {}) => {
  const result = writeResultOf(sent, { http: { ...http, outcomes } })
  return [result.kind, result.status, result.httpStatus]
}

const API_WRITES: readonly [from: number, to: number, kind: string, status: string][] = [
  [100, 199, 'indeterminate', 'server_error'],
  [200, 299, 'executed', 'ok'],
  [300, 399, 'indeterminate', 'server_error'],
  [400, 407, 'refused', 'refused'],
  [408, 408, 'retryable', 'endpoint_error'],
  [409, 428, 'refused', 'refused'],
  [429, 429, 'retryable', 'endpoint_error'],
  [430, 499, 'refused', 'refused'],
  [500, 599, 'indeterminate', 'server_error'],
]

test('each status that an imported API answers to a write means one thing', () => {
  let covered = 0
  for (const [from, to, kind, status] of API_WRITES)
    for (let code = from; code <= to; code++, covered++)
      assert.deepEqual(apiWriteOf(fromApi(code)), [kind, status, code], String(code))
  assert.equal(covered, 500)
})

test('what a tenant declares of a status goes first, and no declaration makes a 5xx a refusal', () => {
  assert.deepEqual(apiWriteOf(fromApi(409), { 409: 'indeterminate' }), ['indeterminate', 'indeterminate', 409])
  assert.deepEqual(apiWriteOf(fromApi(429), { 429: 'refused' }), ['refused', 'refused', 429])
  assert.deepEqual(apiWriteOf(fromApi(408), { 408: 'indeterminate' }), ['indeterminate', 'indeterminate', 408])
  assert.deepEqual(apiWriteOf(fromApi(503), { 503: 'indeterminate' }), ['indeterminate', 'indeterminate', 503])
  assert.deepEqual(apiWriteOf(fromApi(503), { 503: 'refused' }), ['indeterminate', 'server_error', 503])
  assert.deepEqual(apiWriteOf(fromApi(422), { 409: 'indeterminate' }), ['refused', 'refused', 422])
})

test('a success of an imported API stands, in JSON, in text, or in neither', () => {
  for (const [body, kept] of [
    ['', ''],
    ['{"a":1.50}', '{"a":1.50}'],
    ['created', '"created"'],
    ['{"a":', '"{\\"a\\":"'],
  ] as const) {
    const result = writeResultOf(fromApi(201, body), { http })
    assert.equal(result.kind === 'executed' ? result.body.toString() : result.kind, kept)
  }
  const bytes = { ...fromApi(200), body: Buffer.from([0xff, 0x00]) }
  const result = writeResultOf(bytes, { http })
  assert.equal(result.kind === 'executed' ? result.body.length : result.kind, 0)
})

test('an API that says that the first request under this key still runs has refused nothing', () => {
  assert.deepEqual(apiWriteOf(fromApi(409, '{"status":"in_flight"}')), ['indeterminate', 'in_flight', 409])
  assert.deepEqual(apiWriteOf(fromApi(409, '{"status":"in_flight"}'), { 409: 'refused' }), ['refused', 'refused', 409])
})

test('a write that could not be sent to an imported API says whether it may be tried again', () => {
  const token: SendResult = { kind: 'not_ready', status: 'user_token_required', message: 'No token.' }
  assert.deepEqual(writeOf(token), ['failed', 'user_token_required', 'user_token_required', null])
  assert.deepEqual(writeOf({ kind: 'unfit', message: 'No.' }), ['failed', 'failed', 'VALIDATION_ERROR', null])
})

test('after a 401 or a 403 the message says whose credential was sent, and after nothing else', () => {
  const saying: Record<CalledWith, RegExp> = {
    person: /signed-in person's token/,
    stored: /the stored credential/,
    none: /without a credential/,
  }
  for (const [calledWith, says] of Object.entries(saying) as [CalledWith, RegExp][]) {
    for (const status of [401, 403]) {
      const answer = fromApi(status, '{"message":"No entry."}', calledWith)
      const [read, write] = [attemptOf(answer, 0), writeResultOf(answer, { http })]
      for (const result of [read, write]) {
        const message = 'message' in result ? result.message : assert.fail('it went well')
        assert.match(message, says)
        assert.match(message, new RegExp(`The API answered ${status}: No entry\\.`))
      }
    }
    const other = attemptOf(fromApi(404, '{}', calledWith), 0)
    assert.ok(!other.ok && !says.test(other.message))
  }
})

test('a read of an imported API: what is final, what is tried again, and what is not there', () => {
  for (const status of [408, 429, 502, 503, 504]) assert.deepEqual(readOf(fromApi(status)), ['endpoint_error', true])
  for (const status of [301, 400, 401, 403, 404, 409, 500])
    assert.deepEqual(readOf(fromApi(status)), ['endpoint_error', false])
  const absent = attemptOf(fromApi(404, '{"error":{"code":"no_order","message":"No such order."}}'), 0)
  assert.deepEqual(absent.notFound, { words: 'No such order.' })
  assert.equal(attemptOf(fromApi(404, '<html>404</html>'), 0).notFound, undefined)
  assert.deepEqual(attemptOf(fromApi(404, ''), 0).notFound, { words: '' })
})

test('a read of an imported API may answer in text', () => {
  const read = attemptOf(fromApi(200, 'id,name\n1,"a"'), 0)
  assert.equal(read.ok ? read.value : read.message, 'id,name\n1,"a"')
  assert.equal(read.ok ? JSON.parse(read.body.toString()) : null, 'id,name\n1,"a"')
  assert.match(
    JSON.stringify(attemptOf({ ...fromApi(200), body: Buffer.from([0x89, 0xff]) }, 0)),
    /neither JSON nor text/,
  )
  // A status in an API's own record means what that API means by it.
  assert.equal(attemptOf(fromApi(200, '{"status":"not_found"}'), 0).notFound, undefined)
})
