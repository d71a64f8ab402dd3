import { ERRORS, ErrorAnswer } from '@tether/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { z } from 'zod'
import { errorsOf } from '../src/api/reference/index.ts'
import type { Route } from '../src/tenancy/access/index.ts'

/**
 * Compiles each schema once for all houses of a process: compiling took a third of the time of opening one. The schemas are what zod
 * wrote, so they are not validated against the meta-schema.
 */
function openCompiler() {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
  addFormats.default(ajv)
  const compiled = new WeakMap<z.ZodType, ReturnType<Ajv2020['compile']>>()
  return {
    compile(schema: z.ZodType) {
      const known =
        compiled.get(schema) ?? ajv.compile(z.toJSONSchema(schema, { io: 'output', target: 'draft-2020-12' }))
      compiled.set(schema, known)
      return known
    },
    describe: (errors: Parameters<Ajv2020['errorsText']>[0]) => ajv.errorsText(errors),
  }
}

const { compile, describe } = openCompiler()

/**
 * Holds an answer against the declaration of its route: a status that is not declared, a member that is missing, one too
 * many, or a code that the route does not list fails the test that saw it, whatever that test was about.
 */
export function answerCheck(routes: readonly Route[]) {
  const patterns = routes.map((route) => ({
    route,
    pattern: new RegExp(`^${route.path.replace(/:[a-zA-Z]+/g, '[^/]+')}$`),
  }))

  return (method: string, path: string, status: number, body: unknown): void => {
    const bare = path.split('?', 1)[0] ?? path
    const route = patterns.find((one) => one.route.method === method && one.pattern.test(bare))?.route
    if (route === undefined || body === undefined) return
    const answer = route.answers[status]
    if (answer?.text !== undefined) return
    const declared = answer?.schema
    if (declared !== undefined && compile(declared)(body)) return
    // A route with a refusal shape of its own can still refuse in the general one.
    const general = compile(route.errorForm?.schema ?? ErrorAnswer)
    if (status >= 400 && general(body)) {
      requireListed(route, `${method} ${path}`, status, body)
      return
    }
    const faults = describe((declared === undefined ? general : compile(declared)).errors)
    throw new Error(`${method} ${path} answered ${status} with a body that is not as declared: ${faults}`)
  }
}

function requireListed(route: Route, asked: string, status: number, body: unknown): void {
  const { code } = (body as { error: { code: keyof typeof ERRORS } }).error
  if (ERRORS[code] !== status)
    throw new Error(`${asked} answered ${status} with the code ${code}, which is ${ERRORS[code]}.`)
  if (!errorsOf(route).includes(code))
    throw new Error(`${asked} answered the code ${code}, which its declaration does not list.`)
}
