// A page with `useChat` of the AI SDK shows an answer as its own. The client here is the maker's, and reads what it reads in a page.
import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { type DynamicToolUIPart, readUIMessageStream } from 'ai'
import { ModelFailure } from '../../kernel/model/index.ts'
import { customer, listening, newShop, openTalk, page, talk, until } from './fixtures/talk.ts'
import { API, lastOf, type Message, openChat, refusalOf, textOf, transportTo } from './fixtures/use-chat.ts'

// An aborted `fetch` may leave a connection over which nothing was ever sent. Node takes none of these for idle.
after(() => talk.house.app.server.server.closeAllConnections())
openTalk()

/** A wait that holds on a machine that is busy with others. */
const isAnswered = (part: Message['parts'][number]): boolean => 'state' in part && part.state === 'approval-responded'
const toolsOf = ({ parts }: Message): DynamicToolUIPart[] => parts.filter((part) => part.type === 'dynamic-tool')
const dataOf = ({ parts }: Message, type: string): unknown[] =>
  parts.flatMap((part) => (part.type === type && 'data' in part ? part.data : []))

test('words and calls come as parts of one message, in the protocol’s own headers and order', async () => {
  talk.business.script('get_order', { do: 'answer', body: { state: 'on its way' } })
  talk.model.play(['I will look.', { call: 'get_order', with: { number: 'A' } }], ['It is ', 'on its way.'])
  const seen: { headers: Headers; text: string }[] = []
  const { chat, passing } = await openChat({
    async fetch(...asked) {
      const response = await fetch(...asked)
      seen.push({ headers: response.headers, text: await response.clone().text() })
      return response
    },
  })
  await chat.sendMessage({ text: 'Where is A?' })
  assert.deepEqual([chat.status, chat.error], ['ready', undefined])
  const message = lastOf(chat)
  assert.deepEqual(
    message.parts.map(({ type }) => type),
    ['step-start', 'text', 'dynamic-tool', 'step-start', 'text'],
  )
  assert.equal(textOf(message), 'I will look.|It is on its way.')
  const [call] = toolsOf(message)
  assert.deepEqual([call?.toolName, call?.state, call?.providerExecuted], ['get_order', 'output-available', true])
  assert.match(JSON.stringify(call?.output), /"status":"ok"/)
  assert.equal(message.id, message.metadata?.requestId)
  assert.match(message.metadata?.sessionId ?? '', /^ses_/)
  assert.deepEqual(
    passing.map(({ type, data }) => [type, (data as { stage: string }).stage]),
    [
      ['data-status', 'retrieving'],
      ['data-status', 'thinking'],
      ['data-status', 'calling'],
      ['data-status', 'thinking'],
    ],
  )
  const [{ headers, text } = assert.fail()] = seen
  assert.equal(headers.get('x-vercel-ai-ui-message-stream'), 'v1')
  assert.match(headers.get('content-type') ?? '', /^text\/event-stream/)
  const lines = text.split('\n').filter((line) => line !== '')
  assert.ok(lines.every((line) => /^(data: |: )/.test(line)))
  assert.equal(lines.at(-1), 'data: [DONE]')
  assert.ok(!text.includes('on its way"'), 'what a read found out is for the model')
})

test('the conversation goes on by what the last answer said of itself, and nothing else of the messages is read', async () => {
  talk.model.play(['Hello Nino.'])
  const { chat } = await openChat()
  await chat.sendMessage({ text: 'I am Nino.' })
  const { sessionId } = lastOf(chat).metadata ?? {}
  chat.messages = chat.messages.map((message) =>
    message.role === 'user' ? { ...message, parts: [{ type: 'text', text: 'I am the manager.' }] } : message,
  )
  await chat.sendMessage({ text: 'Who am I?' })
  assert.equal(lastOf(chat).metadata?.sessionId, sessionId)
  const told = talk.model.requests.at(-1)?.messages.map(({ role, text }) => `${role}: ${text}`) ?? []
  assert.deepEqual(told.slice(1), ['user: I am Nino.', 'assistant: Hello Nino.', 'user: Who am I?'])
  assert.doesNotMatch(told.join('\n'), /manager/)
  await chat.regenerate()
  assert.equal(chat.messages.length, 4)
  assert.equal(lastOf(chat).metadata?.sessionId, sessionId)
})

test('a write waits as a call that asks for approval, and its token is kept by no message', async () => {
  const cancel = { call: 'cancel_order', with: { number: 'A-1' } }
  talk.model.play([{ call: 'get_order', with: { number: 'A-1' } }, cancel, cancel], ['It waits.'])
  talk.business.script('get_order', { do: 'answer', body: { state: 'paid' } })
  const { chat, passing } = await openChat()
  await chat.sendMessage({ text: 'Cancel A-1' })
  const message = lastOf(chat)
  const [read, write, again] = toolsOf(message)
  assert.equal(read?.state, 'output-available')
  assert.ok(write?.state === 'approval-requested')
  assert.deepEqual(write.input, { number: 'A-1' })
  assert.deepEqual([write.title, write.approval.requestReason], ['Cancel order', 'Cancel order (number: A-1)'])
  assert.equal(again?.state, 'output-available')
  assert.match(JSON.stringify(again?.output), /"status":"staged"/)
  const [proposal] = dataOf(message, 'data-proposal') as { actionId: string; summary: string }[]
  assert.equal(proposal?.actionId, write.approval.id)
  assert.match(JSON.stringify(dataOf(message, 'data-footnote')), /Nothing has been changed yet/)
  assert.doesNotMatch(JSON.stringify(chat.messages), /confirmationToken|tac_/)
  const token = passing.find(({ type }) => type === 'data-confirmation')?.data as {
    actionId: string
    confirmationToken: string
  }
  assert.equal(token.actionId, proposal?.actionId)
  assert.equal(talk.business.callsTo('cancel_order').length, 0)
  talk.business.script('cancel_order', { do: 'answer', body: { done: true } })
  const confirmed = await talk.house.ask('POST', `/v1/actions/${token.actionId}/confirm`, {
    key: token.confirmationToken,
    headers: { 'x-service-user-id': '7' },
    body: { acknowledgeHighRisk: true },
  })
  assert.equal(confirmed.body.status, 'Executed', confirmed.text)
  talk.model.play(['Done.'])
  await chat.sendMessage({ text: 'And?' })
  assert.equal((dataOf(lastOf(chat), 'data-decision')[0] as { status: string }).status, 'executed')
})

test('whoever may not confirm is handed no token, and the chat itself decides nothing', async () => {
  talk.model.play([{ call: 'cancel_order', with: { number: 'A-2' } }], ['It waits.'])
  const key = await talk.house.key(talk.shop.tenantId, 'publishable')
  const { chat, passing } = await openChat({
    key,
    headers: page,
    init: { sendAutomaticallyWhen: ({ messages }) => messages.at(-1)?.parts.some(isAnswered) === true },
  })
  await chat.sendMessage({ text: 'Cancel A-2' })
  assert.equal(chat.status, 'ready')
  assert.equal(
    passing.some(({ type }) => type === 'data-confirmation'),
    false,
  )
  const [call] = toolsOf(lastOf(chat))
  assert.ok(call?.state === 'approval-requested')
  const asked = talk.model.requests.length
  await chat.addToolApprovalResponse({ id: call.approval.id, approved: true })
  await until(() => chat.status === 'error')
  assert.match(chat.error?.message ?? '', /not decided in the chat.*\/v1\/actions\/\{approvalId\}\/confirm/)
  assert.equal(talk.model.requests.length, asked)
  assert.doesNotMatch(JSON.stringify(talk.business.callsTo('cancel_order').map(({ body }) => body)), /A-2/)
})

test('each type of block is a type of data part, and a call that fails says so', async () => {
  const fence = (type: string, block: object) => `\`\`\`block:${type}\n${JSON.stringify(block)}\n\`\`\`\n`
  talk.model.play(
    [{ call: 'get_order', with: {} }, { call: 'my_orders' }, { call: 'nothing_like_it' }],
    ['Before.\n', fence('kpi', { label: 'Orders', value: 3 }), fence('table', TABLE), 'After.'],
  )
  const { chat } = await openChat()
  await chat.sendMessage({ text: 'Figures' })
  const message = lastOf(chat)
  assert.deepEqual(
    message.parts.map(({ type }) => type),
    [
      'step-start',
      'dynamic-tool',
      'dynamic-tool',
      'dynamic-tool',
      'step-start',
      'text',
      'data-kpi',
      'data-table',
      'text',
    ],
  )
  assert.deepEqual(dataOf(message, 'data-kpi'), [{ label: 'Orders', value: 3 }])
  assert.deepEqual(dataOf(message, 'data-table'), [TABLE])
  assert.deepEqual(
    toolsOf(message).map((part) => [part.state, /“([a-z_]+)”/.exec(part.errorText ?? '')?.[1]]),
    [
      ['output-error', 'failed'],
      ['output-error', 'customer_required'],
      ['output-error', 'unknown_tool'],
    ],
  )
})
const TABLE = { columns: [{ key: 'a', label: 'A' }], rows: [{ a: 1 }] }

test('a model that fails, a turn that is stopped and a question that is refused each end as their client expects', async () => {
  talk.model.play(['Once', { fail: new ModelFailure('busy', 'x', 9) }])
  const failing = await openChat()
  await failing.chat.sendMessage({ text: 'Hi' })
  assert.equal(failing.chat.status, 'error')
  assert.match(failing.chat.error?.message ?? '', /The model is busy at the moment\. Try again in 9 s\./)
  assert.equal(textOf(lastOf(failing.chat)), 'Once', 'what was said stays')
  assert.equal(lastOf(failing.chat).metadata?.error?.code, 'RATE_LIMITED')

  talk.model.play(['Once', 'hang'])
  const stopping = await openChat()
  const sending = stopping.chat.sendMessage({ text: 'Hi' })
  await until(() => stopping.chat.messages.length === 2 && textOf(lastOf(stopping.chat)) === 'Once')
  await stopping.chat.stop()
  await sending
  assert.equal(stopping.chat.status, 'ready')
  await until(() => talk.model.playing === 0)

  const refused = await openChat()
  await refused.chat.sendMessage({ text: '   ' })
  assert.equal(refusalOf(refused.chat).code, 'empty_prompt')
  const stranger = await openChat({
    key: (await newShop()).apiKey,
    body: { sessionId: 'ses_000000000000000000000000' },
  })
  await stranger.chat.sendMessage({ text: 'Hi' })
  assert.equal(refusalOf(stranger.chat).reason, 'not_issued')
})

test('a turn that goes on without its page is told again from its beginning, and is stopped by a word', async () => {
  talk.model.play(['One', { call: 'get_order', with: { number: 'A' } }], ['two', 'hang'])
  talk.business.script('get_order', { do: 'answer', body: {} })
  const url = `${await listening()}${API}`
  const headers = { 'x-api-key': talk.shop.apiKey, 'content-type': 'application/json' }
  const post = (body: object, more = {}) =>
    fetch(url, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) })
  const { chat } = await openChat({ body: { resume: true } })
  const sending = chat.sendMessage({ text: 'Count' })
  await until(() => chat.messages.length === 2 && textOf(lastOf(chat)) === 'One|two')
  const requestId = lastOf(chat).id
  await chat.stop()
  await sending
  assert.equal(talk.model.playing, 1, 'it goes on')

  // A page that was loaded anew: it has the visitor's question, and asks for the answer by its id.
  const resumed = await openChat({
    init: { messages: chat.messages.slice(0, 1) },
    fetch: async () => await post({ requestId }, { 'last-event-id': '3' }),
  })
  const resuming = resumed.chat.resumeStream()
  await until(() => resumed.chat.messages.length === 2 && textOf(lastOf(resumed.chat)) === 'One|two')
  assert.deepEqual(await (await post({ requestId, stop: true })).json(), { stopped: true, requestId })
  await resuming
  assert.deepEqual([resumed.chat.status, lastOf(resumed.chat).id], ['ready', requestId])
  assert.equal(toolsOf(lastOf(resumed.chat))[0]?.state, 'output-available')
  assert.equal(lastOf(resumed.chat).metadata?.error?.code, 'CANCELED')
  await until(() => talk.model.playing === 0)
})

test('a picture is that of the last message, and a second one is refused', async () => {
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const file = { type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${pixel}` } as const
  talk.model.play(['A pixel.'])
  const { chat } = await openChat()
  await chat.sendMessage({ text: 'What is this?', files: [file] })
  assert.equal(chat.error, undefined)
  const asked = talk.model.requests.at(-1)?.messages.at(-1)
  const [picture] = (asked?.role === 'user' && asked.pictures) || []
  assert.equal(Buffer.from(picture?.data ?? []).toString('base64'), pixel)
  await chat.sendMessage({ text: 'And these?', files: [file, file] })
  assert.equal(refusalOf(chat).code, 'invalid_image')
})

test('a person’s messages and the decisions of a conversation are one message, the same with each watch', async () => {
  const shop = await newShop()
  const key = await talk.house.key(shop.tenantId, 'publishable')
  const headers = { ...page, ...(await customer('nino', shop)) }
  talk.model.play([{ call: 'cancel_order', with: { number: 'A-3' } }], ['It waits.'])
  const { chat } = await openChat({ key, headers })
  await chat.sendMessage({ text: 'Cancel A-3' })
  const { sessionId } = lastOf(chat).metadata ?? {}
  const [{ actionId } = assert.fail()] = dataOf(lastOf(chat), 'data-proposal') as { actionId: string }[]
  const say = (path: string, body: object) =>
    talk.house.ask('POST', `/v1/${path}`, { key: shop.apiKey, body, headers: { 'x-service-user-id': '7' } })
  await say(`actions/${actionId}/reject`, { reason: 'Shipped already', tellVisitor: true })
  await say(`conversations/${sessionId}/takeover`, {})
  await say(`conversations/${sessionId}/messages`, { text: 'I am here.' })

  await chat.sendMessage({ text: 'Is anybody there?' })
  assert.deepEqual([chat.status, lastOf(chat).metadata?.takenOver, lastOf(chat).parts], ['ready', true, []])

  const transport = await transportTo({ key, headers, body: { watch: true } })
  const leave = new AbortController()
  const watched = await transport.sendMessages({
    trigger: 'submit-message',
    chatId: chat.id,
    messageId: undefined,
    messages: chat.messages,
    abortSignal: leave.signal,
  })
  let news = lastOf(chat)
  for await (const message of readUIMessageStream<Message>({ stream: watched })) {
    news = message
    if (textOf(message) === 'I am here.' && dataOf(message, 'data-decision').length > 0) break
  }
  leave.abort()
  assert.equal(news.id, `watch_${sessionId}`)
  assert.equal(textOf(news), 'I am here.')
  const words = news.parts.find((part) => part.type === 'text')
  assert.ok(words?.type === 'text' && typeof words.providerMetadata?.tether?.from === 'object')
  const [decision] = dataOf(news, 'data-decision') as { status: string; reason: string }[]
  assert.deepEqual([decision?.status, decision?.reason], ['rejected', 'Shipped already'])
})

test('a protocol that there is not is refused, and our own frames stay as they were', async () => {
  const odd = await talk.house.ask('POST', '/v1/chat/stream?protocol=vercel', {
    key: talk.shop.apiKey,
    body: { prompt: 'Hi' },
  })
  assert.deepEqual([odd.status, odd.error?.code], [400, 'invalid_request'])
  assert.match(odd.error?.message ?? '', /`protocol` \(in the query\) must be one of ui-message/)
})
