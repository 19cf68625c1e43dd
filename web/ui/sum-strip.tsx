import type { ReactNode } from 'react';

type SumStripProps = {
  /** The accessible name. */
  label: string;
  /** The parts of a total that stands above. An amount, such as '$1.00', is undefined while it loads. */
  parts: readonly (readonly [name: string, amount: string | undefined])[];
  children?: ReactNode;
};

/** The parts of a total in one line, which add up to it. It keeps its height while it loads. [FIG-04] */
export function SumStrip({ label, parts, children }: SumStripProps) {
  return (
    <section
      aria-label={label}
      className="flex flex-wrap items-center gap-x-6 gap-y-2 rounded-card border border-line bg-surface px-4 py-2.5 shadow-rest"
    >
      <dl className="grid min-w-0 flex-1 grid-cols-2 gap-x-6 gap-y-2 sm:flex sm:flex-wrap sm:gap-x-10">
        {parts.map(([name, amount]) => (
          <div key={name} className="min-w-0">
            <dt className="text-xs text-ink-soft">{name}</dt>
            <dd className="figures font-medium">{amount ?? '...'}</dd>
          </div>
        ))}
      </dl>
      {children}
    </section>
  );
}
