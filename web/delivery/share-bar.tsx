import { cn } from '#web/ui/cn.ts';
import { shareText } from './share-text.ts';

/** A segment of the bar. `share` is from 0 to 1; `look` selects the color. */
export type Share = { name: string; share: number; look: 'own' | 'others' | 'house' };

const LOOKS = { own: 'bg-accent', others: 'bg-line-strong', house: 'bg-lit' } as const;

/** How an ad zone's requests are divided: as a bar, and as a list for screen readers and for exact figures. */
export function ShareBar({ shares }: { shares: readonly Share[] }) {
  const shown = shares.filter(({ share }) => share > 0);
  return (
    <div className="grid gap-2">
      <div aria-hidden="true" className="flex h-2.5 gap-0.5 overflow-hidden rounded-full bg-sunken">
        {shown.map(({ name, share, look }) => (
          <span key={name} style={{ width: `${share * 100}%` }} className={cn('min-w-1', LOOKS[look])} />
        ))}
      </div>
      <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {shown.map(({ name, share, look }) => (
          <li key={name} className="flex items-center gap-2">
            <span aria-hidden="true" className={cn('size-2.5 shrink-0 rounded-full', LOOKS[look])} />
            <span>
              {name} <span className="figures font-medium">{shareText(share)}</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
