/** The measured figures of an ad zone's position, and whether they have changed by more than half. */
import { percentText } from '../format.ts';
import { viewableShareOf } from './yields.ts';

/** The last whole UTC days, and the days before them with which they are compared. */
export const RECENT_DAYS = 7;
export const BEFORE_DAYS = 28;
/** The reports of page views are kept for 28 days, so they are compared with fewer days before. */
export const BEFORE_DAYS_OF_REPORTS = 20;
/** With rendered ads of fewer networks, chance moves the share too much. */
export const MIN_NETWORKS = 100;
/** With fewer reports, chance moves the middle value and the share too much. */
export const MIN_COMPARED_REPORTS = 100;
/** A change by more than this part of what it was before. */
const LARGE = 0.5;
/** Smaller differences are chance, or nobody's concern. */
const MIN_SECONDS = 1;
const MIN_FIRST_SCREEN = 0.15;

type Sums = { rendered: number; viewable: number };

export const CHANGES = ['fell', 'rose'] as const;

/** A figure of the last 7 days and of the days before; null if too little was measured. */
export type Compared = {
  recent: number | null;
  before: number | null;
  change: (typeof CHANGES)[number] | null;
};

/** The share of rendered ads that became viewable, from 0 to 1, and what reports of page views say. */
export type Position = Compared & {
  secondsInView: Compared;
  /** The share of page views, from 0 to 1, with at least half of the ad zone on the first screen. */
  firstScreen: Compared;
};

/** The figures of the reports of one of the two periods. */
export type Reported = { secondsInView: number; firstScreen: number };

export function positionOf(
  sums: { recent: Sums; before: Sums },
  reports: { recent?: Reported | undefined; before?: Reported | undefined },
): Position {
  const compareReports = (key: keyof Reported, atLeast: number) =>
    compare(reports.recent?.[key] ?? null, reports.before?.[key] ?? null, atLeast);
  return {
    ...compare(shareOf(sums.recent), shareOf(sums.before), 0),
    secondsInView: compareReports('secondsInView', MIN_SECONDS),
    firstScreen: compareReports('firstScreen', MIN_FIRST_SCREEN),
  };
}

function compare(recent: number | null, before: number | null, atLeast: number): Compared {
  if (recent === null || before === null) return { recent, before, change: null };
  const difference = Math.abs(recent - before);
  const isLarge = difference > before * LARGE && difference >= atLeast;
  return { recent, before, change: isLarge ? (recent < before ? 'fell' : 'rose') : null };
}

const shareOf = (sums: Sums): number | null => (sums.rendered < MIN_NETWORKS ? null : viewableShareOf(sums));

const seconds = (count: number): string => `${count.toFixed(1)} seconds`;

/** A figure of an ad zone that has changed by more than half, in words. */
export type PositionChangeText = {
  figure: 'viewability' | 'time in view' | 'share on the first screen';
  change: NonNullable<Compared['change']>;
  /** Such as '80.0%' or '6.4 seconds'. */
  before: string;
  recent: string;
  /** The days before with which the last 7 were compared. */
  beforeDays: number;
};

/** The changes of an ad zone, viewability first; empty if there is none. */
export function changeTexts({ secondsInView, firstScreen, ...viewability }: Position): PositionChangeText[] {
  const text = (
    figure: PositionChangeText['figure'],
    { recent, before, change }: Compared,
    format: (value: number) => string,
    beforeDays: number,
  ): PositionChangeText[] =>
    change === null || recent === null || before === null
      ? []
      : [{ figure, change, before: format(before), recent: format(recent), beforeDays }];
  return [
    ...text('viewability', viewability, percentText, BEFORE_DAYS),
    ...text('time in view', secondsInView, seconds, BEFORE_DAYS_OF_REPORTS),
    ...text('share on the first screen', firstScreen, percentText, BEFORE_DAYS_OF_REPORTS),
  ];
}
