import { DAY_MS } from '#domain/time.ts';

/** The website and zone of the advertising-space link that a visitor followed, stored until they have signed in. */
export type Referral = { website: string; zone: string; timestamp: number };

/** [ENT-35, OP-012] */
export const REFERRAL_KEY = 'campaign-referral';
const LIFETIME_MS = DAY_MS;

/** Stores the referral if the query names both a website and a zone, and returns whether it does. [STATE-25] */
export function captureReferral(search: string, now = Date.now()): boolean {
  const query = new URLSearchParams(search);
  const website = query.get('website');
  const zone = query.get('zone');
  if (!website || !zone) return false;
  const referral: Referral = { website, zone, timestamp: now };
  store()?.setItem(REFERRAL_KEY, JSON.stringify(referral));
  return true;
}

/** The stored referral, or null. A referral that has expired or cannot be parsed is removed. [STATE-26] */
export function storedReferral(now = Date.now()): Referral | null {
  const text = store()?.getItem(REFERRAL_KEY);
  if (!text) return null;
  const referral = parse(text);
  if (referral && now - referral.timestamp <= LIFETIME_MS) return referral;
  clearReferral();
  return null;
}

export function clearReferral(): void {
  store()?.removeItem(REFERRAL_KEY);
}

/** The address of the wizard with the ad zone preselected. */
export function referralTarget({ website, zone }: Referral): string {
  return `/create-ad?${new URLSearchParams({ website, zone }).toString()}`;
}

function parse(text: string): Referral | null {
  try {
    const value = JSON.parse(text) as Partial<Referral> | null;
    return typeof value?.website === 'string' &&
      typeof value.zone === 'string' &&
      typeof value.timestamp === 'number'
      ? (value as Referral)
      : null;
  } catch {
    return null;
  }
}

/** Null when the browser forbids storage; there is no referral then. */
function store(): Storage | null {
  try {
    return globalThis.localStorage;
  } catch {
    return null;
  }
}
