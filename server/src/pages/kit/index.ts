// What the pages share on which somebody is signed in or tries something: the cookie, the tokens of forms, the policy, the frame, the look.

export { ACTION_WORDS } from './action-words.ts'
export { framedHeaders, pageAnswers, seeOther } from './answers.ts'
export { asset, assetRoutes } from './assets.ts'
export { cookieJar, type SessionInCookie, sessionCookie } from './cookie.ts'
export { FieldMissing, Fields, type Form, field, newFormKeeper, sent, strangersForm } from './forms.ts'
export { documentHead, instant, languageOf, otherLanguage, seen, strangersPage } from './frame.ts'
