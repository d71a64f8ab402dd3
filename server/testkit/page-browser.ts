// A browser without scripts: it keeps a cookie, and sends the forms of the page that it saw last.

import type { OpenHouse } from './house.ts'
import { formsIn } from './page-forms.ts'

export type SeenPage = { readonly status: number; readonly text: string; readonly headers: Record<string, unknown> }

export type UploadedFile = {
  readonly field: string
  readonly name: string
  readonly text: string | Uint8Array<ArrayBuffer>
}

export class PageBrowser {
  cookie = ''
  page: SeenPage = { status: 0, text: '', headers: {} }
  readonly at: OpenHouse

  constructor(at: OpenHouse) {
    this.at = at
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<SeenPage> {
    return this.take(
      await this.at.app.server.inject({ method: 'GET', url: path, headers: { ...this.own(), ...headers } }),
    )
  }

  async post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<SeenPage> {
    return await this.send(path, { ...this.standing(path), ...fields }, headers)
  }

  /** These fields and no others. */
  async send(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<SeenPage> {
    const sent = new URLSearchParams(fields).toString()
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await this.at.app.server.inject({
      method: 'POST',
      url: path,
      payload: sent,
      headers: { ...this.own(), ...type, ...headers },
    })
    const page = this.take(answer)
    return page.status === 303 ? await this.get(String(page.headers.location)) : page
  }

  /** A form with a file in it, as a browser sends one. */
  async upload(path: string, fields: Record<string, string>, file: UploadedFile): Promise<SeenPage> {
    const form = new FormData()
    for (const [name, value] of Object.entries({ ...this.standing(path), ...fields })) form.set(name, value)
    form.set(file.field, new File([file.text], file.name))
    const packed = new Response(form)
    const answer = await this.at.app.server.inject({
      method: 'POST',
      url: path,
      payload: Buffer.from(await packed.arrayBuffer()),
      headers: { ...this.own(), 'content-type': packed.headers.get('content-type') ?? '' },
    })
    const page = this.take(answer)
    return page.status === 303 ? await this.get(String(page.headers.location)) : page
  }

  private own(): Record<string, string> {
    return this.cookie === '' ? {} : { cookie: this.cookie }
  }

  private take(answer: { statusCode: number; payload: string; headers: Record<string, unknown> }): SeenPage {
    const set = answer.headers['set-cookie']
    if (set !== undefined) this.cookie = String(set).split(';')[0] ?? ''
    this.page = { status: answer.statusCode, text: answer.payload, headers: answer.headers }
    return this.page
  }

  /** What is sent to an address without anything being typed: the form that stands on the page, or else what is hidden on it. */
  private standing(path: string): Record<string, string> {
    return { ...this.hidden(), ...formsIn(this.page.text).findLast(({ sentTo }) => sentTo.includes(path))?.fields }
  }

  /** What stands in the page's forms without being typed. */
  hidden(): Record<string, string> {
    const found = this.page.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)
    return Object.fromEntries([...found].map(([, name, value]) => [name, value]))
  }
}
