import type { Targeting } from './limits.ts';

/** Whether two ads have the same limits. Null: everybody. */
export function sameLimits(one: Targeting | null, other: Targeting | null): boolean {
  return ordered(one) === ordered(other);
}

// The database returns the members of an object in another order.
function ordered(limits: Targeting | null): string {
  return JSON.stringify(limits, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
}
