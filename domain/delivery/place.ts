import { countText } from '../format.ts';
/** Where an ad zone stands on pages, and for how long it is in view, as a sample of page views reports it. */

/** The figures are those of the last days, from at most so many of the newest reports of an ad zone. */
export const PLACE_DAYS = 28;
export const MAX_REPORTS = 500;
/** With fewer reports, chance moves the figures too much, and one network, which has five in these days, too. */
export const MIN_REPORTS = 100;
/** With fewer reports of a page, its row would tell of single visits. */
export const MIN_REPORTS_OF_A_PAGE = 20;
/** Narrower screens are those of phones, in CSS pixels. */
export const PHONE_BELOW = 768;

type Size = { width: number; height: number };
type Box = Size & { x: number; y: number };

/** All lengths are CSS pixels. The box is where the page begins, not where the screen does. */
export type ReportedPlace = {
  screen: Size;
  page: Size;
  box: Box;
  /** For how long at least half of the box was in view, in milliseconds. */
  inViewMs: number;
  /** The path of the page, such as '/sport/tennis', percent-encoded and without a query; null if it is not known. */
  path: string | null;
};

const MAX_SCREEN = 20_000;
const MAX_PAGE = 1_000_000;

/**
 * Reads what tag/placement.ts sends: '1280,720,1280,3000,900,200,300,250,4100&/sport/tennis'. Null if the numbers make no
 * sense. A path that is missing or too long is left out.
 */
export function placeFrom(text: string): ReportedPlace | null {
  const [, given, path = ''] = /^(-?\d{1,9}(?:,-?\d{1,9}){8})(?:&(.*))?$/.exec(text) ?? [];
  if (given === undefined) return null;
  const numbers = given.split(',').map(Number) as Tuple;
  const [screenWidth, screenHeight, pageWidth, pageHeight, x, y, width, height, inViewMs] = numbers;
  const isSize = (most: number, ...lengths: number[]) =>
    lengths.every((length) => length > 0 && length <= most);
  const isPlausible =
    isSize(MAX_SCREEN, screenWidth, screenHeight, width, height) &&
    isSize(MAX_PAGE, pageWidth, pageHeight) &&
    Math.abs(x) <= MAX_PAGE &&
    Math.abs(y) <= MAX_PAGE &&
    inViewMs >= 0;
  if (!isPlausible) return null;
  return {
    screen: { width: screenWidth, height: screenHeight },
    page: { width: pageWidth, height: pageHeight },
    box: { x, y, width, height },
    inViewMs,
    path: PATH.test(path) ? path : null,
  };
}
/** As browsers write the path of an address. */
const PATH = /^\/[!-~]{0,299}$/;
type Tuple = [number, number, number, number, number, number, number, number, number];

export const DEVICES = ['phone', 'desktop'] as const;

/** The medians of the reports of an ad zone from one kind of screen. */
export type MeasuredPlace = {
  device: (typeof DEVICES)[number];
  reports: number;
  secondsInView: number;
  /** The share of page views, from 0 to 1, with at least half of the box on the first screen. */
  firstScreen: number;
  screen: Size;
  page: Size;
  box: Box;
};

const DEVICE_NAMES: Record<MeasuredPlace['device'], string> = { phone: 'phones', desktop: 'larger screens' };
export const deviceText = ({ device }: Pick<MeasuredPlace, 'device'>): string => DEVICE_NAMES[device];

/** 'On phones, it is on the first screen of 82% of page views, and 6.4 seconds in view.' */
export function placeText(place: MeasuredPlace): string {
  const { firstScreen, secondsInView } = place;
  const seconds = `${secondsInView.toFixed(1)} seconds`;
  return `On ${deviceText(place)}, it is on the first screen of ${Math.round(firstScreen * 100)}% of page views, and ${seconds} in view.`;
}

/** The basis of the figures of an ad zone, as a sentence. */
export function placeBasisText(places: readonly MeasuredPlace[]): string {
  const reports = places.reduce((sum, place) => sum + place.reports, 0);
  return `From ${countText(reports)} page views of the last ${PLACE_DAYS} days. In view means at least half of the ad zone; the middle value of all page views.`;
}

export type PlaceDrawing = {
  width: number;
  height: number;
  /** Where the first screen ends; null if all of the drawing is on it. */
  fold: number | null;
  box: Box;
};

/** The part of the page that is drawn: at least one and a half screens, and a quarter of a screen below the box. */
export function drawingOf({ page, screen, box }: MeasuredPlace): PlaceDrawing {
  const wanted = Math.max(screen.height * 1.5, box.y + box.height + screen.height / 4);
  const height = Math.round(Math.max(screen.height, Math.min(page.height, wanted)));
  return {
    width: Math.max(page.width, screen.width),
    height,
    fold: height > screen.height ? screen.height : null,
    box,
  };
}
