import assert from 'node:assert/strict'
import test from 'node:test'
import { type Called, fieldIn, labelsOf, readLabels, titleIn } from './index.ts'

const read = (called: Parameters<typeof labelsOf>[0], names: readonly string[]) =>
  Object.fromEntries(labelsOf(called, names, 'ka'))
const tool = (more: Partial<Called>): Called => ({ description: 'Pays it back.', parameters: {}, ...more })

test('a title is what the business declared in that language, else the nearest to it, else nothing', () => {
  const cases: [called: Partial<Called>, ka: string | undefined, en: string | undefined][] = [
    [{}, undefined, undefined],
    [{ title: 'Refund' }, 'Refund', 'Refund'],
    [{ title: 'Refund', labels: { ka: { title: 'თანხის დაბრუნება' } } }, 'თანხის დაბრუნება', 'Refund'],
    [{ labels: { ka: { title: 'თანხის დაბრუნება' } } }, 'თანხის დაბრუნება', undefined],
    [{ title: 'Refund', labels: { en: { title: 'Pay back' } } }, 'Refund', 'Pay back'],
    [{ title: 'დაბრუნება' }, 'დაბრუნება', 'დაბრუნება'],
    [{ title: 'Refund', description: 'Pays it back. · თანხას აბრუნებს.' }, 'თანხას აბრუნებს', 'Refund'],
  ]
  for (const [called, ka, en] of cases) {
    assert.deepEqual([titleIn(tool(called), 'ka'), titleIn(tool(called), 'en')], [ka, en], JSON.stringify(called))
  }
})

test('an argument has its label, a word that most businesses use, or its own name', () => {
  const labels = { ka: { parameters: { loan: 'სესხი' } }, en: { parameters: { loan: 'Loan number' } } }
  assert.deepEqual([fieldIn(labels, 'loan', 'ka'), fieldIn(labels, 'loan', 'en')], ['სესხი', 'Loan number'])
  assert.deepEqual(
    [fieldIn(labels, 'orderNumber', 'ka'), fieldIn(labels, 'amount', 'en')],
    ['შეკვეთის ნომერი', undefined],
  )
  assert.deepEqual([fieldIn(labels, 'constructor', 'ka'), fieldIn(undefined, 'x', 'ka')], [undefined, undefined])
  const parameters = { properties: { when: { type: 'string', description: 'The day · რომელ დღეს' } } }
  assert.deepEqual(read({ parameters }, ['when']), { when: 'რომელ დღეს' })
})

test('two arguments that would read alike say their names as well', () => {
  assert.deepEqual(read({ parameters: {} }, ['id', 'number', 'amount']), {
    id: 'ნომერი (id)',
    number: 'ნომერი (number)',
    amount: 'თანხა',
  })
  // An argument that a model made up cannot pass for one that the business declared.
  assert.deepEqual(read({ parameters: {} }, ['amount', 'თანხა']), { amount: 'თანხა (amount)' })
})

test('whatever cannot be read of labels is said by its place, and the rest is read', () => {
  const takes = (name: string) => name === 'number' || name === 'amount'
  const cases: [sent: Parameters<typeof readLabels>[0], faults: RegExp][] = [
    ['Refund', /^labels is "Refund"$/],
    [{ fr: { title: 'Rembourser' } }, /^"fr" is not one of ka, en$/],
    [{ ka: 'x' }, /^ka is "x"$/],
    [{ ka: { titel: 'x' } }, /^ka\.titel is neither title nor parameters$/],
    [{ ka: { title: ' ' } }, /^ka\.title is " "$/],
    [{ ka: { title: 'a\nb' } }, /^ka\.title is /],
    [{ ka: { title: 'x\u202ey' } }, /^ka\.title is /],
    [{ ka: { title: 'x'.repeat(121) } }, /^ka\.title is /],
    [{ en: { parameters: [] } }, /^en\.parameters is /],
    [{ en: { parameters: { nobody: 'x' } } }, /^en\.parameters\.nobody is not an argument$/],
    [{ en: { parameters: { number: 5 } } }, /^en\.parameters\.number is 5$/],
    [{ en: { parameters: { number: 'Same', amount: 'Same' } } }, /^en\.parameters says "Same" of two arguments$/],
  ]
  for (const [sent, words] of cases) {
    const { faults } = readLabels(sent, takes)
    assert.equal(faults.length, 1, JSON.stringify([sent, faults]))
    assert.match(faults[0] ?? '', words)
  }
  const sent = { ka: { title: ' ნომერი ', parameters: { number: 'ნომერი', amount: null } }, en: null, xx: 1 }
  assert.deepEqual(readLabels(sent, takes).labels, { ka: { title: 'ნომერი', parameters: { number: 'ნომერი' } } })
})
