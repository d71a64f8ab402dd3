// The script of the page: it watches the crawl, wears the site's colour, and opens the window in which one talks.
const assistant = document.querySelector('service-assistant')
const talk = document.querySelector('[data-talk]')
const { watch } = document.body.dataset

for (const time of document.querySelectorAll('time')) {
  time.textContent = new Date(time.dateTime).toLocaleTimeString(document.documentElement.lang, {
    hour: '2-digit',
    minute: '2-digit',
  })
}

if (assistant && talk) {
  if (assistant.dataset.color) assistant.style.setProperty('--service-accent', assistant.dataset.color)
  customElements.whenDefined('service-assistant').then(() => {
    talk.hidden = false
    talk.addEventListener('click', () => assistant.open())
  })
}

// A page without a hash of its own, such as after a form, begins at what it says.
document.querySelector('#why')?.focus()

async function look() {
  try {
    const answer = await fetch(watch)
    const { state, texts } = await answer.json()
    if (state !== 'crawling') return location.replace(location.pathname + location.search)
    for (const place of document.querySelectorAll('[data-fill]')) place.textContent = texts[place.dataset.fill]
  } catch {
    // The next look may reach the service again.
  }
  setTimeout(look, 700)
}
if (watch) setTimeout(look, 400)
