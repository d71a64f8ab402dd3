// What the offline responder says, in both languages. It never claims to have understood, only to have found.
import type { Language } from '@tether/contract'

export type Phrases = {
  greeting(things: string): string
  thanks: string
  abilities: string
  nothingToOffer: string
  unknown: string
  canHelp: string
  found(count: number): string
  noRows: string
  result: string
  more(count: number): string
  done: string
  staged(summary: string): string
  waits: string
  failed(title: string): string
  signIn: string
  handedOver: string
  refused: string
  blocked(reason: string): string
  need(title: string, isWrite: boolean): string
  needEnd: string
  proposes(title: string): string
  negated: string
  from(title: string): string
  yes: string
  no: string
  handOver: string
}

const english: Phrases = {
  greeting: (things) =>
    `Hello! No language model is connected here, so I work by matching words: I look things up and show what I find.${things}`,
  thanks: 'You are welcome.',
  abilities: ' Try one of these, or ask in your own words.',
  nothingToOffer: ' Ask me something, and I will quote what the business has written about it.',
  unknown: 'I do not know that. Nothing that I can look up answers it.',
  canHelp: 'This is what I can look up or prepare:',
  found: (count) => (count === 1 ? 'I found one result:' : `I found ${count} results:`),
  noRows: 'I looked, but found nothing that matches.',
  result: 'Here is what I found:',
  more: (count) => `And ${count} more.`,
  done: 'The lookup worked but returned nothing to show.',
  staged: (summary) => `I have prepared this: **${summary}**.`,
  waits: 'It is **not done yet**. A person has to confirm it first.',
  failed: (title) => `“${title}” did not give an answer this time. Please try again in a moment.`,
  signIn: 'You need to sign in for this, so that I know whose data to look at.',
  handedOver: 'I have told a person, who will take over from here.',
  refused: 'That did not work as asked, and nothing was changed.',
  blocked: (reason) => `That is not possible right now, and nothing was changed: ${reason}`,
  need: (title, isWrite) =>
    isWrite ? `I can prepare “${title}”. I still need:` : `I can look that up (“${title}”). I still need:`,
  needEnd: 'Could you tell me?',
  proposes: (title) =>
    `I can prepare “${title}” for you, and a person then confirms it. Tell me to do it, and what it is about.`,
  negated: 'Understood. I will leave that as it is.',
  from: (title) => `From “${title}”:`,
  yes: 'yes',
  no: 'no',
  handOver: 'I am passing this on to a person.',
}

const georgian: Phrases = {
  greeting: (things) =>
    `გამარჯობა! აქ ენობრივი მოდელი არ არის ჩართული, ამიტომ სიტყვების დამთხვევით ვმუშაობ: ვეძებ და ნაპოვნს გაჩვენებთ.${things}`,
  thanks: 'არაფრის.',
  abilities: ' სცადეთ რომელიმე ამათგან ან მკითხეთ თქვენი სიტყვებით.',
  nothingToOffer: ' მკითხეთ და მოვიყვან იმას, რაც ბიზნესს ამის შესახებ აქვს დაწერილი.',
  unknown: 'ამის პასუხი არ ვიცი: იმაში, რისი ნახვაც შემიძლია, პასუხი ვერ ვიპოვე.',
  canHelp: 'შემიძლია ვნახო ან მოვამზადო:',
  found: (count) => (count === 1 ? 'ვიპოვე ერთი შედეგი:' : `ვიპოვე ${count} შედეგი:`),
  noRows: 'ვეძებე, მაგრამ შესაბამისი ვერაფერი ვიპოვე.',
  result: 'აი, რა ვიპოვე:',
  more: (count) => `და კიდევ ${count}.`,
  done: 'ძიება შესრულდა, მაგრამ საჩვენებელი არაფერია.',
  staged: (summary) => `მოვამზადე: **${summary}**.`,
  waits: '**ჯერ არ შესრულებულა**: ელოდება ადამიანის დადასტურებას.',
  failed: (title) => `„${title}“ — პასუხი ამჯერად ვერ მივიღე. გთხოვთ, ცოტა ხანში სცადოთ.`,
  signIn: 'ამისთვის საჭიროა ავტორიზაცია, რომ ვიცოდე, ვისი მონაცემები ვნახო.',
  handedOver: 'შევატყობინე თანამშრომელს, ის გააგრძელებს საუბარს.',
  refused: 'ეს ამ სახით ვერ შესრულდა, არაფერი შეცვლილა.',
  blocked: (reason) => `ეს ახლა შეუძლებელია, არაფერი შეცვლილა: ${reason}`,
  need: (title, isWrite) =>
    isWrite ? `შემიძლია მოვამზადო „${title}“. კიდევ მჭირდება:` : `შემიძლია ვნახო („${title}“). კიდევ მჭირდება:`,
  needEnd: 'მომწერთ?',
  proposes: (title) =>
    `შემიძლია მოვამზადო „${title}“, რომელსაც შემდეგ ადამიანი ადასტურებს. თუ გსურთ, მომწერეთ, რომ მოვამზადო, და მიუთითეთ, რას ეხება.`,
  negated: 'გასაგებია: ყველაფერს ისე ვტოვებ, როგორც არის.',
  from: (title) => `„${title}“:`,
  yes: 'კი',
  no: 'არა',
  handOver: 'ამას თანამშრომელს გადავცემ.',
}

export const phrasesOf = (language: Language): Phrases => (language === 'ka' ? georgian : english)

const GEORGIAN_LABELS: Readonly<Record<string, string>> = {
  order: 'შეკვეთა',
  number: 'ნომერი',
  order_number: 'შეკვეთის ნომერი',
  order_id: 'შეკვეთის ნომერი',
  id: 'ნომერი',
  name: 'სახელი',
  title: 'სათაური',
  status: 'სტატუსი',
  state: 'მდგომარეობა',
  price: 'ფასი',
  total: 'ჯამი',
  amount: 'თანხა',
  currency: 'ვალუტა',
  quantity: 'რაოდენობა',
  stock: 'მარაგი',
  in_stock: 'მარაგშია',
  category: 'კატეგორია',
  description: 'აღწერა',
  address: 'მისამართი',
  phone: 'ტელეფონი',
  email: 'ელფოსტა',
  date: 'თარიღი',
  created_at: 'შექმნილია',
  delivery_date: 'მიწოდების თარიღი',
  eta: 'მოსალოდნელი დრო',
  customer: 'მომხმარებელი',
  product: 'პროდუქტი',
  sku: 'კოდი',
  items: 'ნივთები',
  color: 'ფერი',
  size: 'ზომა',
  reason: 'მიზეზი',
  query: 'საძიებო სიტყვა',
  discount: 'ფასდაკლება',
  rating: 'შეფასება',
  carrier: 'გადამზიდი',
  city: 'ქალაქი',
  hours: 'სამუშაო საათები',
  days: 'დღეები',
  open: 'იხსნება',
  close: 'იკეტება',
}

const SHORT_FORMS = new Set(['id', 'sku', 'eta', 'url', 'vat', 'iban'])

/** Turns `delivery_date` and `deliveryDate` into "Delivery date", or into Georgian if we know the word. */
export function fieldLabel(name: string, language: Language): string {
  const parts = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_\s-]+/)
    .filter(Boolean)
  const known = language === 'ka' ? GEORGIAN_LABELS[parts.join('_')] : undefined
  const plain = parts.map((part) => (SHORT_FORMS.has(part) ? part.toUpperCase() : part)).join(' ')
  return known ?? plain.charAt(0).toUpperCase() + plain.slice(1)
}
