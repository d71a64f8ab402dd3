import assert from 'node:assert/strict'
import test from 'node:test'
import { blockWords } from './markdown.ts'

test('each type of block has words of Markdown, and no value ends its line or its cell', () => {
  for (const [block, words] of [
    [{ type: 'text', markdown: 'A\n\n| b |' }, 'A\n\n| b |'],
    [{ type: 'kpi', label: 'Orders', value: 3 }, '**Orders:** 3'],
    [
      { type: 'kpi', label: 'Sales', value: '1,200', unit: 'GEL', delta: '+4%', trend: 'down' },
      '**Sales:** 1,200 GEL (+4%) ↓',
    ],
    [
      {
        type: 'table',
        title: 'Stock',
        columns: [
          { key: 'name', label: 'Name' },
          { key: 'left', label: 'Left', align: 'right' },
          { key: 'toString', label: 'No such' },
        ],
        rows: [
          { name: 'Lamp | red\n| x', left: 0 },
          { name: null, left: true },
        ],
      },
      '**Stock**\n\n| Name | Left | No such |\n| --- | ---: | --- |\n| Lamp \\| red \\| x | 0 |  |\n|  | true |  |',
    ],
    [
      {
        type: 'ranked_list',
        items: [
          { label: 'One', value: 5, detail: 'best' },
          { label: 'Two', url: 'https://shop.example.com/2' },
        ],
      },
      '1. One: 5 (best)\n2. Two <https://shop.example.com/2>',
    ],
    [
      { type: 'stacked_bar', categories: ['May', 'June'], series: [{ name: 'Paid', values: [1, 2] }] },
      '|  | Paid |\n| --- | ---: |\n| May | 1 |\n| June | 2 |',
    ],
    [{ type: 'quick_replies', replies: [{ label: 'More', prompt: 'Show more' }] }, '- Show more'],
    [{ type: 'footnote', text: '¹ Returns' }, '_¹ Returns_'],
    [{ type: 'footnote', text: '¹ Returns', url: 'https://a.example/r' }, '_¹ Returns_ <https://a.example/r>'],
  ] as const) {
    assert.equal(blockWords(block as never), words)
  }
})
