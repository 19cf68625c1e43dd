/** Conversions: what visitors did on the advertiser's page after a measured click, such as an order. */
import { DAY_MS } from '../time.ts';

/** How long after its click a conversion counts. */
export const CONVERSION_WINDOW_DAYS = 30;
export const CONVERSION_WINDOW_MS = CONVERSION_WINDOW_DAYS * DAY_MS;

/** The highest value of one conversion, in cents. */
export const MAX_VALUE_CENTS = 100_000_000;

/** The most orders that one click can bring. A holder of one token cannot fill the database. */
export const MAX_CONVERSIONS_PER_CLICK = 20;

/** Publishers see ranges, because a small number can tell what one visitor did. */
export const RANGES = ['0', '1–9', '10–49', '50+'] as const;
export type Range = (typeof RANGES)[number];
export function rangeOf(count: number): Range {
  if (count === 0) return '0';
  if (count < 10) return '1–9';
  return count < 50 ? '10–49' : '50+';
}

/** The lines that an advertiser installs. `host` is the delivery address. */
export function conversionLine(currency: string): string {
  return `<script>
window.openslot ??= { q: [] };
openslot.q.push({ value: '49.90', currency: '${currency}', order: 'A-1001' });
</script>`;
}
export function conversionCommand(host: string, currency: string): string {
  const body = `{"osid":"'"$OSID"'","value":"49.90","currency":"${currency}","order":"A-1001"}`;
  return `curl -X POST ${host}/api/serve/conversions -H 'Content-Type: application/json' -d '${body}'`;
}
