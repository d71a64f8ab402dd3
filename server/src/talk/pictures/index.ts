// The picture of a question: read, bounded and known by its bytes before anything else uses it.
export { type ImageInput, readPicture } from './read-picture.ts'
