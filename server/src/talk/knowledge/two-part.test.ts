// A message that asks for two things gets the passages of both: in a search, in what a model reads, and in an answer without a model.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ChatAnswer, KnowledgeHit } from '@tether/contract'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { type PlayedModel, playedModel } from '../../../testkit/played-model.ts'
import { offline } from '../../modules/offline/module.ts'

/** By name, each document with the sentence that answers a question about it. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  hours:
    '# Opening hours\n\nWe are open from 9 to 18 on weekdays and from 10 to 15 on Saturday. We are closed on Sunday.',
  returns:
    '# Returns\n\nYou can return a jacket, a kettle or anything else within 14 days if it is unused. Bring the receipt.',
  parking: '# Parking\n\nThere is free parking for 40 cars behind the shop. The entrance is on Kazbegi street.',
  warranty: '# Warranty\n\nKettles and other electrical goods have a warranty of two years. Keep the invoice.',
  delivery: '# Delivery\n\nDelivery in Tbilisi takes one day and costs 6 GEL. Other regions take three days.',
  payment: '# Payment\n\nPay by card, by bank transfer or in cash at the counter. Instalments start from 200 GEL.',
  gifts: '# Gift cards\n\nGift cards of 50 and 100 GEL are sold at the counter and are valid for a year.',
  repairs: '# Repairs\n\nOur workshop mends torn jackets and broken zips within a week. A repair costs 20 GEL.',
  jobs: '# Jobs\n\nWe are looking for a seamstress. Send your application to the office.',
  საათები: '# სამუშაო საათები\n\nვმუშაობთ სამუშაო დღეებში 9-დან 18-მდე, შაბათს კი 10-დან 15-მდე. კვირას დაკეტილია.',
  დაბრუნება:
    '# დაბრუნება\n\nქურთუკის, ჩაიდნის და სხვა ნივთის დაბრუნება შეგიძლიათ 14 დღის განმავლობაში. თან იქონიეთ ჩეკი.',
  პარკინგი: '# პარკინგი\n\nმაღაზიის უკან უფასო პარკინგია 40 მანქანისთვის. შესასვლელი ყაზბეგის ქუჩიდანაა.',
  გარანტია: '# გარანტია\n\nჩაიდნებს და სხვა ელექტროტექნიკას ორი წლის გარანტია აქვს. შეინახეთ ინვოისი.',
  მიწოდება: '# მიწოდება\n\nთბილისში მიწოდებას ერთი დღე სჭირდება და 6 ლარი ღირს. რეგიონებში სამი დღე.',
  გადახდა: '# გადახდა\n\nგადაიხადეთ ბარათით, გადარიცხვით ან ნაღდი ფულით. განვადება 200 ლარიდან იწყება.',
  საჩუქრები: '# სასაჩუქრე ბარათები\n\nსასაჩუქრე ბარათები 50 და 100 ლარისაა და ერთი წელი მოქმედებს.',
  შეკეთება: '# შეკეთება\n\nსახელოსნო დახეულ ქურთუკს ერთ კვირაში აკეთებს. შეკეთება 20 ლარი ღირს.',
}

/** Each with the documents of its two parts. */
const QUESTIONS: readonly (readonly [string, string, string])[] = [
  ['What are your opening hours and how do I return a jacket?', 'hours', 'returns'],
  ['Is there parking and are you open on Saturday?', 'parking', 'hours'],
  ['I bought a kettle last week. What is the warranty, and can I return it?', 'warranty', 'returns'],
  ['How much does delivery cost? Also, do you sell gift cards?', 'delivery', 'gifts'],
  ['Can I pay by card, and how long does a repair take?', 'payment', 'repairs'],
  ['Delivery time and parking?', 'delivery', 'parking'],
  ['Tell me the opening hours. Is there parking too?', 'hours', 'parking'],
  ['რომელ საათებში მუშაობთ და როგორ დავაბრუნო ქურთუკი?', 'საათები', 'დაბრუნება'],
  ['პარკინგი გაქვთ და შაბათს მუშაობთ?', 'პარკინგი', 'საათები'],
  ['გასულ კვირას ჩაიდანი ვიყიდე. რა გარანტია აქვს და შემიძლია დავაბრუნო?', 'გარანტია', 'დაბრუნება'],
  ['რა ღირს მიწოდება? ასევე, სასაჩუქრე ბარათები გაქვთ?', 'მიწოდება', 'საჩუქრები'],
  ['შემიძლია ბარათით გადახდა და რამდენ ხანში შეაკეთებთ ქურთუკს?', 'გადახდა', 'შეკეთება'],
  ['მიწოდება და პარკინგი?', 'მიწოდება', 'პარკინგი'],
]

let house: OpenHouse
let withModel: OpenHouse
let model: PlayedModel
const keys = { offline: '', model: '' }

async function openShop(opened: OpenHouse): Promise<string> {
  const { apiKey: key } = await opened.tenant()
  for (const [name, text] of Object.entries(DOCUMENTS)) {
    const put = await opened.ask('POST', '/v1/knowledge', { key, body: { name, text, format: 'markdown' } })
    assert.equal(put.status, 200, put.text)
  }
  return key
}

before(async () => {
  model = playedModel(() => ['It is in the texts.'])
  house = await openHouse({ modules: [offline] })
  withModel = await openHouse({ model })
  keys.offline = await openShop(house)
  keys.model = await openShop(withModel)
})
after(async () => {
  await house.close()
  await withModel.close()
})

test('a search for two things finds the documents of both', async () => {
  for (const [question, ...names] of QUESTIONS) {
    const url = `/v1/knowledge/search?q=${encodeURIComponent(question)}&limit=3`
    const { body } = await house.ask<{ hits: readonly KnowledgeHit[] }>('GET', url, { key: keys.offline })
    // An answer rests on a hit from 0.3 on.
    const found = body.hits.filter(({ score }) => score >= 0.3).map(({ document }) => document)
    for (const name of names) assert.ok(found.includes(name), `${question}: ${found.join(', ')} without ${name}`)
    const scores = body.hits.map(({ score }) => score)
    assert.deepEqual(
      scores,
      scores.toSorted((one, other) => other - one),
      question,
    )
  }
})

test('a model reads the passages of both parts', async () => {
  for (const [prompt, ...names] of QUESTIONS) {
    await withModel.ask('POST', '/v1/chat', { key: keys.model, body: { prompt } })
    const asked = JSON.stringify(model.requests.at(-1))
    for (const name of names) assert.ok(asked.includes(sentenceOf(name)), `${prompt} without ${name}`)
  }
})

test('without a model the answer quotes both documents', async () => {
  for (const [prompt, ...names] of QUESTIONS) {
    const { body } = await house.ask<ChatAnswer>('POST', '/v1/chat', { key: keys.offline, body: { prompt } })
    assert.deepEqual(body.meta.sources.map(({ title }) => title).toSorted(), names.toSorted(), prompt)
  }
})

test('a part that nothing answers brings no passage', async () => {
  for (const [prompt, name] of [
    ['Is there parking and who won the world cup in 1990?', 'parking'],
    ['პარკინგი გაქვთ და ვინ დაწერა ვეფხისტყაოსანი?', 'პარკინგი'],
  ] as const) {
    const { body } = await house.ask<ChatAnswer>('POST', '/v1/chat', { key: keys.offline, body: { prompt } })
    assert.deepEqual(
      body.meta.sources.map(({ title }) => title),
      [name],
      prompt,
    )
  }
})

const sentenceOf = (name: string): string => (DOCUMENTS[name] ?? '').split('\n\n')[1]?.split('. ')[0] ?? name
