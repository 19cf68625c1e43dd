import type { HexColor } from '#domain/delivery/accent.ts';
import { themesOf, type Palette } from '#domain/theme.ts';

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
