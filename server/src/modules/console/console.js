// What the console does beyond its forms and what all pages share.
const menu = at('details[data-wide-open]')
const isWide = matchMedia('(min-width: 62rem)')
const fitMenu = () => {
  if (menu !== null) menu.open = isWide.matches
}
fitMenu()
isWide.addEventListener('change', fitMenu)

// What the page waits for: its numbers, until it is done.
const { watch } = document.body.dataset
const look = async () => {
  try {
    const answer = await fetch(watch)
    // Whoever is signed out meanwhile is answered the way in.
    if (!answer.headers.get('content-type')?.includes('json')) return location.reload()
    const { isDone, texts } = await answer.json()
    if (isDone) return location.replace(location.pathname)
    for (const place of all('[data-fill]')) place.textContent = texts[place.dataset.fill]
  } catch {
    // The next look may reach the service again.
  }
  setTimeout(look, 1500)
}
if (watch) setTimeout(look, 700)

// The preview of the looks follows the colour while it is typed.
const preview = at('iframe[data-previews]')
const color = preview === null ? null : at(`#${preview.dataset.previews}`)
color?.addEventListener('input', () => {
  if (color.value !== '' && !/^#[0-9a-f]{6}$/i.test(color.value)) return
  const shown = new URL(preview.src)
  shown.searchParams.delete('color')
  if (color.value !== '') shown.searchParams.set('color', color.value)
  preview.src = shown.href
})
// And in its frame the window of the widget is open.
const opens = at('service-assistant[data-opens]')
if (opens !== null) void customElements.whenDefined('service-assistant').then(() => opens.open(false))

// A form that is read as it comes. What it comes to is the page that the form answers without this script.
const readEvents = async (answer, take) => {
  const pieces = answer.body.pipeThrough(new TextDecoderStream()).getReader()
  let left = ''
  for (;;) {
    const { done, value } = await pieces.read()
    if (done) return
    const lines = (left + value).split('\n')
    left = lines.pop()
    for (const line of lines) if (line.startsWith('data: ')) take(JSON.parse(line.slice(6)))
  }
}
const hear = async (form) => {
  const place = at(`#${form.dataset.tellsIn}`)
  const part = (name) => at(`[data-told="${name}"]`, place)
  const state = part('state')
  for (const name of ['text', 'line']) part(name).replaceChildren()
  part('lost').hidden = true
  let page
  try {
    const body = new URLSearchParams(new FormData(form))
    const answer = await fetch(form.getAttribute('action'), {
      method: 'POST',
      body,
      headers: { accept: 'text/event-stream' },
    })
    // Nothing was begun, and the page says why.
    if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return form.submit()
    place.hidden = false
    state.textContent = state.dataset.works
    place.focus()
    await readEvents(answer, (told) => {
      page ??= told.page
      if (told.text !== undefined) part('text').append(told.text)
      if (told.line === undefined) return
      const line = document.createElement('li')
      line.textContent = told.line
      part('line').append(line)
    })
  } catch {
    // Nobody knows what became of it, so nothing is sent again.
  }
  if (page === undefined) {
    place.hidden = false
    part('lost').hidden = false
    state.textContent = state.dataset.lost
    delete form.dataset.sent
    for (const button of all('[aria-busy]', form)) button.removeAttribute('aria-busy')
    return
  }
  const shown = document.createElement('input')
  Object.assign(shown, { type: 'hidden', name: 'shown', value: page })
  form.append(shown)
  // The page needs none of them.
  for (const secret of all('input[type=password]', form)) secret.value = ''
  form.submit()
}
for (const form of all('form[data-tells-in]')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent === 'yes') return
    event.preventDefault()
    void hear(form)
  })
}

// Copies what stands in a field.
for (const copies of all('button[data-copies]')) {
  copies.hidden = navigator.clipboard === undefined
  copies.addEventListener('click', () => navigator.clipboard.writeText(at(`#${copies.dataset.copies}`).value))
}
