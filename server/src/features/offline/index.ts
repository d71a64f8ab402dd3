// What answers where no language model is set up: it stands behind the same port as one.
export { openOffline } from './open-offline.ts'
