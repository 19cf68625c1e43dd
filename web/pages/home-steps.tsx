import { useQuery } from '@tanstack/react-query';
import { ArrowRight, Check } from 'lucide-react';
import { Link } from 'wouter';
import type { Role } from '#domain/accounts/roles.ts';
import type { GettingStarted } from '#domain/analytics/getting-started-contract.ts';
import { calls } from '#domain/calls.ts';
import { read } from '#web/http/query.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { cn } from '#web/ui/cn.ts';

type Fact = keyof GettingStarted;
type Step = {
  title: string;
  href: string;
  isDone: (facts: GettingStarted) => boolean;
  /** Shown below the title, each with its own tick. */
  parts?: readonly [Fact, string][];
};

const PROFILE: Step = {
  title: 'Set up your profile',
  href: '/settings?tab=business',
  isDone: ({ profile }) => profile,
};

const STEPS: Record<Role, readonly Step[]> = {
  buyer: [
    PROFILE,
    { title: 'Browse the marketplace', href: '/marketplace', isDone: ({ submitted }) => submitted },
    {
      title: 'Create your first ad',
      href: '/create-ad',
      isDone: ({ paid }) => paid,
      parts: [
        ['submitted', 'Submitted'],
        ['paid', 'Paid'],
      ],
    },
  ],
  seller: [
    PROFILE,
    {
      title: 'Add a website and set up your first ad zone',
      href: '/ad-zones#new-zone',
      isDone: ({ website, price, verified, tagSeen }) => website && price && verified && tagSeen,
      parts: [
        ['website', 'Website'],
        ['price', 'Price'],
        ['verified', 'Verified'],
        ['tagSeen', 'Tag seen'],
      ],
    },
    { title: 'Start earning', href: '/dashboard', isDone: ({ sold }) => sold },
  ],
  both: [
    PROFILE,
    {
      title: 'Choose your path: buy ads or sell ad space',
      href: '/marketplace',
      isDone: ({ submitted, verified, tagSeen }) => submitted || (verified && tagSeen),
      parts: [
        ['submitted', 'Ad submitted'],
        ['website', 'Website'],
        ['verified', 'Verified'],
        ['tagSeen', 'Tag seen'],
      ],
    },
    { title: 'Track performance', href: '/dashboard', isDone: ({ sold, paid }) => sold || paid },
  ],
};

/** The first steps of the role, with a tick on each that is done. [HOME-22] */
export function GettingStartedCard({ role }: { role: Role }) {
  const { data } = useQuery(read(calls.getGettingStarted));
  return (
    <Card>
      <CardHeader title="Getting Started" />
      <ol className="mt-4 grid gap-1">
        {STEPS[role].map((step, index) => {
          const isDone = data !== undefined && step.isDone(data);
          // A website exists, so the next steps are on its page.
          const href = step.href === '/ad-zones#new-zone' && data?.website ? '/ad-zones' : step.href;
          return (
            <li key={step.title}>
              <Link
                href={href}
                className="group -mx-2 flex items-center gap-3 rounded-control px-2 py-2.5 hover:bg-sunken"
              >
                <span
                  className={cn(
                    'figures grid size-7 shrink-0 place-items-center rounded-full text-xs font-semibold',
                    isDone ? 'bg-good-soft text-good' : 'bg-accent-soft text-accent',
                  )}
                >
                  {isDone ? <Check aria-hidden="true" className="size-4" /> : index + 1}
                </span>
                <span className="flex-1">
                  {step.title}
                  {isDone && <span className="sr-only"> (done)</span>}
                  {step.parts && <Parts parts={step.parts} facts={data} />}
                </span>
                <ArrowRight
                  aria-hidden="true"
                  className="size-4 text-ink-faint transition-transform duration-150 group-hover:translate-x-0.5"
                />
              </Link>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}

function Parts({ parts, facts }: { parts: readonly [Fact, string][]; facts: GettingStarted | undefined }) {
  return (
    <span className="flex flex-wrap gap-x-3 text-xs text-ink-faint">
      {parts.map(([fact, label]) => (
        <span key={fact} className={cn('inline-flex items-center gap-1', facts?.[fact] && 'text-good')}>
          {/* The tick's place is free while the part is open, so that nothing moves when it is done. */}
          <Check aria-hidden="true" className={cn('size-3', !facts?.[fact] && 'opacity-25')} />
          {label}
          <span className="sr-only">{facts?.[fact] ? ': done' : ': to do'}</span>
        </span>
      ))}
    </span>
  );
}
