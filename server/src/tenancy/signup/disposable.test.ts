import assert from 'node:assert/strict'
import test from 'node:test'
import { disposableEmailBlocklist } from 'disposable-email-domains-js'
import { isDisposable } from './admission.ts'

const all = disposableEmailBlocklist()

test('every domain of the list is refused, and every subdomain of it', () => {
  assert.ok(all.length > 5000)
  assert.deepEqual(
    all.filter((domain) => !isDisposable(`x@${domain}`, []) || !isDisposable(`x@MX.${domain.toUpperCase()}`, [])),
    [],
  )
})

test('mailboxes that people have are none', () => {
  for (const domain of [
    'gmail.com',
    'outlook.com',
    'hotmail.com',
    'yahoo.com',
    'icloud.com',
    'mail.ru',
    'proton.me',
    'example.com',
    'shop.example',
    'mailinator.shop.example',
    'com',
  ]) {
    assert.equal(isDisposable(`x@${domain}`, ['rival.example']), false, domain)
  }
  assert.equal(isDisposable('mailinator.com@shop.example', []), false)
  assert.equal(isDisposable('x@Mail.Rival.Example', ['rival.example']), true)
})
