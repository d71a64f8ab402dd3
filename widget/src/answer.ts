// One answer, while it streams in and when it is complete.
import { drawBlock } from './blocks.ts'
import { h } from './h.ts'
import { link } from './link.ts'
import { markdown, settledLength } from './markdown.ts'
import { type Confirm, drawProposal } from './proposal.ts'
import type { Cards, Ui } from './ui.ts'
import type { Answer, Block, Frame, Proposal } from './wire.ts'

export type AnswerView = ReturnType<typeof openAnswer>

/** The cards of this page by action. A frame and the answer after it name the same proposal. */
const cards: Cards = new Map()

export function openAnswer(ui: Ui, confirm: Confirm) {
  const waiting = h('p', { class: 'waiting' })
  const body = h('div')
  const after = h('div')
  const element = h('div', { class: 'answer', part: 'answer' }, body, after, waiting)
  const stream = openStream(body, ui)

  const addProposal = (proposal: Proposal, hidden = false) => {
    const card = cards.get(proposal.actionId) ?? drawProposal(proposal, ui, confirm)
    cards.set(proposal.actionId, card)
    card.hidden = hidden
    after.append(card)
  }
  const wait = (text = '') => {
    waiting.textContent = text
    ui.grown()
  }
  return {
    element,
    wait,
    frame(frame: Frame) {
      if (frame.type === 'delta') stream.add(frame.text)
      if (frame.type === 'block') stream.block(frame.block)
      if (frame.type === 'proposal') addProposal(frame.proposal)
      wait(
        frame.type === 'delta' ? '' : frame.type === 'status' && frame.tool ? ui.words().looking : ui.words().thinking,
      )
    },
    /** A proposal that is restored stays hidden until the second file has found out what became of it. */
    complete(answer: Answer, restored = false) {
      const { blocks = [], meta = {} } = answer
      const words = ui.words()
      stream.finish(blocks)
      for (const proposal of meta.proposals ?? []) addProposal(proposal, restored)
      meta.decisions?.forEach(({ actionId, text }) => {
        const card = cards.get(actionId)
        card?.replaceChildren(...card.querySelectorAll('h3,h3+p'), text)
      })
      if (meta.preview) element.prepend(h('p', { class: 'label' }, words.preview))
      if (meta.handoff) after.append(h('p', { class: 'label' }, words.handoff))
      const sources = [...(meta.previewSources ?? []), ...(meta.sources ?? [])].map((source) => {
        const { title, url } = typeof source === 'string' ? { title: source, url: source } : source
        return h('li', {}, link(url, title ?? url))
      })
      if (sources[0]) after.append(h('details', {}, h('summary', {}, words.sources), h('ul', {}, ...sources)))
      // A screen reader reads the answer once, when it is complete.
      ui.say(element.innerText)
      ui.later((more) => {
        after.append(more.below(answer, cards, ui))
        ui.grown()
      })
      wait()
    },
    /** Shows why the answer has no proper end, and what to do about it. */
    end(text: string, again?: HTMLElement) {
      stream.flush()
      after.append(h('div', { class: 'end', role: again && 'alert' }, text, again))
      wait()
    },
  }
}

/** Draws growing text once per animation frame, and redraws only its last, unsettled part. */
function openStream(body: HTMLElement, ui: Ui) {
  let text = ''
  let settled = 0
  let frame = 0
  let tail: HTMLElement | undefined
  const draw = () => {
    frame = 0
    if (!tail) {
      tail = h('div')
      body.append(h('div', { class: 'text' }, tail))
    }
    const length = settledLength(text, settled)
    tail.before(...markdown(text.slice(settled, length), ui))
    settled = length
    tail.replaceChildren(...markdown(text.slice(length), ui))
    ui.grown()
  }
  const flush = () => {
    cancelAnimationFrame(frame)
    if (text) draw()
  }
  return {
    flush,
    add(more: string) {
      text += more
      frame ||= requestAnimationFrame(draw)
    },
    block(block: Block) {
      flush()
      body.append(drawBlock(block, ui))
      tail = undefined
      text = ''
      settled = 0
    },
    /** Shows the finished blocks. A text that came whole stays in place, so that a selection in it survives. */
    finish(blocks: readonly Block[]) {
      flush()
      const [first, ...others] = blocks
      const kept = tail && !body.childNodes[1] && first?.markdown === text
      if (!kept) body.replaceChildren()
      body.append(...(kept ? others : blocks).map((block) => drawBlock(block, ui)))
    },
  }
}
