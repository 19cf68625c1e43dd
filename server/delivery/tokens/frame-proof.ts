import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { DAY_MS, MINUTE_MS } from '#domain/time.ts';

/** As long as a page may stay open before somebody scrolls to its frame. */
const LIFETIME_MS = DAY_MS;
const PERIOD_MS = 30 * DAY_MS;
const SIGNATURE_LENGTH = 22;

/** `{zone}~{minutes since 1970, base 36}.{signature}` */
const NAME = /^([0-9a-f-]{36})~([0-9a-z]{1,9})\.([\w-]{22})$/;

/**
 * What a sandboxed frame says of the page around it. The frame's own origin is opaque, so that its requests name no
 * site; the server, which was told the site when the frame's document was asked for, puts a signed word beside the
 * name of the zone, and gets it back with the request for an ad (decision 012). Keys are derived for periods of 30
 * days, as those of tokens are.
 */
export function createFrameProof(secret: string) {
  const keys = new Map<number, Buffer>();

  function signatureOf(zone: string, minutes: number): string {
    const period = Math.floor((minutes * MINUTE_MS) / PERIOD_MS);
    let key = keys.get(period);
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', secret, '', `openslot frame ${period}`, 32));
      if (keys.size > 2) keys.clear();
      keys.set(period, key);
    }
    return createHmac('sha256', key)
      .update(`${zone} ${minutes}`)
      .digest('base64url')
      .slice(0, SIGNATURE_LENGTH);
  }

  return {
    /** The zone's name with the proof that a page of its own site holds the frame. */
    nameOf(zone: string, nowMs: number): string {
      const minutes = Math.floor(nowMs / MINUTE_MS);
      return `${zone}~${minutes.toString(36)}.${signatureOf(zone, minutes)}`;
    },
    /** The zone that such a name means, and whether its proof holds; null where the name is none of these. */
    read(name: string, nowMs: number): { zone: string; proven: boolean } | null {
      const [, zone, when, given] = NAME.exec(name) ?? [];
      if (!zone || !when || !given) return null;
      const minutes = Number.parseInt(when, 36);
      const age = nowMs - minutes * MINUTE_MS;
      // Copies of the server may disagree about the time by a minute.
      const timely = age <= LIFETIME_MS && age >= -MINUTE_MS;
      const proven = timely && timingSafeEqual(Buffer.from(signatureOf(zone, minutes)), Buffer.from(given));
      return { zone, proven };
    },
  };
}
export type FrameProof = ReturnType<typeof createFrameProof>;
