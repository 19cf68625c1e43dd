import { TIMEZONES } from '#domain/accounts/settings.ts';
import { presentTimezone } from '#domain/timezones.ts';

/**
 * The listed timezones, the one in force, and the browser's. So a person who leaves the timezone of their browser can choose
 * it again. [SET-17]
 */
export function timezoneOptions(
  inForce: string,
  ofBrowser = Intl.DateTimeFormat().resolvedOptions().timeZone,
): { value: string; label: string }[] {
  const listed = Object.entries(TIMEZONES).map(([label, value]) => ({ value: value as string, label }));
  const own = new Set([inForce, presentTimezone(ofBrowser) ?? inForce]);
  for (const { value } of listed) own.delete(value);
  return [...listed, ...[...own].map((value) => ({ value, label: value.replaceAll('_', ' ') }))];
}
