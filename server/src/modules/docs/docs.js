// Every page works without this. It copies code, and shows what the search finds while somebody types.
const at = (selector, root = document) => root.querySelector(selector)
const made = (tag, text, more = {}) => Object.assign(document.createElement(tag), { textContent: text }, more)
const status = at('[role="status"]')

for (const box of document.querySelectorAll('.code')) {
  const button = made('button', 'Copy', { type: 'button' })
  button.addEventListener('click', async () => {
    const code = at('code', box)
    try {
      await navigator.clipboard.writeText(code.textContent)
      status.textContent = button.textContent = 'Copied'
    } catch {
      // Only a page with TLS, or of this machine, may write there. Anywhere else the reader presses the keys.
      getSelection().selectAllChildren(code)
      status.textContent = button.textContent = 'Selected: press Ctrl+C'
    }
  })
  box.append(button)
}

const [form, field, list] = [at('form[role="search"]'), at('#q'), at('.found')]
let asking = new AbortController()

function show(found, words) {
  const from = new URL(form.action)
  list.replaceChildren(
    ...found.slice(0, 8).map(({ page, heading, address }) => {
      // Addresses are those of the site, which may itself stand below another path.
      const link = made('a', heading, { href: new URL(`..${address}`, from).href })
      if (page !== heading) link.append(' ', made('span', page))
      return link
    }),
    ...(found.length === 0 ? [made('p', 'No page has all of these words.')] : []),
  )
  list.hidden = false
  status.textContent = found.length === 1 ? `One place for ${words}` : `${found.length} places for ${words}`
}

function hide() {
  asking.abort()
  list.hidden = true
}

async function find() {
  asking.abort()
  const words = field.value.trim()
  if (words === '') return hide()
  asking = new AbortController()
  const { signal } = asking
  const address = new URL(form.action)
  address.searchParams.set('q', words)
  try {
    const answer = await fetch(address, { headers: { accept: 'application/json' }, signal })
    const { found } = await answer.json()
    if (!signal.aborted && answer.ok) show(found, words)
  } catch {
    // A newer word has been typed, or the service is away: the form still works.
  }
}

let soon
field.addEventListener('input', () => {
  clearTimeout(soon)
  soon = setTimeout(find, 120)
})
form.addEventListener('submit', () => clearTimeout(soon))
at('header').addEventListener('keydown', (event) => {
  const links = [...list.querySelectorAll('a')]
  const place = links.indexOf(document.activeElement)
  if (event.key === 'Escape') {
    hide()
    field.focus()
  } else if (!list.hidden && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
    event.preventDefault()
    const next = place + (event.key === 'ArrowDown' ? 1 : -1)
    ;(links[Math.min(next, links.length - 1)] ?? field).focus()
  }
})
document.addEventListener('click', ({ target }) => {
  if (!at('header').contains(target)) hide()
})
