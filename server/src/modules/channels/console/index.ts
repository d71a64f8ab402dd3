// The page of the console that sets up channels.
export { channelsPage } from './channels.ts'
