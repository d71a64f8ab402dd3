import { statement } from '../../kernel/db/index.ts'
import { dueRows, SWEEP } from '../../tenancy/jobs/index.ts'
import { sealedRows } from '../../tenancy/sealing/index.ts'
import { registering } from '../../tools/catalog/index.ts'

const REGISTERED = {
  catalogs: 'a declared upstream is a new version of the catalog',
  tenants: '`tenants` counts the versions, because every request reads it',
}

export type UpstreamRow = {
  name: string
  url: string
  credential: string | null
  tools: string
  moved: string
  fault: string | null
  checkedAt: Date
  createdAt: Date
  updatedAt: Date
}
const columns = `u.name, u.url, u.credential, u.tools, u.moved, u.fault, u.checked_at as "checkedAt", u.created_at as "createdAt",
       u.updated_at as "updatedAt"`

export const findUpstream = statement<UpstreamRow, { tenantId: number; name: string }>(
  'upstreams.find',
  `select ${columns} from upstreams u where u.tenant_id = $tenantId::int and u.name = $name::text`,
)

export const listUpstreams = statement<UpstreamRow, { tenantId: number }>(
  'upstreams.list',
  `select ${columns} from upstreams u where u.tenant_id = $tenantId::int order by u.name`,
)

/** One row even where there is none to list: the count of changes is the tenant's own. */
export const listDeclared = statement<{ upstreamsVersion: number; tools: string | null }, { tenantId: number }>(
  'upstreams.list_declared',
  `select t.upstreams_version as "upstreamsVersion", u.tools
     from tenants t left join upstreams u on u.tenant_id = t.tenant_id and u.tenant_id = $tenantId::int
    where t.tenant_id = $tenantId::int and t.deleted_at is null
    order by u.name`,
)

export const countUpstreams = statement<{ many: number }, { tenantId: number }>(
  'upstreams.count',
  'select count(*)::int as many from upstreams where tenant_id = $tenantId::int',
)

export const findVersion = statement<{ catalogVersion: number }, { tenantId: number }>(
  'upstreams.find_version',
  'select catalog_version as "catalogVersion" from tenants where tenant_id = $tenantId::int and deleted_at is null',
)

/** The catalog that this makes rests on one version of it, and is made of what the upstreams are: nothing is placed where that has moved. */
const amending = registering({
  and: 'catalog_version = $basedOn::int',
  alsoSet: ', upstreams_version = upstreams_version + 1',
})

type Amending = {
  tenantId: number
  basedOn: number
  name: string
  tools: string
  hash: string
  keepBytes: number
  toolCount: number
  writeToolCount: number
}

export const placeUpstream = statement<
  UpstreamRow & { version: number },
  Amending & { url: string; credential: string | null; declared: string }
>(
  'upstreams.place',
  `with ${amending}, placed as (
     insert into upstreams as u (tenant_id, name, url, credential, tools, checked_at, updated_at)
     select tenant_id, $name::text, $url::text, $credential::text, $declared::text, now(), now() from numbered
     on conflict (tenant_id, name) do update
        set url = excluded.url, credential = excluded.credential, tools = excluded.tools, moved = '{}', fault = null,
            checked_at = excluded.checked_at, updated_at = excluded.updated_at
     returning u.*
   )
   select ${columns}, v.version from placed u, version v`,
  { guest: REGISTERED },
)

export const removeUpstream = statement<{ version: number }, Amending>(
  'upstreams.remove',
  `with ${amending}, removed as (
     delete from upstreams u using numbered n
      where u.tenant_id = $tenantId::int and u.tenant_id = n.tenant_id and u.name = $name::text
   )
   select version from version`,
  { guest: REGISTERED },
)

/** What a look found. Of a server that was declared again meanwhile it says nothing. A `Date` has no microseconds. */
export const recordLook = statement<
  unknown,
  { tenantId: number; name: string; seen: Date; moved: string; fault: string | null }
>(
  'upstreams.record_look',
  `update upstreams set moved = $moved::text, fault = $fault::text, checked_at = now(), looking_until = null
    where tenant_id = $tenantId::int and name = $name::text
      and updated_at >= $seen::timestamptz and updated_at < $seen::timestamptz + interval '1 millisecond'`,
)

const isUnseen = `checked_at < now() - make_interval(mins => $minutes::int) and (looking_until is null or looking_until < now())`

/** Servers at which nobody has looked for long. */
export const listUnseen = statement<
  { tenantId: number; id: string },
  { passedOver: readonly number[]; limit: number; minutes: number }
>('upstreams.list_unseen', dueRows({ table: 'upstreams', id: 'name', due: isUnseen, order: 'checked_at' }), {
  looks: SWEEP,
})

/** The right to look at one, for a while. */
export const beginLook = statement<
  UpstreamRow,
  { tenantId: number; name: string; minutes: number; leaseSeconds: number }
>(
  'upstreams.begin_look',
  `update upstreams u set looking_until = now() + make_interval(secs => $leaseSeconds::float8)
    where u.tenant_id = $tenantId::int and u.name = $name::text and ${isUnseen}
   returning ${columns}`,
)

export const sealedCredentials = sealedRows('upstreams.reseal', {
  what: 'the credential of an MCP server',
  table: 'upstreams',
  id: 'name',
  column: 'credential',
})
