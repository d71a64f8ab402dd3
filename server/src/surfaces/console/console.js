// What the console does beyond its forms and what all pages share.
const menu = at('details[data-wide-open]')
const isWide = matchMedia('(min-width: 62rem)')
const fitMenu = () => {
  if (menu !== null) menu.open = isWide.matches
}
fitMenu()
isWide.addEventListener('change', fitMenu)

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

// Copies what stands in a field.
for (const copies of all('button[data-copies]')) {
  copies.hidden = navigator.clipboard === undefined
  copies.addEventListener('click', () => navigator.clipboard.writeText(at(`#${copies.dataset.copies}`).value))
}
