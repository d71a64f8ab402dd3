// Georgian typed in Latin letters, as in chats: "sad aris chemi shekveta". Several letters stand for one, and one for several,
// and everybody does it differently. So we read a word in all ways at once, and the texts decide which of them exists.
import { hashOf, saysLittle, stemOf } from './words.ts'

/** What a letter, or several, may stand for. Capitals count where a keyboard's layout needs them. */
const READINGS: Readonly<Record<string, string>> = {
  a: 'ა', b: 'ბ', g: 'გღ', d: 'დ', e: 'ე', v: 'ვ', z: 'ზძ', t: 'თტ', i: 'ი', k: 'კქ', l: 'ლ', m: 'მ', n: 'ნ', o: 'ო', p: 'პფ',
  r: 'რ', s: 'ს', u: 'უ', f: 'ფ', q: 'ქყ', y: 'ყი', c: 'ცწ', w: 'წვ', x: 'ხ', j: 'ჯჟ', h: 'ჰხ',
  T: 'თ', S: 'შ', C: 'ჩ', Z: 'ძ', W: 'ჭ', R: 'ღ', J: 'ჟ',
  dz: 'ძ', zh: 'ჟ', sh: 'შ', ch: 'ჩჭ', ts: 'ცწ', tz: 'ცწ', gh: 'ღ', kh: 'ხ', th: 'თ', ph: 'ფ', dj: 'ჯ', tch: 'ჭ', tsh: 'ჩჭ',
}
