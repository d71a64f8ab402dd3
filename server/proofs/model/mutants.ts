// Faults that somebody could write into the SQL of staged writes. A proof that finds none of them proves nothing.
import assert from 'node:assert/strict'
import { allStatements } from '../../src/kernel/db/index.ts'
import type { Calls } from '../../src/tools/calls/index.ts'

/** By statement name, what becomes of its text. */
export type Mutant = Readonly<Record<string, (text: string) => string>>

const instead =
  (...pairs: readonly (readonly [string | RegExp, string])[]) =>
  (text: string): string =>
    pairs.reduce((changed, [from, to]) => {
      const next = changed.replace(from, to)
      assert.notEqual(next, changed, `a mutant looks for ${from}, and the statement has moved on`)
      return next
    }, text)

const anyState = [/a\.state in \([^)]*\)/, 'true'] as const

export const MUTANTS: Readonly<Record<string, Mutant>> = {
  'a claim asks for no state': { 'actions.claim': instead(anyState) },
  'a claim may come after the window': { 'actions.claim': instead(['and a.expires_at > now()', '']) },
  'a claim does not ask whether the endpoint moved': {
    'actions.claim': instead([/t\.endpoint_url is not distinct from (\$\d+::text)/, '($1 is null or true)']),
  },
  'a claim does not count its attempt': {
    'actions.claim': instead(['attempts = attempts + 1', 'attempts = attempts']),
  },
  'what a dead process was executing goes back to pending': {
    'actions.recover': instead([`set state = 'indeterminate'`, `set state = 'pending'`]),
  },
  'the sweep does not wait for the lease': {
    'actions.list_lapsed': instead(['lease_until <= now()', 'true']),
    'actions.recover': instead(['lease_until <= now()', 'true']),
  },
  'an outcome asks neither for its claim nor for a state': {
    'actions.succeed': instead(anyState, [/a\.claim_token is not distinct from (\$\d+::uuid)/, '($1 is null or true)']),
  },
  'a success is not written into the trail': {
    'actions.succeed': instead([/0 as turn\s+from changed/, '0 as turn from changed where false']),
  },
  'a late release makes an indeterminate action pending': {
    'actions.release': instead([/a\.state in \([^)]*\)/, `a.state in ('executing', 'indeterminate')`]),
  },
  'losing contact forgets whose claim it was': {
    'actions.lose_contact': instead(['lease_until = null', 'lease_until = null, claim_token = null']),
  },
  'a reconcile does not wait for another': {
    'actions.begin_reconcile': instead(['a.reconcile_token is null or', 'true or']),
  },
  'a reconcile that asks is never taken over': {
    'actions.begin_reconcile': instead(['or a.reconciling_until <= now()', '']),
  },
  'a reconcile that heard nothing goes on asking': {
    'actions.lose_contact': instead(['nullif(a.reconcile_token,', 'coalesce(a.reconcile_token,']),
  },
  'a no counts from whoever was overtaken': {
    'actions.fail': instead([/a\.reconcile_token is not distinct from (\$\d+::uuid)/, '($1 is null or true)']),
  },
  'a no stops what is executing': { 'actions.reject': instead(anyState) },
  'a no is told as something else': { 'actions.reject': instead([`'action.rejected'`, `'action.expired'`]) },
  'what is executing expires': {
    'actions.list_due': instead([`state = 'pending' and`, '']),
    'actions.expire': instead([`state = 'pending' and`, ''], anyState),
  },
  'each send has an idempotency key of its own': {
    'actions.find': instead(['a.idempotency_key as', 'gen_random_uuid()::text as']),
  },
  'a confirm key is everybody’s': {
    'actions.find_confirm_key': instead([/user_id = (\$\d+::bigint)/, '$1 is not null']),
  },
  'a yes during an execution is not superseded': {
    'actions.record_approval': instead([`c.state = 'executing'`, 'false']),
  },
  'a yes without a policy is told': {
    'actions.record_approval': instead([/from changed where (\$\d+::boolean)/, 'from changed where $1 is not null']),
  },
}

/** In how the service makes its calls. No statement holds these: the hash is made and compared outside the database. */
export const CALL_MUTANTS: Readonly<Record<string, (calls: Calls) => Calls>> = {
  'an approval does not cover where the write goes': (calls) => ({
    ...calls,
    destinationOf: async (...write) => ({ ...(await calls.destinationOf(...write)), address: null }),
    destinationAt: (...write) => ({ ...calls.destinationAt(...write), address: null }),
  }),
}

const currentHolder = (of: string, tenant: string) =>
  `coalesce((select u.id from users u where u.tenant_id = ${tenant} and u.user_id = ${of}), 0)`

/** For the claim that an approval never counts for a person who did not give it. */
export const PEOPLE_MUTANTS: Readonly<Record<string, Mutant>> = {
  'an approval belongs to the userId and not to the person': {
    'actions.record_approval': instead([/coalesce\(-nullif\(\$\d+::bigint, 0\), (\$\d+::bigint)\)/g, '$1']),
    'approvals.load': instead(['greatest(-user_id, 0)', currentHolder('approvals.user_id', 'approvals.tenant_id')]),
  },
  'a token speaks for the person who has its userId now': {
    'access.find_credentials': instead(['k.approver_person_id', currentHolder('k.approver_user_id', 'k.tenant_id')]),
  },
  'a claim does not compare the people': {
    'actions.claim': instead([/t\.authority_version = (\$\d+::int)/, '$1 is not null']),
  },
}

/** For the races, where nothing but the order of statements can go wrong. */
export const RACING_MUTANTS: Readonly<Record<string, Mutant>> = {
  'a claim asks for no state': { 'actions.claim': instead(anyState) },
  'a lost claim supersedes nobody': {
    'actions.mark_superseded': instead([/where a\.tenant_id = /, 'where false and a.tenant_id = ']),
  },
  'a yes is written twice': {
    'actions.record_approval': instead([/where excluded\.under_policy and not p\.under_policy/, '']),
  },
  'a precondition breaks what is executing': { 'actions.break': instead(anyState) },
}

// A statement is prepared under its name, so another text needs another one.
let made = 0

/** The changed texts, made before anything runs: a mutant that changes nothing must not look like one that was found. */
export function mutated(mutant: Mutant): ReadonlyMap<string, { name: string; text: string }> {
  const all = new Map(allStatements().map((statement) => [statement.name, statement]))
  return new Map(
    Object.entries(mutant).map(([name, change]) => {
      const { text } = all.get(name) ?? assert.fail(`there is no statement ${name} any more`)
      return [name, { name: `${name}.${made++}`, text: change(text) }]
    }),
  )
}
