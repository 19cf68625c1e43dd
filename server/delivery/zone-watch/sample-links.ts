import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type http from 'node:http';
import { SAMPLE_MINUTES } from '#domain/delivery/zone-watch.ts';
import { MINUTE_MS } from '#domain/time.ts';
import { subscriberOf } from '#server/platform/net/networks.ts';
import type { Secrets } from '#server/platform/settings/environment.ts';

/** `s{minutes since 1970, base 36}.{signature}`. The tag's random number in the same place begins with a digit. */
const TOKEN = /^s([0-9a-z]{1,9})\.([\w-]{43})$/;

/**
 * Signs the ending of an address with which a publisher sees a sample ad in an ad zone on the own page. It works in the ad zone,
 * the browser and the network for which it was made, and for some minutes, so that a link shows nothing to other people.
 */
export function createSampleLinks(secrets: Secrets, addressOf: (request: http.IncomingMessage) => string) {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', 'openslot sample', 32)));
  const sign = (key: Buffer, zone: string, request: http.IncomingMessage, minutes: number): Buffer => {
    const browser = request.headers['user-agent'] ?? '';
    const text = JSON.stringify([zone, minutes, subscriberOf(addressOf(request)), browser]);
    return Buffer.from(createHmac('sha256', key).update(text).digest('base64url'));
  };

  return {
    /** For the ad zone with this public id, and the browser that sent the request. */
    issue(zone: string, request: http.IncomingMessage, nowMs: number): string {
      const minutes = Math.floor(nowMs / MINUTE_MS);
      return `s${minutes.toString(36)}.${sign(keys[0]!, zone, request, minutes).toString()}`;
    },
    isValid(token: string, zone: string, request: http.IncomingMessage, nowMs: number): boolean {
      const [, when, given] = TOKEN.exec(token) ?? [];
      if (when === undefined || given === undefined) return false;
      const minutes = Number.parseInt(when, 36);
      const age = nowMs / MINUTE_MS - minutes;
      // The clocks of two servers may differ by a minute.
      if (age > SAMPLE_MINUTES || age < -1) return false;
      return keys.some((key) => timingSafeEqual(sign(key, zone, request, minutes), Buffer.from(given)));
    },
  };
}
export type SampleLinks = ReturnType<typeof createSampleLinks>;
