/** Names of timezones. Every check of one, and every name that is stored, comes from here. */
const MAX_NAME = 64;
/** More than there are. Names can be invented, so the memory is bounded. */
const MAX_REMEMBERED = 1000;
const remembered = new Map<string, string | null>();

/**
 * The names that ICU keeps although IANA has renamed them. V8, and so Chrome and Node.js, reports these; a database of
 * timezones without the links of the past, such as Debian's without `tzdata-legacy`, knows only the present ones.
 */
const RENAMED: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/**
 * The present IANA name of a timezone, such as 'Asia/Kolkata' for 'Asia/Calcutta' and 'America/Los_Angeles' for
 * 'US/Pacific'; null if there is no such timezone. Offsets such as '+01:00' are none, because they have no summer time.
 */
export function presentTimezone(name: string): string | null {
  if (name.length > MAX_NAME || !/^[a-z][\w+-]*(?:\/[\w+-]+)*$/i.test(name)) return null;
  // A formatter takes a millisecond to make, and lists have many ads with limits.
  let present = remembered.get(name);
  if (present === undefined) {
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    present = findPresent(name);
    remembered.set(name, present);
  }
  return present;
}

function findPresent(name: string): string | null {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions();
    return RENAMED[timeZone] ?? timeZone;
  } catch {
    return null;
  }
}

export function isTimezone(name: string): boolean {
  return presentTimezone(name) !== null;
}
