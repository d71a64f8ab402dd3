// The page of the console that sets up Slack and Teams.
export { channelsPage } from './channels.ts'
