// The GitHub Action of Tether, Apache-2.0. Made by `npm run generate` from action/src.

// action/src/main.ts
import { setTimeout } from "node:timers/promises";

// action/src/markdown.ts
var oneLine = (text) => text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, "").trim();
function cut(text, most) {
  const letters2 = Array.from(text.slice(0, most * 4));
  return letters2.length <= most ? text : `${letters2.slice(0, most - 1).join("")}…`;
}
var LONGEST = 120;
function code(text, most = LONGEST) {
  const line = cut(oneLine(text), most).replace(/`{4,}/g, "```");
  if (line === "") return "`(nothing)`";
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  const room = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${room}${line}${room}${fence}`;
}
var counted = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

// action/src/problem.ts
var Failed = class extends Error {
  name = "Failed";
  problem;
  constructor(problem) {
    super(problem.what);
    this.problem = problem;
  }
};
async function orProblem(going, problems) {
  try {
    return await going();
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    problems.push(error.problem);
    return null;
  }
}

// action/src/api.ts
async function draftApi(asking, problems) {
  const { service, workspace, openapi } = asking;
  const source = workspace.sourceOf(openapi.path);
  const draft = await service.draft(workspace.read(openapi.path), openapi.baseUrl, source);
  const declared = await declaredIn(asking, draft, problems);
  const before = await draftBefore(asking, source);
  const changes = draft.changes ?? { added: draft.operations, changed: [], removed: [] };
  const split = splitBy(draft, before);
  const [added, changed, removed] = [split(changes.added), split(changes.changed), split(changes.removed)];
  const byName = new Map(draft.operations.map((operation) => [operation.name, operation]));
  return {
    path: openapi.path,
    isFirst: draft.changes === void 0,
    operations: draft.operations.length,
    added: added.here.map((place) => freshOf(place, byName.get(place.name), declared)),
    changed: changed.here,
    removed: removed.here,
    earlier: before === void 0 ? null : { added: added.earlier, changed: changed.earlier, removed: removed.earlier },
    notes: (draft.notes ?? []).map(({ message }) => message)
  };
}
async function draftBefore({ service, openapi, before }, source) {
  const text = await before();
  if (text === void 0 || text === null) return text;
  try {
    return await service.draft(text, openapi.baseUrl, source);
  } catch (error) {
    if (error instanceof Failed) return void 0;
    throw error;
  }
}
var keyOf = ({ method, path: path3 }) => `${method} ${path3}`;
var shapes = ({ operations }) => new Map(operations.map((operation) => [keyOf(operation), JSON.stringify(operation)]));
function splitBy(draft, before) {
  const [now, then] = [shapes(draft), before ? shapes(before) : /* @__PURE__ */ new Map()];
  return (places) => {
    const here = before === void 0 ? [...places] : places.filter((place) => now.get(keyOf(place)) !== then.get(keyOf(place)));
    return { here, earlier: places.length - here.length };
  };
}
var freshOf = (place, operation, declared) => ({
  ...place,
  description: operation?.description ?? "",
  looksLikeWrite: operation?.suggested_is_write === true,
  isDeclared: declared?.has(place.name) === true
});
async function declaredIn({ workspace, operations: file }, draft, problems) {
  if (file === null) return null;
  const declared = await orProblem(async () => readDeclarations(workspace.read(file), file), problems);
  if (declared !== null) problems.push(...strayDeclarations(declared, draft, file));
  return declared;
}
function readDeclarations(text, file) {
  const next = 'Write an object of declarations by the names of the operations, as the import takes it: {"list_orders": {"is_write": false}}.';
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Failed({ what: `${code(file)} is not JSON.`, said: error instanceof Error ? error.message : "", next });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Failed({ what: `${code(file)} holds no declarations.`, next });
  return new Set(Object.keys(value));
}
function strayDeclarations(declared, { operations }, file) {
  const names = new Set(operations.map(({ name }) => name));
  const stray = [...declared].filter((name) => !names.has(name));
  if (stray.length === 0) return [];
  return [
    {
      what: `${code(file)} declares what the document does not have, so that its import would be refused.`,
      said: stray.join(", "),
      next: "Remove these, or rename them to what the draft calls the operations now."
    }
  ];
}

// action/src/line.ts
var Unanswered = class extends Error {
  name = "Unanswered";
};
var MOST_ATTEMPTS = 4;
var TIMEOUT_MS = 6e4;
var LONGEST_WAIT_MS = 6e4;
var MOST_BYTES = 64 * 1024 * 1024;
function openLine({ fetch: fetch2, wait }) {
  return async (asked) => {
    for (let attempt = 1; ; attempt++) {
      const answer = await sent(fetch2, asked).catch((error) => {
        if (!asked.mayRepeat || attempt === MOST_ATTEMPTS) throw error;
        return null;
      });
      const pause = answer === null ? backoff(attempt) : pauseAfter(answer, asked, attempt);
      if (answer !== null && (pause === null || attempt === MOST_ATTEMPTS)) return answer;
      await wait(pause ?? 0);
    }
  };
}
async function sent(ask, { method, url, headers, body }) {
  try {
    const response = await ask(url, {
      method,
      headers: { ...headers, ...body === void 0 ? {} : { "content-type": "application/json" } },
      ...body === void 0 ? {} : { body: JSON.stringify(body) },
      // A redirect would carry the key to wherever it leads.
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS)
    });
    return { status: response.status, headers: response.headers, text: await read(response) };
  } catch (cause) {
    const isLate = cause instanceof Error && cause.name === "TimeoutError";
    const why = isLate ? `No answer came within ${TIMEOUT_MS / 1e3} s` : "The connection failed";
    throw new Unanswered(`${why} (${method} ${new URL(url).origin}).`, { cause });
  }
}
async function read(response) {
  const pieces = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > MOST_BYTES) throw new Error("The answer is too long.");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}
function pauseAfter({ status, headers }, { mayRepeat }, attempt) {
  const isSpent = headers.get("x-ratelimit-remaining") === "0";
  const isLimited = status === 429 || status === 403 && (isSpent || headers.has("retry-after"));
  if (!isLimited && !(mayRepeat && status >= 500)) return null;
  const pause = asksToWait(headers, isSpent) ?? (isLimited ? LONGEST_WAIT_MS : backoff(attempt));
  return pause <= LONGEST_WAIT_MS ? Math.max(0, pause) : null;
}
function asksToWait(headers, isSpent) {
  const after = headers.get("retry-after");
  if (after !== null) {
    const ms = /^\d+$/.test(after) ? Number(after) * 1e3 : Date.parse(after) - Date.now();
    return Number.isNaN(ms) ? null : ms;
  }
  const reset = headers.get("x-ratelimit-reset");
  return isSpent && reset !== null && /^\d+$/.test(reset) ? Number(reset) * 1e3 - Date.now() : null;
}
var backoff = (attempt) => 2 ** attempt * (250 + 250 * Math.random());

// action/src/github.ts
var GitHubRefused = class extends Error {
  name = "GitHubRefused";
  /** Of HTTP; 0 where no answer came. */
  status;
  /** A comment may be there all the same, or be gone: whoever wants to know looks. */
  isUnsettled;
  constructor(asked, status, isUnsettled = false) {
    super(status === 0 ? `GitHub did not answer ${asked}.` : `GitHub answered ${status} to ${asked}.`);
    this.status = status;
    this.isUnsettled = isUnsettled;
  }
};
var PER_PAGE = 100;
var MOST_PAGES = 50;
var AS_JSON = "application/vnd.github+json";
function openGitHub(line, token, { apiUrl, repository, pull }) {
  const here = `${apiUrl}/repos/${repository}`;
  const ask = async (method, url, asking = {}) => {
    const { body, accept = AS_JSON, mayRepeat = true } = asking;
    const headers = {
      authorization: `Bearer ${token}`,
      accept,
      "x-github-api-version": "2022-11-28",
      "user-agent": "tether-action/1"
    };
    try {
      return await line({ method, url, headers, body, mayRepeat });
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      throw new GitHubRefused(`${method} ${new URL(url).pathname}`, 0, method === "POST");
    }
  };
  const must = async (method, url, asking = {}) => {
    const answer = await ask(method, url, asking);
    const { status } = answer;
    if (status < 200 || status > 299) {
      const isUnsettled = method === "POST" && status >= 500 || method === "PATCH" && status === 404;
      throw new GitHubRefused(`${method} ${new URL(url).pathname}`, status, isUnsettled);
    }
    return answer;
  };
  return {
    async comments() {
      const found = [];
      for (let page = 1; page <= MOST_PAGES; page++) {
        const answer = await must("GET", `${here}/issues/${pull?.number}/comments?per_page=${PER_PAGE}&page=${page}`);
        found.push(...JSON.parse(answer.text).map(commentOf));
        if (!/;\s*rel="next"/.test(answer.headers.get("link") ?? "")) break;
      }
      return found;
    },
    async post(body) {
      const answer = await must("POST", `${here}/issues/${pull?.number}/comments`, { body: { body }, mayRepeat: false });
      return commentOf(JSON.parse(answer.text));
    },
    edit: async (id, body) => commentOf(JSON.parse((await must("PATCH", `${here}/issues/comments/${id}`, { body: { body } })).text)),
    async remove(id) {
      const { status } = await ask("DELETE", `${here}/issues/comments/${id}`);
      if (status !== 204 && status !== 404) throw new GitHubRefused("DELETE of a comment", status);
    },
    async myName() {
      const { status, text } = await ask("GET", `${apiUrl}/user`);
      if (status !== 200) return null;
      const { login } = JSON.parse(text);
      return typeof login === "string" ? login : null;
    },
    async fileAt(commit, path3) {
      const place = path3.split("/").map(encodeURIComponent).join("/");
      const asking = { accept: "application/vnd.github.raw+json" };
      const answer = await ask("GET", `${here}/contents/${place}?ref=${commit}`, asking);
      if (answer.status === 404) return null;
      if (answer.status !== 200) throw new GitHubRefused("GET of a file", answer.status);
      return answer.text.replace(/^\ufeff/, "");
    }
  };
}
function commentOf(value) {
  const {
    id,
    body,
    html_url: url,
    user
  } = value;
  return { id, body: body ?? "", url, author: user?.login ?? "", isBot: user?.type === "Bot" };
}

// action/src/comment.ts
var MOST_ATTEMPTS2 = 3;
var LONGEST2 = 6e4;
var markOf = (name, runId) => `<!-- tether-action:${name} run:${runId} -->`;
function runOf(name, body) {
  const run2 = new RegExp(`^<!-- tether-action:${name} run:(\\d+) -->`).exec(body)?.[1];
  return run2 === void 0 ? null : Number(run2);
}
async function writeComment(github, writing) {
  const body = `${markOf(writing.name, writing.runId)}
${fitting(writing.text)}`;
  for (let attempt = 1; ; attempt++) {
    try {
      const found = await findOurs(github, writing.name);
      if (found.length === 0 && !writing.isWanted) return "nothing to say";
      return await settle(
        github,
        found.length > 0 ? found : await begin(github, writing.name, body),
        writing.name,
        body
      );
    } catch (error) {
      if (!(error instanceof GitHubRefused) || !error.isUnsettled || attempt === MOST_ATTEMPTS2) throw error;
    }
  }
}
async function begin(github, name, body) {
  const posted = await github.post(body);
  const others = await findOurs(github, name);
  return [posted, ...others.filter(({ id }) => id !== posted.id)].sort((one, other) => one.id - other.id);
}
async function settle(github, ours, name, mine) {
  const run2 = (body) => runOf(name, body) ?? 0;
  const newest = ours.reduce((latest, { body }) => run2(body) > run2(latest) ? body : latest, mine);
  const [first, ...others] = ours;
  if (first === void 0) throw new Error("there is no comment to settle on");
  const written = first.body === newest ? first : await github.edit(first.id, newest);
  for (const { id } of others) await github.remove(id);
  return { url: written.url, isLater: newest !== mine };
}
async function findOurs(github, name) {
  const marked = (await github.comments()).filter(({ body }) => runOf(name, body) !== null);
  const me = marked.every(({ isBot }) => isBot) ? null : await github.myName();
  return marked.filter(({ isBot, author }) => isBot || me !== null && author === me);
}
function fitting(text) {
  if (text.length <= LONGEST2) return text;
  const whole = text.slice(0, text.lastIndexOf("\n", LONGEST2));
  return `${whole}

There is more, which a comment has no room for. The summary of the run has it.`;
}

// action/src/documents.ts
import path from "node:path";
async function bringDocuments(asking, problems) {
  const { service, workspace, patterns, root, isSent } = asking;
  const files = workspace.match(patterns);
  if (files.length === 0)
    throw new Failed({
      what: "No file fits the patterns of knowledge.",
      next: "Check them, and that the repository was checked out before this step."
    });
  const list = await service.documents();
  const byName = new Map(list.documents.map((document) => [document.name, document]));
  const documents = named(files, root, problems).flatMap((change) => {
    const held = byName.get(change.name);
    const text = readText(workspace, change, held, problems);
    return text === null ? [] : [{ ...change, text, held }];
  });
  const changed = [];
  for (const one of documents) if (!await isSame(asking, one)) changed.push(one);
  const added = changed.filter(({ held }) => held === void 0);
  const room = list.limit - list.count;
  if (added.length > room) problems.push(noRoom(added.length, room));
  const mayReplace = changed.length === added.length || await service.mayReplace();
  if (!mayReplace) problems.push(mayNotReplace(changed.length - added.length));
  const allowed = changed.filter(({ held }) => held === void 0 || mayReplace);
  if (isSent) for (const one of allowed) await orProblem(() => send(asking, one), problems);
  const shown = (some) => some.map(({ name, path: file }) => ({ name, path: file }));
  return {
    added: shown(added),
    replaced: shown(changed.filter(({ held }) => held !== void 0)),
    same: documents.length - changed.length,
    orphans: orphansAmong(list.documents, patterns, files),
    isSent
  };
}
function nameOf(file, root) {
  const below = root === "" ? file : path.posix.relative(root, file);
  const plain = below.normalize("NFC").replace(/[^\p{L}\p{M}\p{Nd}_.-]+/gu, "-").replace(/^[-.]+/, "");
  return plain;
}
function named(files, root, problems) {
  const byName = Map.groupBy(files, (file) => nameOf(file, root));
  return [...byName].flatMap(([name, [first = "", ...others]]) => {
    if (others.length === 0) return [{ name, path: first }];
    problems.push({
      what: `${[first, ...others].map((file) => code(file)).join(" and ")} would be one document, ${code(name)}. None of them is sent.`,
      next: "Rename one of them, or leave it out with a pattern that begins with !."
    });
    return [];
  });
}
function readText(workspace, change, held, problems) {
  try {
    const text = workspace.read(change.path);
    if (held !== void 0 && held.source?.path !== change.path) throw new Failed(isOthers(change, held));
    return text;
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    problems.push(error.problem);
    return null;
  }
}
var isOthers = ({ name, path: file }, { source }) => ({
  what: `${code(file)} would replace the document ${code(name)}, which ${source ? `came from ${code(source.path)}` : "a person added"}. It is left as it is.`,
  next: "Rename the file, or delete that document with a secret key first."
});
var noRoom = (added, room) => ({
  what: `${added} documents are new, and the workspace has room for ${Math.max(0, room)}.`,
  next: "Put several into one, or delete some with a secret key."
});
var mayNotReplace = (count) => ({
  what: `${count === 1 ? "A document has" : `${count} documents have`} changed, and this CI key may only add new ones.`,
  next: 'Issue a CI key with "allowReplace": true, and put it into the secret.'
});
var letters = (text) => Array.from(text).length;
async function isSame({ textAt }, { held, text, path: file }) {
  if (held === void 0 || held.chars !== letters(text) || held.source === null || held.source.dirty) return false;
  return await textAt(held.source.commit, file) === text;
}
async function send({ service, workspace }, { name, path: file, text, held }) {
  const format = /\.(?:md|markdown)$/i.test(file) ? "markdown" : "text";
  const replace = held === void 0 ? {} : { replace: true };
  try {
    await service.putDocument({ name, format, text, source: workspace.sourceOf(file), ...replace });
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    throw new Failed({ ...error.problem, what: `${code(file)} was not taken: ${error.problem.what}` });
  }
}
var orphansAmong = (held, patterns, files) => {
  const present = new Set(files);
  const takes = (file) => patterns.some((one) => !one.startsWith("!") && path.posix.matchesGlob(file, one)) && !patterns.some((one) => one.startsWith("!") && path.posix.matchesGlob(file, one.slice(1)));
  return held.flatMap(
    ({ name, source }) => source !== null && !present.has(source.path) && takes(source.path) ? [{ name, path: source.path }] : []
  );
};

// action/src/event.ts
import { readFileSync } from "node:fs";
var OF_A_BRANCH = ["push", "schedule", "workflow_dispatch", "repository_dispatch"];
function readEvent({ env: env2 }) {
  const { GITHUB_REPOSITORY = "", GITHUB_REF = "", GITHUB_EVENT_NAME = "", GITHUB_RUN_ID = "0" } = env2;
  if (!/^[\w.-]+\/[\w.-]+$/.test(GITHUB_REPOSITORY)) return null;
  const payload = readPayload(env2.GITHUB_EVENT_PATH);
  const pull = readPull(payload);
  const server = env2.GITHUB_SERVER_URL ?? "https://github.com";
  return {
    repository: GITHUB_REPOSITORY,
    apiUrl: (env2.GITHUB_API_URL ?? "https://api.github.com").replace(/\/+$/, ""),
    runId: /^\d+$/.test(GITHUB_RUN_ID) ? GITHUB_RUN_ID : "0",
    runUrl: `${server}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`,
    commit: env2.GITHUB_SHA ?? "",
    pull,
    before: commitOf(pull === null ? payload.before : payload.pull_request?.base?.sha),
    branch: pull === null ? /^refs\/heads\/(.+)$/.exec(GITHUB_REF)?.[1] ?? null : null,
    defaultBranch: textOf(payload.repository?.default_branch),
    isWithheld: pull?.isFork === true || env2.GITHUB_ACTOR === "dependabot[bot]",
    isOfBranch: pull === null && OF_A_BRANCH.includes(GITHUB_EVENT_NAME)
  };
}
function readPayload(file) {
  if (file === void 0 || file === "") return {};
  const payload = JSON.parse(readFileSync(file, "utf8"));
  return typeof payload === "object" && payload !== null ? payload : {};
}
function readPull({ pull_request: pull }) {
  if (typeof pull?.number !== "number") return null;
  return { number: pull.number, isFork: pull.head?.repo?.full_name !== pull.base?.repo?.full_name };
}
var textOf = (value) => typeof value === "string" && value !== "" ? value : null;
var commitOf = (value) => typeof value === "string" && /^[0-9a-f]{40,64}$/.test(value) && !/^0+$/.test(value) ? value : null;
function mayPublish({ publish, branch }, event) {
  if (publish === "never") return false;
  if (event.pull !== null) return publish === "always" && !event.pull.isFork;
  if (!event.isOfBranch) return false;
  return publish === "always" || event.branch !== null && event.branch === (branch ?? event.defaultBranch);
}

// action/src/inputs.ts
var PUBLISH = ["merged", "always", "never"];
var COMMENT = ["changes", "always", "never"];
var FAIL_ON = ["problems", "undeclared", "never"];
var WITHOUT_KEY = ["skip", "fail"];
var KEY = /^t[a-z]{2}_[0-9a-f]{48}$/;
var CI_KEY = /^tci_/;
var LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/;
function inputOf({ env: env2 }, name) {
  const variable = `INPUT_${name.toUpperCase()}`;
  return (Object.hasOwn(env2, variable) ? env2[variable] ?? "" : "").trim();
}
function readInputs(surroundings) {
  const faults = [];
  const text = (name) => inputOf(surroundings, name);
  const optional = (name) => text(name) || null;
  const oneOf = (name, words) => {
    const found = words.find((word) => word === (text(name) || words[0]));
    if (found === void 0) faults.push(`${name} must be one of ${words.join(", ")}.`);
    return found ?? words[0] ?? "";
  };
  const inputs = {
    serviceUrl: readServiceUrl(text("service-url"), faults),
    apiKey: readKey(text("api-key"), faults),
    openapi: readOpenapi(text("openapi"), text("openapi-base-url"), faults),
    operations: optional("operations"),
    knowledge: text("knowledge").split("\n").map((line) => line.trim()).filter((line) => line !== ""),
    knowledgeRoot: text("knowledge-root").replace(/^\.?\/|\/+$/g, ""),
    vocabulary: optional("vocabulary"),
    publish: oneOf("publish", PUBLISH),
    branch: optional("branch"),
    comment: oneOf("comment", COMMENT),
    commentName: readName(text("comment-name"), faults),
    failOn: oneOf("fail-on", FAIL_ON),
    withoutKey: oneOf("without-key", WITHOUT_KEY),
    token: optional("github-token")
  };
  faults.push(...contradictions(inputs));
  return faults.length > 0 ? { faults } : { inputs };
}
function contradictions({ openapi, operations, knowledge, vocabulary, token, comment: comment2 }) {
  const faults = [];
  if (openapi === null && knowledge.length === 0 && vocabulary === null)
    faults.push("There is nothing to do. Set openapi, knowledge or vocabulary.");
  if (operations !== null && openapi === null)
    faults.push("operations declares the operations of a document. Set openapi as well, or leave it out.");
  if (knowledge.length > 0 && knowledge.every((pattern) => pattern.startsWith("!")))
    faults.push("knowledge only leaves files out. Add a pattern of those that it takes, such as docs/**/*.md.");
  if (token !== null && /[\s\p{Cc}]/u.test(token))
    faults.push("github-token has a space or a line break in it. Leave it out for the token of the job.");
  if (token === null && comment2 === "always")
    faults.push("github-token is empty, and without it there is no comment. Leave it out, or set comment to never.");
  return faults;
}
function readServiceUrl(text, faults) {
  const url = text.replace(/\/+$/, "");
  if (url === "") faults.push("service-url is missing. Set it to the address of the service.");
  else if (!/^https:\/\/[^/\s?#@]+$/.test(url) && !LOOPBACK.test(url))
    faults.push("service-url must be an https address without a path, such as https://assistant.example.com.");
  return url;
}
function readKey(key, faults) {
  if (key === "") return null;
  if (!KEY.test(key)) {
    faults.push(
      "api-key does not look like a key of the service. Set it to a secret that holds a CI key (tci_…), without quotes."
    );
  } else if (!CI_KEY.test(key)) {
    faults.push(
      'api-key is of a kind that may do more than a pipeline should. Issue a CI key (POST /v1/account/keys with kind "ci"), and revoke this one if a log may have it.'
    );
  }
  return key;
}
function readOpenapi(path3, baseUrl, faults) {
  if (path3 === "" && baseUrl === "") return null;
  if (path3 === "") faults.push("openapi-base-url says where a document’s operations are called. Set openapi as well.");
  if (baseUrl === "")
    faults.push("openapi-base-url is missing. Set it to the address at which the operations are called.");
  return { path: path3, baseUrl };
}
function readName(name, faults) {
  if (name !== "" && !/^[a-z0-9-]{1,40}$/.test(name))
    faults.push("comment-name takes 1 to 40 lower-case letters, digits and hyphens.");
  return name || "tether";
}

// action/src/report.ts
var MOST_NAMED = 1e3;
var MOST_LISTED = 40;
var LONGEST_SAID = 600;
var undeclaredOf = ({ api }) => api?.added.filter(({ isDeclared }) => !isDeclared) ?? [];
function changesOf({ api }) {
  return api === null ? 0 : api.added.length + api.changed.length + api.removed.length;
}
var documentsOf = ({ documents }) => documents === null ? 0 : documents.added.length + documents.replaced.length;
var saysSomething = (report) => changesOf(report) + documentsOf(report) + report.problems.length > 0 || Object.keys(report.vocabulary?.fresh ?? {}).length > 0;
function reportJson(report) {
  const { api, documents, vocabulary, problems } = report;
  const names = (some = []) => some.slice(0, MOST_NAMED).map(({ name }) => name);
  return JSON.stringify({
    added: names(api?.added),
    changed: names(api?.changed),
    removed: names(api?.removed),
    undeclared: names(undeclaredOf(report)),
    documents: {
      added: names(documents?.added),
      replaced: names(documents?.replaced),
      isSent: documents?.isSent ?? false
    },
    domains: Object.keys(vocabulary?.fresh ?? {}),
    problems: problems.length
  });
}
function reportText(report, setting) {
  const { api, documents, vocabulary, problems } = report;
  const sections = [
    ["### What this changes for the assistant"],
    problems.length === 0 ? [] : problemLines(problems),
    api === null ? [] : apiLines(api, setting),
    api === null ? [] : declareLines(report, setting),
    documents === null ? [] : documentLines(documents, setting),
    vocabulary === null ? [] : vocabularyLines(vocabulary, setting),
    saysSomething(report) ? [] : ["Nothing."],
    [
      `<sub>${setting.commit === "" ? "" : `Commit ${code(setting.commit.slice(0, 12))} · `}[the run](${setting.runUrl})</sub>`
    ]
  ];
  return sections.filter((lines) => lines.length > 0).map((lines) => lines.join("\n")).join("\n\n");
}
function listed(all, line) {
  const rest = all.length - MOST_LISTED;
  return [...all.slice(0, MOST_LISTED).map((one) => `- ${line(one)}`), ...rest > 0 ? [`- … and ${rest} more`] : []];
}
var problemLines = (problems) => [
  `#### What went wrong`,
  "",
  ...listed(
    problems,
    ({ what, said, next }) => [what, ...said === void 0 ? [] : [`${code(said, LONGEST_SAID)}.`], next].join(" ")
  )
];
var placeOf = ({ name, method, path: path3 }) => `${code(`${method} ${path3}`)} (${code(name)})`;
function apiLines(api, { serviceUrl }) {
  const { added, changed, removed, earlier } = api;
  const changes = [
    ...listed(added, ({ description, looksLikeWrite, ...place }) => {
      const words = description === "" ? "" : `: ${code(description)}`;
      return `**New** ${placeOf(place)}, which looks like a ${looksLikeWrite ? "write" : "read"}${words}`;
    }),
    ...listed(changed, (place) => `**Changed** ${placeOf(place)}`),
    ...listed(removed, (place) => `**Gone** ${placeOf(place)}`)
  ];
  const before = earlier === null ? 0 : earlier.added + earlier.changed + earlier.removed;
  return [
    `#### The API: ${code(api.path)}`,
    "",
    ...changes.length === 0 ? [`${counted(api.operations, "operation")}, and none of them changes.`] : changes,
    ...changes.length === 0 ? [] : ["", `None of this counts before a person declares and registers it ([how](${serviceUrl}/docs/import)).`],
    ...api.isFirst ? ["", "Nothing has been imported yet."] : [],
    ...before === 0 || earlier === null ? [] : ["", earlierLine(earlier)],
    ...api.notes.length === 0 ? [] : [
      "",
      "<details><summary>Left out of the document, or cut</summary>",
      "",
      ...listed(api.notes, (note) => code(note, LONGEST_SAID)),
      "",
      "</details>"
    ]
  ];
}
function earlierLine({ added, changed, removed }) {
  const parts = [
    ...added === 0 ? [] : [`${counted(added, "operation")} not in the catalog`],
    ...changed === 0 ? [] : [`${changed} changed`],
    ...removed === 0 ? [] : [`${removed} gone`]
  ];
  return `From before this change: ${parts.join(", ")}.`;
}
function declareLines(report, { operations }) {
  const undeclared = undeclaredOf(report);
  const changed = report.api?.changed ?? [];
  if (undeclared.length + changed.length === 0) return [];
  const file = operations === null ? "with the import" : `in ${code(operations)}`;
  return [
    "#### What a person has to say",
    "",
    ...undeclared.length === 0 ? [] : [
      `Whether each of these writes, or that it is skipped, ${file}:`,
      "",
      ...listed(undeclared, ({ name }) => code(name)),
      ""
    ],
    ...changed.length === 0 ? [] : ["Whether what was declared still holds for what has changed above."]
  ];
}
function documentLines({ added, replaced, same, orphans, isSent }, { isPull }) {
  const line = (word) => ({ name, path: path3 }) => `**${word}** ${code(name)}, from ${code(path3)}`;
  const changes = [...listed(added, line("New")), ...listed(replaced, line("Changed"))];
  const sent2 = isSent ? "They were sent, except where it says otherwise above: the assistant answers from them now." : whenSent(isPull);
  return [
    "#### Documents",
    "",
    ...changes.length === 0 ? [`${counted(same, "document")}, and none of them changes.`] : [...changes, "", sent2],
    ...changes.length === 0 || same === 0 ? [] : ["", `${counted(same, "other")} stay${same === 1 ? "s" : ""} the same.`],
    ...orphans.length === 0 ? [] : [
      "",
      "The files of these are gone, and a CI key deletes nothing. Delete them with a secret key:",
      "",
      ...listed(orphans, line("Left"))
    ]
  ];
}
var whenSent = (isPull) => isPull ? "They are sent once this is merged. Until then the assistant answers from what it has." : "They were not sent, because this run only looks.";
function vocabularyLines({ path: path3, fresh, suggestion, isSent }, { isPull, serviceUrl }) {
  const domains = Object.entries(fresh);
  if (domains.length === 0) return ["#### Vocabulary", "", `The pack has all words of ${code(path3)}.`];
  const after = isPull ? "They are suggested once this is merged." : "They were not suggested, because this run only looks.";
  const done = suggestion === null ? "They could not be suggested." : `They are suggested as ${code(suggestion)}, and wait for a person to accept them.`;
  return [
    "#### Vocabulary",
    "",
    ...listed(domains, ([domain, words]) => `${code(domain)}: ${listedWords(words)}`),
    "",
    `${isSent ? done : after} ([What words do](${serviceUrl}/docs/vocabulary).)`
  ];
}
function listedWords(words) {
  const rest = words.length - MOST_LISTED;
  return [...words.slice(0, MOST_LISTED).map((word) => code(word, 60)), ...rest > 0 ? [`and ${rest} more`] : []].join(
    ", "
  );
}

// action/src/runner.ts
import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
var LONGEST_LINE = 2e3;
var SHORTEST_SECRET = 8;
function openRunner({ env: env2, stdout: stdout2 }) {
  const secrets = [];
  const clean = (text) => secrets.reduce((all, secret) => all.replaceAll(secret, "***"), text);
  const line = (text) => clean(oneLine(text)).slice(0, LONGEST_LINE).replaceAll("##[", "## [");
  const write = (text) => void stdout2.write(`${text}
`);
  const annotate = (kind) => (message) => write(`::${kind} title=Tether::${line(message).replaceAll("%", "%25")}`);
  const append = (file, text) => {
    if (file !== void 0 && file !== "") appendFileSync(file, text);
  };
  return {
    mask(secret) {
      if (secret.length < SHORTEST_SECRET) return;
      secrets.push(secret);
      write(`::add-mask::${secret.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A")}`);
    },
    say: (text) => write(line(text)),
    notice: annotate("notice"),
    warn: annotate("warning"),
    fail: annotate("error"),
    output(name, value) {
      const end = `end_${randomUUID()}`;
      append(env2.GITHUB_OUTPUT, `${name}<<${end}
${clean(String(value))}
${end}
`);
    },
    summary: (markdown) => append(env2.GITHUB_STEP_SUMMARY, `${clean(markdown)}
`),
    clean
  };
}

// action/src/tether.ts
function openService(line, address, key) {
  const ask = async (method, path3, body) => {
    try {
      const headers = { "x-api-key": key, "user-agent": "tether-action/1" };
      return await line({ method, url: address + path3, headers, body, mayRepeat: true });
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      throw new Failed({
        what: "The service did not answer.",
        said: error.message,
        next: "Check service-url, and that runners of GitHub can reach it. Then run the job again."
      });
    }
  };
  const done = async (method, path3, body) => {
    const answer = await ask(method, path3, body);
    if (answer.status === 200) return jsonOf(answer);
    throw refused(`${method} ${path3}`, answer);
  };
  return {
    async draft(document, baseUrl, source) {
      const answer = await ask("POST", "/v1/tools/import", { document, baseUrl, source });
      const { operations, ...body } = answer.status === 400 ? jsonOf(answer) : {};
      if (operations === void 0) throw refused("POST /v1/tools/import", answer);
      return { ...body, operations };
    },
    mayReplace: async () => (await done("GET", "/v1/account/keys/self")).kind === "ci_replace",
    documents: () => done("GET", "/v1/knowledge"),
    async putDocument(body) {
      await done("POST", "/v1/knowledge", body);
    },
    lexicon: async () => (await done("GET", "/v1/domain-pack")).lexicon,
    suggest: (body) => done("POST", "/v1/domain-pack/suggestions", body)
  };
}
function jsonOf({ text }) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
function refused(asked, answer) {
  const { status, headers } = answer;
  const { error } = jsonOf(answer);
  const said = typeof error === "object" ? error.message : error;
  const id = headers.get("x-request-id");
  const what = `${asked} answered ${status}${id === null || !/^[\w-]{1,64}$/.test(id) ? "" : ` (request ${id})`}.`;
  return new Failed({ what, ...typeof said === "string" ? { said } : {}, next: nextAfter(status) });
}
function nextAfter(status) {
  if (status === 401)
    return "The key is not valid, or no longer. Issue a CI key, and put it into the secret that api-key names.";
  if (status === 429) return "Run the job again later.";
  if (status >= 500) return "Run the job again. If it stays so, ask whoever operates the service, and name the request.";
  if (status < 200 || status >= 300 && status < 400)
    return "service-url leads elsewhere. Set it to the address of the service itself.";
  return "Change what it says, and push again.";
}

// action/src/vocabulary.ts
var LONGEST_NOTE = 500;
async function suggestWords({ service, workspace, file, isSent, note }) {
  const lexicon = readLexicon(workspace.read(file), file);
  const fresh = without(lexicon, await service.lexicon());
  const isNew = Object.keys(fresh).length > 0;
  if (!isSent || !isNew) return { path: file, fresh, suggestion: null, isSent };
  const source = workspace.sourceOf(file);
  const made = await service.suggest({ lexicon: copyOf(lexicon), source, note: cut(note, LONGEST_NOTE) });
  return { path: file, fresh, suggestion: made.id, isSent };
}
var copyOf = (lexicon) => Object.fromEntries(Object.entries(lexicon).map(([domain, words]) => [domain, [...words]]));
var folded = (word) => word.trim().normalize("NFC").toLowerCase();
function without(lexicon, pack) {
  const fresh = Object.entries(lexicon).map(([domain, words]) => {
    const known = new Set((Object.hasOwn(pack, domain) ? pack[domain] ?? [] : []).map(folded));
    return [domain, words.filter((word) => !known.has(folded(word)))];
  });
  return Object.fromEntries(fresh.filter(([, words]) => words.length > 0));
}
function readLexicon(text, file) {
  const next = 'Write an object of domains with their words: {"returns": ["refund", "send back"]}.';
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Failed({ what: `${code(file)} is not JSON.`, said: error instanceof Error ? error.message : "", next });
  }
  const lexicon = isObject(value) && isObject(value.lexicon) ? value.lexicon : value;
  if (!isLexicon(lexicon)) throw new Failed({ what: `${code(file)} holds no words.`, next });
  return lexicon;
}
var isLexicon = (value) => isObject(value) && Object.values(value).every((words) => Array.isArray(words) && words.every((word) => typeof word === "string"));
var isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

// action/src/workspace.ts
import { execFileSync } from "node:child_process";
import { globSync, lstatSync, readFileSync as readFileSync2, realpathSync } from "node:fs";
import path2 from "node:path";
var MOST_BYTES2 = 32 * 1024 * 1024;
function openWorkspace(folder, commit) {
  const root = realpathSync(folder);
  const changed = changedFiles(root);
  return {
    read: (file) => readInside(root, file),
    match(patterns) {
      const exclude = patterns.filter((pattern) => pattern.startsWith("!")).map((pattern) => pattern.slice(1));
      const taken = patterns.filter((pattern) => !pattern.startsWith("!"));
      return globSync(taken, { cwd: root, exclude: [".git/**", ...exclude] }).map((file) => file.replaceAll(path2.sep, "/")).filter((file) => isFile(path2.join(root, file))).sort();
    },
    sourceOf: (file) => ({
      kind: "repository",
      commit: headOf(root) ?? commit,
      path: file,
      // Where git cannot tell, nobody can say that it is as it was committed.
      dirty: changed === null || changed.has(file)
    })
  };
}
var isFile = (file) => lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;
function readInside(root, file) {
  const missing = (next) => new Failed({ what: `${code(file)} cannot be read.`, next });
  const at = path2.resolve(root, file);
  const place = path2.relative(root, at).split(path2.sep);
  if (place[0] === ".." || place[0] === ".git" || path2.isAbsolute(file))
    throw missing("Name a file inside of the repository, by its path from there.");
  const found = lstatSync(at, { throwIfNoEntry: false });
  if (found === void 0)
    throw missing("There is no such file. Check the path, and that the repository was checked out before this step.");
  if (!found.isFile() || realpathSync(at) !== at)
    throw missing("It is no plain file of the repository, but a folder or a link. Name the file itself.");
  if (found.size > MOST_BYTES2) throw missing("It is longer than 32 MiB, which is the most. Name a shorter one.");
  return readFileSync2(at, "utf8").replace(/^\ufeff/, "");
}
function git(root, ...words) {
  try {
    return execFileSync("git", words, {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: MOST_BYTES2
    });
  } catch {
    return null;
  }
}
var headOf = (root) => git(root, "rev-parse", "HEAD")?.trim() ?? null;
function changedFiles(root) {
  const listed2 = git(root, "status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all");
  return listed2 === null ? null : new Set(listed2.split("\0").map((line) => line.slice(3)));
}

// action/src/run.ts
async function run(surroundings) {
  const runner = openRunner(surroundings);
  for (const name of ["api-key", "github-token"]) runner.mask(inputOf(surroundings, name));
  const read2 = readInputs(surroundings);
  if ("faults" in read2) {
    for (const fault of read2.faults) runner.fail(fault);
    return 1;
  }
  const event = readEvent(surroundings);
  if (event === null) {
    runner.fail("GITHUB_REPOSITORY is missing, so this is no runner of GitHub. Use the CLI instead.");
    return 1;
  }
  const { inputs } = read2;
  if (inputs.apiKey === null) return withoutKey(inputs, event, runner);
  try {
    return await work({ inputs, event, runner, surroundings }, inputs.apiKey);
  } catch (error) {
    runner.fail(
      `This is a fault of the action, not of your change. ${error instanceof Error ? error.message : ""} Please report it.`
    );
    return 1;
  }
}
function withoutKey({ withoutKey: withoutKey2 }, { isWithheld }, runner) {
  if (!isWithheld) {
    runner.fail("api-key is empty. Put a CI key into a secret of the repository, and set api-key to it.");
    return 1;
  }
  const said = "GitHub hands no secrets to a pull request of a fork or of Dependabot, so nothing was asked of the service.";
  const next = "Once it is merged, the run of the branch does it.";
  if (withoutKey2 === "fail") {
    runner.fail(`${said} This fails because without-key is "fail".`);
    return 1;
  }
  runner.notice(`${said} ${next}`);
  runner.summary(`### Tether

${said} ${next}`);
  return 0;
}
async function work(run2, apiKey) {
  const { inputs, event, runner, surroundings } = run2;
  const line = openLine(surroundings);
  const github = inputs.token === null ? null : openGitHub(line, inputs.token, event);
  const report = await look(run2, openService(line, inputs.serviceUrl, apiKey), github);
  const { commit, runUrl, pull } = event;
  const setting = {
    serviceUrl: inputs.serviceUrl,
    isPull: pull !== null,
    operations: inputs.operations,
    commit,
    runUrl
  };
  const text = runner.clean(reportText(report, setting));
  runner.summary(text);
  for (const { what, said, next } of report.problems)
    runner.fail([what, ...said === void 0 ? [] : [`“${said}”.`], next].join(" "));
  const isCommented = await comment(run2, github, text, saysSomething(report));
  outputs(runner, report);
  runner.say(
    `Found ${counted(changesOf(report), "change")} of the API, ${counted(documentsOf(report), "document")} to send, ${counted(report.problems.length, "problem")}.`
  );
  if (inputs.failOn === "never") return 0;
  const isUndeclared = inputs.failOn === "undeclared" && undeclaredOf(report).length > 0;
  if (isUndeclared)
    runner.fail(`${counted(undeclaredOf(report).length, "new operation")} not declared, and fail-on is "undeclared".`);
  return report.problems.length > 0 || isUndeclared || !isCommented ? 1 : 0;
}
async function look({ inputs, event, surroundings }, service, github) {
  const workspace = openWorkspace(surroundings.env.GITHUB_WORKSPACE ?? ".", event.commit);
  const isSent = mayPublish(inputs, event);
  const problems = [];
  const textAt = async (commit, file) => {
    if (github === null || commit === null) return void 0;
    return await github.fileAt(commit, file).catch((error) => {
      if (error instanceof GitHubRefused) return void 0;
      throw error;
    });
  };
  const { openapi, operations, knowledge, knowledgeRoot: root, vocabulary } = inputs;
  const before = async () => await textAt(event.before, openapi?.path ?? "");
  const note = `From ${event.repository}, ${event.pull === null ? `branch ${event.branch}` : `pull request ${event.pull.number}`}.`;
  return {
    api: openapi === null ? null : await orProblem(() => draftApi({ service, workspace, openapi, operations, before }, problems), problems),
    documents: knowledge.length === 0 ? null : await orProblem(
      () => bringDocuments({ service, workspace, patterns: knowledge, root, isSent, textAt }, problems),
      problems
    ),
    vocabulary: vocabulary === null ? null : await orProblem(() => suggestWords({ service, workspace, file: vocabulary, isSent, note }), problems),
    problems
  };
}
async function comment({ inputs, event, runner }, github, text, isNeeded) {
  if (event.pull === null || inputs.comment === "never" || github === null) return true;
  const { commentName: name, comment: when } = inputs;
  const writing = { name, runId: event.runId, text, isWanted: when === "always" || isNeeded };
  try {
    told(await writeComment(github, writing), runner);
    return true;
  } catch (error) {
    if (!(error instanceof GitHubRefused)) throw error;
    if (error.status === 0 || error.status === 429 || error.status >= 500) {
      runner.warn(
        `The comment was not written. ${error.message} The summary of the run says the same; run the job again for the comment.`
      );
      return true;
    }
    if (event.isWithheld) {
      runner.notice(
        `The comment was not written, because a fork’s pull request has a token that only reads. The summary of the run says the same.`
      );
      return true;
    }
    runner.fail(
      `The comment was not written. ${error.message} Give the job \`permissions: pull-requests: write\`, or set comment to never.`
    );
    return false;
  }
}
function told(written, runner) {
  if (written === "nothing to say") {
    runner.say("No comment was needed.");
  } else {
    runner.output("comment-url", written.url);
    runner.say(written.isLater ? "A later run has written the comment." : `The comment is ${written.url}`);
  }
}
function outputs(runner, report) {
  runner.output("changes", changesOf(report));
  runner.output("undeclared", undeclaredOf(report).length);
  runner.output("documents", documentsOf(report));
  runner.output("suggestion", report.vocabulary?.suggestion ?? "");
  runner.output("problems", report.problems.length);
  runner.output("report", reportJson(report));
}

// action/src/main.ts
var { env, stdout } = process;
process.exitCode = await run({ env, stdout, fetch, wait: (ms) => setTimeout(ms) });
