import { contrast, type HexColor, MIN_CONTRAST, mix } from '#domain/delivery/accent.ts';

/**
 * The colors of web/styles/tokens.css for the server's pages and mails. A mail cannot load a style sheet, and the pages
 * work without the web application. `theme.test.ts` compares both lists.
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

/** Fonts, sizes and shapes of web/styles/tokens.css for the server's pages. `theme.test.ts` compares them as well. */
export const SCALE = {
  'font-display': "'Bricolage Grotesque', var(--font-sans)",
  'font-sans':
    "ui-sans-serif, system-ui, -apple-system, 'Segoe UI Variable Text', 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
  'font-mono':
    "ui-monospace, 'SF Mono', SFMono-Regular, 'Cascadia Code', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
  'text-xs': '0.8125rem',
  'text-sm': '0.9375rem',
  'text-base': '1rem',
  'text-lg': '1.125rem',
  'text-xl': '1.25rem',
  'text-2xl': '1.5rem',
  'text-3xl': '1.75rem',
  'radius-tight': '0.25rem',
  'radius-control': '0.5rem',
  'radius-card': '0.875rem',
  'spacing-header': '3.5rem',
  'shadow-rest': '0 1px 2px rgb(16 34 38 / 0.05)',
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

/**
 * The colors of both themes with the operator's accent; null for ours (docs/decisions/088-settings-in-the-database.md).
 *
 */
export function themesOf(accent: HexColor | null): Themes {
  if (accent === null) return { light: LIGHT, dark: DARK };
  const dark = nearest(accent, '#ffffff', (color) => faintest(withAccent(DARK, color, darkAccent)));
  return {
    light: withAccent(LIGHT, accent, lightAccent),
    dark: withAccent(DARK, dark, darkAccent),
  };
}

/**
 * Null if the accent can be read in both themes. Otherwise the theme, its lowest contrast and a near color that can be
 * read.
 */
export function accentProblem(
  accent: HexColor,
): { theme: keyof Themes; contrast: number; near: HexColor } | null {
  const themes = themesOf(accent);
  for (const theme of ['light', 'dark'] as const) {
    const lowest = faintest(themes[theme]);
    if (lowest >= MIN_CONTRAST) continue;
    const near = nearest(accent, '#000000', (color) => faintest(withAccent(LIGHT, color, lightAccent)));
    return { theme, contrast: lowest, near };
  }
  return null;
}

/** The panels of the public pages, which are dark in both themes. */
export function deepColors(accent: HexColor): Record<'deep' | 'deep-raised' | 'on-deep-soft', HexColor> {
  const soft = mix('#ffffff', accent, 0.2);
  const raised = nearest(accent, '#000000', (color) => contrast(color, soft));
  return { deep: mix(raised, '#000000', 0.25), 'deep-raised': raised, 'on-deep-soft': soft };
}

/** Custom properties, such as '--ink:#102226;--line:#dae2e4'. */
export function variablesOf(values: Readonly<Record<string, string>>, prefix = '--'): string {
  return Object.entries(values)
    .map(([name, value]) => `${prefix}${name}:${value}`)
    .join(';');
}

/** The rules that put an accent into the place of ours. `more` are further colors of both themes. */
export function accentRules(
  accent: HexColor,
  prefix = '--',
  more: Readonly<Record<string, HexColor>> = {},
): string {
  const { light, dark } = themesOf(accent);
  const own = (palette: Palette) =>
    variablesOf(
      { ...Object.fromEntries(Object.entries(palette).filter(([name]) => name.includes('accent'))), ...more },
      prefix,
    );
  return `:root{${own(light)}}@media(prefers-color-scheme:dark){:root{${own(dark)}}}`;
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
