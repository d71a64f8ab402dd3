import { existsSync, renameSync, writeFileSync } from 'node:fs'
import type { Schemas } from '../../../sdk/src/index.ts'
import { readText } from '../catalog-file.ts'
import { UsageError } from '../command.ts'
import { JsonFault, locate } from '../places.ts'
import { jsonText } from '../screen.ts'

export const OPERATIONS_FILE = 'operations.json'

export type Declaration = Schemas['ImportDeclaration']
export type Declarations = Record<string, Declaration>

/** What was declared before: nothing, where there is no file yet. */
export function readDeclarations(file: string): Declarations {
  if (!existsSync(file)) return {}
  try {
    const { value } = locate(readText(file))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Declarations
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    throw new UsageError(`${file}:${error.place.line}:${error.place.column}: ${error.message}`)
  }
  throw new UsageError(`${file} must be an object: {"get_order": {"is_write": false}, …}.`)
}

/** Whole or not at all: it is written after each answer, and somebody may stop in the middle. */
export function writeWhole(file: string, declarations: Declarations): void {
  const fresh = `${file}.${process.pid}`
  writeFileSync(fresh, `${jsonText(declarations, true)}\n`)
  renameSync(fresh, file)
}
