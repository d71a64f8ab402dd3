import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsOf, load, PRODUCTION, settingsOf, warningsOf } from './testing.ts'

const SMTP = {
  Mail__Transport: 'smtp',
  Mail__From: 'Tether <no-reply@tether.example>',
  Mail__Smtp__Host: 'smtp.example',
}
const namesOf = (...given: Parameters<typeof load>) => faultsOf(load(...given)).map((message) => message.split(' ')[0])

test('smtp starts with a sender and a server, in every environment, and with nothing less', () => {
  for (const environment of [{}, PRODUCTION]) {
    assert.equal(settingsOf(load({ ...environment, ...SMTP })).mail.smtp.port, 587)
    assert.deepEqual(namesOf({ ...environment, Mail__Transport: 'smtp' }), ['Mail:From', 'Mail:Smtp:Host'])
    assert.deepEqual(namesOf({ ...environment, ...SMTP, Mail__Smtp__User: 'tether' }), ['Mail:Smtp:Password'])
  }
  assert.equal(
    settingsOf(load({ Mail__Smtp__User: 'tether' })).mail.transport,
    'none',
    'what is not used needs nothing',
  )
})

test('what could be more than a sender, a domain or a page is refused', () => {
  for (const from of [
    'Tether',
    'a@b.example, c@d.example',
    'Tether <a@b.example',
    'a@b.example\nBcc: c@d.example',
    '<>',
  ]) {
    assert.deepEqual(namesOf({ ...SMTP, Mail__From: from }), ['Mail:From'], from)
  }
  for (const from of [
    'no-reply@tether.example',
    'Tether <a@b.example>',
    '"Tether, Inc." <a@b.example>',
    'თეთერი <a@b.example>',
  ]) {
    assert.equal(settingsOf(load({ ...SMTP, Mail__From: from })).mail.from, from)
  }
  for (const url of [
    'http://app.example/confirm',
    'https://app.example/?x=1',
    'https://app.example/#x',
    'https://a:b@app.example',
    'app.example',
  ]) {
    assert.deepEqual(namesOf({ Signup__VerifyUrl: url }), ['Signup:VerifyUrl'], url)
  }
  for (const url of [
    'https://app.example/confirm',
    'http://127.0.0.1:3000/',
    'http://localhost/confirm',
    'http://[::1]/x',
  ]) {
    assert.equal(settingsOf(load({ Signup__VerifyUrl: url })).signup.verifyUrl, url)
  }
  assert.deepEqual(namesOf({ Signup__NotifyAddress: 'ops' }), ['Signup:NotifyAddress'])
  assert.deepEqual(
    settingsOf(load({ Signup__BlockedEmailDomains: 'A.example, b.example' })).signup.blockedEmailDomains,
    ['a.example', 'b.example'],
  )
  assert.deepEqual(settingsOf(load({ Signup__BlockedEmailDomains: 'ბლოკი.გე' })).signup.blockedEmailDomains, [
    'xn--modocdp.xn--node',
  ])
  assert.deepEqual(namesOf({ Signup__BlockedEmailDomains: 'x@a.example' }), ['Signup:BlockedEmailDomains'])
})

test('Production confirms addresses only with a page for the link; Development says it when somebody signs up', () => {
  assert.deepEqual(namesOf({ ...PRODUCTION, Signup__VerifyEmail: 'true' }), ['Signup:VerifyUrl'])
  settingsOf(load({ Signup__VerifyEmail: 'true' }))
  settingsOf(
    load({
      ...PRODUCTION,
      Signup__VerifyEmail: 'true',
      Signup__VerifyUrl: 'https://tether.example.com/account/confirm',
    }),
  )
})

test('mail that travels unencrypted is allowed and said', () => {
  assert.match(
    warningsOf(load({ ...PRODUCTION, ...SMTP, Mail__Smtp__Security: 'none' }))[0] ?? '',
    /^Mail:Smtp:Security: /,
  )
  assert.deepEqual(warningsOf(load({ ...PRODUCTION, ...SMTP })), [])
})
