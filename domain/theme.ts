import { type HexColor, MIN_CONTRAST, mix, contrast } from './delivery/accent.ts';
import { difference, turned } from './color-difference.ts';

/**
 * The colors of web/styles/tokens.css for the server's pages and mails, and for previews. A mail cannot load a style sheet,
 * and the pages work without the web application. `theme.test.ts` compares both lists.
 */
export const LIGHT = {
  canvas: '#f6f8f8',
  surface: '#ffffff',
  sunken: '#ebf0f1',
  line: '#dae2e4',
  'line-strong': '#7a8b90',
  ink: '#102226',
  'ink-soft': '#43565b',
  'ink-faint': '#586b70',
  accent: '#0f5e70',
  'accent-strong': '#0a4653',
  'accent-soft': '#e0eff2',
  'on-accent': '#ffffff',
  lit: '#f5b83d',
  'lit-soft': '#fdf0d2',
  good: '#17693d',
  warn: '#8f4318',
  'warn-soft': '#fcebe0',
  bad: '#b42318',
  'bad-soft': '#fdeae8',
} as const;

export type ColorName = keyof typeof LIGHT;

export type Palette = Record<ColorName, string>;

export const DARK: Palette = {
  canvas: '#0c1517',
  surface: '#131f22',
  sunken: '#1b2a2e',
  line: '#273a3f',
  'line-strong': '#647c83',
  ink: '#e8f0f1',
  'ink-soft': '#adbfc4',
  'ink-faint': '#93a8ae',
  accent: '#62c3d8',
  'accent-strong': '#8ed6e6',
  'accent-soft': '#12353e',
  'on-accent': '#04242c',
  lit: '#f5b83d',
  'lit-soft': '#382b0d',
  good: '#6ad297',
  warn: '#f2a97e',
  'warn-soft': '#3d2314',
  bad: '#ff9a91',
  'bad-soft': '#431713',
};

export type Themes = { light: Palette; dark: Palette };
type AccentColors = Pick<Palette, 'accent' | 'accent-strong' | 'accent-soft' | 'on-accent'>;

/** The colors of both themes with the operator's accent; null for ours (docs/decisions/088-settings-in-the-database.md). */
export function themesOf(accent: HexColor | null): Themes {
  if (accent === null) return { light: LIGHT, dark: DARK };
  const dark = nearest(accent, '#ffffff', (color) => faintest(withAccent(DARK, color, darkAccent)));
  return {
    light: withAccent(LIGHT, accent, lightAccent),
    dark: withAccent(DARK, dark, darkAccent),
  };
}

/** The colors that say something, with what they say. */
const SIGNALS = { bad: 'errors', warn: 'warnings', good: 'success' } as const;

/**
 * An accent that is nearer than this to the color of a signal looks like it. The default accent, a dark teal, is 0.098 from
 * the green of success; reds, browns and greens that people call by the same word are below 0.06.
 */
const MIN_DIFFERENCE = 0.06;

export type AccentProblem =
  | { kind: 'contrast'; theme: keyof Themes; contrast: number; near: HexColor }
  | { kind: 'signal'; signal: (typeof SIGNALS)[keyof typeof SIGNALS]; near: HexColor };

/**
 * Null if the accent can be read in both themes and does not look like the color of a signal. Otherwise what is wrong, and a
 * near color that fits. Only the light theme is compared with the signals: on dark pages an accent is mixed with white
 * until it can be read, which takes it further away from them.
 */
export function accentProblem(accent: HexColor): AccentProblem | null {
  const themes = themesOf(accent);
  for (const theme of ['light', 'dark'] as const) {
    const lowest = faintest(themes[theme]);
    if (lowest < MIN_CONTRAST)
      return { kind: 'contrast', theme, contrast: lowest, near: nearestAccent(accent) };
  }
  const signal = signalLike(accent);
  return signal === null ? null : { kind: 'signal', signal, near: nearestAccent(accent) };
}

/** Says it after the name of the setting, and without a full stop. */
export function accentSays(accent: HexColor, problem: AccentProblem): string {
  if (problem.kind === 'signal')
    return `${accent} looks like the color of ${problem.signal}. A near color that doesn’t is ${problem.near}`;
  // Rounded down, so that 4.49 is not 4.5.
  const figure = (Math.floor(problem.contrast * 10) / 10).toFixed(1);
  return `has a contrast of ${figure} : 1 in the ${problem.theme} theme, and text needs 4.5 : 1. A near color that can be read is ${problem.near}`;
}

function signalLike(accent: HexColor) {
  const [name] = (['bad', 'warn', 'good'] as const)
    .map((each) => [each, difference(accent, LIGHT[each])] as const)
    .filter(([, distance]) => distance < MIN_DIFFERENCE)
    .toSorted(([, one], [, other]) => one - other)
    .map(([each]) => each);
  return name === undefined ? null : SIGNALS[name];
}

/** A readable color that is none of the signals: of the nearest hue, and darkened as far as it needs. */
function nearestAccent(accent: HexColor): HexColor {
  for (let degrees = 0; degrees <= 180; degrees += 3)
    for (const turn of [degrees, -degrees]) {
      const near = nearest(turned(accent, turn), '#000000', (color) =>
        faintest(withAccent(LIGHT, color, lightAccent)),
      );
      if (signalLike(near) === null) return near;
    }
  return LIGHT.accent;
}

/** The panels of the public pages, which are dark in both themes. */
export function deepColors(accent: HexColor): Record<'deep' | 'deep-raised' | 'on-deep-soft', HexColor> {
  const soft = mix('#ffffff', accent, 0.2);
  const raised = nearest(accent, '#000000', (color) => contrast(color, soft));
  return { deep: mix(raised, '#000000', 0.25), 'deep-raised': raised, 'on-deep-soft': soft };
}

const lightAccent = (accent: HexColor): AccentColors => ({
  accent,
  'accent-strong': mix(accent, '#000000', 0.25),
  'accent-soft': mix(LIGHT.surface, accent, 0.1),
  'on-accent': LIGHT.surface,
});
const darkAccent = (accent: HexColor): AccentColors => ({
  accent,
  'accent-strong': mix(accent, '#ffffff', 0.3),
  'accent-soft': mix(DARK.surface, accent, 0.12),
  'on-accent': DARK.canvas,
});
const withAccent = (palette: Palette, accent: HexColor, colors: typeof lightAccent): Palette => ({
  ...palette,
  ...colors(accent),
});

/** The lowest contrast of the accent where pages use it, which web/styles/tokens.test.ts lists. */
function faintest(palette: Palette): number {
  const pairs = [
    ...(['canvas', 'surface', 'accent-soft'] as const).map((ground) => ['accent', ground] as const),
    ...(['accent', 'accent-strong'] as const).map((ground) => ['on-accent', ground] as const),
  ];
  return Math.min(...pairs.map(([text, ground]) => contrast(palette[text], palette[ground])));
}

/** The color itself, or its nearest mixture with `towards`, that has enough contrast. */
function nearest(color: HexColor, towards: HexColor, contrastOf: (color: HexColor) => number): HexColor {
  for (let percent = 0; percent < 100; percent++) {
    const mixed = mix(color, towards, percent / 100);
    if (contrastOf(mixed) >= MIN_CONTRAST) return mixed;
  }
  return towards;
}
