-- Every unique key of a tenant's table holds the tenant, so that the tables can be divided by it. A key is looked up by its hash
-- before its tenant is known: with the hash first, one index is both, as before.
-- While it is made keys are read, and whoever writes one waits. The next migration puts it in the place of the old one.
create unique index keys_by_hash on keys (hash, tenant_id);
