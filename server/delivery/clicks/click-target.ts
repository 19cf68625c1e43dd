import { randomBytes } from 'node:crypto';
import { isSecond } from '#domain/ads/variants.ts';
import { fillClick } from '#domain/delivery/macros.ts';
import type { Database } from '#server/platform/database/database.ts';
import { answerEmpty, NEVER_STORED, type Response } from '#server/platform/http/raw-answer.ts';
import { within } from '#server/platform/net/within.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { findTarget } from './store.ts';
import { withLandingToken } from '../tokens/landing-tokens.ts';
import type { Claims } from '../tokens/tokens.ts';

/** A visitor who has clicked waits at most this long. The click may still be recorded afterwards. */
export const REDIRECT_MS = 1500;

type Clicked = Pick<Claims, 'adId' | 'creative'>;

export type ClickTargets = ReturnType<typeof createClickTargets>;

/** Where clicks lead. `publicUrl` is for those whose token is forged or whose ad is unknown. */
export function createClickTargets({
  db,
  snapshot,
  publicUrl,
}: {
  db: Database;
  snapshot: Pick<Snapshot, 'ad'>;
  publicUrl: string;
}) {
  /** The target of the creative that was clicked, while it is shown. */
  function shown({ adId, creative }: Clicked): string | null {
    const ad = snapshot.ad(adId);
    if (!isSecond(creative)) return ad?.targetUrl ?? null;
    return ad?.second?.creative === creative ? ad.second.targetUrl : null;
  }

  return {
    shown,

    /** The target of the creative that was clicked, also of one that is no longer shown. */
    async find(clicked: Clicked): Promise<string | null> {
      return (
        shown(clicked) ??
        (await within(
          REDIRECT_MS,
          findTarget(db, clicked).catch(() => null),
          null,
        ))
      );
    },

    redirect(
      response: Response,
      status: 302 | 307,
      target: string | null,
      landingToken: string | null = null,
    ): void {
      // A header holds ASCII only, and so does URL.href. If a stored address cannot be parsed, such as http://1.2.3.400,
      // send the visitor to our home page.
      const parsed = URL.parse(fillClick(target ?? '', () => randomBytes(12).toString('hex')));
      const location =
        parsed === null
          ? new URL(publicUrl)
          : landingToken === null
            ? parsed
            : withLandingToken(parsed, landingToken);
      answerEmpty(response, status, [
        'Location',
        location.href,
        'Referrer-Policy',
        'strict-origin-when-cross-origin',
        ...NEVER_STORED,
      ]);
    },
  };
}
