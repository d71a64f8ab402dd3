// Words with the same meaning wherever something is sold, booked or looked after: English stems and phrases, and
// beginnings of Georgian words. With it, a question in one language finds a tool described in the other. It has no
// words of one trade.

import { isVerbalNoun, verbKey } from '../../kernel/text/index.ts'

type Idea = readonly [name: string, english: string, georgian: string]

const IDEAS: readonly Idea[] = [
  ['order', 'order, purchas', 'შეკვეთა, შეკვეთ'],
  ['product', 'product, item, good, articl', 'პროდუქტ, ნივთ, საქონ'],
  ['catalog', 'catalog, assortment, rang, sell', 'კატალოგ, ასორტიმენტ, ყიდით, იყიდება'],
  ['price', 'pric, cost, how much', 'ფას, ღირს, ღირებულ'],
  ['stock', 'stock, availabl, availability, inventor, left', 'მარაგ, ხელმისაწვდომ, დარჩ'],
  ['delivery', 'deliver, shipping, shipment, courier', 'მიწოდებ, მიტან, კურიერ, ჩამოსვლ'],
  ['track', 'track, where is, whereabout', 'სად არის, სადაა, თვალყურ, მდებარე'],
  ['status', 'statu, state, progress', 'სტატუს, მდგომარეობ, რა ეტაპ'],
  ['return', 'return, refund, money back, reimburs', 'დაბრუნება, უკან'],
  ['cancel', 'cancel, cancell, call off', 'გაუქმება, აუქმებ'],
  ['change', 'chang, updat, edit, modif, correct', 'შეცვლა, განახლება, გადაკეთება, ცვლი'],
  ['extend', 'renew, extend, prolong', 'გაგრძელება, გახანგრძლივება'],
  ['move', 'mov, reschedul, postpon, transfer', 'გადატანა, გადაყვანა, გადადება'],
  ['block', 'block, freez, lock', 'დაბლოკვა, გაყინვა, ბლოკ'],
  ['stop', 'stop, paus, suspend', 'შეჩერება, გაჩერება, შეწყვეტა'],
  ['open', 'open, start, activat', 'გახსნა, ჩართვა, გააქტიურება'],
  ['confirm', 'confirm, approv', 'დადასტურება, დამტკიცება'],
  ['register', 'register, enrol, enroll, sign up', 'დარეგისტრირება, ჩარიცხვა'],
  ['create', 'creat, add, plac, mak, buy', 'შექმნა, დამატება, გაფორმება, ვიყიდ, ყიდვ'],
  ['delete', 'delet, remov, erase', 'წაშლა, მოშორება'],
  ['send', 'send, resend, forward', 'გაგზავნა, გადაგზავნა'],
  ['book', 'book, reserv, reservat', 'დაჯავშნა, ჯავშ, ჩაწერა'],
  ['pay', 'pay, paid, payment, card', 'გადახდა, ბარათ'],
  ['invoice', 'invoic, bill, receipt', 'ინვოის, ქვითარ, ანგარიშფაქტურ'],
  ['discount', 'discount, coupon, promo, voucher', 'ფასდაკლებ, კუპონ, ვაუჩერ, პრომო'],
  ['customer', 'customer, client, account, profil', 'მომხმარებ, კლიენტ, მყიდველ, პროფილ'],
  ['address', 'address', 'მისამართ'],
  ['phone', 'phone, telephon, mobil', 'ტელეფონ, მობილურ'],
  ['email', 'email, mail', 'ელფოსტ, იმეილ, მეილ, ფოსტ'],
  ['hours', 'hour, opening hour, close, working tim', 'საათებ, სამუშაო საათ, გრაფიკ, იღება, იკეტება, იხურება, მუშაობთ'],
  ['store', 'store, shop, branch, location', 'მაღაზი, ფილიალ'],
  ['warranty', 'warrant, guarante', 'გარანტი'],
  ['size', 'siz', 'ზომ'],
  ['color', 'color, colour', 'ფერ'],
  ['category', 'categor, section, department', 'კატეგორი, განყოფილ'],
  ['review', 'review, rating', 'შეფას, მიმოხილ'],
  ['reason', 'reason, because', 'მიზეზ'],
  ['quantity', 'quantit, amount, number of', 'რაოდენ, ცალ'],
  ['number', 'number, numb, no', 'ნომერ, ნომრ'],
  ['date', 'date, day', 'თარიღ, დღე'],
  ['sale', 'sale, revenu, turnover', 'გაყიდვ, შემოსავ, ბრუნვ'],
  ['report', 'report, summar, statistic', 'ანგარიშ, შეჯამ, სტატისტ'],
  ['appointment', 'appointment, visit', 'ვიზიტ, შეხვედრ, ჩაწერ'],
  ['service', 'servic', 'მომსახურებ, სერვის'],
  ['free', 'fre, slot', 'თავისუფალ'],
  ['pending', 'pend, wait, unpaid', 'მოლოდინ, ელოდ, გადაუხდელ'],
  ['sent', 'ship, sent, dispatch', 'გაგზავნილ'],
  ['arrived', 'delivered, arriv, received', 'ჩაბარებულ, მიტანილ, მიღებულ'],
  ['cancelled', 'cancelled, canceled', 'გაუქმებულ'],
  ['paid', 'paid', 'გადახდილ'],
]

const splitList = (text: string): string[] => text.split(',').map((one) => one.trim())

export const ENGLISH: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ...Map.groupBy(
      IDEAS.flatMap(([name, english]) => splitList(english).map((word) => ({ word, name }))),
      ({ word }) => word,
    ),
  ].map(([word, of]) => [word, of.map(({ name }) => name)]),
)

/** We list a verb by its noun and recognise it in every person and tense. */
const VERBS = Map.groupBy(
  IDEAS.flatMap(([name, , words]) =>
    splitList(words)
      .filter(isVerbalNoun)
      .map((word) => ({ name, key: verbKey(word) })),
  ),
  ({ key }) => key,
)

const georgianStarts = IDEAS.flatMap(([name, , words]) => splitList(words).map((start) => ({ start, name })))

export function ideasOfGeorgian(word: string): string[] {
  const key = verbKey(word)
  const verbs = key === undefined ? [] : (VERBS.get(key) ?? [])
  return [...verbs, ...georgianStarts.filter(({ start }) => word.startsWith(start))].map(({ name }) => name)
}

/** Ideas that take several words. */
export const PHRASES: readonly { readonly phrase: string; readonly name: string }[] = [
  ...[...ENGLISH].flatMap(([phrase, names]) => names.map((name) => ({ phrase, name }))),
  ...georgianStarts.map(({ start: phrase, name }) => ({ phrase, name })),
].filter(({ phrase }) => phrase.includes(' '))

export const READ_VERBS = new Set(
  'get list find search show check read lookup look count fetch view query describe track see'.split(' '),
)

export const STOP_WORDS = new Set(
  `a an and any are as at be by can could did do does for from had has have hello hey hi how i if in is it its let me my no not of on or our please
  so some tell than thank thanks that the their them there these they this those to us want was we were what when where which who why will with would you your yes
  gel lari usd eur ლარი ლარად ლარამდე
  ok okay oh yeah alright still already again today now ever really very much many more most same other thing things one two first next
  about all also am been but get give got just know like need now show look see find help then too
  და რომ არის იყო რა ვინ როდის სად როგორ რატომ თუ მე შენ თქვენ ჩვენ ეს ის იმ ამ ჩემი შენი თქვენი მინდა შეიძლება გთხოვთ გთხოვ მითხარი მითხარით მაჩვენე მაჩვენეთ
  ხომ არა არ კი ან ერთი რომელი რომელიც უნდა აქვს გაქვთ გაქვს მაქვს ჩემს ჩემმა ჩემთვის მომეცი ნახე მინდოდა რამდენი რამდენ რამე გამარჯობა გმადლობთ მადლობა მიპოვე მოძებნე იპოვე
  რამდენია რომელია როდისაა სადაა რაა იქნება ხართ ხარ გვაქვს
  უკვე დღეს ახლა კიდევ ძალიან ჩემს მაინტერესებს ვიცოდე გაჩვენოთ`
    .split(/\s+/)
    .filter(Boolean),
)
