import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertTakesLess } from '../../../../../testkit/processor.ts'
import { brandProperty, commonestColor, statedColor } from './css-colors.ts'
import { sharedName } from './shared-name.ts'

test('the ways in which pages write a colour, and what is none', () => {
  for (const [written, color] of [
    ['#1F6FEB', '#1f6feb'],
    ['#f0a', '#ff00aa'],
    ['#1f6febcc', '#1f6feb'],
    ['rgb(31, 111, 235)', '#1f6feb'],
    ['rgba(31 111 235 / 90%)', '#1f6feb'],
    ['hsl(120, 100%, 25%)', '#008000'],
    ['hsl(0.5turn 100% 50%)', '#00ffff'],
    ['teal', '#008080'],
  ])
    assert.equal(statedColor(written), color, written)
  for (const written of [
    '#fff',
    '#000',
    '#808080',
    '#fdfdf5',
    '#0a0a05',
    'white',
    '#12',
    '#ggg',
    '#1f6feb20',
    'rgb(1,2)',
    'hsl(x)',
    'inherit',
    '',
    5,
  ])
    assert.equal(statedColor(written), null, `${written}`)
})

test('a property that is named for the brand, and not what a framework ships', () => {
  assert.equal(brandProperty(':root{--text-primary:#0a58ca;--brand-color:#c8102e}'), '#c8102e')
  assert.equal(brandProperty(':root{--primary:31, 111, 235}'), '#1f6feb')
  assert.equal(brandProperty(':root{--bs-primary:#0d6efd;--wp--preset--color--primary:#cf2e2e}'), null)
  assert.equal(brandProperty('.btn--primary:hover{color:#c8102e}'), null)
  assert.equal(commonestColor('body{--bs-red:#ff0000;--bs-red2:#ff0000}a{color:#00aa00}'), '#00aa00')
})

test('hostile style sheets take no time', () => {
  assertTakesLess(3_000, () => {
    for (const piece of ['-', '--', '--a:', '#', 'rgb(', '--primary:', '--brand-', '{', '#fff;'])
      for (const look of [brandProperty, commonestColor]) look(piece.repeat(300_000 / piece.length))
  })
})

test('the name that titles share, or that the host has', () => {
  assert.equal(sharedName(['Home | Mug Shop', 'Red mug | Mug Shop', 'About us'], 'x.com'), 'Mug Shop')
  assert.equal(sharedName(['Mug Shop – handmade mugs'], 'www.mugshop.ge'), 'Mug Shop')
  assert.equal(sharedName(['Home', 'About'], 'x.com'), null)
  assert.equal(sharedName([], 'x.com'), null)
})
