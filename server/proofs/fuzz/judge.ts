// Holds an answer against what the service promises of every answer, whatever was asked.
import { ERRORS } from '@tether/contract'
import type { Operation, Reference } from '../rig/reference.ts'
import type { Outcome, WireAnswer } from '../rig/wire.ts'
import type { Shot } from './shot.ts'

export type Finding = { readonly rule: string; readonly detail: string }

type Declares = Pick<Reference, 'answerFault' | 'declares' | 'at'>

export type JudgeOptions = {
  readonly reference: Declares
  /** Paths of this machine: an answer that names one has told something about the inside. */
  readonly insides: readonly string[]
}

export type Judge = (shot: Shot, outcome: Outcome) => Finding[]

export function openJudge({ reference, insides }: JudgeOptions): Judge {
  return (shot, outcome) => {
    if (shot.sending.manner === 'vanish') return []
    if (outcome.end === 'late') return [{ rule: 'hang', detail: `no end after ${Math.round(outcome.ms)} ms` }]
    if (shot.isHttp && outcome.answers.length === 0) return [{ rule: 'no answer', detail: 'the connection closed' }]
    return outcome.answers.flatMap((answer, place) => {
      // Of several answers the later ones are to what followed the request. A bent address may lead nowhere.
      const operation = place === 0 ? reference.at(shot.method, shot.address) : undefined
      return [
        ...idFault(answer),
        ...leaks(answer, insides),
        ...failureFault(answer, operation),
        ...(shot.sending.head ? [] : bodyFaults(answer, operation, reference)),
        ...(operation === undefined ? [] : openedFaults(answer, operation, shot)),
      ]
    })
  }
}

function idFault({ headers, status }: WireAnswer): Finding[] {
  const isGiven = /^req_[0-9a-z]+$/.test(headers.get('x-request-id')?.[0] ?? '')
  return isGiven ? [] : [{ rule: 'no request id', detail: `${status}` }]
}

function leaks({ headers, body }: WireAnswer, insides: readonly string[]): Finding[] {
  const lines = [...headers].map(([name, values]) => `${name}: ${values.join(', ')}`)
  const all = [...lines, body.toString('latin1')].join('\n')
  const found = LEAKS.flatMap(([name, pattern]) => {
    const text = pattern.exec(all)?.[0]
    return text === undefined ? [] : [`${name}: ${text.slice(0, 200)}`]
  })
  const named = insides.filter((inside) => all.includes(inside)).map((inside) => `a path: ${inside}`)
  return [...found, ...named].map((detail) => ({ rule: 'leak', detail }))
}

// Each is bounded: an answer may be a megabyte of anything.
const LEAKS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['a stack frame', /(?:^|\n|\\n)\s{1,20}at .{1,200}[:(]\d+:\d+/],
  ['a source file', /\.[cm]?[jt]s:\d+|file:\/\/|node:internal|node_modules/],
  ['SQL', /\b(?:select\s.{1,200}\sfrom|insert into|delete from|update \w{1,60} set)\s/i],
  [
    'a database error',
    /violates |relation "|column "|syntax error at|invalid input syntax|out of range for type|numeric field overflow|duplicate key|invalid byte sequence|current transaction|prepared statement/i,
  ],
  ['the engine', /pglite|pg_catalog|sqlstate|\bwasm\b|webassembly/i],
  ['the system', /\bE(?:CONN\w+|NOENT|ACCES|PIPE|MFILE)\b|errno/],
]

/**
 * An error is `{error: {code, message}}` with a code of the table whose status is this one. A route that answers in
 * another shape, or with a success, is held to what it declares.
 */
function bodyFaults(answer: WireAnswer, operation: Operation | undefined, reference: Declares): Finding[] {
  const { status, body, headers } = answer
  const parsed = parse(body)
  const wrong = operation && reference.answerFault(operation, status, parsed)
  if (wrong !== undefined)
    return [{ rule: 'not as declared', detail: `${status} ${wrong}: ${body.toString().slice(0, 200)}` }]
  if (status < 400) return []
  const fault = (detail: string): Finding[] => [{ rule: 'error body', detail: `${status} ${detail}` }]
  const type = headers.get('content-type')?.[0]
  if (type?.startsWith('application/json') !== true) return fault(`is ${type ?? 'without a type'}`)
  const { error } = (parsed ?? {}) as { error?: unknown }
  if (typeof error === 'object' && error !== null) return errorFaults(status, error, fault)
  return operation !== undefined && reference.declares(operation, status)
    ? []
    : fault(`has no error: ${body.toString().slice(0, 200)}`)
}

function errorFaults(status: number, error: object, fault: (detail: string) => Finding[]): Finding[] {
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (typeof code !== 'string' || !Object.hasOwn(ERRORS, code))
    return fault(`has the code ${code}, which is in no table`)
  if (Object.entries(ERRORS).every(([name, its]) => name !== code || its !== status)) {
    return fault(`has the code ${code}, which is another status`)
  }
  return typeof message === 'string' && message !== '' ? [] : fault(`has no message with ${code}`)
}

/** Who may not reach a route must not have reached it. */
function openedFaults({ status }: WireAnswer, operation: Operation, { credential }: Shot): Finding[] {
  const { state, kind } = credential
  if (status >= 300 || operation.reach.includes('anyone') || state === 'mixed') return []
  const isRight = state === 'live' && operation.reach.some((reaching) => reaching.split(' ', 1)[0] === kind)
  return isRight ? [] : [{ rule: 'opened', detail: `${status} with a ${kind} key that is ${state}` }]
}

/** Our own failure is never an answer to somebody else's request. A 503 that a route declares may be one. */
function failureFault({ status, body }: WireAnswer, operation: Operation | undefined): Finding[] {
  if (status < 500) return []
  const { code } = ((parse(body) as { error?: { code?: string } } | undefined)?.error ?? {}) as { code?: string }
  const isDeclared = operation?.codes.get(status)?.includes(code ?? '') === true
  if (status === 503 && code !== 'database_unavailable' && isDeclared) return []
  return [{ rule: 'failure', detail: `${status} ${code ?? body.toString().slice(0, 200)}` }]
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
