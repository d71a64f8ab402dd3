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
