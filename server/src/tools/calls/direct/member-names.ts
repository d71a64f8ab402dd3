// An exploded object writes a parameter for each of its members, whose names the caller chooses. Such a member must not be read in
// place of a parameter that the binding fixes, that another argument fills, or that carries the credential.
import type { ApiCredential } from '@tether/contract'
import { isObject, type Json, type JsonObject, member } from '../../../kernel/json/index.ts'
import type { ArgumentPlace, HttpBinding } from '../../catalog/index.ts'
import { proofOf, replacedName, spellingsOf } from './credential.ts'
import { memberNames } from './styles.ts'

/** An argument, where it goes, and its value. */
export type Placed = { readonly argument: string; readonly place: ArgumentPlace; readonly value: Json }

/** A parameter that a member of an argument adds to the request. */
export type AddedName = { readonly argument: string; readonly place: ArgumentPlace; readonly name: string }

export const addedNames = (http: HttpBinding, placed: readonly Placed[]): AddedName[] =>
  placed.flatMap(({ argument, place, value }) =>
    isWrittenInStyle(http, place) ? memberNames(value, place).map((name) => ({ argument, place, name })) : [],
  )

/** JSON and multipart bodies write an argument under its own name only, and so does a form that declares no style for it. */
const isWrittenInStyle = ({ body, mediaType = '' }: HttpBinding, place: ArgumentPlace): boolean =>
  place.in !== 'body' || (body === 'form' && !/^multipart\//i.test(mediaType) && saysHow(place))

/** The member of a form has an encoding of its own. */
export const saysHow = ({ style, explode, allowReserved, contentType }: ArgumentPlace): boolean =>
  style !== undefined || explode !== undefined || allowReserved !== undefined || contentType !== undefined

/** Where an argument goes. Undefined for one that the tool does not declare. */
export function placeOf(http: HttpBinding, parameters: JsonObject, argument: string): ArgumentPlace | undefined {
  const bound = member(http.arguments, argument)
  if (bound !== undefined) return bound
  const declared = member(parameters, 'properties')
  if (!isObject(declared) || !Object.hasOwn(declared, argument)) return undefined
  return { in: http.body === null ? 'query' : 'body', name: argument }
}

/** Why an added parameter cannot be sent beside those of the binding. Null where each can. */
export function faultOfAdded(
  http: HttpBinding,
  parameters: JsonObject,
  added: readonly AddedName[],
): { readonly argument: string; readonly why: string } | null {
  if (added.length === 0) return null
  const declared = declaredPlaces(http, parameters)
  for (const { argument, place, name } of added) {
    const spellings = addedSpellings(place, name)
    const isReadAs = (other: string): boolean => spellingsOf(other).some((spelling) => spellings.includes(spelling))
    const fixed = http.query.find((one) => isReadAs(one.name))
    if (fixed !== undefined) return refused(argument, name, `the fixed parameter "${fixed.name}"`)
    const taken = declared.find(
      (one) => one.argument !== argument && one.place.in === place.in && isReadAs(one.place.name),
    )
    if (taken !== undefined) return refused(argument, name, `the argument "${taken.argument}"`)
  }
  return null
}

/** Why an added parameter cannot be sent beside the credential. Null where each can. */
export function faultBesideCredential(added: readonly AddedName[], credential: ApiCredential): string | null {
  const proof = proofOf(credential)
  const reserved = spellingsOf('scheme' in proof ? 'Authorization' : proof.name)
  const found = added.find(({ place, name }) => addedSpellings(place, name).some((one) => reserved.includes(one)))
  if (found === undefined) return null
  const { argument, why } = refused(found.argument, found.name, 'the credential')
  return `The argument "${argument}" ${why}`
}

/**
 * Why a write cannot be sent with this credential. Its approvers saw a parameter that the credential would replace, so the API would
 * be asked for something else. Null if it replaces none.
 */
export function faultOfReplaced(request: Parameters<typeof replacedName>[0], credential: ApiCredential): string | null {
  const proof = proofOf(credential)
  const name = 'scheme' in proof ? undefined : replacedName(request, proof)
  if (name === undefined) return null
  return `The stored credential would replace ${JSON.stringify(name)}, which this write sends. Rename the credential, or leave the parameter out.`
}

const refused = (argument: string, name: string, what: string) => ({
  argument,
  why: `has the member ${JSON.stringify(name.slice(0, 80))}, which the API could read as ${what}. Leave it out.`,
})

/** A `deepObject` begins with the name of its own argument, so only the whole name tells its members apart. */
const addedSpellings = ({ style }: ArgumentPlace, name: string): readonly string[] =>
  style === 'deepObject' ? spellingsOf(name).slice(1) : spellingsOf(name)

function declaredPlaces(http: HttpBinding, parameters: JsonObject): Omit<Placed, 'value'>[] {
  const properties = member(parameters, 'properties')
  const names = new Set([...Object.keys(http.arguments), ...(isObject(properties) ? Object.keys(properties) : [])])
  return [...names].flatMap((argument) => {
    const place = placeOf(http, parameters, argument)
    return place === undefined ? [] : [{ argument, place }]
  })
}
