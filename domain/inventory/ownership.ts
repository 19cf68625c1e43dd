/** How a publisher proves that a website is theirs. Our server has to read the proof itself. */
import { DAY_MS } from '../time.ts';

export const PROOF_WAYS = ['embed-code', 'ads.txt', 'meta-tag', 'dns'] as const;
export type ProofWay = (typeof PROOF_WAYS)[number];

/** The result of a check: for each way, a sentence that says why it proves nothing, or null if it is a proof. */
export type ProofProblems = Record<ProofWay, string | null>;

/** A website loses its verification when every check has failed for this long. */
export const PROOF_GRACE_MS = 7 * DAY_MS;

/** We warn the publisher when every check has failed for this long, so that one bad day sends no mail. */
export const PROOF_WARNING_MS = 2 * DAY_MS;

export const OWNERSHIP_STATES = ['verified', 'failing', 'disputed', 'refused', 'unverified'] as const;
export type OwnershipState = (typeof OWNERSHIP_STATES)[number];

/**
 * `disputed`: another account holds the site, and the operator has not decided yet. `refused`: the operator decided for
 * the other account.
 */
export function ownershipState(website: {
  isVerified: boolean;
  isFailing: boolean;
  claim: 'open' | 'refused' | null;
}): OwnershipState {
  if (website.isVerified) return website.isFailing ? 'failing' : 'verified';
  if (website.claim === null) return 'unverified';
  return website.claim === 'open' ? 'disputed' : 'refused';
}

/** The plain warning for advertisers. */
export const UNVERIFIED_WARNING = 'Unverified: we haven’t confirmed that this publisher owns the website.';

export function isProven(problems: ProofProblems): boolean {
  return Object.values(problems).includes(null);
}

const NAME = 'openslot-site-verification';

/** The tag for the head of a website's home page. */
export function metaTag(token: string): string {
  return `<meta name="${NAME}" content="${token}">`;
}

/** The text of the TXT record. */
export function txtRecord(token: string): string {
  return `${NAME}=${token}`;
}

/** The names where the TXT record may be, the preferred one first. */
export function txtNames(hostname: string): string[] {
  return [`_openslot.${hostname}`, hostname];
}

/** The elements that a head may contain. Any other start tag begins the body. */
const HEAD = new Set([
  'html',
  'head',
  'meta',
  'title',
  'link',
  'base',
  'script',
  'style',
  'noscript',
  'template',
]);
/** The elements whose content a browser does not read as tags of the head. */
const OPAQUE = new Set(['title', 'script', 'style', 'noscript', 'template']);

/**
 * Whether the head of a page contains our tag with this token. It reads no further than the head, and neither comments nor
 * scripts, because a site may show texts of its visitors there. It reads each character a fixed number of times.
 */
export function holdsMetaTag(page: string, token: string): boolean {
  let at = 0;
  for (;;) {
    at = page.indexOf('<', at);
    if (at < 0) return false;
    if (page.startsWith('<!--', at)) {
      const end = page.indexOf('-->', at + 4);
      if (end < 0) return false;
      at = end + 3;
      continue;
    }
    const start = /<(\/?)([a-z][a-z0-9-]*)/iy;
    start.lastIndex = at;
    const [opening, slash, name = ''] = start.exec(page) ?? ['<'];
    const tag = name.toLowerCase();
    if (slash && tag === 'head') return false;
    if (slash !== '') {
      // Another end tag, a doctype, or a bare '<'.
      at += opening.length;
      continue;
    }
    if (!HEAD.has(tag)) return false;
    const { attributes, end } = readAttributes(page, start.lastIndex);
    if (
      tag === 'meta' &&
      attributes.get('name')?.trim().toLowerCase() === NAME &&
      attributes.get('content')?.trim() === token
    ) {
      return true;
    }
    at = end;
    if (OPAQUE.has(tag)) {
      const close = new RegExp(`</${tag}`, 'gi');
      close.lastIndex = end;
      if (!close.test(page)) return false;
      at = close.lastIndex;
    }
  }
}

/** Reads attributes from `start` to the end of the tag. The first of several attributes with one name counts. */
function readAttributes(page: string, start: number): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>();
  const attribute = /[\s/]*([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>`]+)))?/y;
  attribute.lastIndex = start;
  let end = start;
  for (let found = attribute.exec(page); found; found = attribute.exec(page)) {
    const [, name = '', double, single, bare] = found;
    if (!attributes.has(name.toLowerCase()))
      attributes.set(name.toLowerCase(), double ?? single ?? bare ?? '');
    end = attribute.lastIndex;
  }
  return { attributes, end };
}
