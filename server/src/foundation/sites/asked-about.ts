// What visitors ask a business about first. Where a site has more pages than are read, these must not all be left out for
// whatever was changed last.

const TOPICS: readonly RegExp[] = [
  ['deliver', 'shipping', 'dostavk', 'mitan', 'miwod', 'mitsod', 'მიწოდ', 'მიტან', 'ადგილზე'],
  ['return', 'refund', 'exchange', 'warrant', 'guarantee', 'dabrun', 'garanti', 'დაბრუნ', 'გაცვლ', 'გარანტი'],
  ['contact', 'kontakt', 'kontaqt', 'location', 'address', 'კონტაქტ', 'მისამართ', 'დაგვიკავშირ'],
  ['faq', 'question', 'help', 'kitxv', 'kitkhv', 'dakhmareba', 'კითხვ', 'დახმარ'],
  [
    'price',
    'pricing',
    'tariff',
    'payment',
    'instal',
    'fasebi',
    'gadaxd',
    'gadakhd',
    'ფასებ',
    'ტარიფ',
    'გადახდ',
    'განვადებ',
  ],
  ['hours', 'opening', 'saatebi', 'grafik', 'საათებ', 'გრაფიკ', 'განრიგ'],
  ['about', 'shesaxeb', 'shesakheb', 'შესახებ'],
].map((stems) => new RegExp(`(?:^|[^\\p{L}])(?:${stems.join('|')})`, 'iu'))

/** Among articles and products such a word is a part of a title. */
const AMONG_MANY =
  /\/(?:products?|shop|store|catalog(?:ue)?|collections?|categor(?:y|ies)|tags?|blog|news|articles?|posts?|p|item|items)\//i
const LONGEST_NAME = 40
const MOST_WORDS = 5
const MOST_LEVELS = 3

/** Which of the topics a page is about by its address, or by what the first page calls it; null for none. */
export function topicOf({ pathname }: URL, called = ''): number | null {
  const levels = pathname.split('/').filter(Boolean)
  if (levels.length > MOST_LEVELS || AMONG_MANY.test(pathname)) return null
  for (const name of [spelled(levels.at(-1) ?? ''), called.trim()]) {
    if (name.length > LONGEST_NAME || name.split(/[\s_.+-]+/).length > MOST_WORDS) continue
    const topic = TOPICS.findIndex((one) => one.test(name))
    if (topic !== -1) return topic
  }
  return null
}

function spelled(written: string): string {
  try {
    return decodeURIComponent(written)
  } catch {
    return written
  }
}
