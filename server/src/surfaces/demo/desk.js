// The desk shows the waiting actions, with two buttons each, and the trail. It shows strangers' words, so it never uses innerHTML.
const at = (id) => document.getElementById(id)
const words = JSON.parse(at('desk').dataset.words)
/** The cards by action. A card never moves, so that nobody presses a button of another one by mistake. */
const cards = new Map()
let asked = 0
let heard = 0
let trailed = ''

const element = (name, text, className) => {
  const made = document.createElement(name)
  if (text !== undefined) made.textContent = text
  if (className !== undefined) made.className = className
  return made
}

const two = (number) => String(number).padStart(2, '0')
const dayOf = (date) => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
const timeOf = (date) => `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
/** The trail uses the same name, so that a person can tell two refunds apart. */
const nameOf = (actionId) => `#${actionId.slice(-6)}`

function cardOf(action) {
  const { actionId, title, tool, risk, subject } = action
  const item = element('li', undefined, `card risk-${risk}`)
  const call = element('p', undefined, 'quiet')
  const customer = subject === null ? '' : ` · ${words.customer} ${subject}`
  call.append(element('code', tool), ` · ${nameOf(actionId)}${customer}`)
  const facts = element('dl')
  for (const [name, value] of action.arguments) facts.append(element('dt', name), element('dd', value))
  const expires = new Date(action.expiresAt)
  const note = element('div', undefined, 'note')
  note.setAttribute('role', 'status')
  const buttons = element('p', undefined, 'buttons')
  const card = { item, buttons, note, status: 'pending', isBusy: false, isOwn: false }
  const yes = risk === 'low' ? words.confirm : `${words.confirm} (${words.risk[risk]})`
  for (const [decision, label] of [
    ['confirm', yes],
    ['reject', words.reject],
    ['reconcile', words.reconcile],
  ]) {
    const button = element('button', label, decision)
    button.type = 'button'
    button.addEventListener('click', () => decide(action, card, decision))
    buttons.append(button)
  }
  item.append(
    element('h2', title),
    call,
    element('p', words.risk[risk], 'risk'),
    facts,
    element('p', `${words.until} ${dayOf(expires)} ${timeOf(expires)}`, 'quiet'),
    buttons,
    note,
  )
  return card
}

function say({ note }, text, detail) {
  note.replaceChildren(...(text === '' ? [] : [element('p', text)]))
  if (!detail) return
  const small = element('small', detail)
  small.lang = 'en'
  note.append(small)
}

/** Without an answer we say that nobody knows, never that it was done. */
async function outcomeOf(action, decision) {
  try {
    const answer = await fetch('/demo/desk/decisions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ actionId: action.actionId, decision, payloadHash: action.payloadHash }),
    })
    const { said, httpStatus = answer.status, error = said?.error } = await answer.json()
    const outcome = words.outcomes[said?.verification?.status ?? said?.status]
    if (outcome !== undefined) return [outcome, said.errorMessage]
    return [httpStatus >= 500 ? words.lost : words.refused, error?.message]
  } catch {
    return [words.lost]
  }
}

async function decide(action, card, decision) {
  card.isBusy = true
  for (const button of card.buttons.children) button.disabled = true
  say(card, '')
  const outcome = await outcomeOf(action, decision)
  card.isBusy = false
  card.isOwn = true
  say(card, ...outcome)
  // A request from before the decision shows the state before it.
  heard = asked + 1
  await show()
}

const OFFERED = { pending: ['confirm', 'reject'], indeterminate: ['reconcile'], gone: [] }

/** Shows the buttons of what can still be decided, and says what changed elsewhere. */
function settle(card, status) {
  if (card.isBusy) return
  for (const button of card.buttons.children) {
    button.disabled = false
    button.hidden = !OFFERED[status].includes(button.className)
  }
  card.buttons.hidden = status === 'gone'
  if (status !== card.status && !card.isOwn)
    say(card, { pending: '', indeterminate: words.outcomes.Indeterminate, gone: words.gone }[status])
  card.status = status
  card.isOwn = false
}

function line({ actionId, event, tool, reason, user, occurredAt }) {
  const item = element('li')
  const facts = [tool, actionId && nameOf(actionId), user?.displayName].filter(Boolean).join(' · ')
  item.append(element('time', timeOf(new Date(occurredAt))), element('b', words.events[event] ?? event))
  item.append(element('span', facts))
  if (reason) {
    const why = element('span', reason, 'quiet')
    why.lang = 'en'
    item.append(why)
  }
  return item
}

async function show() {
  const turn = ++asked
  const answer = await fetch('/demo/desk/state').catch(() => undefined)
  const state = answer?.ok ? await answer.json().catch(() => undefined) : undefined
  // This answer is older than one that we have shown.
  if (turn < heard) return
  heard = turn
  at('stale').hidden = state !== undefined
  if (state === undefined) return
  const statuses = new Map(state.actions.map(({ actionId, status }) => [actionId, status]))
  for (const action of state.actions.toReversed()) {
    if (cards.has(action.actionId)) continue
    const card = cardOf(action)
    cards.set(action.actionId, card)
    at('waiting').append(card.item)
  }
  for (const [actionId, card] of cards) settle(card, statuses.get(actionId) ?? 'gone')
  at('none').hidden = statuses.size > 0
  at('empty').hidden = state.events.length > 0
  const trail = JSON.stringify(state.events)
  if (trail === trailed) return
  trailed = trail
  at('trail').replaceChildren(...state.events.map(line))
}

void show()
setInterval(() => void show(), 1500)
