// @tether/sdk, MIT. Made by `npm run generate` from sdk/src.

// sdk/src/bytes.ts
var utf8 = (text) => new TextEncoder().encode(text);
function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
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

// sdk/src/mint-customer-token.ts
var longestLifetime = 3600;
async function mintCustomerToken(request) {
  const { key, tenantId, customerId, lifetimeSeconds = 900, name, email, locale, now = Date.now() } = request;
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
  timestamp_missing: "The request has no timestamp (or no webhook-id beside its webhook-signature). Refuse it.",
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
  const telling = results.find((result) => !result.ok && /^too_/.test(result.reason));
  return results.find((result) => result.ok) ?? telling ?? results[0] ?? fault("signature_missing");
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
    timestamp: id === void 0 ? void 0 : timestamp,
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
export {
  mintCustomerToken,
  verifySignature
};
