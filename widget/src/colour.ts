/** Returns black or white, whichever reads better on this background (WCAG luminance), from a computed style. */
export function readableOn(background: string): string {
  const [red = 0, green = 0, blue = 0] = (background.match(/[\d.]+/g) ?? []).map((text) => {
    const part = Number(text) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  if (!background.startsWith('rgb')) return ''
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff'
}
