// What the inbox does beyond its forms and what all pages share: every page works without this.
// j and k walk, a and r go to the buttons. Nothing is decided by a key alone.
const isTyping = ({ target }) => target.closest('input:not([type=checkbox]), textarea, select') !== null
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return
  if (event.key === 'a' || event.key === 'r') return void at(`[data-key=${event.key}]`)?.focus()
  if (event.key !== 'j' && event.key !== 'k') return
  const links = all('#waiting a')
  const now = links.indexOf(document.activeElement)
  const current = now >= 0 ? now : links.findIndex((one) => one.getAttribute('aria-current') === 'true')
  const next = links[current + (event.key === 'j' ? 1 : -1)] ?? links.at(event.key === 'j' ? 0 : -1)
  next?.focus()
})

// What changed is said, and shown where nobody is in the middle of something.
const { live, away } = document.body.dataset
const policy = globalThis.trustedTypes?.createPolicy('inbox', { createHTML: (text) => text })
const isBusy = () =>
  all('input[type=checkbox]:checked, details.change[open]').length > 0 ||
  all('input:not([type=hidden]):not([type=checkbox]), textarea').some((one) => one.value !== one.defaultValue) ||
  at('main')?.contains(document.activeElement)

async function look() {
  const link = at('[data-changed]')
  if (isBusy()) {
    link.hidden = false
    return
  }
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => undefined)
  if (!answer?.ok) return
  const text = await answer.text()
  const fresh = new DOMParser().parseFromString(policy?.createHTML(text) ?? text, 'text/html')
  const [from, to] = [at('main', fresh), at('main')]
  if (from === null || isBusy()) return
  to.replaceChildren(...from.childNodes)
  at('nav')?.replaceWith(at('nav', fresh))
  document.title = fresh.title
  tellTimes(to)
}

if (live !== undefined) {
  const source = new EventSource(live)
  source.addEventListener('message', ({ data }) => {
    if (data === 'changed') void look()
    else at('#live [data-away]')?.remove()
  })
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CONNECTING || at('#live [data-away]') !== null) return
    const note = document.createElement('span')
    note.dataset.away = ''
    note.textContent = away
    at('#live').append(note)
  })
}
