// What the console does beyond its forms and what all pages share.
const menu = at('details[data-wide-open]')
const isWide = matchMedia('(min-width: 62rem)')
const fitMenu = () => {
  if (menu !== null) menu.open = isWide.matches
}
fitMenu()
isWide.addEventListener('change', fitMenu)
