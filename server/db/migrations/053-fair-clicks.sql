-- It limits the clicks of a network as well as its views.
drop function if exists withdraw_traffic(
  timestamptz, integer, timestamptz, timestamptz, jsonb, integer, integer[], integer[]);
