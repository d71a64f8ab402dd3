// One answer in each language with everything in it that an answer can have; looked at, read out and measured.
const PROPOSAL = {
  tool: 'refund_order',
  arguments: { order_number: 'A-1001', amount: 129.5 },
  expiresAt: '2026-11-22T14:40:00.000Z',
}
const TOKEN = `tac_${'b'.repeat(48)}`

const EN = {
  prompt: 'Where is order A-1001, and what did I buy?',
  blocks: [
    {
      type: 'text',
      markdown:
        'Your order **A-1001** is on its way.\n\n## What happens next\n\n1. It is packed today\n2. It leaves *tomorrow*\n   - by courier\n   - with a `tracking` number\n\nSee https://shop.example/track and [our help](https://shop.example/help).\n\n> Delivery takes two days.\n\n| Part | State |\n|---|---|\n| Boots | packed |\n| Coat | waiting |',
    },
    { type: 'kpi', label: 'Total', value: 12345.5, unit: 'GEL', delta: '+4 %', trend: 'up' },
    {
      type: 'table',
      title: 'Orders',
      columns: [
        { key: 'number', label: 'Number' },
        { key: 'day', label: 'Date' },
        { key: 'total', label: 'Total', align: 'right' },
      ],
      rows: [
        { number: 'A-1001', day: '2026-11-20', total: 129.5 },
        { number: 'A-0993', day: '2026-10-02', total: 15420.25 },
      ],
    },
    {
      type: 'ranked_list',
      title: 'Best sellers',
      items: [
        { label: 'Walking boots', value: 120, detail: 'Three sizes left' },
        { label: 'Rain coat', value: 89, url: 'https://shop.example/coat' },
      ],
    },
    {
      type: 'stacked_bar',
      title: 'Sales by season',
      categories: ['Spring', 'Summer'],
      series: [
        { name: 'Boots', values: [12, 30.1] },
        { name: 'Coats', values: [19, 20.2] },
      ],
    },
    { type: 'footnote', text: 'Prices include VAT.', url: 'https://shop.example/vat' },
    {
      type: 'quick_replies',
      replies: [
        { label: 'Refund it', prompt: 'Refund order A-1001' },
        { label: 'Talk to a person', prompt: 'I want to talk to a person' },
      ],
    },
  ],
  meta: {
    preview: true,
    previewSources: ['https://shop.example/delivery'],
    sources: [{ kind: 'knowledge', title: 'Delivery and returns', url: null }],
    handoff: { trigger: 'assistant', reason: 'refund', summary: 'Wants a refund' },
    proposals: [
      {
        ...PROPOSAL,
        actionId: 'a',
        title: 'Refund order A-1001',
        summary: 'Pays 129.50 GEL back to the card.',
        risk: 'low',
        confirmationToken: TOKEN,
      },
      {
        ...PROPOSAL,
        actionId: 'b',
        title: 'Refund order A-0993',
        summary: 'Pays 15,420.25 GEL back to the card.',
        risk: 'high',
      },
    ],
  },
}

const KA = {
  prompt: 'სად არის ჩემი შეკვეთა A-1001 და რა ვიყიდე?',
  blocks: [
    {
      type: 'text',
      markdown:
        'თქვენი შეკვეთა **A-1001** გზაშია.\n\n## რა იქნება შემდეგ\n\n1. დღეს შეიფუთება\n2. *ხვალ* გაიგზავნება\n   - კურიერით\n   - `tracking` ნომრით\n\nიხილეთ https://shop.example/track და [დახმარება](https://shop.example/help).\n\n> მიწოდებას ორი დღე სჭირდება.\n\n| ნაწილი | მდგომარეობა |\n|---|---|\n| ჩექმა | შეფუთულია |\n| ქურთუკი | ელოდება |',
    },
    { type: 'kpi', label: 'ჯამი', value: 12345.5, unit: 'ლარი', delta: '+4 %', trend: 'up' },
    {
      type: 'table',
      title: 'შეკვეთები',
      columns: [
        { key: 'number', label: 'ნომერი' },
        { key: 'day', label: 'თარიღი' },
        { key: 'total', label: 'ჯამი', align: 'right' },
      ],
      rows: [
        { number: 'A-1001', day: '2026-11-20', total: 129.5 },
        { number: 'A-0993', day: '2026-10-02', total: 15420.25 },
      ],
    },
    {
      type: 'ranked_list',
      title: 'ყველაზე გაყიდვადი',
      items: [
        { label: 'სალაშქრო ჩექმა', value: 120, detail: 'დარჩა სამი ზომა' },
        { label: 'საწვიმარი ქურთუკი', value: 89, url: 'https://shop.example/coat' },
      ],
    },
    {
      type: 'stacked_bar',
      title: 'გაყიდვები სეზონების მიხედვით',
      categories: ['გაზაფხული', 'ზაფხული'],
      series: [
        { name: 'ჩექმები', values: [12, 30.1] },
        { name: 'ქურთუკები', values: [19, 20.2] },
      ],
    },
    { type: 'footnote', text: 'ფასები შეიცავს დღგ-ს.', url: 'https://shop.example/vat' },
    {
      type: 'quick_replies',
      replies: [
        { label: 'თანხის დაბრუნება', prompt: 'დამიბრუნეთ A-1001 შეკვეთის თანხა' },
        { label: 'თანამშრომელთან საუბარი', prompt: 'თანამშრომელთან საუბარი მსურს' },
      ],
    },
  ],
  meta: {
    preview: true,
    previewSources: ['https://shop.example/delivery'],
    sources: [{ kind: 'knowledge', title: 'მიწოდება და დაბრუნება', url: null }],
    handoff: { trigger: 'assistant', reason: 'refund', summary: 'თანხის დაბრუნება სურს' },
    proposals: [
      {
        ...PROPOSAL,
        actionId: 'a',
        title: 'A-1001 შეკვეთის თანხის დაბრუნება',
        summary: 'ბარათზე დაბრუნდება 129,50 ლარი.',
        risk: 'low',
        confirmationToken: TOKEN,
      },
      {
        ...PROPOSAL,
        actionId: 'b',
        title: 'A-0993 შეკვეთის თანხის დაბრუნება',
        summary: 'ბარათზე დაბრუნდება 15 420,25 ლარი.',
        risk: 'high',
      },
    ],
  },
}

export const GALLERY = { en: EN, ka: KA }
