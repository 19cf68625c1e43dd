import { expect, it } from 'vitest';
import { drawingOf, type MeasuredPlace, placeBasisText, placeFrom, placeText } from './place.ts';

const DESKTOP: MeasuredPlace = {
  device: 'desktop',
  reports: 1200,
  secondsInView: 6.42,
  firstScreen: 0.816,
  screen: { width: 1280, height: 720 },
  page: { width: 1280, height: 4000 },
  box: { x: 900, y: 200, width: 300, height: 250 },
};

// Proves RES-101
it('reads nine numbers of a place, and nothing else', () => {
  expect(placeFrom('1280,720,1280,4000,-10,200,300,250,6420')).toEqual({
    screen: { width: 1280, height: 720 },
    page: { width: 1280, height: 4000 },
    box: { x: -10, y: 200, width: 300, height: 250 },
    inViewMs: 6420,
    path: null,
  });
  for (const wrong of [
    '',
    'nonsense',
    '1280,720,1280,4000,900,200,300,250',
    '1280,720,1280,4000,900,200,300,250,6420,1',
    '1280,720,1280,4000,900,200,300,250,6420.5',
    '1280,720,1280,4000,900,200,300,250,NaN',
    '1280,720,1280,4000,900,200,300,250,-1',
    '0,720,1280,4000,900,200,300,250,1',
    '20001,720,1280,4000,900,200,300,250,1',
    '1280,720,1280,1000001,900,200,300,250,1',
    '1280,720,1280,4000,900,1000001,300,250,1',
    '1280,720,1280,4000,900,200,0,250,1',
    '9'.repeat(2000),
  ])
    expect([wrong, placeFrom(wrong)]).toEqual([wrong, null]);
});

// Proves RES-101
it.each([
  ['/sport/tennis', '/sport/tennis'],
  ['/caf%C3%A9&x=1', '/caf%C3%A9&x=1'],
  [`/${'a'.repeat(299)}`, `/${'a'.repeat(299)}`],
  [`/${'a'.repeat(300)}`, null],
  ['', null],
  ['sport', null],
  ['/café', null],
  ['/a b', null],
])('takes the path %j as %j', (sent, path) => {
  expect(placeFrom(`1280,720,1280,4000,900,200,300,250,6420&${sent}`)).toMatchObject({ path });
});

it('says and draws where an ad zone stands: the first screen and half, and a part of the page below the box', () => {
  expect(placeText(DESKTOP)).toBe(
    'On larger screens, it is on the first screen of 82% of page views, and 6.4 seconds in view.',
  );
  expect(placeBasisText([DESKTOP, { ...DESKTOP, device: 'phone', reports: 34 }])).toContain(
    'From 1,234 page views',
  );
  expect(drawingOf(DESKTOP)).toEqual({ width: 1280, height: 1080, fold: 720, box: DESKTOP.box });
  const low = { ...DESKTOP, box: { ...DESKTOP.box, y: 3000 } };
  expect(drawingOf(low).height).toBe(3430);
  const short = { ...DESKTOP, page: { width: 1280, height: 500 } };
  expect(drawingOf(short)).toMatchObject({ height: 720, fold: null });
});
