import { allStatements } from '../server/src/kernel/db/index.ts'
import { documentFaults } from './documents.ts'
import { moduleStateFaults } from './module-state.ts'
import { repeatedRows } from './repeated-rows.ts'
import { sizeFaults } from './sizes.ts'
import { stalePathFaults } from './stale-paths.ts'
import { nameFaults } from './statement-names.ts'
import { statementFaults } from './walls.ts'

// The walls load every room that declares SQL.
const walls = await statementFaults()
const faults = [
  ...sizeFaults(),
  ...repeatedRows(),
  ...documentFaults(),
  ...stalePathFaults(),
  ...moduleStateFaults(),
  ...walls,
  ...nameFaults(allStatements()),
]
for (const fault of faults) console.log(fault)
process.exitCode = faults.length === 0 ? 0 : 1
