import type { Targeting } from '#domain/targeting/limits.ts';
import { onDemand } from '#web/ui/late.tsx';

// Few ads have limits, and the names of countries take bytes.
const LimitWords = onDemand('the limits', 'h-5', async () => (await import('./limit-words.tsx')).LimitWords);

/** Limits or exclusions in words. `none` is shown if there are none. */
export function LimitsList({ limits, none }: { limits: Targeting | null; none: string }) {
  return limits === null ? none : <LimitWords limits={limits} />;
}
