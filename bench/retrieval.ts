// How well documents are found, by words alone: our ranking beside plain BM25 (the better of whole texts and the same chunks) on
// the open sets, with one typing error, and with Georgian in Latin letters; then what the gate lets through. `node
// bench/retrieval.ts --table` prints the tables of docs/knowledge.md.
import { judged, type Result, say } from './parts/report.ts'
import { inLatin, withTypingError } from './retrieval/disturb.ts'
import { chunksOf, type Figures, figuresOf, openIndex, type Ranked } from './retrieval/measure.ts'
import { plainBm25 } from './retrieval/plain-bm25.ts'
import type { QuestionSet } from './retrieval/question-set.ts'
import { openEnglishFaqs, openSets, openTwoPartSets } from './retrieval/sets.ts'
import { smallCollections } from './retrieval/small-collections.ts'
import { countBothInFive, type TwoPartSet } from './retrieval/two-part.ts'

type Row = { readonly name: string; readonly count: number; readonly ours: Figures; readonly plain: Figures }

const THRESHOLDS = [0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4]
const SEED = 7
/** The languages of sets whose questions are foreign to each other: different texts, so that nothing there is an answer. */
const ABOUT: Readonly<Record<string, string>> = {
  'xquad-en': 'xquad',
  'xquad-de': 'xquad',
  'xquad-ru': 'xquad',
  'xquad-tr': 'xquad',
}

const sets = openSets()
const rows: Row[] = []
const right: number[] = []
const foreign: number[] = []
/** Those of them in the language of the texts. */
const alike: number[] = []

for (const set of sets) {
  const ask = openIndex(set.passages)
  right.push(...rightOf(set, measureForms(set, ask)))
  foreign.push(
    ...coverageOf(
      ask,
      foreignTo(set, () => true),
    ),
  )
  alike.push(
    ...coverageOf(
      ask,
      foreignTo(set, (one) => languageOf(one) === languageOf(set)),
    ),
  )
}
for (const set of openEnglishFaqs()) measureForms(set, openIndex(set.passages))
const twoPartRows = measureTwoParts(openTwoPartSets())

/** Adds a row for each form in which people type the questions. Returns what the questions found as they are written. */
function measureForms(set: QuestionSet, ask: ReturnType<typeof openIndex>): Ranked[] {
  const isGeorgian = /ka/.test(set.name)
  const forms = [
    set,
    withTypingError(set),
    ...(isGeorgian ? (['national', 'chat'] as const).map((one) => inLatin(set, one)) : []),
  ]
  const all = forms.map((form) => {
    const ranked = form.questions.map(({ text }) => ask(text))
    const plain = plainRankings(form).map((one) => figuresOf(form, one))
    rows.push({ name: form.name, count: form.questions.length, ours: figuresOf(form, ranked), plain: better(plain) })
    return ranked
  })
  return all[0] ?? []
}

/** BM25 on whole texts, and on the same chunks. */
function plainRankings(set: QuestionSet): Ranked[][] {
  const whole = set.passages.map(({ id, title, text }) => ({ id, text: `${title}\n${text}` }))
  return [whole, chunksOf(set.passages)].map((pieces) => plainBm25(set, pieces))
}

/** Each count is of the questions for which the first five passages answer both parts. */
type TwoPartRow = {
  readonly name: string
  readonly count: number
  readonly ranked: number
  /** Of what an answer may rest on. */
  readonly fitting: number
  readonly plain: number
}

/** One row for each language, half of the questions, and way of typing. */
function measureTwoParts(all: readonly TwoPartSet[]): TwoPartRow[] {
  const found = all.flatMap(({ language, passages, tuning, heldOut }) => {
    const ask = openIndex(passages)
    return Object.entries({ tuning, 'held out': heldOut }).flatMap(([half, questions]) =>
      [{ name: '', passages, questions }, withTypingError({ name: '', passages, questions })].map((set) => {
        const ranked = set.questions.map(({ text }) => ask(text))
        const count = (one: readonly Ranked[], pick: 'ids' | 'fitting') =>
          countBothInFive(
            questions,
            one.map((each) => each[pick]),
          )
        return {
          name: `two parts ${language}, ${half}${set.name}`,
          count: questions.length,
          ranked: count(ranked, 'ids'),
          fitting: count(ranked, 'fitting'),
          plain: Math.max(...plainRankings(set).map((one) => count(one, 'ids'))),
        }
      }),
    )
  })
  return [...Map.groupBy(found, ({ name }) => name)].map(([name, own]) => {
    const sum = (pick: (one: TwoPartRow) => number) => own.reduce((total, one) => total + pick(one), 0)
    return {
      name,
      count: sum(({ count }) => count),
      ranked: sum(({ ranked }) => ranked),
      fitting: sum(({ fitting }) => fitting),
      plain: sum(({ plain }) => plain),
    }
  })
}

function better(figures: readonly Figures[]): Figures {
  const most = (pick: (one: Figures) => number) => Math.max(...figures.map(pick))
  return { first: most(({ first }) => first), five: most(({ five }) => five), mrr: most(({ mrr }) => mrr) }
}

function gatedOf(ranked: readonly Ranked[]): Ranked[] {
  return ranked.filter(({ isStory }) => !isStory)
}

/** How well the right passages that came first are covered. */
function rightOf({ questions }: QuestionSet, ranked: readonly Ranked[]): number[] {
  const isRight = (one: Ranked, at: number) => questions[at]?.relevant.includes(one.ids[0] ?? '') === true
  return gatedOf(ranked.filter(isRight)).map(({ coverage }) => coverage)
}

/** What the chunk that is ranked first holds of each question: it decides whether anything is found. */
function coverageOf(ask: ReturnType<typeof openIndex>, questions: QuestionSet['questions']): number[] {
  return gatedOf(questions.map(({ text }) => ask(text))).map(({ coverage }) => coverage)
}

function languageOf({ name }: QuestionSet): string {
  return /(?:xquad-|^| )(ka|de|ru|tr)(?:-|$)/.exec(name)?.[1] ?? 'en'
}

/** Up to a hundred questions of each set whose answers stand in other texts. */
function foreignTo(set: QuestionSet, isWanted: (one: QuestionSet) => boolean) {
  const about = (one: QuestionSet) => ABOUT[one.name] ?? (/ka/.test(one.name) ? 'ka' : one.name)
  const shares = (one: QuestionSet) =>
    about(one) === about(set) && (about(one) !== 'ka' || one.name === set.name || /forms/.test(one.name + set.name))
  return sets
    .filter((one) => !shares(one) && isWanted(one))
    .flatMap(({ questions }) => {
      const step = Math.max(1, Math.floor(questions.length / 100))
      return questions.filter((_, at) => at % step === 0)
    })
}

const AT = 0.3

/** One row for each size of a collection: what stays of the right passages, and what other questions find, at the gate of an answer. */
function smallRows(): string[] {
  const found = sets.flatMap((set) => {
    const others = foreignTo(set, (one) => languageOf(one) === languageOf(set))
    return others.length === 0 ? [] : smallCollections(set, others, SEED)
  })
  return [...Map.groupBy(found, ({ size }) => size)].map(([size, all]) => {
    const cell = (pick: (one: (typeof all)[number]) => readonly number[]) => {
      const values = all.flatMap(pick)
      return `${percent(values, AT).toFixed(1)} % (of ${values.length})`
    }
    return `| ${size} | ${cell(({ right }) => right)} | ${cell(({ near }) => near)} | ${cell(({ far }) => far)} |`
  })
}

const kept = (threshold: number): number => percent(right, threshold)
const passed = (threshold: number): number => percent(foreign, threshold)
const passedAlike = (threshold: number): number => percent(alike, threshold)
const percent = (values: readonly number[], threshold: number): number =>
  (100 * values.filter((value) => value >= threshold).length) / Math.max(1, values.length)

const written = ({ first, five, mrr }: Figures): string =>
  `${first.toFixed(1)} / ${five.toFixed(1)} / ${mrr.toFixed(3).replace(/^0/, '')}`

const share = (count: number, of: number): string => `${((100 * count) / of).toFixed(1)} %`

if (process.argv.includes('--table')) {
  console.log('| questions | | found | plain BM25 |\n|---|---|---|---|')
  for (const { name, count, ours, plain } of rows)
    console.log(`| ${name} | ${count} | ${written(ours)} | ${written(plain)} |`)
  console.log('\n| questions | | both found | both given to an answer | plain BM25 |\n|---|---|---|---|---|')
  for (const { name, count, ranked, fitting, plain } of twoPartRows)
    console.log(`| ${name} | ${count} | ${share(ranked, count)} | ${share(fitting, count)} | ${share(plain, count)} |`)
  console.log(`\n| score at least | ${THRESHOLDS.join(' | ')} |\n|---|${THRESHOLDS.map(() => '---').join('|')}|`)
  console.log(
    `| right passages that stay (of ${right.length}) | ${THRESHOLDS.map((one) => `${kept(one).toFixed(1)} %`).join(' | ')} |`,
  )
  console.log(
    `| foreign questions that find something (of ${foreign.length}) | ${THRESHOLDS.map((one) => `${passed(one).toFixed(1)} %`).join(' | ')} |`,
  )
  console.log(
    `| those of them in the language of the texts (of ${alike.length}) | ${THRESHOLDS.map((one) => `${passedAlike(one).toFixed(1)} %`).join(' | ')} |`,
  )
  console.log(
    '\n| texts in the collection | right passages that stay | questions about others of the set | of another set |',
  )
  console.log(`|---|---|---|---|\n${smallRows().join('\n')}`)
} else if (sets.length === 0) {
  say({
    bench: 'retrieval',
    promise: '',
    results: [],
    skipped: 'the open sets are not here (RETRIEVAL_SETS names their folder)',
  })
} else {
  say({
    bench: 'retrieval',
    promise:
      'No set is found more than half a point worse than by plain BM25; a gate of 0.3 keeps 96 % and lets 9 % through',
    results: [
      ...rows.map(resultOf),
      ...twoPartRows.map(({ name, count, ranked, plain }) =>
        gate(`${name}: points ahead of plain BM25`, (100 * (ranked - plain)) / count, { atLeast: 0 }),
      ),
      gate('right passages kept at 0.3', kept(0.3), { atLeast: 96 }),
      gate('foreign questions that find something at 0.3', passed(0.3), { atMost: 9 }),
      gate('foreign questions in the language of the texts that find something at 0.3', passedAlike(0.3), {
        atMost: 9,
      }),
    ],
  })
}

/** In points of recall@1, recall@5 and MRR: the least by which ours is ahead. */
function resultOf({ name, ours, plain }: Row): Result {
  const ahead = Math.min(ours.first - plain.first, ours.five - plain.five, 100 * (ours.mrr - plain.mrr))
  return judged(
    name,
    { ratio: ahead, quartiles: [ahead, ahead] },
    { atLeast: -0.5 },
    { ours: written(ours), plain: written(plain) },
  )
}

function gate(what: string, value: number, bound: { atLeast: number } | { atMost: number }): Result {
  return judged(what, { ratio: value, quartiles: [value, value] }, bound)
}
