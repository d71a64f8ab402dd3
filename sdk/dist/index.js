// @tether/sdk, MIT. Made by `npm run generate` from sdk/src.

// sdk/src/claims.ts
var NothingApplied = class extends Error {
  name = "NothingApplied";
};
var nothingApplied = (cause) => new NothingApplied("Nothing was applied.", { cause });

// sdk/src/tether-error.ts
var TetherError = class extends Error {
  name = "TetherError";
  /** What a program decides by; docs/reference/errors.md says what to do for each. */
  code;
  /** Such as `POST /v1/actions`. */
  operation;
  /** Of HTTP; 0 where no answer came. */
  status;
  /** `X-Request-Id`: name it when you ask the operator. Null where no answer came. */
  requestId;
  reason;
  retryAfterSeconds;
  /** The answer as it came. */
  body;
  constructor(message, { code, operation, status, requestId, reason, retryAfterSeconds, body, cause }) {
    super(message, cause === void 0 ? {} : { cause });
    this.code = code;
    this.operation = operation;
    this.status = status ?? 0;
    this.requestId = requestId ?? null;
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
    this.body = body;
  }
};
var isLost = ({ status, code }) => status === 0 || status === 502 || status === 504 || code === "database_unavailable";
function errorOf(operation, response, body) {
  const { error, status, message, errorMessage } = typeof body === "object" && body !== null ? body : {};
  const refusal = typeof error === "object" && error !== null ? error : {};
  const words = refusal.message ?? message ?? errorMessage ?? (typeof error === "string" ? error : void 0);
  const retryAfter = Number.parseInt(response.headers.get("retry-after") ?? "", 10);
  return new TetherError(words ?? `${operation} answered ${response.status}.`, {
    code: refusal.code ?? (typeof status === "string" ? status : `http_${response.status}`),
    operation,
    status: response.status,
    requestId: response.headers.get("x-request-id"),
    reason: refusal.reason,
    retryAfterSeconds: Number.isNaN(retryAfter) ? void 0 : retryAfter,
    body
  });
}

// sdk/src/line.ts
function openLine(options) {
  const { url, key, headers = {}, timeoutSeconds = 120, retries = 3, longestWaitSeconds = 30, json: json2 = JSON } = options;
  const address = url.replace(/\/+$/, "");
  if (!/^https?:\/\/[^/]+$/.test(address))
    throw new TypeError('"url" must be the address of the service, without a path.');
  if (key !== void 0 && !/^t[a-z]{2}_\S+$/.test(key))
    throw new TypeError('"key" must be a key of the service, such as "tth_…".');
  return {
    retries,
    longestWaitMs: longestWaitSeconds * 1e3,
    json: json2,
    async send({ operation, path, headers: more, body, signal }) {
      const ask = options.fetch ?? fetch;
      const time = timer(timeoutSeconds * 1e3, signal);
      try {
        const response = await ask(address + path, {
          method: operation.slice(0, operation.indexOf(" ")),
          headers: named({
            "X-Api-Key": key,
            "Content-Type": body === void 0 ? void 0 : "application/json",
            ...headers,
            ...more
          }),
          ...body === void 0 ? {} : { body: json2.stringify(body) },
          // A redirect would carry the key to wherever it leads.
          redirect: "manual",
          signal: time.signal
        });
        if (response.status < 300 || response.status >= 400) return await whole(response, time);
        throw new TetherError(`${address} redirects elsewhere. Use the address of the service itself.`, {
          code: "unexpected_answer",
          operation,
          status: response.status
        });
      } catch (cause) {
        time.stop();
        if (cause instanceof TetherError) throw cause;
        signal?.throwIfAborted();
        const code = time.signal.aborted ? "timeout" : "connection_lost";
        const why = code === "timeout" ? `No answer came within ${timeoutSeconds} s` : "The connection failed";
        throw new TetherError(`${why} (${operation}).`, { code, operation, cause });
      }
    }
  };
}
async function whole(response, time) {
  if (response.headers.get("content-type")?.startsWith("text/event-stream") === true) {
    time.hold();
    return response;
  }
  const body = response.status === 204 || response.status === 304 ? null : await response.arrayBuffer();
  time.stop();
  return new Response(body, response);
}
var named = (headers) => Object.fromEntries(Object.entries(headers).filter((one) => one[1] !== void 0));
function timer(ms, outer) {
  const control = new AbortController();
  const abort = () => control.abort();
  const timeout = setTimeout(abort, ms);
  if (outer?.aborted === true) abort();
  outer?.addEventListener("abort", abort, { once: true });
  return {
    signal: control.signal,
    hold: () => clearTimeout(timeout),
    stop() {
      clearTimeout(timeout);
      outer?.removeEventListener("abort", abort);
    }
  };
}
async function pause(ms, signal) {
  signal?.throwIfAborted();
  let end;
  await new Promise((resolve) => {
    const timeout = setTimeout(resolve, ms);
    end = () => {
      clearTimeout(timeout);
      resolve();
    };
    signal?.addEventListener("abort", end, { once: true });
  });
  if (end !== void 0) signal?.removeEventListener("abort", end);
  signal?.throwIfAborted();
}
var backoff = (attempt) => 2 ** attempt * (200 + 200 * Math.random());

// sdk/src/hmac.ts
var algorithm = { name: "HMAC", hash: "SHA-256" };
async function hmacSha256(key, message) {
  const { subtle } = await webCrypto();
  const imported = await subtle.importKey("raw", key, algorithm, false, ["sign"]);
  return new Uint8Array(await subtle.sign(algorithm, imported, message));
}
var nodeCrypto = "node:crypto";
async function webCrypto() {
  return globalThis.crypto?.subtle ? globalThis.crypto : (await import(nodeCrypto)).webcrypto;
}

// sdk/src/new-key.ts
async function newKey() {
  const bytes = (await webCrypto()).getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// sdk/src/operations.ts
var KEYED = ["POST /v1/tools/{name}/call", "POST /v1/actions"];

// sdk/src/request.ts
async function exchange(line, operation, asked) {
  const { signal } = asked;
  const headers = KEYED.includes(operation) ? { "Idempotency-Key": await newKey(), ...asked.headers } : asked.headers;
  const mayRepeat = /^(GET|PUT) /.test(operation) || KEYED.includes(operation);
  const sending = { operation, path: pathOf(operation, asked), headers, body: asked.body, signal };
  for (let attempt = 0; ; attempt++) {
    let wait;
    try {
      const response = await line.send(sending);
      wait = await isNotStaged(response) ? null : waitAfter(response, line, mayRepeat);
      if (wait === null || attempt >= line.retries) return { response, body: await bodyOf(line, operation, response) };
    } catch (error) {
      if (!(error instanceof TetherError) || !isLost(error) || !mayRepeat || attempt >= line.retries) throw error;
      wait = 0;
    }
    await pause(wait || backoff(attempt), signal);
  }
}
async function request(line, operation, asked = {}) {
  const { response, body } = await exchange(line, operation, asked);
  if (response.ok) return body;
  throw errorOf(operation, response, body);
}
function waitAfter({ status, headers }, { longestWaitMs }, mayRepeat) {
  if (status !== 429 && !(mayRepeat && (status === 502 || status === 503 || status === 504))) return null;
  const asked = headers.get("retry-after");
  const seconds = Number(asked ?? 0);
  const wait = Number.isNaN(seconds) ? Date.parse(asked ?? "") - Date.now() : seconds * 1e3;
  return wait <= longestWaitMs ? Math.max(0, wait) : null;
}
async function isNotStaged(response) {
  if (response.status !== 502) return false;
  const said = await response.clone().json().catch(() => null);
  return typeof said?.status === "string" && "toolName" in said;
}
async function bodyOf({ json: json2 }, operation, response) {
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("text/event-stream")) return response.body;
  const text = await response.text();
  if (!type.startsWith("application/json") || text === "") return text;
  try {
    return json2.parse(text);
  } catch (cause) {
    const { status } = response;
    const requestId = response.headers.get("x-request-id");
    throw new TetherError(`${operation} answered something that is not JSON.`, {
      code: "unexpected_answer",
      operation,
      status,
      requestId,
      cause
    });
  }
}
function pathOf(operation, { params = {}, query = {} }) {
  const path = operation.slice(operation.indexOf(" ") + 1).replace(/\{(\w+)\}/g, (_, name) => {
    const value = Object.hasOwn(params, name) ? params[name] : void 0;
    if (value === void 0 || value === "") throw new TypeError(`${operation} needs "params.${name}".`);
    return encodeURIComponent(String(value));
  });
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== void 0 && value !== null) asked.set(name, String(value));
  const text = String(asked);
  return text === "" ? path : `${path}?${text}`;
}

// sdk/src/server-events.ts
async function* readEvents(body, alive) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let id = "";
  let data = [];
  try {
    for (; ; ) {
      const { done, value } = await reader.read();
      if (done) return;
      alive();
      rest += decoder.decode(value, { stream: true });
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const [, field, content = ""] = /^(\w+): ?(.*)$/s.exec(line) ?? [];
        if (field === "id") id = content;
        if (field === "data") data.push(content);
        if (line !== "" || data.length === 0) continue;
        yield { id, data: data.join("\n") };
        data = [];
      }
    }
  } finally {
    reader.cancel().catch(() => void 0);
  }
}

// sdk/src/stream.ts
var OPERATION = "POST /v1/chat/stream";
var SILENCE_MS = 4e4;
var ATTEMPTS = 8;
async function* stream(line, question, talking = {}) {
  const turn = {};
  talking.signal?.throwIfAborted();
  try {
    for (let attempt = 0; ; ) {
      try {
        for await (const frame of connection(line, turn, question, talking)) {
          attempt = 0;
          yield frame;
        }
        if (turn.ended === true) return;
        throw new TetherError("The stream broke off.", { code: "connection_lost", operation: OPERATION });
      } catch (error) {
        if (turn.requestId === void 0 || !mayGoOn(error) || ++attempt > ATTEMPTS) throw error;
        await pause(backoff(attempt), talking.signal);
      }
    }
  } finally {
    if (turn.ended !== true && turn.requestId !== void 0) await stop(line, turn.requestId, talking);
  }
}
async function* connection(line, turn, question, { headers, signal }) {
  const { requestId, lastId } = turn;
  const silence = watch();
  const leave = () => {
    if (turn.requestId !== void 0) silence.end();
  };
  signal?.addEventListener("abort", leave, { once: true });
  try {
    const asking = exchange(line, OPERATION, {
      headers: lastId === void 0 ? headers ?? {} : { ...headers, "Last-Event-ID": lastId },
      body: requestId === void 0 ? { ...question, resume: true } : { requestId },
      signal: silence.signal
    });
    const { response, body } = await unlessLeft(asking, signal, (late) => stopNamed(line, turn, late, { headers }));
    if (!response.ok || !(body instanceof ReadableStream)) throw errorOf(OPERATION, response, body);
    turn.requestId ??= response.headers.get("x-request-id") ?? void 0;
    for await (const { id, data } of readEvents(body, silence.heard)) {
      const frame = JSON.parse(data);
      if (frame.type === "start") turn.requestId = frame.requestId;
      if (id !== "") turn.lastId = id;
      turn.ended = frame.type === "complete" || frame.type === "error";
      if (frame.type === "error") throw frameError(frame, response);
      yield frame;
      if (turn.ended) return;
    }
  } catch (cause) {
    if (cause instanceof TetherError) throw cause;
    signal?.throwIfAborted();
    throw new TetherError("The stream broke off.", { code: "connection_lost", operation: OPERATION, cause });
  } finally {
    signal?.removeEventListener("abort", leave);
    if (turn.requestId !== void 0 || signal?.aborted !== true) silence.end();
  }
}
async function unlessLeft(asking, signal, late) {
  if (signal === void 0) return await asking;
  let leave;
  const left = new Promise((resolve) => {
    leave = () => resolve("left");
    signal.addEventListener("abort", leave, { once: true });
  });
  const first = await Promise.race([asking, left]);
  if (leave !== void 0) signal.removeEventListener("abort", leave);
  if (first !== "left") return first;
  asking.then(late).catch(() => void 0);
  throw signal.reason;
}
async function stopNamed(line, turn, { response }, talking) {
  const requestId = turn.requestId ?? response.headers.get("x-request-id");
  await response.body?.cancel();
  if (requestId !== null && response.ok) await stop(line, requestId, talking);
}
var mayGoOn = (error) => error instanceof TetherError && (error.status === 0 || error.status === 429 || error.status >= 500);
var frameError = ({ code, message, retryAfterSeconds, errorId }, { headers }) => new TetherError(message, {
  code,
  operation: OPERATION,
  status: 200,
  requestId: headers.get("x-request-id"),
  reason: errorId,
  retryAfterSeconds
});
async function stop(line, requestId, { headers }) {
  await exchange(line, OPERATION, { headers: headers ?? {}, body: { requestId, stop: true } }).catch(() => void 0);
}
function watch() {
  const control = new AbortController();
  let timeout;
  const end = () => {
    clearTimeout(timeout);
    control.abort();
  };
  const heard = () => {
    clearTimeout(timeout);
    timeout = setTimeout(end, SILENCE_MS);
  };
  return { signal: control.signal, heard, end };
}

// sdk/src/conversation.ts
function conversation(line, { headers, sessionId } = {}) {
  let current = sessionId;
  const question = (prompt, more) => ({ ...more, prompt, sessionId: current });
  return {
    get sessionId() {
      return current;
    },
    async ask(prompt, { signal, ...more } = {}) {
      const asked = { headers, signal, body: question(prompt, more) };
      const answer = await request(line, "POST /v1/chat", asked);
      current = answer.sessionId ?? current;
      return answer;
    },
    async *stream(prompt, { signal, ...more } = {}) {
      for await (const frame of stream(line, question(prompt, more), { headers, signal })) {
        if (frame.type === "start") current = frame.sessionId ?? current;
        yield frame;
      }
    },
    async erase() {
      if (current === void 0) return;
      await request(line, "DELETE /v1/chat/sessions/{sessionId}", { params: { sessionId: current } });
      current = void 0;
    }
  };
}

// sdk/src/decide.ts
var IN_PROGRESS_WAIT_MS = 1e3;
var PATIENCE_MS = 9e4;
async function confirm(line, actionId, confirming = {}) {
  const { userId, headers, signal, idempotencyKey = await newKey(), ...body } = confirming;
  return await decide(line, "confirm", actionId, { userId, headers, signal }, { ...body, idempotencyKey });
}
async function decide(line, verb, actionId, { userId, headers: more, signal }, body) {
  const operation = `POST /v1/actions/{actionId}/${verb}`;
  const headers = userId === void 0 ? more ?? {} : { "X-Service-User-Id": String(userId), ...more };
  const asked = { params: { actionId }, headers, signal, ...body === void 0 ? {} : { body } };
  const until = Date.now() + PATIENCE_MS;
  let lost;
  for (let attempt = 0; ; attempt++) {
    try {
      const said = await once(line, operation, asked);
      if (lost === void 0 || !isAboutTheFirst(said)) return said;
      const found = said.errorCode === "ACTION_ALREADY_IN_PROGRESS" ? void 0 : await look(line, actionId, signal);
      if (found !== void 0) return found;
      if (said.errorCode !== "ACTION_ALREADY_IN_PROGRESS" || Date.now() > until) return said;
      await pause(IN_PROGRESS_WAIT_MS, signal);
    } catch (error) {
      if (!(error instanceof TetherError) || !isLost(error) || attempt >= line.retries) throw error;
      lost = error;
      await pause(backoff(attempt), signal);
    }
  }
}
async function once(line, operation, asked) {
  const { response, body } = await exchange(line, operation, asked);
  const said = body;
  if (typeof said === "object" && said !== null && said.error === void 0 && typeof said.status === "string")
    return said;
  throw errorOf(operation, response, body);
}
var SECOND = ["ACTION_ALREADY_IN_PROGRESS", "PENDING_ACTION_NOT_FOUND", "ACTION_NOT_INDETERMINATE"];
var isAboutTheFirst = ({ errorCode }) => errorCode !== null && SECOND.includes(errorCode);
async function look(line, actionId, signal) {
  const action = await request(line, "GET /v1/actions/{actionId}", { params: { actionId }, signal }).catch(
    () => void 0
  );
  if (typeof action !== "object" || action === null) return void 0;
  const {
    status,
    tool,
    errorCode = null,
    errorMessage = null,
    verification = null
  } = action;
  const known = status === "failed" && errorCode === "provider_refused" ? "ProviderRefused" : STATUSES[status ?? ""];
  if (known === void 0) return void 0;
  return {
    status: known,
    actionId,
    commandType: tool ?? null,
    appliedChanges: null,
    errorCode,
    errorMessage,
    verification
  };
}
var STATUSES = {
  executed: "Executed",
  failed: "FailedTerminal",
  rejected: "Rejected",
  expired: "Expired",
  indeterminate: "Indeterminate",
  precondition_failed: "PreconditionFailed"
};

// sdk/src/pages.ts
async function* each(line, operation, asked = {}) {
  let query = asked.query ?? {};
  for (; ; ) {
    const page = await request(line, operation, { ...asked, query });
    const items = Object.values(page).find((member) => Array.isArray(member));
    yield* items ?? [];
    const next = Object.entries(page).find(([name2, value2]) => /^next[A-Z]/.test(name2) && value2 !== null);
    if (next === void 0) return;
    const [name, value] = next;
    query = { ...query, [name.slice(4, 5).toLowerCase() + name.slice(5)]: value };
  }
}

// sdk/src/stage.ts
async function stage(line, tool, given, staging = {}) {
  const { idempotencyKey, headers = {}, signal, ...more } = staging;
  const operation = "POST /v1/actions";
  const { response, body } = await exchange(line, operation, {
    headers: idempotencyKey === void 0 ? headers : { ...headers, "Idempotency-Key": idempotencyKey },
    body: { tool, arguments: given, ...more },
    signal
  });
  const said = body;
  if (typeof said?.status === "string" && "toolName" in said) return said;
  throw errorOf(operation, response, body);
}

// sdk/src/client.ts
function client(options) {
  const line = openLine(options);
  const untyped = {
    request: (operation, asked) => request(line, operation, asked),
    each: (operation, asked) => each(line, operation, asked),
    stage: (tool, given, staging) => stage(line, tool, given, staging),
    confirm: (actionId, confirming) => confirm(line, actionId, confirming),
    reject: (actionId, { userId, headers, signal, ...body } = {}) => decide(line, "reject", actionId, { userId, headers, signal }, body),
    reconcile: (actionId, { userId, headers, signal, ...body } = {}) => decide(line, "reconcile", actionId, { userId, headers, signal }, body),
    actions: (query = {}) => each(line, "GET /v1/actions", { query: { ...query } }),
    audit: (query = {}) => each(line, "GET /v1/audit", { query: { ...query } }),
    deliveries: (query = {}) => each(line, "GET /v1/events/deliveries", { query: { ...query } }),
    ask: (body, talking = {}) => request(line, "POST /v1/chat", { body, ...talking }),
    stream: (question, talking) => stream(line, question, talking),
    conversation: (opening) => conversation(line, opening)
  };
  return untyped;
}

// sdk/src/memory-claims.ts
var KEPT_MS = 24 * 60 * 60 * 1e3;
function memoryClaims() {
  const entries = /* @__PURE__ */ new Map();
  const open = (key, holder) => {
    const entry = entries.get(key);
    return entry !== void 0 && entry.answered === void 0 && (holder ?? entry.holder) === entry.holder ? entry : void 0;
  };
  return {
    async claim(key, { holder, leaseMs, takeOver, write }) {
      const now = Date.now();
      forget(entries, now);
      const known = entries.get(key);
      if (known?.answered !== void 0) return { answered: known.answered };
      if (known !== void 0 && !(takeOver && known.until <= now)) return "in_flight";
      entries.set(key, { holder, until: now + leaseMs, answered: void 0, at: known?.at ?? now, write });
      return known === void 0 ? "claimed" : "taken_over";
    },
    async answer(key, holder, reply) {
      const entry = open(key, holder);
      if (entry !== void 0) entry.answered = reply;
      return entry !== void 0;
    },
    async release(key, holder) {
      if (open(key, holder) !== void 0) entries.delete(key);
    },
    async abandon(key, holder) {
      const entry = open(key, holder);
      if (entry !== void 0) entry.until = 0;
    },
    async list({ tenantId, since, after, limit }) {
      return [...entries].filter(([key, { at, write }]) => write?.tenantId === tenantId && at >= since.getTime() && key > after).sort(([one], [other]) => one < other ? -1 : 1).slice(0, limit).map(([key, { at, write, answered }]) => ({
        key,
        tool: write?.tool ?? null,
        status: answered?.status ?? null,
        claimedAt: new Date(at)
      }));
    }
  };
}
function forget(entries, now) {
  for (const [key, { answered, at }] of entries) {
    if (now - at < KEPT_MS) return;
    if (answered !== void 0) entries.delete(key);
  }
}

// sdk/src/bytes.ts
var utf8 = (text) => new TextEncoder().encode(text);
function joined(...parts) {
  const whole2 = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole2.set(part, at);
    at += part.length;
  }
  return whole2;
}
function toBase64(bytes) {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
var toBase64url = (bytes) => toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
function fromBase64(text) {
  try {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    return toBase64(bytes) === text ? bytes : null;
  } catch {
    return null;
  }
}
function fromHex(text) {
  if (!/^(?:[0-9a-f]{2})+$/.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
function equalBytes(left, right) {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let at = 0; at < left.length; at++) difference |= (left[at] ?? 0) ^ (right[at] ?? 0);
  return difference === 0;
}

// sdk/src/mint-customer-token.ts
var longestLifetime = 3600;
async function mintCustomerToken(request2) {
  const { key, tenantId, customerId, lifetimeSeconds = 900, name, email, locale, now = Date.now() } = request2;
  demand(/^tck_\S+$/.test(key), '"key" must be the customer-token key, the whole text from "tck_" on.');
  demand(Number.isSafeInteger(tenantId) && tenantId > 0, '"tenantId" must be the number of your workspace.');
  demand(/^[^\p{C}\p{Zl}\p{Zp}]{1,200}$/u.test(customerId), '"customerId" must be 1 to 200 printable characters.');
  demand(
    Number.isSafeInteger(lifetimeSeconds) && lifetimeSeconds > 0 && lifetimeSeconds <= longestLifetime,
    `"lifetimeSeconds" must be a whole number from 1 to ${longestLifetime}.`
  );
  const iat = Math.floor(now / 1e3);
  demand(Number.isSafeInteger(iat), '"now" must be milliseconds since 1970.');
  const claims = { sub: customerId, tenant_id: tenantId, iat, exp: iat + lifetimeSeconds, name, email, locale };
  const signed = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
  return `${signed}.${toBase64url(await hmacSha256(utf8(key), utf8(signed)))}`;
}
var encode = (value) => toBase64url(utf8(JSON.stringify(value)));
function demand(holds, what) {
  if (!holds) throw new TypeError(`A customer token cannot be minted: ${what}`);
}

// sdk/src/postgres-claims.ts
var schema = `create table if not exists tether_claims (
  request_id text primary key,
  holder text not null,
  leased_until timestamptz not null,
  holders integer not null default 1,
  status integer,
  body text,
  claimed_at timestamptz not null default now(),
  tenant_id integer,
  tool text
);
-- A table of an older version lacks these. Only then is it altered, because that waits for whoever works on it.
do $$ begin
  if not exists (select from pg_attribute where attrelid = 'tether_claims'::regclass and attname = 'tool') then
    alter table tether_claims add column tenant_id integer, add column tool text;
  end if;
end $$`;
var SET_UP = "select pg_advisory_xact_lock(7310579)";
var CLAIM = `insert into tether_claims as c (request_id, holder, leased_until, tenant_id, tool)
  values ($1, $2, clock_timestamp() + $3 * interval '1 millisecond', $5, $6)
  on conflict (request_id) do update
    set holder = excluded.holder, leased_until = excluded.leased_until, holders = c.holders + 1
    where c.status is null and c.leased_until <= clock_timestamp() and $4
  returning c.holders`;
var LOOK = "select status, body from tether_claims where request_id = $1";
var ANSWER = `update tether_claims set status = $3, body = $4
  where request_id = $1 and status is null and ($2::text is null or holder = $2) returning 1 as answered`;
var RELEASE = "delete from tether_claims where request_id = $1 and holder = $2 and status is null";
var ABANDON = `update tether_claims set leased_until = '-infinity' where request_id = $1 and holder = $2 and status is null`;
var LOCK = "select pg_try_advisory_xact_lock(hashtextextended($1, 7310579)) as locked";
var REMEMBER = `insert into tether_claims (request_id, holder, leased_until, status, body, tenant_id, tool)
  values ($1, 'transaction', clock_timestamp(), $2, $3, $4, $5)`;
var LIST = `select request_id as key, tool, status, claimed_at as "claimedAt" from tether_claims
  where request_id > $3 and claimed_at >= $2
    and (tenant_id = $1 and tool is not null or tool is null and request_id like 'act\\_%')
  order by request_id limit $4`;
function postgresClaims(pool) {
  const ask = async (text, values) => await withClient(pool, async (client2) => (await client2.query(text, values)).rows);
  return {
    schema,
    async setUp() {
      await inTransaction(pool, async (client2) => {
        await client2.query(SET_UP);
        await client2.query(schema);
      }).catch((error) => {
        throw error.cause ?? error;
      });
    },
    async claim(key, { holder, leaseMs, takeOver, write }) {
      const [claimed] = await ask(CLAIM, [key, holder, leaseMs, takeOver, ...wordsOf(write)]);
      if (claimed !== void 0) return claimed.holders === 1 ? "claimed" : "taken_over";
      const reply = replyOf(await ask(LOOK, [key]));
      return reply === void 0 ? "in_flight" : { answered: reply };
    },
    async answer(key, holder, { status, body }) {
      return (await ask(ANSWER, [key, holder, status, body])).length > 0;
    },
    async release(key, holder) {
      await ask(RELEASE, [key, holder]);
    },
    async abandon(key, holder) {
      await ask(ABANDON, [key, holder]);
    },
    async transaction(key, work, write) {
      return await inTransaction(pool, async (client2) => {
        const [lock] = (await client2.query(LOCK, [key])).rows;
        if (lock?.locked !== true) return "in_flight";
        const known = (await client2.query(LOOK, [key])).rows;
        if (known.length > 0) return replyOf(known) ?? "in_flight";
        await client2.query("savepoint tether_work");
        const reply = await work(client2);
        if (reply.status >= 300) await client2.query("rollback to savepoint tether_work");
        await client2.query(REMEMBER, [key, reply.status, reply.body, ...wordsOf(write)]);
        return reply;
      });
    },
    async list({ tenantId, since, after, limit }) {
      return await ask(LIST, [tenantId, since, after, limit]);
    }
  };
}
var wordsOf = (write) => [
  write?.tenantId ?? null,
  write?.tool ?? null
];
var replyOf = ([row]) => row === void 0 || row.status === null ? void 0 : { status: row.status, body: row.body ?? "" };
async function withClient(pool, work) {
  const client2 = await pool.connect();
  let failed = true;
  try {
    const result = await work(client2);
    failed = false;
    return result;
  } finally {
    client2.release(failed);
  }
}
async function inTransaction(pool, work) {
  let committing = false;
  try {
    return await withClient(pool, async (client2) => {
      await client2.query("begin");
      const result = await work(client2);
      committing = true;
      await client2.query("commit");
      return result;
    });
  } catch (error) {
    throw committing ? error : nothingApplied(error);
  }
}

// sdk/src/call.ts
function readReceived(raw) {
  const body = parsed(raw);
  if (!isObject(body) || !isText(body.request_id) || !isObject(body.tenant) || !isText(body.occurred_at)) return null;
  if (body.type === "endpoint_test") return { kind: "test" };
  if (body.type === "event" && isText(body.event)) return { kind: "event", event: body };
  if (body.type === "claims_list")
    return isListing(body) ? { kind: "listing", listing: body } : null;
  return body.type === "tool_call" && isCall(body) ? { kind: "call", call: { ...body, raw } } : null;
}
function isCall({ mode, is_write: isWrite, tool, arguments: given, user, customer }) {
  if (isWrite === true ? mode !== "execute" : isWrite !== false || mode !== "read") return false;
  return isText(tool) && isObject(given) && isObject(user) && (customer === null || isObject(customer) && isText(customer.id));
}
var isListing = ({ tenant, arguments: given }) => isObject(tenant) && Number.isSafeInteger(tenant.organization_id) && isObject(given) && isText(given.since) && !Number.isNaN(Date.parse(given.since)) && typeof given.after === "string";
var isText = (value) => typeof value === "string" && value !== "";
var isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
function parsed(raw) {
  try {
    return JSON.parse(raw);
  } catch {
    return null;
  }
}

// sdk/src/reply.ts
var json = (status, value) => ({ status, body: JSON.stringify(value) });
var IN_FLIGHT = json(409, { status: "in_flight" });
var Refusal = class extends Error {
  name = "Refusal";
  reply;
  constructor(status, value) {
    super(value.message);
    this.reply = json(status, value);
  }
};
var notFound = (message = "") => new Refusal(404, { status: "not_found", message });
var REFUSALS = { invalid: 422, forbidden: 403, conflict: 409, refused: 410 };
var refused = (message, why = "refused") => new Refusal(REFUSALS[why], { status: why, message });
var TryLater = class extends Error {
  name = "TryLater";
};
var tryLater = (message = "Not now.") => new TryLater(message);
var later = (message) => json(429, { status: "try_later", message });
function replyOf2(value) {
  if (value instanceof Refusal) return value.reply;
  const body = JSON.stringify(value);
  return { status: 200, body: body ?? "" };
}

// sdk/src/doors.ts
var used = (scope) => scope;
var LONGEST_BODY = 1024 * 1024;
var JSON_TYPE = "application/json; charset=utf-8";
var NOT_POST = json(405, { status: "method_not_allowed", message: "Calls and events are POSTs." });
var TOO_LARGE = json(413, { status: "too_large", message: "The body is larger than 1 MiB." });
var PARSED = json(500, {
  status: "body_not_raw",
  message: "A parser has read the body, and a signature covers its exact bytes. Mount the receiver before express.json()."
});
function openDoors(answer) {
  return {
    async fetch(request2) {
      const { status, body } = request2.method === "POST" ? await fetched(answer, request2) : NOT_POST;
      return new Response(body === "" ? null : body, {
        status,
        headers: body === "" ? {} : { "content-type": JSON_TYPE }
      });
    },
    async node(request2, response) {
      const said = request2.method === "POST" ? await received(answer, request2) : NOT_POST;
      if (said === void 0) return void response.destroy();
      const { status, body } = said;
      response.writeHead(status, body === "" ? {} : { "content-type": JSON_TYPE });
      response.end(body);
    },
    async fastify(scope) {
      scope.removeAllContentTypeParsers();
      const app = used(scope);
      app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: LONGEST_BODY }, (_, body, done) => done(null, body));
      app.post("/", async ({ headers, body: given }, reply) => {
        const { status, body } = await answer({ headers, body: isBytes(given) ? given : "" });
        return reply.code(status).header("content-type", JSON_TYPE).send(body);
      });
    }
  };
}
async function fetched(answer, { headers, body }) {
  if (Number(headers.get("content-length") ?? 0) > LONGEST_BODY) return TOO_LARGE;
  const pieces = [];
  let length = 0;
  const reader = body?.getReader();
  for (let piece = await reader?.read(); piece?.value !== void 0; piece = await reader?.read()) {
    length += piece.value.length;
    if (length > LONGEST_BODY) return TOO_LARGE;
    pieces.push(piece.value);
  }
  return await answer({ headers, body: joined(...pieces) });
}
async function received(answer, request2) {
  const { headers, body, rawBody } = request2;
  const raw = [rawBody, body].find((one) => typeof one === "string" || isBytes(one));
  if (raw !== void 0) return await answer({ headers, body: raw });
  if (typeof body === "object" && body !== null && request2.readableEnded === true) return PARSED;
  const read2 = await bodyOf2(request2).catch(() => void 0);
  if (read2 === void 0) return void 0;
  return read2 === null ? TOO_LARGE : await answer({ headers, body: read2 });
}
var isBytes = (value) => value instanceof Uint8Array;
async function bodyOf2(request2) {
  const pieces = [];
  let length = 0;
  for await (const piece of request2) {
    const bytes = typeof piece === "string" ? new TextEncoder().encode(piece) : piece;
    length += bytes.length;
    if (length <= LONGEST_BODY) pieces.push(bytes);
  }
  return length > LONGEST_BODY ? null : joined(...pieces);
}

// sdk/src/list-claims.ts
var PAGE = 500;
var NOT_LISTED = json(404, {
  status: "not_listed",
  message: 'This receiver lists no claims. Give it "listsClaims: true" and a store that can list them.'
});
async function listClaims({ list }, { tenant, arguments: { since, after } }, isListed) {
  if (!isListed || list === void 0) return NOT_LISTED;
  const found = await list({ tenantId: tenant.organization_id, since: new Date(since), after, limit: PAGE });
  const claims = found.map(({ key, tool, status, claimedAt }) => ({
    request_id: key,
    tool,
    status,
    claimed_at: claimedAt.toISOString()
  }));
  return json(200, { type: "claims", claims, next: found.length < PAGE ? null : found.at(-1)?.key ?? null });
}

// sdk/src/tools.ts
var notApplied = /* @__PURE__ */ Symbol("not applied");

// sdk/src/perform.ts
var BROKEN = json(500, { status: "error", message: "The tool failed. The log of its server has the reason." });
var AGAIN = "Nothing was applied. It can be sent again.";
var REMEMBER_WAITS_MS = [50, 200, 800];
async function run(work) {
  try {
    return replyOf2(await work());
  } catch (error) {
    if (error instanceof Refusal) return error.reply;
    throw error;
  }
}
async function performOnce(tool, call, performing) {
  try {
    if (typeof tool === "object" && "transaction" in tool)
      return await inTransaction2(tool.transaction.bind(tool), call, performing);
    return await underClaim(tool, call, performing);
  } catch (error) {
    if (error instanceof TryLater) return later(error.message);
    if (error instanceof NothingApplied && error.cause instanceof TryLater) return later(error.cause.message);
    performing.failed(error instanceof NothingApplied ? error.cause : error);
    return error instanceof NothingApplied ? later(AGAIN) : BROKEN;
  }
}
async function inTransaction2(work, call, { claims }) {
  if (claims.transaction === void 0) throw new TypeError("These claims have no transactions.");
  const done = await claims.transaction(
    call.request_id,
    (transaction) => atOnce(() => work(call, transaction)),
    writeOf(call)
  );
  return done === "in_flight" ? IN_FLIGHT : done;
}
function atOnce(work) {
  try {
    const value = work();
    return value instanceof Promise ? run(() => value) : replyOf2(value);
  } catch (error) {
    if (error instanceof Refusal) return error.reply;
    throw error;
  }
}
var writeOf = ({ tenant, tool }) => ({ tenantId: tenant.organization_id, tool });
async function underClaim(tool, call, performing) {
  const { claims, leaseMs } = performing;
  const key = call.request_id;
  const holder = newHolder();
  const [perform, recover] = typeof tool === "function" ? [tool, void 0] : [tool.perform.bind(tool), tool.recover.bind(tool)];
  const claimed = await claimFor(claims, key, {
    holder,
    leaseMs,
    takeOver: recover !== void 0,
    write: writeOf(call)
  });
  if (typeof claimed === "object") return claimed.answered;
  if (claimed === "in_flight") return IN_FLIGHT;
  let isUnknown = claimed === "taken_over";
  try {
    const reply = await run(async () => {
      const found = isUnknown && recover !== void 0 ? await recover(call) : notApplied;
      if (found !== notApplied) return found;
      isUnknown = false;
      return await perform(call);
    });
    await remember(performing, key, holder, reply);
    return reply;
  } catch (error) {
    const isFree = error instanceof TryLater && !isUnknown;
    await (isFree ? claims.release(key, holder) : claims.abandon(key, holder)).catch(performing.failed);
    throw error;
  }
}
async function claimFor(claims, key, terms) {
  try {
    return await claims.claim(key, terms);
  } catch (cause) {
    const { holder, takeOver } = terms;
    await (takeOver ? claims.abandon(key, holder) : claims.release(key, holder)).catch(() => void 0);
    throw nothingApplied(cause);
  }
}
async function remember({ claims, failed }, key, holder, reply) {
  for (const wait of [...REMEMBER_WAITS_MS, null]) {
    try {
      await claims.answer(key, holder, reply);
      return;
    } catch (error) {
      if (wait === null) failed(error);
      else await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}
var holders = 0;
var here = Math.random().toString(36).slice(2);
var newHolder = () => `${here}-${Date.now().toString(36)}-${(holders++).toString(36)}`;

// sdk/src/take-event.ts
var EMPTY = { status: 204, body: "" };
var LONGEST_LEASE_MS = 2e4;
async function takeEvent(tools, event, performing) {
  const take = (Object.hasOwn(tools, event.event) ? tools[event.event] : void 0) ?? tools.any;
  if (take === void 0) return EMPTY;
  const { claims, leaseMs, failed } = performing;
  const key = event.request_id;
  const holder = newHolder();
  try {
    const claimed = await claims.claim(key, { holder, leaseMs: Math.min(leaseMs, LONGEST_LEASE_MS), takeOver: true });
    if (claimed === "in_flight") return IN_FLIGHT;
    if (typeof claimed === "object") return claimed.answered;
    await take(event);
    await claims.answer(key, holder, EMPTY);
    return EMPTY;
  } catch (error) {
    failed(error);
    await claims.release(key, holder).catch(failed);
    return later("The event could not be taken. Send it again.");
  }
}

// sdk/src/headers.ts
function header(headers, name) {
  if (isGetter(headers)) return headers.get(name) ?? void 0;
  const found = Object.entries(headers).filter(([one, value]) => one.toLowerCase() === name && value !== void 0);
  return found.length === 0 ? void 0 : found.flatMap(([, value]) => value).join(", ");
}
var isGetter = (headers) => typeof headers.get === "function";

// sdk/src/verify-signature.ts
var messages = {
  secret_missing: 'No signing secret was given. Pass the whsec_… text as "secret".',
  secret_malformed: "The signing secret is not in the form whsec_<base64>. Pass the whole text, as it was shown.",
  body_not_raw: "The body is not text or bytes. Pass the raw body, before a JSON parser has read it.",
  signature_missing: "The request has neither X-Service-Signature nor webhook-signature. Refuse it.",
  signature_malformed: "The signature header is not in a known form, or came more than once. Refuse the request.",
  timestamp_missing: "The request has no timestamp (or no webhook-id without a dot beside its webhook-signature). Refuse it.",
  timestamp_malformed: "The timestamp is not Unix seconds, or came more than once. Refuse the request.",
  mismatch: "The signature does not match. Check that the secret is the current one and that the body is the raw one.",
  too_old: "The signature is valid, but too old. It is a replay, or the clock of this machine is ahead.",
  too_new: "The signature is valid, but from the future. The clock of this machine is behind."
};
async function verifySignature(check) {
  const texts = [check.secret, ...check.secrets ?? []].flatMap((text) => text ? [text] : []);
  if (texts.length === 0) return fault("secret_missing");
  const secrets = texts.map(readSecret).filter((secret) => secret !== null);
  if (secrets.length < texts.length) return fault("secret_malformed");
  const body = readBody(check.body);
  if (!body) return fault("body_not_raw");
  const signed = [serviceHeader(check.headers), standardHeader(check.headers)].filter((one) => one !== null);
  const results = await Promise.all(signed.map((one) => checkHeader(one, secrets, body, check)));
  const telling2 = results.find((result) => !result.ok && /^too_/.test(result.reason));
  return results.find((result) => result.ok) ?? telling2 ?? results[0] ?? fault("signature_missing");
}
function faultOfSecrets(texts) {
  const given = texts.flatMap((text) => text ? [text] : []);
  if (given.length === 0) return messages.secret_missing;
  return given.every(readSecret) ? void 0 : messages.secret_malformed;
}
function readSecret(text) {
  const decoded = text.startsWith("whsec_") ? fromBase64(text.slice("whsec_".length)) : null;
  return decoded?.length ? { text: utf8(text), decoded } : null;
}
function readBody(body) {
  if (typeof body === "string") return utf8(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  return ArrayBuffer.isView(body) ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength) : null;
}
function serviceHeader(headers) {
  const value = header(headers, "x-service-signature");
  if (value === void 0) return null;
  const timestamp = header(headers, "x-service-timestamp");
  const signature = value.startsWith("sha256=") ? fromHex(value.slice("sha256=".length)) : null;
  return {
    header: "X-Service-Signature",
    timestamp,
    signatures: signature ? [signature] : [],
    before: `${timestamp}.`,
    keyOf: (secret) => secret.text
  };
}
function standardHeader(headers) {
  const value = header(headers, "webhook-signature");
  if (value === void 0) return null;
  const id = header(headers, "webhook-id");
  const timestamp = header(headers, "webhook-timestamp");
  const ours = value.split(" ").filter((one) => /^v1,./.test(one));
  return {
    header: "webhook-signature",
    // A dot in it would let what was signed be cut in another place: the end of the id, the time and the body would be others.
    timestamp: id === void 0 || id.includes(".") ? void 0 : timestamp,
    signatures: ours.map((one) => fromBase64(one.slice("v1,".length))).filter((bytes) => bytes !== null),
    before: `${id}.${timestamp}.`,
    keyOf: (secret) => secret.decoded
  };
}
async function checkHeader(signed, secrets, body, { toleranceSeconds = 300, now = Date.now() }) {
  if (signed.timestamp === void 0) return fault("timestamp_missing");
  if (!/^\d{1,12}$/.test(signed.timestamp)) return fault("timestamp_malformed");
  if (signed.signatures.length === 0) return fault("signature_malformed");
  const message = joined(utf8(signed.before), body);
  const expected = await Promise.all(secrets.map((secret) => hmacSha256(signed.keyOf(secret), message)));
  const holds = expected.some((mac) => signed.signatures.some((signature) => equalBytes(mac, signature)));
  if (!holds) return fault("mismatch");
  const timestamp = Number(signed.timestamp);
  const age = Math.floor(now / 1e3) - timestamp;
  if (!(Math.abs(age) <= toleranceSeconds)) return fault(age < 0 ? "too_new" : "too_old");
  return { ok: true, header: signed.header, timestamp };
}
var fault = (reason) => ({ ok: false, reason, message: messages[reason] });

// sdk/src/receiver.ts
function receiver(options) {
  const { secret, catalog, events = {}, leaseSeconds = 60, listsClaims = false, onError = tellConsole } = options;
  const claims = options.claims ?? memoryClaims();
  const tools = checkedTools(options.tools, catalog, claims);
  const writes = new Set((catalog ?? []).flatMap(({ name, is_write }) => is_write === true ? [name] : []));
  const secrets = typeof secret === "string" || secret === void 0 ? [secret] : secret;
  const wrong = faultOfSecrets(secrets);
  if (wrong !== void 0) throw new TypeError(wrong);
  if (listsClaims && claims.list === void 0)
    throw new TypeError(
      'These claims cannot be listed: use postgresClaims or sqliteClaims, or leave "listsClaims" out.'
    );
  const performing = { claims, leaseMs: leaseSeconds * 1e3, failed: telling(onError) };
  const listed = async (listing) => {
    try {
      return await listClaims(claims, listing, listsClaims);
    } catch (error) {
      performing.failed(error);
      return BROKEN;
    }
  };
  const answer = async ({ headers, body }) => {
    const signature = await verifySignature({ secrets, headers, body });
    if (!signature.ok) return json(401, { status: signature.reason, message: signature.message });
    const received2 = readReceived(typeof body === "string" ? body : new TextDecoder().decode(body));
    if (received2 === null)
      return json(400, { status: "invalid", message: "It is signed, but is no tool call and no event." });
    if (received2.kind === "test") return EMPTY;
    if (received2.kind === "listing") return await listed(received2.listing);
    if (received2.kind === "event") return await takeEvent(events, received2.event, performing);
    const { call } = received2;
    const tool = tools.get(call.tool);
    if (tool === void 0) return missing(call.tool);
    if (call.is_write) return await performOnce(tool, call, performing);
    return typeof tool !== "function" || writes.has(call.tool) ? notRead(call.tool) : await read(tool, call, performing.failed);
  };
  return {
    answer,
    settle: (requestId, { status, result }) => claims.answer(requestId, null, { status, body: JSON.stringify(result) ?? "" }),
    ...openDoors(answer)
  };
}
var missing = (tool) => json(421, { status: "unknown_tool", message: `There is no tool "${tool}" here.` });
var notRead = (tool) => json(421, {
  status: "not_a_read",
  message: `"${tool}" is a write here, and was called as a read. Register it as one.`
});
var telling = (told) => (error) => {
  try {
    told(error);
  } catch (fault2) {
    tellConsole(fault2);
  }
};
var tellConsole = (error) => console.error("A tool failed:", error);
function checkedTools(tools, catalog, claims) {
  const lacking = (catalog ?? []).filter(({ name }) => !Object.hasOwn(tools, name)).map(({ name }) => name);
  if (lacking.length > 0) throw new TypeError(`The catalog has tools that "tools" lacks: ${lacking.join(", ")}.`);
  for (const [name, tool] of Object.entries(tools)) {
    if (typeof tool === "function" || !("transaction" in tool)) continue;
    if (claims.transaction === void 0)
      throw new TypeError(`"${name}" needs a transaction: use postgresClaims or sqliteClaims, or make it a function.`);
    if (claims.synchronous === true && tool.transaction.constructor.name === "AsyncFunction")
      throw new TypeError(`"${name}" must not be async: SQLite has one connection, which others would use meanwhile.`);
  }
  return new Map(Object.entries(tools));
}
async function read(tool, call, failed) {
  try {
    return await run(async () => await tool(call) ?? notFound());
  } catch (error) {
    if (error instanceof TryLater) return later(error.message);
    failed(error);
    return BROKEN;
  }
}

// sdk/src/redis-claims.ts
var CLAIM2 = `local status, open = unpack(redis.call('HMGET', KEYS[1], 'status', 'until'))
if status then return {'answered', status, redis.call('HGET', KEYS[1], 'body')} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if open and (ARGV[3] == '0' or tonumber(open) > now) then return {'in_flight'} end
redis.call('HSET', KEYS[1], 'holder', ARGV[1], 'until', now + ARGV[2])
return {open and 'taken_over' or 'claimed'}`;
var OPEN = `local status, holder = unpack(redis.call('HMGET', KEYS[1], 'status', 'holder'))
if status or not holder or (ARGV[1] ~= '' and ARGV[1] ~= holder) then return 0 end
`;
var ANSWER2 = `${OPEN}redis.call('HSET', KEYS[1], 'status', ARGV[2], 'body', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1`;
var RELEASE2 = `${OPEN}return redis.call('DEL', KEYS[1])`;
var ABANDON2 = `${OPEN}redis.call('HSET', KEYS[1], 'until', 0)
return 1`;
function redisClaims(client2, options = {}) {
  const { prefix = "tether:claim:", keepDays = 90 } = options;
  const send = senderOf(client2);
  const run2 = (script, key, ...args) => send(["EVAL", script, "1", `${prefix}${key}`, ...args.map(String)]);
  const keptMs = Math.round(keepDays * 24 * 60 * 60 * 1e3);
  return {
    async claim(key, { holder, leaseMs, takeOver }) {
      const [state, status, body] = await run2(CLAIM2, key, holder, Math.round(leaseMs), takeOver ? 1 : 0);
      if (state === "answered") return { answered: { status: Number(status), body: String(body) } };
      return state === "claimed" || state === "taken_over" ? state : "in_flight";
    },
    async answer(key, holder, { status, body }) {
      return Number(await run2(ANSWER2, key, holder ?? "", status, body, keptMs)) === 1;
    },
    async release(key, holder) {
      await run2(RELEASE2, key, holder);
    },
    async abandon(key, holder) {
      await run2(ABANDON2, key, holder);
    }
  };
}
function senderOf(client2) {
  if (typeof client2 === "function") return client2;
  if ("call" in client2) return ([name = "", ...words]) => client2.call(name, ...words);
  return (command) => client2.sendCommand(command);
}

// sdk/src/sqlite-claims.ts
var SCHEMA = `create table if not exists tether_claims (
  request_id text primary key,
  holder text not null,
  leased_until integer not null,
  holders integer not null default 1,
  status integer,
  body text,
  claimed_at integer not null default (unixepoch()),
  tenant_id integer,
  tool text
)`;
var LACKING = `select name from (select 'tenant_id integer' as name union all select 'tool text')
  where substr(name, 1, instr(name, ' ') - 1) not in (select name from pragma_table_info('tether_claims'))`;
var CLAIM3 = `insert into tether_claims (request_id, holder, leased_until, tenant_id, tool) values (?, ?, ?, ?, ?)
  on conflict (request_id) do update
    set holder = excluded.holder, leased_until = excluded.leased_until, holders = holders + 1
    where status is null and leased_until <= ? and ?
  returning holders`;
var LOOK2 = "select status, body from tether_claims where request_id = ?";
var ANSWER3 = `update tether_claims set status = ?, body = ?
  where request_id = ? and status is null and holder = coalesce(?, holder) returning 1 as answered`;
var RELEASE3 = "delete from tether_claims where request_id = ? and holder = ? and status is null";
var ABANDON3 = "update tether_claims set leased_until = 0 where request_id = ? and holder = ? and status is null";
var REMEMBER2 = `insert into tether_claims (request_id, holder, leased_until, status, body, tenant_id, tool)
  values (?, 'transaction', 0, ?, ?, ?, ?)`;
var LIST2 = `select request_id as key, tool, status, claimed_at from tether_claims
  where request_id > ? and claimed_at >= ?
    and (tenant_id = ? and tool is not null or tool is null and request_id like 'act\\_%' escape '\\')
  order by request_id limit ?`;
function sqliteClaims(database) {
  setUp(database);
  const [claim, look2, answer] = [database.prepare(CLAIM3), database.prepare(LOOK2), database.prepare(ANSWER3)];
  const [release, abandon, remember2, list] = [
    database.prepare(RELEASE3),
    database.prepare(ABANDON3),
    database.prepare(REMEMBER2),
    database.prepare(LIST2)
  ];
  const known = (key) => look2.get(key) ?? void 0;
  const perform = (key, work, write) => {
    const row = known(key);
    if (row !== void 0) return replyOf3(row) ?? "in_flight";
    database.exec("savepoint tether_work");
    const reply = work(database);
    if (reply instanceof Promise)
      throw new TypeError("A transaction in SQLite must not wait: its function returned a promise.");
    if (reply.status >= 300) database.exec("rollback to tether_work");
    remember2.run(key, reply.status, reply.body, ...wordsOf2(write));
    return reply;
  };
  return {
    async claim(key, { holder, leaseMs, takeOver, write }) {
      const now = Date.now();
      const claimed = claim.get(key, holder, now + leaseMs, ...wordsOf2(write), now, takeOver ? 1 : 0);
      if (claimed) return claimed.holders === 1 ? "claimed" : "taken_over";
      const reply = replyOf3(known(key));
      return reply === void 0 ? "in_flight" : { answered: reply };
    },
    async answer(key, holder, { status, body }) {
      return Boolean(answer.get(status, body, key, holder));
    },
    async release(key, holder) {
      release.run(key, holder);
    },
    async abandon(key, holder) {
      abandon.run(key, holder);
    },
    synchronous: true,
    async transaction(key, work, write) {
      let committing = false;
      try {
        database.exec("begin immediate");
        const reply = perform(key, work, write);
        committing = true;
        database.exec("commit");
        return reply;
      } catch (error) {
        rollBack(database);
        throw committing ? error : nothingApplied(error);
      }
    },
    async list({ tenantId, since, after, limit }) {
      const rows = list.all(after, Math.floor(since.getTime() / 1e3), tenantId, limit);
      return rows.map(({ claimed_at, ...claim2 }) => ({ ...claim2, claimedAt: new Date(claimed_at * 1e3) }));
    }
  };
}
function setUp(database) {
  database.exec(SCHEMA);
  for (const { name } of database.prepare(LACKING).all())
    database.exec(`alter table tether_claims add column ${name}`);
}
var wordsOf2 = (write) => [
  write?.tenantId ?? null,
  write?.tool ?? null
];
var replyOf3 = (row) => row === void 0 || row.status === null ? void 0 : { status: row.status, body: row.body ?? "" };
function rollBack(database) {
  try {
    database.exec("rollback");
  } catch {
  }
}
export {
  NothingApplied,
  TetherError,
  client,
  memoryClaims,
  mintCustomerToken,
  notApplied,
  notFound,
  postgresClaims,
  receiver,
  redisClaims,
  refused,
  sqliteClaims,
  tryLater,
  verifySignature
};
