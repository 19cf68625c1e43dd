import type { Exceeded, Signal } from './signals.ts';

const percent = (share: number): string => `${(share * 100).toFixed(1)}%`;
const number = (value: number): string => value.toFixed(1);

/** The meaning of each signal, with its value and its bound, for the two sides of an ad. */
const TEXTS: Record<Signal, (value: number, bound: number) => string> = {
  share: (value, bound) => `up to ${value} views came from one network, of which ${bound} count`,
  clickShare: (value, bound) => `up to ${value} clicks came from one network, of which ${bound} count`,
  network: (value, bound) => `as concentrated as ${number(value)} networks (bound: ${bound})`,
  returning: (value, bound) => `${percent(value)} from networks of the day before (bound: ${percent(bound)})`,
  browser: (value, bound) => `as uniform as ${number(value)} browsers (bound: ${bound})`,
  delay: (value, bound) => `views came after nearly the same time: ${number(value)} steps (bound: ${bound})`,
  viewability: (value, bound) => `viewability of at least ${percent(value)} (bound: ${percent(bound)})`,
  hours: (value, bound) =>
    `day and night were alike: they differ by ${percent(value)} (bound: ${percent(bound)})`,
  clicks: (value, bound) => `click-through rate of ${percent(value)} (bound: ${percent(bound)})`,
  landings: (value, bound) =>
    `${percent(value)} of the measured clicks reached the advertiser’s page (bound: ${percent(bound)})`,
  tag: (value, bound) => `the tag was loaded for ${percent(value)} of the ads (bound: ${percent(bound)})`,
};

export const textOf = ({ signal, value, bound }: Exceeded): string => TEXTS[signal](value, bound);
