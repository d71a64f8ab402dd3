// Answers if no language model is set up, behind the same port as a model.
export { openOffline } from './open-offline.ts'
