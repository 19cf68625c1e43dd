/**
 * Sorts events by the publisher of their ad zone, because counting locks ads and the publisher's day. The partition of an
 * event does not decide whether it counts, so a zone that this server does not know may have another one for a while.
 */
export type PartitionOf = (event: { zoneId: number }) => number;

/** `publisherOf` returns undefined if it does not know the zone. */
export const createPartitionOf =
  (partitions: number, publisherOf: (zoneId: number) => number | undefined): PartitionOf =>
  ({ zoneId }) =>
    (publisherOf(zoneId) ?? zoneId) % partitions;
