import type { ErrorCode, Language } from '@tether/contract'
import { type Html, html } from '../../kernel/html/index.ts'
import type { Refusal } from '../../kernel/http/index.ts'
import { WORDS } from './words.ts'

/** What an owner meets, in Georgian. The interface itself speaks English, and the rest is shown as it says it. */
const KA: Partial<Record<ErrorCode, string>> = {
  invalid_endpoint: 'ეს მისამართი არ გამოდგება. საჭიროა სრული HTTPS მისამართი, რომელიც ინტერნეტიდან ჩანს.',
  invalid_origin: 'საიტი ჩაწერეთ ასე: https://shop.example, გვერდის მისამართის გარეშე.',
  too_many_origins: 'მეტისმეტად ბევრი საიტია. წაშალეთ ის, რომელიც აღარ გჭირდებათ.',
  email_unconfirmed: 'ჯერ სამუშაო სივრცის ელფოსტა უნდა დადასტურდეს.',
  invalid_site_url: 'ჩაწერეთ გვერდის სრული მისამართი, http:// ან https:// დასაწყისით.',
  unknown_key: 'ასეთი გასაღები აღარ არის.',
  last_secret_key: 'ეს ერთადერთი მოქმედი საიდუმლო გასაღებია. ჯერ ახალი შექმენით, მერე გააუქმეთ ეს.',
  key_limit_reached: 'მეტისმეტად ბევრი გასაღებია. გააუქმეთ ის, რომელიც აღარ გჭირდებათ.',
  confirmation_required: 'სახელი არ დაემთხვა, ამიტომ არაფერი წაშლილა.',
  already_confirmed: 'ელფოსტა უკვე დადასტურებულია.',
  invalid_email: 'ეს ელფოსტის მისამართი არ არის. ჩაწერეთ ასე: name@example.com.',
  invalid_name: 'სახელი არ გამოდგება. ჩაწერეთ ერთი სტრიქონი, ბმულის გარეშე.',
  disposable_email: 'ეს დროებითი მისამართია. ჩაწერეთ თქვენი საკუთარი.',
  email_already_used: 'ამ მისამართს უკვე აქვს სამუშაო სივრცე.',
  event_not_found: 'ასეთი გაუგზავნელი მოვლენა აღარ არის: მივიდა, ან მისი შინაარსი აღარ ინახება.',
  rate_limited: 'მეტისმეტად ხშირი მოთხოვნაა. სცადეთ მოგვიანებით.',
  invalid_period: 'პერიოდი არასწორია: დასაწყისი დასასრულზე გვიანაა.',
  invalid_api_key: 'გასაღები, რომლითაც შეხვედით, გაუქმებულია. შედით თავიდან.',
  invalid_user_session: 'თქვენი სეანსი დასრულდა. შედით თავიდან.',
}

export function refusedWords(language: Language, { code, message }: Pick<Refusal, 'code' | 'message'>): Html {
  const own = language === 'ka' ? KA[code] : undefined
  if (own !== undefined) return html`<p>${own} <code>${code}</code></p>`
  if (language === 'en') return html`<p>${message} <code>${code}</code></p>`
  return html`<p>${WORDS.ka.answered} <span lang="en">${message}</span> <code>${code}</code></p>`
}
