// What a turn of the playground came to: the answer, and beside it everything that it was made of.
import type { ChatFrame } from '@tether/contract'
import { type Html, html } from '../../../kernel/html/index.ts'
import { cut, stringifyJson, type Writable } from '../../../kernel/json/index.ts'
import { badge, blockPart, count, money, type Reader } from '../../../pages/console-kit/index.ts'
import { seen } from '../../../pages/kit/index.ts'
import type { WatchedCall, WatchedTurn } from '../../../talk/trials/index.ts'
import { WORDS } from './playground-words.ts'

/** Of what a page shows, so that it stays a page. The conversation has all of it. */
const MOST = { calls: 12, passages: 8, frames: 60, blocks: 30 } as const
const LONGEST = { arguments: 400, answered: 800, passage: 300, frame: 160 } as const
const LONGEST_CASE = 8_000

export type Asked = {
  readonly as: 'visitor' | 'customer' | 'agent'
  /** False where it goes on with a conversation. */
  readonly isFirst: boolean
}

const shortJson = (value: Writable, longest: number): string => cut(stringifyJson(value), longest)

function answerPart({ language }: Reader, { answer, frames }: WatchedTurn): Html {
  const words = WORDS[language]
  const last = frames.at(-1)
  const failed =
    last?.type === 'error' &&
    html`<p class="note bad">${words.ended(last.code)} <span lang="en">${last.message}</span></p>`
  if (answer === null) return html`${failed || html`<p>${words.none}</p>`}`
  if (answer.meta.takenOver) return html`<p class="note warn">${words.silent}</p>`
  const { blocks } = answer
  return html`<div class="answer">${blocks.slice(0, MOST.blocks).map(blockPart)}</div>${blocks.length > MOST.blocks && html`<p class="meta">${words.left(blocks.length - MOST.blocks)}</p>`}`
}

function proposalsPart({ language }: Reader, { answer }: WatchedTurn): Html | false {
  const words = WORDS[language]
  const proposals = answer?.meta.proposals ?? []
  return (
    proposals.length > 0 &&
    html`<h3>${words.proposals}</h3><ul>${proposals.map(({ actionId, title, summary }) => html`<li>${seen(title)}: ${seen(summary)} <a href="/inbox/actions/${actionId}">${words.card}</a></li>`)}</ul>`
  )
}

function callPart({ language }: Reader, call: WatchedCall): Html {
  const words = WORDS[language]
  const look = call.status === 'ok' || call.status === 'staged' ? 'good' : 'warn'
  return html`<li><p><code>${call.tool}</code> ${badge(look, call.status)} <span class="meta">${call.durationMs} ms</span></p>
<p class="meta">${words.given}</p><pre tabindex="0">${seen(shortJson(call.arguments, LONGEST.arguments))}</pre>
${call.answered !== undefined && html`<p class="meta">${words.answered}</p><pre tabindex="0">${seen(shortJson(call.answered, LONGEST.answered))}</pre>`}</li>`
}

function callsPart(reader: Reader, { calls }: WatchedTurn): Html {
  const words = WORDS[reader.language]
  if (calls.length === 0) return html`<p>${words.noCalls}</p>`
  const left = calls.length - MOST.calls
  return html`<ol class="plain">${calls.slice(0, MOST.calls).map((call) => callPart(reader, call))}</ol>${left > 0 && html`<p class="meta">${words.left(left)}</p>`}`
}

function passagesPart({ language }: Reader, { passages }: WatchedTurn): Html {
  const words = WORDS[language]
  if (passages.length === 0) return html`<p>${words.noPassages}</p>`
  const rows = passages.slice(0, MOST.passages).map(
    ({ source, heading, text }) =>
      html`<li><p><strong>${seen(source.title)}</strong> <span class="meta">${words.passageOf[source.kind]}${source.url !== null && html` · <code>${source.url}</code>`}</span></p>
${heading !== undefined && heading !== null && html`<p class="meta">${seen(heading)}</p>`}<p class="said">${seen(cut(text, LONGEST.passage))}</p></li>`,
  )
  const left = passages.length - MOST.passages
  return html`<ol>${rows}</ol>${left > 0 && html`<p class="meta">${words.left(left)}</p>`}`
}

function costPart({ language }: Reader, { answer, costUsd, model }: WatchedTurn): Html {
  const words = WORDS[language]
  const { inputTokens, outputTokens } = answer?.meta.usage ?? { inputTokens: 0, outputTokens: 0 }
  return html`<p>${words.took(count(inputTokens, language), count(outputTokens, language), model)} ${words.spent(money(costUsd, language))}</p>`
}

type Line = { readonly type: string; readonly said: string; readonly pieces: number }

/** Text comes in many small frames, which nobody reads one by one. */
function linesOf(frames: readonly ChatFrame[]): readonly Line[] {
  const lines: Line[] = []
  for (const frame of frames) {
    const before = lines.at(-1)
    if (frame.type === 'delta' && before?.type === 'delta')
      lines[lines.length - 1] = { type: 'delta', said: before.said + frame.text, pieces: before.pieces + 1 }
    else {
      const { type, ...rest } = frame
      lines.push({ type, said: frame.type === 'delta' ? frame.text : JSON.stringify(rest), pieces: 1 })
    }
  }
  return lines
}

function framesPart({ language }: Reader, { frames }: WatchedTurn): Html {
  const words = WORDS[language]
  const lines = linesOf(frames)
  const shown = lines
    .slice(0, MOST.frames)
    .map(
      ({ type, said, pieces }) =>
        html`<li><code>${type}</code>${pieces > 1 && html` <span class="meta">${words.pieces(pieces)}</span>`} <span class="frame">${seen(cut(said, LONGEST.frame))}</span></li>`,
    )
  const left = lines.length - MOST.frames
  return html`<details class="box"><summary>${words.frames} <span class="count">${frames.length}</span></summary><p>${words.framesLead}</p><ol>${shown}</ol>${left > 0 && html`<p class="meta">${words.left(left)}</p>`}</details>`
}

function casePart({ language }: Reader, { trialCase }: WatchedTurn, { as, isFirst }: Asked): Html {
  const words = WORDS[language]
  const text = `${stringifyJson({ cases: [trialCase] })}\n`
  const why = as === 'agent' ? words.trialAgent : isFirst ? words.trialLong : words.trialLater
  const fits = as !== 'agent' && isFirst && text.length <= LONGEST_CASE
  const file = `data:application/json;base64,${Buffer.from(text).toString('base64')}`
  return html`<details class="box"><summary>${words.trial}</summary>${
    fits
      ? html`<p>${words.trialLead} <a href="/docs/trials">${words.trialHow}</a></p>
<label for="case">${words.trialLabel}</label><textarea id="case" rows="8" readonly spellcheck="false">${text}</textarea>
<p class="bar"><a href="${file}" download="trial-case.json">${words.download}</a> <button type="button" class="quiet" data-copies="case" hidden>${words.copy}</button></p>`
      : html`<p>${why}</p>`
  }</details>`
}

/** `session` goes into the form, so that the next question goes on with this conversation. */
export function turnPart(reader: Reader, turn: WatchedTurn, asked: Asked): Html {
  const words = WORDS[reader.language]
  const session = turn.answer?.sessionId ?? null
  return html`<section class="box" id="turn" tabindex="-1" autofocus><h2>${words.answer}</h2>
${answerPart(reader, turn)}
${proposalsPart(reader, turn)}
${session !== null && html`<p><input type="hidden" name="sessionId" form="form-ask" value="${session}">${words.goesOn} <a href="/console/conversations/${session}">${words.transcript}</a> · <a href="/console/playground">${words.fresh}</a></p>`}</section>
<section class="box"><h2>${words.cost}</h2>${costPart(reader, turn)}</section>
<section class="box"><h2>${words.calls}</h2>${callsPart(reader, turn)}</section>
<section class="box"><h2>${words.passages}</h2>${passagesPart(reader, turn)}</section>
${framesPart(reader, turn)}
${casePart(reader, turn, asked)}`
}
