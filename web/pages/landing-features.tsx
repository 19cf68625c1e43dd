import type { ReactNode } from 'react';
import { ArrowRight, Check, Image, Play, Type, type LucideIcon } from 'lucide-react';
import { Badge } from '#web/ui/badge.tsx';
import { COMMISSION, EARNED } from '#web/ui/format/settings.ts';
import { SYMBOL } from '#web/ui/format/format.ts';

type Feature = { title: string; text: string; picture: ReactNode };

/** Each feature has a small picture of what the product does. */
const FEATURES: readonly Feature[] = [
  {
    title: 'Live in about 5 minutes',
    text: 'Name your website, choose a size, paste one snippet. No HTML knowledge needed.',
    picture: (
      <code translate="no" className="rounded-tight bg-deep px-3 py-2 font-mono text-xs text-on-deep-soft">
        &lt;<span className="font-semibold text-on-deep">ad-zone</span> zone=
        <span className="text-on-deep">"3f9c…"</span>&gt;
      </code>
    ),
  },
  {
    title: 'Your space, your price',
    text: 'Charge per day, per impression or per click, and set a price for each type of ad.',
    picture: (
      <span className="flex items-baseline gap-1">
        <span className="slot-open px-4 py-1.5 font-display text-lg font-semibold">{`${SYMBOL}40`}</span>
        <span className="text-xs text-ink-faint">a day</span>
      </span>
    ),
  },
  {
    title: 'Nothing runs without approval',
    text: 'Publishers approve every ad before it goes live. A rejected ad comes back with the reason.',
    picture: (
      <span className="flex items-center gap-2">
        <Badge tone="warn">pending</Badge>
        <ArrowRight className="size-4 text-ink-faint" />
        <Badge tone="good">
          <Check /> approved
        </Badge>
      </span>
    ),
  },
  {
    title: 'Text, image and video',
    text: 'JPEG, GIF, PNG or MP4. Ads contain no code of their own, so pages stay fast and safe.',
    picture: (
      <span className="flex gap-2 text-accent [&_svg]:size-5">
        <MiniSlot Icon={Type} />
        <MiniSlot Icon={Image} />
        <MiniSlot Icon={Play} />
      </span>
    ),
  },
  {
    title: 'Pay once approved',
    text: 'Your card details go to our payment provider, never to us. No approval, no charge.',
    picture: (
      <span className="grid w-full max-w-52 gap-1.5 text-xs">
        {/* The policy of the page allows no styles on elements, so the width is an attribute of a drawing. */}
        <svg className="h-3 w-full rounded-full bg-line-strong" aria-hidden="true">
          <rect width={`${EARNED}%`} height="100%" className="fill-accent" />
        </svg>
        <span className="flex justify-between text-ink-faint">
          <span>{`${EARNED}% to the publisher`}</span>
          <span>{`${COMMISSION}% fee`}</span>
        </span>
      </span>
    ),
  },
  {
    title: 'Figures both sides trust',
    text: 'Impressions, clicks and earnings in real time. Only viewable impressions are counted.',
    picture: (
      <svg viewBox="0 0 208 44" className="h-11 w-full max-w-52" fill="none">
        <path
          d="M2 36C24 34 30 20 52 22s30 12 52 4 26-20 46-18 32 8 56-4v40H2Z"
          className="fill-accent-soft"
        />
        <path
          d="M2 36C24 34 30 20 52 22s30 12 52 4 26-20 46-18 32 8 56-4"
          strokeWidth="2.5"
          strokeLinecap="round"
          className="stroke-accent"
        />
      </svg>
    ),
  },
];

export function LandingFeatures() {
  return (
    <section aria-labelledby="features" className="grid gap-8">
      <h2 id="features" className="max-w-xl text-3xl font-semibold">
        From empty space to paid ad
      </h2>
      <ul className="grid gap-x-10 gap-y-9 sm:grid-cols-2 lg:grid-cols-3">
        {FEATURES.map(({ title, text, picture }) => (
          <li key={title} data-testid="feature-card" className="grid content-start gap-1.5">
            <div aria-hidden="true" className="mb-1.5 flex h-11 items-center">
              {picture}
            </div>
            <h3 className="font-semibold">{title}</h3>
            <p className="text-ink-soft">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function MiniSlot({ Icon }: { Icon: LucideIcon }) {
  return (
    <span className="slot-frame grid h-11 w-14 place-items-center bg-accent-soft">
      <Icon />
    </span>
  );
}
