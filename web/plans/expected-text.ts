import { counted } from '#domain/format.ts';
import type { Expected } from '#domain/plans/expected.ts';

/** Such as 'about 4,200 views, 40 clicks, 7 days'. Null if nothing is known. */
export function expectedText({ views, clicks, days }: Expected): string | null {
  const parts = [
    views !== null && `about ${counted(twoDigits(views), 'view')}`,
    clicks !== null && clicks > 0 && counted(twoDigits(clicks), 'click'),
    days !== null && counted(days, 'day'),
  ].filter((part) => part !== false);
  return parts.length === 0 ? null : parts.join(', ');
}

/** The same as a sentence of its own. */
export function expectedSentence(expected: Expected): string {
  const text = expectedText(expected) ?? 'no traffic figures yet';
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** An estimate is not more precise than two digits. */
function twoDigits(value: number): number {
  return Number(value.toPrecision(2));
}
