-- On its own, so that nobody waits for it but the few that it writes. Where an endpoint has moved before, nobody remembers.
update actions a set sent_to = t.endpoint_url
  from tenants t where t.tenant_id = a.tenant_id and a.state = 'indeterminate' and a.sent_to is null;
