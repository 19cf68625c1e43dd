import { cn } from '../cn.ts';
import { SYMBOL } from '../format/format.ts';
import { SlotShape } from './slot-shape.tsx';

/** A drawing of a page with one open ad zone, for dark backgrounds. */
export function SlotScene({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 480 264" className={cn('w-full', className)} fill="none" aria-hidden="true">
      <rect
        x="1"
        y="1"
        width="478"
        height="262"
        rx="14"
        className="fill-deep-raised stroke-on-deep-soft/30"
        strokeWidth="1.5"
      />
      <path d="M1 34h478" className="stroke-on-deep-soft/30" strokeWidth="1.5" />
      <g className="fill-on-deep-soft/40">
        <circle cx="20" cy="18" r="4" />
        <circle cx="34" cy="18" r="4" />
        <circle cx="48" cy="18" r="4" />
        <rect x="24" y="54" width="150" height="14" rx="4" />
      </g>
      <g className="fill-on-deep-soft/20">
        <rect x="24" y="84" width="248" height="8" rx="4" />
        <rect x="24" y="102" width="264" height="8" rx="4" />
        <rect x="24" y="120" width="232" height="8" rx="4" />
        <rect x="24" y="150" width="120" height="88" rx="8" />
        <rect x="160" y="150" width="124" height="8" rx="4" />
        <rect x="160" y="168" width="112" height="8" rx="4" />
        <rect x="160" y="186" width="124" height="8" rx="4" />
        <rect x="160" y="204" width="80" height="8" rx="4" />
      </g>
      <SlotShape x={318} y={54} width={138} height={184} />
      <text x="387" y="142" textAnchor="middle" className="fill-ink font-display text-xl font-semibold">
        {`${SYMBOL}25`}
      </text>
      <text x="387" y="164" textAnchor="middle" className="fill-ink-soft font-sans text-xs">
        a day
      </text>
    </svg>
  );
}
