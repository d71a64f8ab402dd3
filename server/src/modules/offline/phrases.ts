// The phrases of the offline responder in both languages. It never claims to have understood, only to have found.
import type { Language } from '@tether/contract'

export type Phrases = {
  greeting(things: string): string
  thanks: string
  fine: string
  abilities: string
  /** For a catalog that has no words in this language. */
  askFreely: string
  nothingToOffer: string
  unknown: string
  noModel: string
  canHelp: string
  /** The message that a quick reply sends. */
  wish(title: string, isWrite: boolean): string
  found(count: number): string
  noRows: string
  result: string
  more(count: number): string
  done: string
  staged(summary: string): string
  stagedUnnamed: string
  waits: string
  failed(title: string): string
  failedUnnamed: string
  signIn: string
  handedOver: string
  nobodyTold: string
  refused: string
  blocked(reason: string): string
  impossible: string
  unchecked: string
  /** `words` are what the business says about it, and may be empty. */
  notFound(words: string): string
  need(title: string, isWrite: boolean): string
  needEnd: string
  form(example: string): string
  proposes(title: string): string
  /** Tells how to get a change that the visitor only mentioned. */
  toldHow: string
  notKnown(title: string): string
  negated: string
  dropped: string
  withdraw: string
  /** The visitor means a proposal before the newest one. */
  untaken: string
  withdrawn: string
  /** `state` is what has become of it. */
  /** Why a proposed change cannot be taken back, by its state. */
  tooLate: Readonly<Record<string, string>>
  notDone: string
  stillWaits: string
  nothingAsked: string
  about: string
  goodbye: string
  from(title: string): string
  /** Before items with what they cost. */
  listed: string
  figure: string
  yes: string
  no: string
  handOver: string
}

const english: Phrases = {
  greeting: (things) =>
    `Hello! No language model is connected here, so I work by matching words: I look things up and show what I find.${things}`,
  thanks: 'You are welcome.',
  fine: 'All right.',
  abilities: ' Try one of these, or ask in your own words.',
  askFreely: ' Ask in your own words.',
  nothingToOffer: ' Ask me something, and I will quote what the business has written about it.',
  unknown: 'I do not know that. Nothing that I can look up answers it.',
  noModel: 'No language model is set up here. This answer comes from matching words.',
  wish: (title) => title,
  canHelp: 'This is what I can look up or prepare:',
  found: (count) => (count === 1 ? 'I found one result:' : `I found ${count} results:`),
  noRows: 'I looked, but found nothing that matches.',
  result: 'Here is what I found:',
  more: (count) => `And ${count} more.`,
  done: 'The lookup worked but returned nothing to show.',
  stagedUnnamed: 'I have prepared it.',
  staged: (summary) => `I have prepared this: **${summary}**.`,
  waits: 'It is **not done yet**. A person has to confirm it first.',
  failedUnnamed: 'There was no answer this time. Please try again in a moment.',
  failed: (title) => `“${title}” did not give an answer this time. Please try again in a moment.`,
  signIn: 'You need to sign in for this, so that I know whose data to look at.',
  handedOver: 'I have told a person, who will take over from here.',
  nobodyTold: 'I cannot reach a person from here, so nobody was told. Please contact the business directly.',
  refused: 'That did not work as asked, and nothing was changed.',
  blocked: (reason) => `That is not possible right now, and nothing was changed: ${reason}`,
  impossible: 'That is not possible as things are now, and nothing was changed.',
  unchecked: 'I could not check whether that is possible, so nothing was changed. Please try again in a moment.',
  notFound: (words) => `I looked, but did not find it.${words === '' ? '' : ` ${words}`}`,
  need: (title, isWrite) =>
    isWrite ? `I can prepare “${title}”. I still need:` : `I can look that up (“${title}”). I still need:`,
  needEnd: 'Could you tell me?',
  form: (example) => `such as ${example}`,
  proposes: (title) => `I can prepare “${title}” for you, and a person then confirms it.`,
  toldHow: 'Tell me to do it, and what it is about.',
  notKnown: (title) =>
    `I do not know anything about that, and nothing has been changed. If you want, I can prepare “${title}”.`,
  negated: 'Understood. I will leave that as it is.',
  dropped: 'All right, I will leave that.',
  withdraw:
    'What I have prepared in this conversation is not done, and I cannot take it back myself. It will not be done unless it is confirmed, and whoever may confirm it can also reject it. Please tell the business that you no longer want it.',
  untaken:
    'I can take back only the newest change that I prepared, and you mean an earlier one. It will not be done unless it is confirmed. Please tell the business that you no longer want it.',
  withdrawn: 'I have taken back what I prepared. It will not be done.',
  tooLate: {
    executing:
      'It is too late to take it back: a person has confirmed it, and it is being done now. Please tell the business that you no longer want it.',
    executed:
      'It is too late to take it back: it was confirmed and has been done. Please ask the business what can be undone.',
    indeterminate:
      'It was confirmed, and it is not certain yet whether it was done. I cannot take it back. Please tell the business that you no longer want it.',
  },
  notDone: 'It no longer waits, and it was not done. There is nothing left to take back.',
  stillWaits: 'What I have prepared has to be confirmed, and a message to me does not do that. It is not done yet.',
  nothingAsked:
    'I have not asked anything that you could answer with yes. Please tell me what you would like in one sentence.',
  about:
    'I am not a person, and no language model is set up here. I match words: I look things up and show what I find.',
  goodbye: 'Goodbye!',
  from: (title) => `From “${title}”:`,
  listed: 'This is listed on the website:',
  figure: 'Result',
  yes: 'yes',
  no: 'no',
  handOver: 'You would like to talk to a person.',
}

const georgian: Phrases = {
  greeting: (things) =>
    `გამარჯობა! აქ ენობრივი მოდელი არ არის ჩართული, ამიტომ სიტყვების დამთხვევით ვმუშაობ: ვეძებ და ნაპოვნს გაჩვენებთ.${things}`,
  thanks: 'არაფრის.',
  fine: 'კარგი.',
  abilities: ' სცადეთ რომელიმე ამათგან ან მკითხეთ თქვენი სიტყვებით.',
  askFreely: ' მკითხეთ თქვენი სიტყვებით.',
  nothingToOffer: ' მკითხეთ და მოვიყვან იმას, რაც ბიზნესს ამის შესახებ აქვს დაწერილი.',
  unknown: 'ამის პასუხი არ ვიცი: იმაში, რისი ნახვაც შემიძლია, პასუხი ვერ ვიპოვე.',
  noModel: 'აქ ენობრივი მოდელი არ არის ჩართული: ეს პასუხი სიტყვების დამთხვევით არის ნაპოვნი.',
  wish: (title, isWrite) => (isWrite ? `მინდა ${title}` : title),
  canHelp: 'შემიძლია ვნახო ან მოვამზადო:',
  found: (count) => (count === 1 ? 'ვიპოვე ერთი შედეგი:' : `ვიპოვე ${count} შედეგი:`),
  noRows: 'ვეძებე, მაგრამ შესაბამისი ვერაფერი ვიპოვე.',
  result: 'აი, რა ვიპოვე:',
  more: (count) => `და კიდევ ${count}.`,
  done: 'ძიება შესრულდა, მაგრამ საჩვენებელი არაფერია.',
  stagedUnnamed: 'მოვამზადე.',
  staged: (summary) => `მოვამზადე: **${summary}**.`,
  waits: '**ჯერ არ შესრულებულა**: ელოდება ადამიანის დადასტურებას.',
  failedUnnamed: 'პასუხი ამჯერად ვერ მივიღე. გთხოვთ, ცოტა ხანში სცადოთ.',
  failed: (title) => `„${title}“ — პასუხი ამჯერად ვერ მივიღე. გთხოვთ, ცოტა ხანში სცადოთ.`,
  signIn: 'ამისთვის საჭიროა ავტორიზაცია, რომ ვიცოდე, ვისი მონაცემები ვნახო.',
  nobodyTold:
    'აქედან თანამშრომელს ვერ ვუკავშირდები, ამიტომ არავისთვის შემიტყობინებია. გთხოვთ, ბიზნესს პირდაპირ დაუკავშირდეთ.',
  handedOver: 'შევატყობინე თანამშრომელს, ის გააგრძელებს საუბარს.',
  refused: 'ეს ამ სახით ვერ შესრულდა, არაფერი შეცვლილა.',
  blocked: (reason) => `ეს ახლა შეუძლებელია, არაფერი შეცვლილა: ${reason}`,
  impossible: 'ამ მომენტში ეს შეუძლებელია. არაფერი შეცვლილა.',
  unchecked: 'ვერ შევამოწმე, შესაძლებელია თუ არა ეს, ამიტომ არაფერი შეცვლილა. გთხოვთ, ცოტა ხანში სცადოთ.',
  notFound: (words) => `ვეძებე, მაგრამ ვერ ვიპოვე.${words === '' ? '' : ` ${words}`}`,
  need: (title, isWrite) =>
    `${title === '' ? (isWrite ? 'შემიძლია მოვამზადო' : 'შემიძლია ვნახო') : isWrite ? `შემიძლია მოვამზადო „${title}“` : `შემიძლია ვნახო („${title}“)`}. კიდევ მჭირდება:`,
  needEnd: 'მომწერთ?',
  form: (example) => `მაგალითად, ${example}`,
  proposes: (title) =>
    title === ''
      ? 'შემიძლია ამის მომზადება, რასაც შემდეგ ადამიანი ადასტურებს.'
      : `შემიძლია მოვამზადო „${title}“, რასაც შემდეგ ადამიანი ადასტურებს.`,
  toldHow: 'თუ გსურთ, მომწერეთ, რომ მოვამზადო, და მიუთითეთ, რას ეხება.',
  notKnown: (title) =>
    title === ''
      ? 'ამის პასუხი არ ვიცი და არაფერი შეცვლილა.'
      : `ამის პასუხი არ ვიცი და არაფერი შეცვლილა. შემიძლია მხოლოდ მოვამზადო: „${title}“.`,
  negated: 'გასაგებია: ყველაფერს ისე ვტოვებ, როგორც არის.',
  dropped: 'კარგი, მაშინ ამას თავს ვანებებ.',
  withdraw:
    'რაც ამ საუბარში მოვამზადე, არ შესრულებულა და უკან თავად ვერ გავიწვევ. ის მხოლოდ დადასტურების შემდეგ შესრულდება; ვისაც დადასტურება შეუძლია, უარყოფაც შეუძლია. გთხოვთ, შეატყობინოთ ბიზნესს, რომ აღარ გსურთ.',
  untaken:
    'უკან მხოლოდ იმის გაწვევა შემიძლია, რაც ბოლოს მოვამზადე, თქვენ კი უფრო ადრინდელს გულისხმობთ. ის მხოლოდ დადასტურების შემდეგ შესრულდება. გთხოვთ, შეატყობინოთ ბიზნესს, რომ აღარ გსურთ.',
  withdrawn: 'რაც მოვამზადე, უკან გავიწვიე. ის აღარ შესრულდება.',
  tooLate: {
    executing:
      'უკან გაწვევა უკვე გვიანია: ეს დადასტურდა და ახლა სრულდება. გთხოვთ, შეატყობინოთ ბიზნესს, რომ აღარ გსურთ.',
    executed:
      'უკან გაწვევა უკვე გვიანია: ეს დადასტურდა და შესრულდა. გთხოვთ, ჰკითხოთ ბიზნესს, შეიძლება თუ არა მისი გაუქმება.',
    indeterminate:
      'ეს დადასტურდა, მაგრამ ჯერ უცნობია, შესრულდა თუ არა. უკან ვერ გავიწვევ. გთხოვთ, შეატყობინოთ ბიზნესს, რომ აღარ გსურთ.',
  },
  notDone: 'ეს აღარ ელოდება და არ შესრულებულა. გასაწვევი არაფერია.',
  stillWaits: 'რაც მოვამზადე, დადასტურებას ელოდება; ჩემთვის მოწერილი პასუხი მას ვერ დაადასტურებს. ჯერ არ შესრულებულა.',
  nothingAsked: 'არაფერი მიკითხავს, რასაც „კი“ უპასუხებდა. გთხოვთ, ერთი წინადადებით მომწეროთ, რა გსურთ.',
  about:
    'მე არც ადამიანი ვარ და არც ენობრივი მოდელი: აქ მოდელი არ არის ჩართული. სიტყვების დამთხვევით ვეძებ და ნაპოვნს გაჩვენებთ.',
  goodbye: 'ნახვამდის!',
  from: (title) => `„${title}“:`,
  listed: 'ვებგვერდზე მითითებულია:',
  figure: 'შედეგი',
  yes: 'კი',
  no: 'არა',
  handOver: 'თანამშრომელთან საუბარი გსურთ.',
}

export const phrasesOf = (language: Language): Phrases => (language === 'ka' ? georgian : english)
