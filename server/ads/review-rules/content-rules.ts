/** The demands of a website on every ad: its rules, and an image of the ad zone's shape. */
import { fitsZone, neededSizes, shapeProblem } from '#domain/ads/image-shape.ts';
import { AD_KINDS, type AdType } from '#domain/ads/types.ts';
import { refusedDomain, refusedWord } from '#domain/inventory/rules.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { HttpError } from '#server/platform/http/errors.ts';
import { storedUploads } from '#server/platform/media/uploads.ts';
import { hostOf } from '#server/platform/net/web-address.ts';

export type Content = { title: string; description: string; targetUrl: string; imageUrl: string | null };

/** Throws 400 if the content is against the rules of the zone's website, or its image has another shape than the zone. */
export async function requireAccepted(
  tx: Tx,
  zoneId: number,
  adType: AdType,
  content: Content,
): Promise<void> {
  const zone = await tx
    .selectFrom('adZones')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .select(['adZones.width', 'adZones.height', 'websites.refusedDomains', 'websites.refusedWords'])
    .where('adZones.id', '=', zoneId)
    .executeTakeFirstOrThrow();
  requireRules({ domains: zone.refusedDomains, words: zone.refusedWords }, content);
  if (AD_KINDS[adType].image === 'creative' && content.imageUrl !== null)
    await requireShape(tx, content.imageUrl, zone);
}

function requireRules(rules: { domains: string[]; words: string[] }, content: Content): void {
  const domain = refusedDomain(rules, hostOf(content.targetUrl));
  if (domain !== null)
    throw refused(domain, 'targetUrl', `This website doesn’t take ads that lead to ${domain}.`);
  for (const field of ['title', 'description'] as const) {
    const word = refusedWord(rules, [content[field]]);
    if (word !== null) throw refused(word, field, `This website doesn’t take ads with the word “${word}”.`);
  }
}

const refused = (rule: string, path: string, message: string) =>
  new HttpError(400, message, { issues: [{ path, message }], details: { reason: 'rule', rule } });

async function requireShape(
  tx: Tx,
  imageUrl: string,
  zone: { width: number; height: number },
): Promise<void> {
  const image = (await storedUploads(tx, [imageUrl])).get(imageUrl);
  if (!image || fitsZone(image, zone)) return;
  const message = shapeProblem(image, zone);
  const sizes = neededSizes(zone).map(({ width, height }) => `${width}x${height}`);
  throw new HttpError(400, message, {
    issues: [{ path: 'imageUrl', message }],
    details: { reason: 'shape', sizes },
  });
}
