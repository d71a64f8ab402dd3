// What is right of the published cases of robots.txt, if they lie beside the repository.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readRobots } from './robots/read-robots.ts'

const FOLDER = join(import.meta.dirname, '../../../../../../shared/corpora/robots')
const options = { skip: !existsSync(FOLDER) && 'the shared corpora are not here' }

type Check = { readonly agent: string; readonly url: string; readonly allowed: boolean }
type Case = Check & { readonly robots: string; readonly googleSpecific?: boolean; readonly agreesWithGoogle: boolean }
type File = { readonly site: string; readonly robots: string; readonly checks: readonly Check[] }

const listIn = <Row>(name: string): readonly Row[] => JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'))

test('robots.txt: the cases of four parsers', options, (t) => {
  for (const name of ['google-robots-test-cases', 'protego-cases', 'reppy-cases', 'robots-parser-js-cases']) {
    const binding = listIn<Case>(name).filter((one) => one.googleSpecific !== true && one.agreesWithGoogle)
    const wrong = binding.filter(({ robots, agent, url, allowed }) => readRobots(robots, agent).allows(url) !== allowed)
    t.diagnostic(`${name}: ${wrong.length} wrong of ${binding.length}`)
    assert.deepEqual(wrong, [])
  }
})

test('robots.txt: 414 real files, as Google’s own parser reads them', options, (t) => {
  let all = 0
  for (const { site, robots, checks } of listIn<File>('real-robots-labelled-by-google-parser')) {
    for (const { agent, url, allowed } of checks) {
      all++
      assert.equal(readRobots(robots, agent).allows(url), allowed, `${site} ${agent} ${url}`)
    }
  }
  t.diagnostic(`real files: 0 wrong of ${all}`)
  for (const { robots } of listIn<{ readonly robots: string }>('temoto-fuzz-bodies'))
    readRobots(robots, 'tetherpreview').allows('https://a.com/b')
})
