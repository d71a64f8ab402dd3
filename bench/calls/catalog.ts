// A shop's catalog. The first two tools are the ones that the benches call.
const number = { type: 'string', pattern: '^[A-Z]-\\d{1,9}$', description: 'The number on the receipt' }

const read = {
  name: 'get_order',
  description: 'Looks up one order of the shop by its number: state, lines and total.',
  is_write: false,
  domain: 'orders',
  parameters: { type: 'object', properties: { number }, required: ['number'], additionalProperties: false },
}

const write = {
  name: 'refund_order',
  description: 'Pays one order of the shop back to the card that it was paid with.',
  is_write: true,
  domain: 'orders',
  risk: 'low',
  parameters: {
    type: 'object',
    properties: { number, reason: { type: 'string' } },
    required: ['number'],
    additionalProperties: false,
  },
}

const further = (index: number): object => ({
  name: `get_record_${index}`,
  description: 'Handles one record of the shop by its number, with its lines, addresses and state.',
  is_write: false,
  domain: 'records',
  parameters: {
    type: 'object',
    properties: {
      record_id: { type: 'string', pattern: '^[A-Z]{2}-\\d{1,9}$', description: 'The number of the record' },
      status: { type: 'string', enum: ['open', 'paid', 'shipped'] },
      lines: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] } },
    },
    required: ['record_id'],
  },
})

export const shopCatalog: readonly object[] = [read, write]

/** So many tools, and the one that is called is the last of them. */
export const catalogOf = (tools: number): object[] => [
  ...Array.from({ length: tools - 1 }, (_, index) => further(index)),
  read,
]
