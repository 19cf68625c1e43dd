import { renderProof } from '../../domain/delivery/render-proof.ts';
import { pageOf } from '../../server/delivery/traffic/traffic.ts';
import { createTokens, subjectOf } from '../../server/delivery/tokens/tokens.ts';
import { SITE } from '../../server/testing/delivery/running-ads.ts';

/** The age of the tokens: old enough that a view isn't too early, and young enough that it isn't too late. */
const AGE_MS = 5000;

/** The addresses at which a visitor's tag reports views of these ads in turn. */
export function viewPaths(
  tokens: ReturnType<typeof createTokens>,
  { zoneId, adIds, count }: { zoneId: number; adIds: readonly number[]; count: number },
): string[] {
  const origin = pageOf(SITE).hash;
  const issuedAt = Date.now() - AGE_MS;
  return Array.from({ length: count }, (_, index) => {
    const adId = adIds[index % adIds.length] as number;
    const subject = subjectOf({ zoneId, adId, video: false, creative: 0 });
    const { view } = tokens.issue({ subject, reason: null, origin }, issuedAt);
    return `/api/serve/view/${view}?${renderProof(view)}`;
  });
}
