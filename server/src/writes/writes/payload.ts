import { createHash } from 'node:crypto'
import type { Language } from '@tether/contract'
import {
  canonicalText,
  cut,
  isObject,
  type Json,
  type JsonObject,
  member,
  present,
  stringifyJson,
} from '../../kernel/json/index.ts'
import { onOneLine } from '../../kernel/text/index.ts'
import type { Tool } from '../../tools/catalog/index.ts'
import { labelsOf, titleIn } from '../../tools/labels/index.ts'

type Payload = {
  readonly tool: Tool
  readonly arguments: JsonObject
  readonly scopeId: number | null
  readonly subject: string | null
  readonly destination: Destination
}

/** Where a write goes. `base` is the configured address that `address` starts with. */
export type Destination = {
  readonly base: string | null
  readonly method: string
  readonly address: string | null
}

/** The formula of `payloadHash`. An action stores the version that its hash was made with. */
export const HASH_VERSION = 2

/** SHA-256 over what would run and where it would go, in one canonical form. An approval is of these bytes and of nothing else. */
export function payloadHash(payload: Payload): string {
  const { method, address } = payload.destination
  return hashed({ ...withoutDestination(payload), destination: { address, method }, version: HASH_VERSION })
}

/** Version 1. It did not cover where the write goes. */
export const payloadHashV1 = (payload: Omit<Payload, 'destination'>): string => hashed(withoutDestination(payload))

function withoutDestination({ tool, arguments: given, scopeId, subject }: Omit<Payload, 'destination'>): JsonObject {
  const request = requestBy(tool)
  const asked = request === null ? {} : { request }
  return { arguments: given, scope_id: scopeId, subject, tool: tool.name, ...asked }
}

const hashed = (payload: JsonObject): string => createHash('sha256').update(canonicalText(payload)).digest('hex')

/**
 * How an imported API or another MCP server is asked, because there the catalog says what a name stands for, and may say something
 * else tomorrow. Null for the tool endpoint of the business, which is sent the name.
 */
function requestBy({ upstream, raw }: Tool): Json {
  if (upstream) return member(raw, 'mcp') ?? {}
  const http = member(raw, 'http')
  if (!isObject(http)) return null
  // What a status means is for afterwards.
  return Object.fromEntries(Object.entries(present(http)).filter(([name]) => name !== 'outcomes'))
}

/** What people call a tool: as it was declared, else `refund_order` as a person reads it. */
export const titleOf = (tool: Tool, language: Language = 'en'): string => titleIn(tool, language) ?? wordsOf(tool.name)

const wordsOf = (name: string): string => {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const LONGEST_NAME = 64
const LONGEST_VALUE = 120
const LONGEST_SUMMARY = 1000

/** What would happen, in one line: what the approver sees first, before the arguments themselves. */
export function summaryOf(
  tool: Tool,
  given: JsonObject,
  language: Language = 'en',
  title = titleOf(tool, language),
): string {
  const labels = labelsOf(tool, Object.keys(given), language)
  const parts = Object.entries(given).map(([name, value]) => `${labels.get(name) ?? shownName(name)}: ${short(value)}`)
  const text = parts.length === 0 ? title : `${title} (${parts.join(', ')})`
  return cut(text, LONGEST_SUMMARY)
}

/** What is written down of a write: its words, its worth, its destination, and the hash of exactly what would run. */
export type WrittenDown = {
  domain: string
  title: string
  summary: string
  argumentsText: string
  payloadHash: string
  hashVersion: number
  stagedFor: string | null
  value: string | null
}

export function writtenDown(
  tool: Tool,
  given: JsonObject,
  { scopeId, subject, destination }: Pick<Payload, 'scopeId' | 'subject' | 'destination'>,
): WrittenDown {
  return {
    domain: tool.domain,
    title: titleOf(tool),
    summary: summaryOf(tool, given),
    argumentsText: stringifyJson(given),
    payloadHash: payloadHash({ tool, arguments: given, scopeId, subject, destination }),
    hashVersion: HASH_VERSION,
    stagedFor: destination.base,
    value: storedValue(worthOf(tool, given)),
  }
}

// They reverse the text after them, so that a person who confirms would read another amount, name or address.
const REVERSES_TEXT = /[\u202a-\u202e\u2066-\u2069]/

/** True if a model must not propose these arguments: a person who decides could not trust their own eyes. */
export const reversesText = (given: JsonObject): boolean => REVERSES_TEXT.test(stringifyJson(given))

const oneLineOf = (text: string): string => onOneLine(text).replace(/\s+/g, ' ')

const PLAIN_NAME = /^[\p{L}\p{M}\p{N}_.$ -]+$/u

/** A tool may take arguments of any name, so a name must not read like several arguments. */
export function shownName(name: string): string {
  const text = oneLineOf(name)
  return cut(PLAIN_NAME.test(text) ? text : JSON.stringify(text), LONGEST_NAME)
}

function short(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return cut(oneLineOf(text), LONGEST_VALUE)
}

/** What a write is worth, where its tool names the argument that holds the value. */
type Worth =
  | { readonly kind: 'none' }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'number'; readonly text: string; readonly amount: number }

export function worthOf(tool: Tool, given: JsonObject): Worth {
  if (tool.valueFrom === null) return { kind: 'none' }
  const value = member(given, tool.valueFrom)
  const text = value === undefined ? '' : JSON.stringify(value)
  const amount = Number(text)
  if (!/^-?\d/.test(text) || !Number.isFinite(amount)) return { kind: 'unreadable' }
  return { kind: 'number', text, amount }
}

const SMALLEST = 1e-300

/** As it was written, unless it is so close to zero that no column holds its digits. */
const storedValue = (worth: Worth): string | null =>
  worth.kind !== 'number' ? null : Math.abs(worth.amount) < SMALLEST ? '0' : worth.text
