// The one script of the pages behind mailed links: it reads the token, and sends it when the button is pressed.
const main = document.querySelector('main')
const act = document.querySelector('#act')
const { purpose, post } = main.dataset
const label = act.textContent

const tokenIn = (text) => new URLSearchParams(text).get(purpose)
const token = tokenIn(location.hash.slice(1)) || tokenIn(location.search)

if (token) for (const link of document.querySelectorAll('a.language')) link.href += `#${purpose}=${token}`

const state = (name) => document.querySelector(`[data-state="${name}"]`)

function refuse(code) {
  const outcomes = [...document.querySelectorAll('[data-outcome]')]
  const found = outcomes.find((one) => one.dataset.outcome === code) ?? outcomes.at(-1)
  for (const one of outcomes) one.hidden = one !== found
  state('refused').hidden = false
  // What may work on the next press leaves the button; what never will takes it away.
  state('ready').hidden = found.dataset.again === undefined
}

function show(answer) {
  for (const place of document.querySelectorAll('[data-fill]')) {
    const value = answer[place.dataset.fill]
    place.textContent = Array.isArray(value) ? value.join('\n') : value
  }
  state('ready').hidden = true
  state('refused').hidden = true
  state('done').hidden = false
  state('done').querySelector('h1').focus()
}

async function send() {
  act.disabled = true
  act.textContent = act.dataset.working
  try {
    const answer = await fetch(post, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    })
    const body = await answer.json()
    if (answer.ok) {
      // Spent: nothing of it stays in the history of this browser, and no click away from here can lose what is shown.
      history.replaceState(null, '', location.pathname)
      for (const link of document.querySelectorAll('a.language')) link.remove()
      show(body)
    } else {
      refuse(body.error?.code)
    }
  } catch {
    refuse('failed')
  } finally {
    act.disabled = false
    act.textContent = label
  }
}

if (token) act.addEventListener('click', send)
else refuse('incomplete')

for (const button of document.querySelectorAll('[data-copy]')) {
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(document.querySelector(`[data-fill="${button.dataset.copy}"]`).textContent)
    button.textContent = button.dataset.copied
  })
}
