import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLocal, readOrigin, readOriginList } from './origins.ts'

test('an origin is kept as a browser sends it', () => {
  for (const [written, kept] of [
    ['https://Shop.Example', 'https://shop.example'],
    ['https://shop.example/', 'https://shop.example'],
    ['https://shop.example:443', 'https://shop.example'],
    [' https://shop.example:8443 ', 'https://shop.example:8443'],
    ['https://მაღაზია.გე', 'https://xn--lodaaxko2f.xn--node'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://127.0.0.1', 'http://127.0.0.1'],
    ['http://127.1:80', 'http://127.0.0.1'],
    ['http://[::1]:5173', 'http://[::1]:5173'],
    ['http://shop.localhost', 'http://shop.localhost'],
  ] as const) {
    assert.equal(readOrigin(written), kept, written)
  }
})

test('what is no origin is refused', () => {
  for (const written of [
    '',
    'shop.example',
    'null',
    '*',
    'https://*.shop.example',
    'https://shop.example/path',
    'https://shop.example?x',
    'https://shop.example#x',
    'https://user@shop.example',
    'https://shop.example:99999',
    'https://',
    'http://shop.example',
    'http://192.168.1.5',
    'http://localhost.evil.example',
    'ftp://shop.example',
    'javascript:alert(1)',
    'https://shop example',
    'https:\\\\shop.example',
  ]) {
    assert.throws(() => readOrigin(written), /not an origin/, written)
  }
})

test('a list holds each origin once and at most 2048 characters', () => {
  assert.deepEqual(readOriginList(['https://b.example', 'https://a.example/', 'https://B.example']), [
    'https://b.example',
    'https://a.example',
  ])
  // The commas between them, which no origin has, are not counted.
  const longest = Array.from({ length: 64 }, (_, at) => `https://shop-${at + 10}.for-the-tests.ge`)
  assert.equal(longest.join('').length, 2048)
  assert.equal(readOriginList(longest).length, 64)
  assert.throws(() => readOriginList([...longest, 'https://a.ge']), /2048/)
  const many = Array.from({ length: 120 }, (_, at) => `https://shop-${at}.example`)
  assert.throws(() => readOriginList(many), /2048/)
})

test('a local origin is one that only the workspace’s own people can see', () => {
  for (const origin of [
    'http://localhost:3000',
    'https://127.0.0.1',
    'https://10.1.2.3',
    'https://192.168.1.5:8443',
    'https://169.254.3.4',
    'https://[fe80::1]',
    'https://[fd12::1]',
    'https://intranet',
    'https://shop.test',
    'https://shop.example',
    'https://printer.local',
    'https://x.home.arpa',
  ]) {
    assert.ok(isLocal(origin), origin)
  }
  for (const origin of [
    'https://shop.ge',
    'https://8.8.8.8',
    'https://example.com',
    'https://test.shop.ge',
    'https://lan.ge',
  ]) {
    assert.ok(!isLocal(origin), origin)
  }
})
