import { useState, type ReactNode } from 'react';
import { DEFAULT_CATEGORIES } from '#domain/inventory/categories.ts';
import type { Website } from '#domain/inventory/contract.ts';
import { cn } from '#web/ui/cn.ts';
import { initialsOf, spreadOf } from '#domain/inventory/website-initials.ts';

type WebsitePictureProps = {
  website: Pick<Website, 'name' | 'category' | 'picture'>;
  /** Sets the size, 72 px by default. The picture is a square. */
  className?: string;
};

/**
 * The picture of a website, or a drawing if it has none or it fails to load. Hidden from assistive technology, because
 * the website's name is beside it.
 */
export function WebsitePicture({ website, className = 'size-18' }: WebsitePictureProps) {
  const { picture } = website;
  const [broken, setBroken] = useState<string | null>(null);
  return (
    <span
      aria-hidden="true"
      dir="auto"
      data-picture={picture !== null && picture !== broken ? 'own' : 'drawn'}
      className={cn(
        'block aspect-square shrink-0 overflow-hidden rounded-control border border-line bg-sunken',
        className ?? 'size-18',
      )}
    >
      {picture !== null && picture !== broken ? (
        <img
          src={picture}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setBroken(picture)}
          className="size-full object-cover"
        />
      ) : (
        <Drawing {...website} />
      )}
    </span>
  );
}

const TONES = ['bg-accent-soft text-accent', 'bg-sunken text-ink-soft', 'bg-deep text-on-deep'];

/** The initials of the name on the category's ornament. The name chooses the tone and the ornament's direction. */
function Drawing({ name, category }: Pick<Website, 'name' | 'category'>) {
  const spread = spreadOf(name);
  const known = DEFAULT_CATEGORIES.findIndex((each) => each === category);
  const ornament = ORNAMENTS[known === -1 ? spreadOf(category) % ORNAMENTS.length : known];
  return (
    <svg viewBox="0 0 72 72" className={cn('size-full', TONES[spread % TONES.length])}>
      <g
        transform={`rotate(${90 * (Math.floor(spread / TONES.length) % 4)} 36 36)`}
        fill="currentColor"
        opacity=".16"
      >
        {ornament}
      </g>
      <text
        x="36"
        y="37"
        textAnchor="middle"
        dominantBaseline="central"
        fill="currentColor"
        className="font-display text-[27px] font-semibold"
      >
        {initialsOf(name)}
      </text>
    </svg>
  );
}

const STEPS = [0, 1, 2, 3];
const ring = (radius: number) => (
  <circle key={radius} cx="72" cy="0" r={radius} fill="none" stroke="currentColor" strokeWidth="5" />
);

/**
 * One for each of DEFAULT_CATEGORIES, in their order. Other categories share them. Each fills the corner at the top
 * right.
 */
const ORNAMENTS: readonly ReactNode[] = [
  STEPS.flatMap((row) =>
    STEPS.slice(row).map((column) => (
      <circle key={`${row} ${column}`} cx={26 + column * 13} cy={7 + row * 13} r="3.2" />
    )),
  ),
  STEPS.map((step) => <rect key={step} x={24 + step * 12} y="0" width="8" height={8 + step * 11} />),
  <path key="plus" d="M42 0h18v12h12v18H60v12H42V30H30V12h12z" />,
  <circle key="circle" cx="60" cy="12" r="30" />,
  STEPS.map((step) => (
    <path key={step} d={`M${16 + step * 16} 0h8l${48 - step * 16} ${48 - step * 16}v8z`} />
  )),
  STEPS.map((step) => <rect key={step} x={22 + step * 8} y={4 + step * 10} width="60" height="5" />),
  [14, 26, 38].map(ring),
  <path
    key="lanes"
    d="M30 0h8a34 34 0 0 0 34 34v8A42 42 0 0 1 30 0zm16 0h8a18 18 0 0 0 18 18v8A26 26 0 0 1 46 0z"
  />,
  <path key="hills" d="M20 0h52v44L58 24l-8 12z" />,
  <path key="petals" d="M72 0v22a22 22 0 0 1-22-22zM50 0a22 22 0 0 1-22 22V0zM72 22v22a22 22 0 0 1-22-22z" />,
];
