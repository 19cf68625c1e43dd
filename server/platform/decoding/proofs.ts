import { Parser } from 'htmlparser2';
import { holdsAdsTxtLine } from '#domain/inventory/ads-txt.ts';
import { holdsMetaTag } from '#domain/inventory/ownership.ts';

export function findMetaTag(page: Buffer, { token }: { token: string }): { isFound: boolean } {
  return { isFound: holdsMetaTag(page.toString('utf8'), token) };
}

/**
 * Whether the page loads one of these scripts. Only a script element counts: a site that shows texts or frames of its
 * visitors lets none of them add a script.
 */
export function findEmbedCode(page: Buffer, { scripts }: { scripts: string[] }): { isFound: boolean } {
  let isFound = false;
  const parser = new Parser({
    onopentag(name, { src = '' }) {
      isFound ||= name === 'script' && scripts.includes(src.trim());
    },
  });
  parser.end(page.toString('utf8'));
  return { isFound };
}

export function findAdsTxtLine(
  file: Buffer,
  { host, sellerId }: { host: string; sellerId: string },
): { isFound: boolean } {
  return { isFound: holdsAdsTxtLine(file.toString('utf8'), host, sellerId) };
}
