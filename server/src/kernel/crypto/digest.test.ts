import assert from 'node:assert/strict'
import { test } from 'node:test'
import { equalBytes, hmacSha256, sha256Hex } from './digest.ts'
import { readCorpus, readSample } from './fixtures/corpus.ts'

type Rfc = { keyHex: string; dataHex: string; macHex: string }
type Wycheproof = { tcId: number; key: string; msg: string; tag: string; tagSize: number; result: 'valid' | 'invalid' }

const sample = readSample<{ rfc4231: Rfc[]; wycheproof: Wycheproof[] }>('hmac-sha256.json')
const wycheproof = readCorpus<Wycheproof[]>('webhook-signatures/wycheproof-hmac_sha256_test.json') ?? sample.wycheproof

const hex = (text: string): Buffer => Buffer.from(text, 'hex')

test('SHA-256 of a text is that of its UTF-8 bytes', () => {
  assert.equal(sha256Hex('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  assert.equal(sha256Hex('é'), sha256Hex(Buffer.from([0xc3, 0xa9])))
})

test('HMAC-SHA256 agrees with RFC 4231', () => {
  for (const { keyHex, dataHex, macHex } of sample.rfc4231) {
    assert.equal(hmacSha256(hex(keyHex), hex(dataHex)).toString('hex'), macHex)
  }
})

test('HMAC-SHA256 and the comparison agree with Wycheproof', () => {
  assert.ok(wycheproof.length >= 12)
  for (const { tcId, key, msg, tag, tagSize, result } of wycheproof) {
    const mac = hmacSha256(hex(key), hex(msg)).subarray(0, tagSize / 8)
    assert.equal(equalBytes(mac, hex(tag)), result === 'valid', `vector ${tcId}`)
  }
})

test('parts are signed as one text', () => {
  assert.deepEqual(hmacSha256('k', '17.', Buffer.from('{}')), hmacSha256('k', '17.{}'))
})

test('comparison never throws on unequal lengths', () => {
  assert.equal(equalBytes(Buffer.of(1, 2), Buffer.of(1, 2, 0)), false)
  assert.equal(equalBytes(Buffer.of(), Buffer.of()), true)
})
