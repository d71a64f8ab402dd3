import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { test } from 'node:test'
import { openBox, sealBox } from './box.ts'

const hex = (text: string): Buffer => Buffer.from(text, 'hex')

// The GCM specification of McGrew and Viega, test case 16.
const key = createSecretKey(hex('feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308'))
const nonce = hex('cafebabefacedbaddecaf888')
const bound = hex('feedfacedeadbeeffeedfacedeadbeefabaddad2')
const plaintext = hex(
  'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39',
)
const ciphertext = hex(
  '522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662',
)
const box = Buffer.concat([ciphertext, hex('76fc6ece0f4e1768cddf8853bb2d551b')])

test('it is AES-256-GCM, the tag behind the ciphertext', () => {
  assert.deepEqual(openBox(key, nonce, box, bound), plaintext)
})

test('a shortened tag does not open', () => {
  const whole = box.subarray(ciphertext.length)
  for (const length of [0, 4, 8, 12, 15]) {
    assert.equal(openBox(key, nonce, Buffer.concat([ciphertext, whole.subarray(0, length)]), bound), null)
    assert.equal(openBox(key, nonce, whole.subarray(0, length), bound), null)
  }
})

test('a nonce of another length does not open', () => {
  for (const length of [0, 1, 11]) assert.equal(openBox(key, nonce.subarray(0, length), box, bound), null)
  assert.equal(openBox(key, Buffer.concat([nonce, Buffer.of(0)]), box, bound), null)
})

test('two boxes around the same text have nothing in common', () => {
  const [one, two] = [sealBox(key, plaintext, bound), sealBox(key, plaintext, bound)]
  assert.notDeepEqual(one.nonce, two.nonce)
  assert.notDeepEqual(one.box, two.box)
})
