/** A style sheet is bundled as its minified text. */
declare module '*.css' {
  const text: string
  export default text
}
