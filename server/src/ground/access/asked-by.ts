/**
 * SQL: the tenant, while the key that asks is alive; `$askingKey` is its prefix, which is unique within the tenant. Both rows are locked, so that neither changes before the statement is
 * committed. A statement that has to wait for them goes by what they say afterwards; whatever else it reads is older.
 */
export const askedBy = (and = 'true'): string =>
  `select t.tenant_id
       from tenants t
       join keys k on k.tenant_id = t.tenant_id
      where t.tenant_id = $tenantId::int and t.deleted_at is null and ${and}
        and k.tenant_id = $tenantId::int and k.prefix = $askingKey::text
        and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
        for share`
