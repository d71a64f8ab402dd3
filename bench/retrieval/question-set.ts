export type Passage = { readonly id: string; readonly title: string; readonly text: string }
export type Asked = { readonly text: string; readonly relevant: readonly string[] }
export type QuestionSet = {
  readonly name: string
  readonly passages: readonly Passage[]
  readonly questions: readonly Asked[]
}
