/** Opens each dialog, menu and toast over its screen, and looks at it in several sizes and in both themes. */
import { beforeAll, expect, it } from 'vitest';
import { openPage } from '#web/testing/screen.tsx';
import { DESKTOP, findFaults, resize, setTheme, settle } from './checks.ts';
import { LAYER, seen } from './hand.ts';
import { LAYERS } from './layers.ts';
import { answerAs } from './states.ts';

const STATES = ['a long German name', 'a name from right to left, with markup and a long word'] as const;
const cases = LAYERS.flatMap((layer) =>
  STATES.map((state) => [`${layer.name}, ${state}`, layer, state] as const),
);

beforeAll(async () => await setTheme('light'));

it.each(cases)('axe finds nothing, and nothing overflows or moves: %s', async (_, layer, state) => {
  answerAs(layer, state);
  await resize(layer.isNarrow ? { width: 375, height: 900 } : DESKTOP);
  await openPage(layer.path, { as: layer.as });
  await layer.open();
  await seen(LAYER);
  await settle();
  expect(await findFaults({ axe: state === STATES[0], sizes: 'all', layer: LAYER })).toEqual([]);
});
