import type { ImportWarning } from '@tether/contract'
import { type InputType, isNumeric } from './input-type.ts'
import { shortDescription } from './limits.ts'
import type { Made } from './tools.ts'

export type Warning = {
  readonly operation: string
  readonly parameter: string | null
  readonly code: ImportWarning
  readonly message: string
}

/** What a model will get wrong with this tool. None of it refuses the import. */
export function* warningsOf({ tool, declared }: Made, typeOf: InputType): Generator<Warning> {
  const operation = declared.operation.name
  const { description } = tool
  // Where the document says nothing, its method and path stand in the description, however long they are.
  const isMute = declared.operation.description === '' && declared.said.description === undefined
  if (isMute || (typeof description === 'string' && description.length < shortDescription))
    yield {
      operation,
      parameter: null,
      code: 'short_description',
      message: `Its description has fewer than ${shortDescription} characters: say what it does and when to use it.`,
    }
  for (const input of declared.inputs) {
    const { argument: parameter, required, description: words } = input
    if (!required && isNumeric(typeOf(input)))
      yield {
        operation,
        parameter,
        code: 'optional_number',
        message:
          'An optional number is often filled in with one that nobody named: omit it, require it, or say when to send it.',
      }
    if (words === '' && isIdentifier(parameter))
      yield {
        operation,
        parameter,
        code: 'undescribed_id',
        message: 'An identifier without a description: say where its value comes from, or the model will invent one.',
      }
    if (words === '' && !required)
      yield {
        operation,
        parameter,
        code: 'undescribed_optional',
        message: 'An optional input without a description: say what it does, or omit it.',
      }
  }
}

/** id, ids, order_id, orderId, order-uuid, ID. */
const isIdentifier = (name: string): boolean =>
  /(?:^|[_.-])(?:id|ids|uuid|guid)$/i.test(name) || /[a-z0-9](?:Id|Ids|ID|IDs|Uuid|UUID|Guid|GUID)$/.test(name)
