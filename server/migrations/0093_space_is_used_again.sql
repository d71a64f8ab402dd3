-- What is forgotten in batches leaves space that is used again after a vacuum. By default one comes when a fifth of a table is dead, and
-- until then it grows by as much; these are forgotten every day, so it comes at a twentieth (docs/scale.md).
alter table deliveries set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);
alter table tool_calls set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);
alter table turn_records set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);
alter table usage_rows set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);
