import type { ReactNode } from 'react';

/** A list of names and values; on a narrow screen, each value goes below its name. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="@container divide-y divide-line border-y border-line text-sm">
      {facts.map(([name, value]) => (
        <div
          key={name}
          className="grid gap-x-4 gap-y-0.5 py-2.5 @2xs:grid-cols-[6.5rem_1fr] @md:grid-cols-[10rem_1fr]"
        >
          <dt className="text-ink-faint">{name}</dt>
          <dd className="min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
