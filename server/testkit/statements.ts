// Which statements a house runs, by name, in their order.
import type { Queries } from '../src/kernel/db/index.ts'
import type { OpenHouse } from './house.ts'

/** What is written now and then, whoever asks. */
const NOT_OF_A_REQUEST = new Set(['access.touch_keys', 'usage.insert', 'usage.insert_records', 'calls.insert'])

/** From here on, every statement of this house is told to `hear`, in a transaction or out of it. */
export function listenTo(house: OpenHouse, hear: (name: string) => void): void {
  const { database } = house.database
  const told = (queries: Queries): Queries => {
    const { rows, one, run } = queries
    const tell = ({ name }: { name: string }) => {
      if (!NOT_OF_A_REQUEST.has(name)) hear(name)
    }
    return {
      rows(statement, ...values) {
        tell(statement)
        return rows(statement, ...values)
      },
      one(statement, ...values) {
        tell(statement)
        return one(statement, ...values)
      },
      run(statement, ...values) {
        tell(statement)
        return run(statement, ...values)
      },
    }
  }
  const { transaction } = database
  const heard: Pick<typeof database, 'rows' | 'one' | 'run' | 'transaction'> = {
    ...told(database),
    transaction: (work, options) => transaction((tx) => work({ ...tx, ...told(tx) }), options),
  }
  Object.assign(database, heard)
}
