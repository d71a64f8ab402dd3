import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertTakesLess } from '../../../../../testkit/processor.ts'
import { readRobots } from './read-robots.ts'

const may = (robots: string, path: string, agent = 'tetherpreview'): boolean =>
  readRobots(robots, agent).allows(`https://shop.com${path}`)

test('the longest rule decides, and on a tie the one that allows', () => {
  const robots = 'User-agent: *\nDisallow: /\nAllow: /shop\nDisallow: /shop/private\nAllow: /same\nDisallow: /same\n'
  assert.equal(may(robots, '/'), false)
  assert.equal(may(robots, '/shop/mug'), true)
  assert.equal(may(robots, '/shop/private/1'), false)
  assert.equal(may(robots, '/same'), true)
})

test('a group that names us stands alone, and several of them are one', () => {
  const robots =
    'User-agent: *\nDisallow: /\n\nUser-agent: other\nUser-agent: TetherPreview/2\nDisallow: /a\n\nUSER-AGENT: tetherpreview\nDISALLOW: /b\n'
  assert.deepEqual(
    ['/', '/a', '/b', '/c'].map((path) => may(robots, path)),
    [true, false, false, true],
  )
  assert.equal(may(robots, '/c', 'somebody'), false)
  assert.equal(may('User-agent: tetherpreviewer\nDisallow: /\n', '/'), true)
  assert.equal(may('User-agent: tetherpreview\nDisallow:\nUser-agent: *\nDisallow: /\n', '/'), true)
})

test('only a rule ends a list of agents', () => {
  const robots =
    'User-agent: tetherpreview\nCrawl-delay: 5\nSitemap: https://shop.com/s.xml\nUser-agent: x\nDisallow: /a\n'
  assert.equal(may(robots, '/a'), false)
  assert.deepEqual(readRobots(robots, 'tetherpreview').sitemaps, ['https://shop.com/s.xml'])
})

test('stars, ends, queries, bare question marks and octets are compared as they are meant', () => {
  const robots =
    'User-agent: *\nDisallow: /*.pdf$\nDisallow: /search?\nDisallow: /a*b*c\nDisallow: /%e1%83%90\nDisallow: /ბ\n'
  assert.deepEqual(
    [
      '/x.pdf',
      '/x.pdf?a',
      '/search',
      '/search?',
      '/search?q=1',
      '/a1b2c3',
      '/acb',
      '/ა',
      '/%E1%83%90',
      '/%e1%83%91',
    ].map((path) => may(robots, path)),
    [false, true, true, false, false, false, true, false, false, false],
  )
})

test('neither a byte order mark, nor other line ends, nor comments, nor a web page in its place change anything', () => {
  assert.equal(may('\ufeffUser-agent: *\r# one\rDisallow: /a # two\r', '/a'), false)
  assert.equal(may('<!doctype html><title>404</title><p>User-agents are welcome: *', '/a'), true)
})

test('a file that would be expensive to obey refuses, and thirty stars cost nothing', () => {
  assertTakesLess(2_000, () => {
    const greedy = `User-agent: *\nDisallow: /${'*a'.repeat(30)}\n`
    assert.equal(may(greedy, `/${'a'.repeat(29)}b`), true)
    const rules = readRobots(`User-agent: *\n${'Disallow: /*a*b*c*d\n'.repeat(25_000)}`, 'tetherpreview')
    assert.equal(rules.allows('https://shop.com/'), false)
  })
})
