// The words of the page, in both languages.
import type { Language } from '@tether/contract'

export type TryWords = {
  readonly other: readonly [Language, string]
  readonly title: string
  readonly open: {
    readonly heading: string
    readonly lead: string
    readonly label: string
    readonly button: string
    /** What is done with it, in the numbers of this deployment. */
    facts(pages: number, minutes: number, turns: number): readonly string[]
  }
  readonly reading: {
    heading(site: string): string
    readonly lead: string
    readonly pages: string
    readonly bytes: string
    readonly seconds: string
    readonly refused: string
    of(value: string, most: string): string
  }
  readonly ready: {
    /** `isLimit`: no more pages are read for a trial. */
    heading(name: string, pages: number, isLimit: boolean): string
    readonly label: string
    readonly colour: string
    readonly items: string
    readonly topics: string
    readonly talk: string
    readonly noScript: string
    readonly left: string
    readonly until: string
    readonly greeting: string
    readonly launcher: string
    readonly placeholder: string
  }
  readonly keep: {
    readonly heading: string
    readonly lead: string
    readonly email: string
    readonly name: string
    readonly button: string
    mailed(minutes: number): string
  }
  readonly kept: {
    readonly heading: string
    readonly lead: string
    readonly key: string
    readonly lines: string
    readonly next: string
    readonly readAll: string
    readonly embed: string
  }
  readonly again: string
  readonly failed: {
    heading(site: string): string
    readonly empty: string
    readonly reasons: Readonly<Record<string, string>>
  }
  readonly expired: { readonly heading: string; readonly lead: string }
  /** By the code of a refusal; `form` is for a form that is not ours. */
  readonly refused: Readonly<Record<string, string>>
  /** Too many attempts, where it is known when the next one is let in. */
  limited(minutes: number): string
}

const MOST_MINUTES = 90

const EN: TryWords = {
  other: ['ka', 'ქართული'],
  title: 'Try it with your website',
  open: {
    heading: 'Paste the address of your website and talk to an assistant that has read it.',
    lead: 'You need no account for it.',
    label: 'Address of the website',
    button: 'Read the website',
    facts: (pages, minutes, turns) => [
      `It reads up to ${pages} public pages, as your robots.txt allows, and answers up to ${turns} questions from them.`,
      'It sees no orders, stock or accounts, and changes nothing.',
      `After ${minutes} minutes everything is deleted, unless you keep it.`,
    ],
  },
  reading: {
    heading: (site) => `Your website is being read: ${site}.`,
    lead: 'This takes some seconds. The page changes by itself.',
    pages: 'Pages',
    bytes: 'Read',
    seconds: 'Time',
    refused: 'Pages that robots.txt keeps for itself',
    of: (value, most) => `${value} of ${most}`,
  },
  ready: {
    heading: (name, pages, isLimit) =>
      `It has read ${pages === 1 ? 'one page' : `${pages} pages`} of ${name}${isLimit ? ', as many as a trial reads' : ''}. Ask it something.`,
    label: 'This is a preview: it knows what the public website says, and nothing else.',
    colour: 'Colour',
    items: 'Listed items',
    topics: 'It has read about',
    talk: 'Talk to it',
    noScript: 'The window in which you talk needs JavaScript. Everything else on this page works without it.',
    left: 'Questions left',
    until: 'Deleted at',
    greeting: 'Hello! I have read the public website. What would you like to know?',
    launcher: 'Ask a question',
    placeholder: 'Ask about the website',
  },
  keep: {
    heading: 'Keep it as a workspace',
    lead: 'What was read moves along. From there you put the assistant on your own pages, and connect your system when you like. It costs nothing.',
    email: 'Your e-mail address',
    name: 'Name of the workspace',
    button: 'Keep it',
    mailed: (minutes) =>
      `We have mailed you a link. Open it within ${minutes} minutes; until then you can go on talking here.`,
  },
  kept: {
    heading: 'It is yours. Store the key now: it is shown once.',
    lead: 'The key is a secret of your server. Never put it into a page.',
    key: 'Secret key',
    lines: 'Lines for your shell',
    next: 'What comes next',
    readAll: 'Have the whole website read. The trial read only some of its pages.',
    embed: 'Get the two lines that put the assistant into your pages.',
  },
  again: 'Try another website',
  failed: {
    heading: (site) => `Nothing could be read at ${site}.`,
    empty: 'The page has no text that can be read without scripts. Try a page that shows its text at once.',
    reasons: {
      site_challenged:
        'The website asks visitors to prove that they are people. We never try to get past that. Its owner can let TetherPreview in.',
      unreachable: 'The website did not answer. Check the address, and try again.',
      robots_refused: 'Its robots.txt asks programs not to read it, and we do as it says.',
      too_slow: 'The website answered too slowly. Try again later.',
    },
  },
  expired: {
    heading: 'This trial has ended, and everything that was read has been deleted.',
    lead: 'If you have kept it, the key of the workspace goes on.',
  },
  refused: {
    form: 'This form was open for too long, or came from another page. Send it again from here.',
    invalid_site_url: 'Write the address of the website, such as shop.example, without a user name.',
    site_refused: 'This address does not lead to a site on the public internet.',
    sandbox_busy: 'Several websites are being read at the moment. Try again in a few seconds.',
    rate_limited: 'There were too many attempts. Wait a little, then try again.',
    invalid_email: 'Write an e-mail address such as name@example.com.',
    invalid_name: 'Give the workspace a name of 2 to 120 characters.',
    disposable_email: 'This address is a disposable one. Use your own.',
    email_already_used: 'This address already has a workspace.',
    signup_disabled: 'This deployment takes no new workspaces. Ask its operator.',
    signup_unavailable: 'No mail can be sent at the moment. Try again in a few minutes.',
    other: 'That did not work. Try again.',
  },
  limited: (minutes) =>
    `There were too many attempts. Try again in ${minutes <= MOST_MINUTES ? (minutes === 1 ? 'a minute' : `${minutes} minutes`) : `${Math.ceil(minutes / 60)} hours`}.`,
}

const KA: TryWords = {
  other: ['en', 'English'],
  title: 'მოსინჯეთ თქვენს ვებგვერდზე',
  open: {
    heading: 'ჩასვით თქვენი ვებგვერდის მისამართი და ესაუბრეთ ასისტენტს, რომელმაც ის წაიკითხა.',
    lead: 'რეგისტრაცია საჭირო არ არის.',
    label: 'ვებგვერდის მისამართი',
    button: 'ვებგვერდის წაკითხვა',
    facts: (pages, minutes, turns) => [
      `კითხულობს მაქსიმუმ ${pages} საჯარო გვერდს, თქვენი robots.txt-ის მიხედვით, და მათზე დაყრდნობით პასუხობს ${turns}-მდე შეკითხვას.`,
      'შეკვეთებს, მარაგსა და ანგარიშებს ვერ ხედავს და არაფერს ცვლის.',
      `${minutes} წუთის შემდეგ ყველაფერი წაიშლება, თუ არ შეინარჩუნებთ.`,
    ],
  },
  reading: {
    heading: (site) => `თქვენი ვებგვერდი იკითხება: ${site}.`,
    lead: 'ამას რამდენიმე წამი სჭირდება. გვერდი თავისით განახლდება.',
    pages: 'გვერდები',
    bytes: 'წაკითხულია',
    seconds: 'დრო',
    refused: 'robots.txt-ით დახურული გვერდები',
    of: (value, most) => `${value} / ${most}`,
  },
  ready: {
    heading: (name, pages, isLimit) =>
      `წაკითხულია ${name}: ${pages} გვერდი${isLimit ? ' (მეტს მოსინჯვისას არ ვკითხულობთ)' : ''}. ჰკითხეთ რამე.`,
    label: 'ეს წინასწარი ვერსიაა: იცის მხოლოდ ის, რაც საჯარო ვებგვერდზე წერია.',
    colour: 'ფერი',
    items: 'ჩამოთვლილი პროდუქტები',
    topics: 'წაკითხული აქვს',
    talk: 'დაელაპარაკეთ',
    noScript: 'სასაუბრო ფანჯარას JavaScript სჭირდება. ამ გვერდზე დანარჩენი მის გარეშეც მუშაობს.',
    left: 'დარჩენილი შეკითხვები',
    until: 'წაიშლება',
    greeting: 'გამარჯობა! საჯარო ვებგვერდი წაკითხული მაქვს. რა გაინტერესებთ?',
    launcher: 'დასვით კითხვა',
    placeholder: 'იკითხეთ ვებგვერდის შესახებ',
  },
  keep: {
    heading: 'შეინახეთ სამუშაო სივრცედ',
    lead: 'წაკითხული მასალა თან გადაჰყვება. იქიდან ასისტენტს საკუთარ გვერდებზე განათავსებთ და, როცა მოისურვებთ, თქვენს სისტემას დაუკავშირებთ. უფასოა.',
    email: 'თქვენი ელფოსტა',
    name: 'სამუშაო სივრცის სახელი',
    button: 'შენახვა',
    mailed: (minutes) =>
      `ბმული ელფოსტით გამოგიგზავნეთ. გახსენით ${minutes} წუთის განმავლობაში; მანამდე აქ საუბარს გააგრძელებთ.`,
  },
  kept: {
    heading: 'უკვე თქვენია. გასაღები ახლავე შეინახეთ: მხოლოდ ერთხელ ჩანს.',
    lead: 'გასაღები თქვენი სერვერის საიდუმლოა. გვერდზე არასოდეს განათავსოთ.',
    key: 'საიდუმლო გასაღები',
    lines: 'ბრძანებები ტერმინალისთვის',
    next: 'შემდეგი ნაბიჯები',
    readAll: 'წააკითხეთ მთელი ვებგვერდი: მოსინჯვისას მხოლოდ რამდენიმე გვერდი იკითხება.',
    embed: 'მიიღეთ ორი სტრიქონი, რომლითაც ასისტენტს თქვენს გვერდებზე განათავსებთ.',
  },
  again: 'სხვა ვებგვერდის მოსინჯვა',
  failed: {
    heading: (site) => `ვერაფერი წავიკითხეთ მისამართზე ${site}.`,
    empty:
      'გვერდზე არ არის ტექსტი, რომელიც სკრიპტების გარეშე იკითხება. სცადეთ გვერდი, რომელიც ტექსტს მაშინვე აჩვენებს.',
    reasons: {
      site_challenged:
        'ვებგვერდი სტუმრისგან ითხოვს, დაამტკიცოს, რომ ადამიანია. ამის გვერდის ავლას არასოდეს ვცდილობთ. მფლობელს შეუძლია TetherPreview-ს დაშვება.',
      unreachable: 'ვებგვერდმა არ გვიპასუხა. შეამოწმეთ მისამართი და სცადეთ ხელახლა.',
      robots_refused: 'მისი robots.txt პროგრამებს სთხოვს, არ წაიკითხონ, და ჩვენც ასე ვიქცევით.',
      too_slow: 'ვებგვერდმა ძალიან ნელა გვიპასუხა. სცადეთ მოგვიანებით.',
    },
  },
  expired: {
    heading: 'მოსინჯვის დრო ამოიწურა და წაკითხული მასალა წაიშალა.',
    lead: 'თუ შეინახეთ, სამუშაო სივრცის გასაღები კვლავ მუშაობს.',
  },
  refused: {
    form: 'ფორმა დიდხანს იყო გახსნილი ან სხვა გვერდიდან მოვიდა. გამოგზავნეთ ხელახლა აქედან.',
    invalid_site_url: 'დაწერეთ ვებგვერდის მისამართი, მაგალითად shop.example, მომხმარებლის სახელის გარეშე.',
    site_refused: 'ეს მისამართი საჯარო ინტერნეტში მდებარე ვებგვერდზე არ გადის.',
    sandbox_busy: 'ახლა რამდენიმე ვებგვერდი იკითხება. სცადეთ რამდენიმე წამში.',
    rate_limited: 'ძალიან ბევრი მცდელობა იყო. ცოტა დაელოდეთ და სცადეთ ხელახლა.',
    invalid_email: 'დაწერეთ ელფოსტა, მაგალითად name@example.com.',
    invalid_name: 'სამუშაო სივრცეს მიეცით 2-დან 120 სიმბოლომდე სახელი.',
    disposable_email: 'ეს ერთჯერადი მისამართია. მიუთითეთ თქვენი საკუთარი.',
    email_already_used: 'ამ მისამართს უკვე აქვს სამუშაო სივრცე.',
    signup_disabled: 'აქ ახალი სამუშაო სივრცეები არ იქმნება. მიმართეთ ოპერატორს.',
    signup_unavailable: 'წერილის გაგზავნა ახლა ვერ ხერხდება. სცადეთ რამდენიმე წუთში.',
    other: 'ვერ მოხერხდა. სცადეთ ხელახლა.',
  },
  limited: (minutes) =>
    `ძალიან ბევრი მცდელობა იყო. სცადეთ ხელახლა ${minutes <= MOST_MINUTES ? `${minutes} წუთში` : `${Math.ceil(minutes / 60)} საათში`}.`,
}

export const TRY_WORDS: Readonly<Record<Language, TryWords>> = { en: EN, ka: KA }
