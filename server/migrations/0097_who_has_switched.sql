-- Which run of the command has switched a move. Its marks are on both sides, and nobody lifts those of a later move for it: a run that
-- stood still, as on a machine that slept, may wake up when others have finished its move and begun another.
alter table tenant_moves add column switched_by uuid;
