import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/time.ts';
import type { Secrets } from '#server/platform/settings/environment.ts';

/** Where a proof is used: in a sandboxed frame, or in the address of a video player. It is valid for this use only. */
export type ProofUse = 'frame' | 'player';

/**
 * A page may be open for a day before the visitor scrolls to its frame. A player requests its ad when the visitor starts the
 * video, and its address is easier to pass on.
 */
const LIFETIMES_MS: Record<ProofUse, number> = { frame: DAY_MS, player: 2 * HOUR_MS };
const PERIOD_MS = 30 * DAY_MS;
const SIGNATURE_LENGTH = 22;

/** `{zone}~{minutes since 1970, base 36}.{signature}` */
const NAME = /^([0-9a-f-]{36})~([0-9a-z]{1,9})\.([\w-]{22})$/;

/**
 * Proves which site embeds a sandboxed frame. The origin of the frame itself is opaque, so its ad requests name no
 * site. The request for the frame's document does name it. The server then signs the zone's name in that document, and
 * the ad request sends the signature back (docs/decisions/012-iframe.md). A new key is derived every 30 days, as for
 * tokens. A proof of any of the secrets is valid.
 */
export function createSiteProof(secrets: Secrets) {
  const signers = secrets.map(createSigner);
  const sign = signers[0]!;

  return {
    /** The zone's name with the proof that a page of its own site has the frame or the player. */
    nameOf(zone: string, use: ProofUse, nowMs: number): string {
      const minutes = Math.floor(nowMs / MINUTE_MS);
      return `${zone}~${minutes.toString(36)}.${sign(use, zone, minutes)}`;
    },
    /** The zone in such a name and whether its proof is valid; null if the name has no proof. */
    read(name: string, use: ProofUse, nowMs: number): { zone: string; proven: boolean } | null {
      const [, zone, when, given] = NAME.exec(name) ?? [];
      if (!zone || !when || !given) return null;
      const minutes = Number.parseInt(when, 36);
      const age = nowMs - minutes * MINUTE_MS;
      // The clocks of two servers may differ by a minute.
      const timely = age <= LIFETIMES_MS[use] && age >= -MINUTE_MS;
      const proven =
        timely &&
        signers.some((signOf) =>
          timingSafeEqual(Buffer.from(signOf(use, zone, minutes)), Buffer.from(given)),
        );
      return { zone, proven };
    },
  };
}
export type SiteProof = ReturnType<typeof createSiteProof>;

/** Returns the function that signs with the keys of one secret. */
function createSigner(secret: string) {
  const keys = new Map<number, Buffer>();
  return (use: ProofUse, zone: string, minutes: number): string => {
    const period = Math.floor((minutes * MINUTE_MS) / PERIOD_MS);
    let key = keys.get(period);
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', secret, '', `openslot frame ${period}`, 32));
      if (keys.size > 2) keys.clear();
      keys.set(period, key);
    }
    return createHmac('sha256', key)
      .update(`${use} ${zone} ${minutes}`)
      .digest('base64url')
      .slice(0, SIGNATURE_LENGTH);
  };
}
