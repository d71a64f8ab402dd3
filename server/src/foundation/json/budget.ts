/**
 * How much work may still be done on values that strangers sent. Counted, not timed, so the same input always ends the
 * same way. One unit is about ten nanoseconds.
 */
export type Budget = { left: number }

/** Thrown where the budget ends; whoever made the budget catches it and refuses the input. */
export class BudgetSpent extends Error {
  constructor() {
    super('the work that this input asks for is more than it is allowed')
    this.name = 'BudgetSpent'
  }
}

export function spend(budget: Budget, units: number): void {
  budget.left -= units
  if (budget.left < 0) throw new BudgetSpent()
}
