// The page of the console that reads the website of a business.
export { previewPage } from './preview.ts'
