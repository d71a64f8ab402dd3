import type { Schemas } from '../../../sdk/src/index.ts'
import { type Command, EXIT, oneWord } from '../command.ts'
import { oneLine, type Screen, wrap } from '../screen.ts'

type SiteCheck = Schemas['SiteCheck']
type Line = readonly [holds: boolean, words: string]

export const check: Command = {
  takes: '<site>',
  does: 'Looks at a page as a visitor’s browser would: is the widget there, and may it work.',
  async run(given) {
    const { screen, service } = given
    const site = oneWord(given, 'the address of a page')
    const url = /^[a-z]+:\/\//i.test(site) ? site : `https://${site}`
    const found = await service().request('POST /v1/embed/check', { body: { url } })
    const lines = linesOf(found)
    if (screen.isJson) screen.json(found)
    else for (const [holds, words] of lines) showLine(screen, holds, words)
    const wrong = lines.filter(([holds]) => !holds).length
    if (wrong === 0) screen.good(`The widget works on ${oneLine(found.finalUrl ?? url)}.`)
    else screen.bad(`The widget does not work on ${oneLine(url)} yet.`)
    return wrong === 0 ? EXIT.ok : EXIT.no
  },
}

function showLine({ paint, isTerminal, width, data }: Screen, holds: boolean, words: string): void {
  const point = paint(holds ? 'green' : 'red', holds ? 'ok' : 'no')
  data(isTerminal ? wrap(`${point}  ${oneLine(words)}`, width, 4) : `${point}\t${oneLine(words)}`)
}

function linesOf({ reachable, status, error, snippet, secretKeyOnPage, csp, origins }: SiteCheck): Line[] {
  if (!reachable) return [[false, `The page cannot be read${error == null ? '.' : `: ${error}`}`]]
  return [
    [true, `The page answers${status === undefined ? '' : ` ${status}`}.`],
    [
      snippet.element,
      snippet.element ? 'It has the element.' : 'It has no <service-assistant>. POST /v1/embed gives the lines.',
    ],
    [snippet.script, snippet.script ? 'It loads the script.' : 'It does not load the widget’s script.'],
    [snippet.key === 'this_workspace', KEYS[snippet.key]],
    [
      !secretKeyOnPage,
      secretKeyOnPage ? 'There is a SECRET key on it. Revoke it now.' : 'There is no secret key on it.',
    ],
    ...(csp === null ? [] : cspLines(csp)),
    ...origins.filter(({ serves }) => serves).map(originLine),
  ]
}

const KEYS = {
  this_workspace: 'Its key is one of this workspace.',
  other: 'Its key is of another workspace, or no longer live.',
  missing: 'It has no publishable key.',
} as const

const cspLines = ({ scriptAllowed, connectAllowed }: NonNullable<SiteCheck['csp']>): Line[] => [
  [scriptAllowed, `Its policy ${scriptAllowed ? 'lets' : 'does not let'} the script load (script-src).`],
  [connectAllowed, `Its policy ${connectAllowed ? 'lets' : 'does not let'} it connect (connect-src).`],
]

const originLine = ({ origin, registered, held }: SiteCheck['origins'][number]): Line => [
  registered && !held,
  held ? `${origin} waits until your address is confirmed.` : `${origin} is ${registered ? '' : 'not '}registered.`,
]
