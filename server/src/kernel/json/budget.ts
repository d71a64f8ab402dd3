/**
 * How much work we may still do on values that strangers sent. It is counted, not timed, so that the same input always
 * ends the same way. One unit is about ten nanoseconds.
 */
export type WorkBudget = { left: number }

/** Thrown when the budget is spent. Whoever made the budget catches it and refuses the input. */
export class BudgetSpent extends Error {
  constructor() {
    super('This input takes more work to check than it may.')
    this.name = 'BudgetSpent'
  }
}

export function spend(budget: WorkBudget, units: number): void {
  budget.left -= units
  if (budget.left < 0) throw new BudgetSpent()
}
