// Holds an answer against what the service promises of every answer, whatever was asked.
import { ERRORS } from '@tether/contract'
import type { Operation, Reference } from '../rig/reference.ts'
import type { Outcome, WireAnswer } from '../rig/wire.ts'
import type { Shot } from './shot.ts'

export type Finding = { readonly rule: string; readonly detail: string }

export type JudgeOptions = {
  readonly reference: Pick<Reference, 'answerFault'>
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
      // Of several answers the later ones are to what followed the request, and only the general rules hold for them.
      const isToShot = place === 0 && shot.isHttp
      return [
        ...generalFaults(answer, shot, insides),
        ...(isToShot ? shotFaults(answer, shot, reference) : statusFault(answer, undefined)),
      ]
    })
  }
}

function generalFaults(answer: WireAnswer, shot: Shot, insides: readonly string[]): Finding[] {
  const findings: Finding[] = []
  if (!/^req_[0-9a-z]+$/.test(answer.headers.get('x-request-id')?.[0] ?? '')) {
    findings.push({ rule: 'no request id', detail: `${answer.status}` })
  }
  const text = answer.body.toString('latin1')
  if (answer.status >= 400 && !shot.sending.head) findings.push(...errorShape(answer, shot.operation))
  const all = [...answer.headers].map(([name, values]) => `${name}: ${values.join(', ')}`).join('\n') + text
  for (const [name, pattern] of LEAKS) {
    const found = pattern.exec(all)?.[0]
    if (found !== undefined) findings.push({ rule: 'leak', detail: `${name}: ${found.slice(0, 200)}` })
  }
  for (const inside of insides) if (all.includes(inside)) findings.push({ rule: 'leak', detail: `a path: ${inside}` })
  return findings
}

const LEAKS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['a stack frame', /(?:^|\n|\\n)\s+at .{1,200}[:(]\d+:\d+/],
  ['a source file', /[\w/-]+\.(?:[cm]?[jt]s):\d+|file:\/\/|node:internal|node_modules/],
  ['SQL', /\b(?:select\s.{1,200}\sfrom|insert into|delete from|update \w+ set)\s/i],
  [
    'a database error',
    /violates |relation "|column "|syntax error at|invalid input syntax|out of range for type|numeric field overflow|duplicate key|invalid byte sequence|current transaction|prepared statement/i,
  ],
  ['the engine', /pglite|pg_catalog|sqlstate|wasm/i],
  ['the system', /\bE(?:CONN\w+|NOENT|ACCES|PIPE|MFILE)\b|errno/],
]

/** `{error: {code, message}}` with a code of the table, whose status is this one; or what the operation declares instead. */
function errorShape({ status, body, headers }: WireAnswer, operation: Operation): Finding[] {
  const fault = (detail: string): Finding[] => [{ rule: 'error body', detail: `${status} ${detail}` }]
  if (headers.get('content-type')?.[0]?.startsWith('application/json') !== true) {
    return fault(`is ${headers.get('content-type')?.[0] ?? 'without a type'}`)
  }
  const parsed = parse(body)
  // Some routes answer with a shape of their own; `answerFault` holds it against its declaration.
  if (operation.codes.get(status)?.length === 0) return []
  const { error } = (parsed ?? {}) as { error?: { code?: unknown; message?: unknown } }
  const code = String(error?.code)
  if (typeof error !== 'object' || error === null) return fault(`has no error: ${body.toString().slice(0, 200)}`)
  if (!(code in ERRORS)) return fault(`has the code ${code}, which is in no table`)
  if (ERRORS[code as keyof typeof ERRORS] !== status) return fault(`has the code ${code}, which is another status`)
  return typeof error.message === 'string' && error.message !== '' ? [] : fault(`has no message with ${code}`)
}

function shotFaults(answer: WireAnswer, shot: Shot, reference: Pick<Reference, 'answerFault'>): Finding[] {
  const { operation, method, credential } = shot
  const isTheOperation = method === operation.method && shot.isStraight
  const findings = statusFault(answer, isTheOperation ? operation : undefined)
  const isOpen = operation.reach.includes('anyone')
  if (answer.status < 300 && method === operation.method && !isOpen && sentInPlace(shot)) {
    if (credential.state === 'spoilt' || credential.state === 'none') {
      findings.push({ rule: 'opened', detail: `${answer.status} with a key that is ${credential.state}` })
    }
    if (credential.state === 'live' && !operation.reach.some((kind) => kind.split(' ')[0] === credential.kind)) {
      findings.push({ rule: 'opened', detail: `${answer.status} with a ${credential.kind} key` })
    }
  }
  if (isTheOperation && answer.status < 500) {
    const wrong = reference.answerFault(operation, answer.status, parse(answer.body))
    if (wrong !== undefined) findings.push({ rule: 'not as declared', detail: `${answer.status} ${wrong}` })
  }
  return findings
}

/** A bent address may lead to an open route, which then rightly answers. */
const sentInPlace = ({ operation, address }: Shot): boolean =>
  new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/?#]+')}(?:\\?|$)`).test(address)

/** Our own failure is never an answer to somebody else's request. A 503 that a route declares may be one. */
function statusFault({ status, body }: WireAnswer, operation: Operation | undefined): Finding[] {
  if (status < 500) return []
  const { code } = ((parse(body) as { error?: { code?: string } } | undefined)?.error ?? {}) as { code?: string }
  const isDeclared = operation?.codes.get(status)?.includes(code ?? '') === true
  if (status === 503 && code !== undefined && code !== 'database_unavailable' && isDeclared) return []
  return [{ rule: 'failure', detail: `${status} ${code ?? body.toString().slice(0, 200)}` }]
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
