// What the pages share beyond their forms: every page works without this.
const at = (selector, root = document) => root.querySelector(selector)
const all = (selector, root = document) => [...root.querySelectorAll(selector)]

// A link that was opened from a mail: its token moves from the address into the form, and out of the history.
const linked = /[#&]signin=([\w-]+)/.exec(location.hash)?.[1]
const field = at('#link')
if (linked !== undefined && field !== null) {
  field.value = linked
  history.replaceState(null, '', location.pathname)
  for (const part of all('[data-unlinked]')) part.hidden = true
  for (const part of all('[data-linked]')) part.hidden = false
  const enter = at('[data-enter]')
  enter.classList.remove('quiet')
  enter.focus()
}

// Times in the reader's own zone. Many browsers know no Georgian names of months, so Georgian has numbers.
const clock = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' })
const two = (number) => String(number).padStart(2, '0')
const inNumbers = (at) =>
  `${two(at.getDate())}.${two(at.getMonth() + 1)}.${at.getFullYear()}, ${two(at.getHours())}:${two(at.getMinutes())}`
const timeText = (at) => (document.documentElement.lang === 'ka' ? inNumbers(at) : clock.format(at))
const tellTimes = (root) => {
  for (const time of all('time', root)) time.textContent = timeText(new Date(time.dateTime))
}
tellTimes(document)

// One press decides once.
addEventListener('submit', (event) => {
  const { target, submitter } = event
  if (target.method !== 'post') return
  if (target.dataset.sent === 'yes') return void event.preventDefault()
  target.dataset.sent = 'yes'
  if (submitter !== null) submitter.setAttribute('aria-busy', 'true')
})
// Going back shows the page as it was left.
addEventListener('pageshow', () => {
  for (const form of all('form')) delete form.dataset.sent
  for (const button of all('[aria-busy]')) button.removeAttribute('aria-busy')
})
