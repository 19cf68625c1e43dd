import { holdsAdsTxtLine } from '#domain/inventory/ads-txt.ts';
import { holdsMetaTag } from '#domain/inventory/ownership.ts';

export function findMetaTag(page: Buffer, { token }: { token: string }): { isFound: boolean } {
  return { isFound: holdsMetaTag(page.toString('utf8'), token) };
}

export function findAdsTxtLine(
  file: Buffer,
  { host, sellerId }: { host: string; sellerId: string },
): { isFound: boolean } {
  return { isFound: holdsAdsTxtLine(file.toString('utf8'), host, sellerId) };
}
