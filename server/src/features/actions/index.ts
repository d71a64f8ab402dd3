// Staged writes: proposed by a model, decided by a person, run once, verified, written down.
export type { ConfirmParts } from './confirm.ts'
export { stageChecked } from './direct-stage.ts'
export { FAULT_POINTS, type FaultPoint, type Faults, noFaults } from './fault-points.ts'
export { titleOf } from './payload.ts'
export { type Prohibition, ruleList } from './prohibition.ts'
export { actionRoutes } from './routes.ts'
export { type Staged, type StageInput, stage } from './stage.ts'
export { actionDuties, expireAll, forgetAll, recoverAll, remindAll, watchSweeps } from './sweep.ts'
