import { repeatedRows } from './repeated-rows.ts'
import { sizeFaults } from './sizes.ts'
import { statementFaults } from './walls.ts'

const faults = [...sizeFaults(), ...repeatedRows(), ...(await statementFaults())]
for (const fault of faults) console.log(fault)
process.exitCode = faults.length === 0 ? 0 : 1
