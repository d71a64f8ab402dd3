// The desk: what waits, two buttons each, and the trail. Written without innerHTML, as whatever shows strangers' words should be.
const desk = document.querySelector('#desk')
const waiting = document.querySelector('#waiting')
const trail = document.querySelector('#trail')
const said = document.querySelector('#said')
const words = desk.dataset
let shown = ''

const element = (name, text, className) => {
  const made = document.createElement(name)
  if (text !== undefined) made.textContent = text
  if (className !== undefined) made.className = className
  return made
}

async function decide(action, decision) {
  const answer = await fetch('/demo/desk/decisions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ actionId: action.actionId, decision }),
  })
  const { said: outcome } = await answer.json()
  const verified = outcome?.verification?.status
  said.textContent = [action.title, outcome?.status, verified, outcome?.errorMessage].filter(Boolean).join(' · ')
  await show()
}

function card(action) {
  const item = element('li', undefined, `card risk-${action.risk}`)
  const risk = { low: words.riskLow, elevated: words.riskElevated, high: words.riskHigh }[action.risk] ?? action.risk
  item.append(element('h3', action.title), element('p', risk, 'risk'))
  const facts = element('dl')
  for (const [name, value] of Object.entries(action.arguments)) {
    facts.append(element('dt', name), element('dd', typeof value === 'string' ? value : JSON.stringify(value)))
  }
  const until = element(
    'p',
    `${words.until} ${new Date(action.expiresAt).toLocaleTimeString(document.documentElement.lang)}`,
    'quiet',
  )
  const buttons = element('p', undefined, 'buttons')
  for (const decision of ['confirm', 'reject']) {
    const button = element('button', words[decision], decision)
    button.type = 'button'
    button.addEventListener('click', () => {
      for (const each of buttons.children) each.disabled = true
      void decide(action, decision)
    })
    buttons.append(button)
  }
  item.append(facts, until, buttons)
  return item
}

function line({ event, tool, reason, user, occurredAt }) {
  const item = element('li')
  item.append(
    element('time', new Date(occurredAt).toLocaleTimeString(document.documentElement.lang)),
    element('b', event),
    element('span', [tool, user?.displayName, reason].filter(Boolean).join(' · ')),
  )
  return item
}

async function show() {
  const text = await (await fetch('/demo/desk/state')).text()
  if (text === shown) return
  shown = text
  const { actions, events } = JSON.parse(text)
  document.querySelector('#none').hidden = actions.length > 0
  document.querySelector('#empty').hidden = events.length > 0
  waiting.replaceChildren(...actions.map(card))
  trail.replaceChildren(...events.map(line))
}

void show()
setInterval(() => show().catch(() => undefined), 1500)
