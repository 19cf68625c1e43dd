import { percentText } from '../format.ts';
import type { Exceeded, Signal } from './signals.ts';

const number = (value: number): string => value.toFixed(1);

/** The meaning of each signal, with its value and its bound, for the two sides of an ad. */
const TEXTS: Record<Signal, (value: number, bound: number) => string> = {
  share: (value, bound) => `up to ${value} views came from one network, of which ${bound} count`,
  clickShare: (value, bound) => `up to ${value} clicks came from one network, of which ${bound} count`,
  network: (value, bound) => `as concentrated as ${number(value)} networks (bound: ${bound})`,
  returning: (value, bound) =>
    `${percentText(value)} from networks of the day before (bound: ${percentText(bound)})`,
  browser: (value, bound) => `as uniform as ${number(value)} browsers (bound: ${bound})`,
  delay: (value, bound) => `views came after nearly the same time: ${number(value)} steps (bound: ${bound})`,
  viewability: (value, bound) =>
    `viewability of at least ${percentText(value)} (bound: ${percentText(bound)})`,
  hours: (value, bound) =>
    `day and night were alike: they differ by ${percentText(value)} (bound: ${percentText(bound)})`,
  clicks: (value, bound) => `click-through rate of ${percentText(value)} (bound: ${percentText(bound)})`,
  landings: (value, bound) =>
    `${percentText(value)} of the measured clicks reached the advertiser’s page (bound: ${percentText(bound)})`,
  tag: (value, bound) =>
    `the tag was loaded for ${percentText(value)} of the ads (bound: ${percentText(bound)})`,
};

export const textOf = ({ signal, value, bound }: Exceeded): string => TEXTS[signal](value, bound);
