// The products and orders of the shop, fresh at every start. Names are in both languages, as on a Georgian shelf.

export type Product = {
  readonly sku: string
  readonly name: string
  readonly price: number
  stock: number
}

export type OrderState = 'paid' | 'shipped' | 'delivered' | 'refunded' | 'cancelled'

export type Order = {
  readonly number: string
  state: OrderState
  readonly customer: string
  readonly placed: string
  readonly lines: readonly {
    readonly sku: string
    readonly name: string
    readonly quantity: number
    readonly price: number
  }[]
  readonly total: number
  refunded: number
  address: string
}

export const products = (): Product[] => [
  { sku: 'tea-guria', name: 'Green tea, Guria · მწვანე ჩაი, გურია', price: 18, stock: 42 },
  { sku: 'tea-mountain', name: 'Mountain herbs, Svaneti · მთის ბალახები, სვანეთი', price: 14, stock: 0 },
  { sku: 'cup-blue', name: 'Blue clay cup · ლურჯი თიხის ფინჯანი', price: 35, stock: 12 },
  { sku: 'pot-black', name: 'Black clay teapot · შავი თიხის ჩაიდანი', price: 120, stock: 3 },
  { sku: 'honey-linden', name: 'Linden honey · ცაცხვის თაფლი', price: 22, stock: 27 },
  { sku: 'set-morning', name: 'Morning set for two · დილის ნაკრები ორისთვის', price: 165, stock: 5 },
]

const line = (sku: string, quantity: number) => {
  const found = products().find((product) => product.sku === sku)
  if (found === undefined) throw new Error(`The shop does not sell ${sku}. Add it to the products.`)
  return { sku, name: found.name, quantity, price: found.price }
}

function order(
  number: string,
  state: OrderState,
  customer: string,
  placed: string,
  address: string,
  ...lines: Order['lines'][number][]
): Order {
  const total = lines.reduce((sum, { quantity, price }) => sum + quantity * price, 0)
  return { number, state, customer, placed, lines, total, refunded: state === 'refunded' ? total : 0, address }
}

export const orders = (): Order[] => [
  order(
    'A-17',
    'delivered',
    'nino',
    '2026-11-09',
    '12 Rustaveli Ave, Tbilisi',
    line('cup-blue', 2),
    line('tea-guria', 1),
  ),
  order('A-18', 'shipped', 'nino', '2026-11-16', '12 Rustaveli Ave, Tbilisi', line('honey-linden', 3)),
  order(
    'A-19',
    'paid',
    'giorgi',
    '2026-11-19',
    '4 Chavchavadze St, Batumi',
    line('set-morning', 1),
    line('pot-black', 1),
  ),
  order('A-20', 'paid', 'nino', '2026-11-20', '12 Rustaveli Ave, Tbilisi', line('tea-mountain', 2)),
  order('A-21', 'paid', 'nino', '2026-11-21', '12 Rustaveli Ave, Tbilisi', line('cup-blue', 1)),
]
