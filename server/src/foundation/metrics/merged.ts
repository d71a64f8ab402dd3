/** Of the process: the same in every text. */
const OF_PROCESS = /^(process|nodejs)_/
/** Of requests, which one place counts for all. */
const OF_REQUESTS = /^tether_(http_request_seconds|started_seconds)/

type Family = { readonly words: string[]; readonly samples: string[] }

/** Prometheus' text of several sources as one: each figure with the name of its source, each name explained once. */
export function mergedFigures(texts: readonly (readonly [source: string, text: string])[]): string {
  const families = new Map<string, Family>()
  for (const [at, [source, text]] of texts.entries()) {
    let family: Family | undefined
    let name = ''
    for (const line of text.split('\n')) {
      const [, kind, named] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? []
      if (named !== undefined) {
        name = named
        family = families.get(name) ?? { words: [], samples: [] }
        families.set(name, family)
        if (at === 0 || (kind === 'HELP' ? family.words.length === 0 : family.words.length === 1))
          family.words.push(line)
      } else if (line !== '' && family !== undefined) {
        const isOnce = OF_PROCESS.test(name) || OF_REQUESTS.test(name)
        if (!isOnce) family.samples.push(withSource(line, source))
        else if (at === 0) family.samples.push(line)
      }
    }
  }
  return `${[...families.values()].flatMap(({ words, samples }) => [...words, ...samples]).join('\n')}\n`
}

const withSource = (line: string, source: string): string =>
  line.replace(
    /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? /,
    (_, name: string, labels: string | undefined) =>
      `${name}{${labels === undefined || labels === '' ? '' : `${labels},`}shard="${source}"} `,
  )
