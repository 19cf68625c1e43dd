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
  bad: '#b42318',
} as const;

export type ColorName = keyof typeof LIGHT;

export const DARK: Record<ColorName, string> = {
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
  bad: '#ff9a91',
};
