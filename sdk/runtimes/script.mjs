// node, bun or deno script.mjs
import { holds } from './checks.mjs'

console.log(await holds())
