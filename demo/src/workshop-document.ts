// The OpenAPI document of the workshop, as its makers wrote it: it knows nothing of an assistant.
const code = {
  name: 'code',
  in: 'path',
  required: true,
  description: 'The code of the class, such as K-2.',
  schema: { type: 'string', pattern: '^[Kk]-[0-9]{1,3}$' },
}
const seats = { type: 'integer', minimum: 1, maximum: 4, description: 'For how many people.' }
const answers = (description: string, ...errors: string[]) => ({
  200: { description },
  ...Object.fromEntries(errors.map((status) => [status, { description: 'See `message`.' }])),
})

export const WORKSHOP_DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Clay workshop', version: '1.4.0' },
  paths: {
    '/classes': {
      get: {
        operationId: 'list_classes',
        description:
          'The pottery classes of the workshop: code, title, day, price in GEL and free places. · თიხის გაკვეთილები: დღე, ფასი, ადგილები.',
        responses: answers('Every class that is to come.'),
      },
    },
    '/classes/{code}': {
      parameters: [code],
      get: {
        operationId: 'get_class',
        description: 'One pottery class by its code: title, day, price in GEL and how many places are free.',
        responses: answers('The class.', '404'),
      },
      delete: {
        operationId: 'call_off_class',
        description: 'Calls a class off and writes to everybody who has a place in it.',
        responses: answers('It is off.', '404'),
      },
    },
    '/classes/{code}/booking': {
      parameters: [code],
      get: {
        operationId: 'my_booking',
        description: 'The places that the signed-in customer has booked in one class.',
        responses: answers('Nought if there are none.', '404'),
      },
      post: {
        operationId: 'book_places',
        description: 'Book places in one pottery class for the signed-in customer, who pays there.',
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: { type: 'object', properties: { seats }, required: ['seats'] } },
          },
        },
        responses: answers('They are booked.', '404', '409'),
      },
    },
  },
}
