import type { AdShowing, Lately } from '#domain/delivery/showing-contract.ts';
import type { Figure } from './store-showing.ts';

/** All ad requests of a zone, whichever ad was chosen. */
export function requestsReply(figures: readonly Figure[]): AdShowing['requests'] {
  const decisions = figures.filter(({ kind }) => kind === 'decision');
  return { total: sum(decisions), filtered: byReason(decisions) };
}

/** The decisions, views and clicks of one ad. */
export function latelyReply(figures: readonly Figure[], adId: number): Lately {
  const own = figures.filter((figure) => figure.adId === adId);
  const events = own.filter(({ kind }) => kind !== 'decision');
  const counted = (kind: Figure['kind']) =>
    sum(events.filter((figure) => figure.kind === kind && figure.reason === ''));
  return {
    chosen: sum(own.filter(({ kind }) => kind === 'decision')),
    views: counted('view'),
    clicks: counted('click'),
    filtered: byReason(events),
  };
}

function sum(figures: readonly Figure[]): number {
  return figures.reduce((total, { n }) => total + n, 0);
}

/** Most frequent first. */
function byReason(figures: readonly Figure[]): Lately['filtered'] {
  const reasons = Map.groupBy(figures, ({ reason }) => reason);
  return [...reasons]
    .flatMap(([reason, each]) => (reason === '' ? [] : [{ reason, n: sum(each) }]))
    .toSorted((a, b) => b.n - a.n);
}
