// Tells again of the writes that still wait, at the moments that the deployment or a policy names.
export { remindAll, reminderDuties } from './duties.ts'
export { listToRemind } from './queries.ts'
