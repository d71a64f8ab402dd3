import { type Json, type JsonObject, member } from '../../../kernel/json/index.ts'
import { type ArgumentPlace, STYLES, type Style } from '../../../tools/catalog/index.ts'
import { textOf } from './reading.ts'

export const isStyle = (place: ArgumentPlace['in'], style: Json | undefined): style is Style =>
  STYLES[place].some((known) => known === style)

/** How Swagger 2.0 writes a list: `collectionFormat`, with commas unless it says otherwise. */
export function listStyle(parameter: JsonObject, place: ArgumentPlace['in']): Omit<ArgumentPlace, 'in' | 'name'> {
  if (member(parameter, 'type') !== 'array' || place === 'path' || place === 'header') return {}
  switch (textOf(parameter, 'collectionFormat')) {
    case 'multi':
      return place === 'body' ? { style: 'form', explode: true } : {}
    case 'ssv':
      return { style: 'spaceDelimited' }
    case 'pipes':
      return { style: 'pipeDelimited' }
    default:
      return place === 'body' ? { style: 'form', explode: false } : { explode: false }
  }
}
