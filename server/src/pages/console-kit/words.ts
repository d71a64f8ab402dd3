// The words of the frame and of the way in. Those of a page stand beside it.
import type { Words } from './page.ts'

const EN = {
  console: 'Console',
  menu: 'Menu',
  groups: { run: 'Running', setup: 'Set up', people: 'People', try: 'Try' },
  signOut: 'Sign out',
  here: 'the console',
  saved: 'Saved.',
  same: 'The same over the API',
  backAgain:
    'You are signed in again. The form still holds what you typed, and nothing has been sent. Enter secrets, files and ticks again.',
  refusedForm:
    'Nothing was changed: the page was too old, or the form came from elsewhere. Load the page and try again.',
  wrongAsk: 'Nothing is shown, because the address asks for something that this page does not know:',
  knownAsks: 'It knows:',
  withoutFilters: 'The page without filters',
  withoutField: (name: string) =>
    `Nothing was changed: the form came without its field “${name}”. Load the page again and send it from there.`,
  answered: 'The service said:',
  missing: 'There is no such page.',
  back: 'To the overview',
  wayIn: {
    heading: 'Sign in to the console',
    lead: 'Here you set up your workspace, and see what it does.',
    key: 'Secret key',
    keyHint: 'It begins with tth_. We exchange it for a session and never send it back to this browser.',
    enter: 'Sign in',
    mailHeading: 'Without the key',
    mailLead: 'Write the confirmed address of the workspace, and we mail a link to it.',
    email: 'Your address',
    ask: 'Mail me a link',
    noMail: 'This service sends no mail, so the key is the only way in.',
    asked: 'Look into your mailbox',
    askedMore:
      'If this is the confirmed address of a workspace, a link is on its way. It works once and for a short time.',
    withLink: 'You have a link',
    link: 'The address from the mail',
    withLinkLead: 'Nothing has happened yet. Press the button to sign in.',
    linkEnter: 'Sign in with the link',
    signUp: 'No workspace yet? Create one',
    refused: {
      key: 'This is not a live secret key. Check that you copied all of it.',
      publishable: 'This is the publishable key of a page. The console needs the secret key, tth_….',
      otherKind: 'This key is good, but for something else. The console needs the secret key, tth_….',
      email: 'This is not a mail address. Write it like name@example.com.',
      invalid_link: 'This link does not work. It was used, or a newer one was mailed. Ask for a new one.',
      link_expired: 'The link has expired. Ask for a new one.',
      rate_limited: 'That was asked for too often. Try again later.',
      form: 'The page was too old, or the form came from elsewhere. Try again.',
      ended: 'Your session has ended. Sign in again.',
      kept: 'Your session has ended, so nothing was changed. Sign in again, and the form will still hold what you typed.',
      undone:
        'Your session has ended, so nothing was changed, and what you typed was not kept. Sign in again, and you come back to that page.',
      other: 'That did not work. Try again later.',
    } as Readonly<Record<string, string>>,
  },
}

const KA: typeof EN = {
  console: 'მართვის პანელი',
  menu: 'მენიუ',
  groups: { run: 'მუშაობა', setup: 'გამართვა', people: 'ადამიანები', try: 'მოსინჯვა' },
  signOut: 'გასვლა',
  here: 'მართვის პანელი',
  saved: 'შენახულია.',
  same: 'იგივე API-ით',
  backAgain:
    'ისევ შესული ხართ. რაც აკრიფეთ, ისევ აქ წერია და ჯერ არ გაგზავნილა. საიდუმლო მონაცემები, ფაილები და მონიშვნები თავიდან მიუთითეთ.',
  refusedForm: 'არაფერი შეცვლილა: გვერდი მოძველდა, ან ფორმა სხვა ადგილიდან მოვიდა. განაახლეთ გვერდი და სცადეთ თავიდან.',
  wrongAsk: 'არაფერს ვაჩვენებთ: მისამართში ისეთი რამ წერია, რასაც ეს გვერდი ვერ ცნობს:',
  knownAsks: 'ცნობს ამათ:',
  withoutFilters: 'გვერდი ფილტრების გარეშე',
  withoutField: (name) => `არაფერი შეცვლილა: ფორმას აკლდა ველი „${name}“. გვერდი თავიდან გახსენით და იქიდან გაგზავნეთ.`,
  answered: 'სერვისის პასუხი:',
  missing: 'ასეთი გვერდი არ არსებობს.',
  back: 'მთავარ გვერდზე',
  wayIn: {
    heading: 'მართვის პანელში შესვლა',
    lead: 'აქ გამართავთ თქვენს სამუშაო სივრცეს და ნახავთ, რას აკეთებს ის.',
    key: 'საიდუმლო გასაღები',
    keyHint: 'იწყება ასე: tth_. გასაღებს სეანსში ვცვლით და ამ ბრაუზერში უკან აღარ ვაბრუნებთ.',
    enter: 'შესვლა',
    mailHeading: 'გასაღების გარეშე',
    mailLead: 'ჩაწერეთ სამუშაო სივრცის დადასტურებული ელფოსტა და მასზე ბმულს გამოგიგზავნით.',
    email: 'თქვენი ელფოსტა',
    ask: 'გამომიგზავნეთ ბმული',
    noMail: 'ეს სერვისი წერილებს არ აგზავნის, ამიტომ შესვლა მხოლოდ გასაღებით შეიძლება.',
    asked: 'შეამოწმეთ ფოსტა',
    askedMore:
      'თუ ეს მისამართი რომელიმე სამუშაო სივრცის დადასტურებული ელფოსტაა, ბმული უკვე გზაშია. ის მუშაობს ერთხელ და მცირე ხნით.',
    withLink: 'ბმული გაქვთ',
    link: 'მისამართი წერილიდან',
    withLinkLead: 'ჯერ არაფერი მომხდარა. შესასვლელად დააჭირეთ ღილაკს.',
    linkEnter: 'ბმულით შესვლა',
    signUp: 'სამუშაო სივრცე ჯერ არ გაქვთ? შექმენით',
    refused: {
      key: 'ეს მოქმედი საიდუმლო გასაღები არ არის. შეამოწმეთ, სრულად დააკოპირეთ თუ არა.',
      publishable: 'ეს გვერდის საჯარო გასაღებია. მართვის პანელს საიდუმლო გასაღები სჭირდება, tth_….',
      otherKind: 'ეს გასაღები მოქმედებს, მაგრამ სხვა რამისთვისაა. მართვის პანელს საიდუმლო გასაღები სჭირდება, tth_….',
      email: 'ეს ელფოსტის მისამართი არ არის. ჩაწერეთ ასე: name@example.com.',
      invalid_link: 'ეს ბმული აღარ მუშაობს: გამოყენებულია, ან უფრო ახალი გამოგეგზავნათ. მოითხოვეთ ახალი.',
      link_expired: 'ბმულს ვადა გაუვიდა. მოითხოვეთ ახალი.',
      rate_limited: 'მეტისმეტად ხშირი მოთხოვნაა. სცადეთ მოგვიანებით.',
      form: 'გვერდი მოძველდა, ან ფორმა სხვა ადგილიდან მოვიდა. სცადეთ თავიდან.',
      ended: 'თქვენი სეანსი დასრულდა. შედით თავიდან.',
      kept: 'თქვენი სეანსი დასრულდა, ამიტომ არაფერი შეცვლილა. შედით თავიდან და რაც აკრიფეთ, ფორმაში ისევ დაგხვდებათ.',
      undone:
        'თქვენი სეანსი დასრულდა, ამიტომ არაფერი შეცვლილა და რაც აკრიფეთ, არ შენახულა. შედით თავიდან და იმავე გვერდზე დაბრუნდებით.',
      other: 'ვერ მოხერხდა. სცადეთ მოგვიანებით.',
    },
  },
}

type ConsoleWords = typeof EN
export const WORDS: Words<ConsoleWords> = { en: EN, ka: KA }
