/**
 * The settings that the server writes into the document. The build renders pages without them, and writes placeholders
 * in their place that the server replaces (server/platform/http/web-app/built-pages.ts).
 */
import type { DocumentSettings } from '#domain/marketplace.ts';

/** Undefined where the build renders a page. */
export const SETTINGS = read();

export const MARKETPLACE_NAME = SETTINGS?.name ?? '%NAME%';
export const TAGLINE = SETTINGS?.tagline ?? '%TAGLINE%';
export const MARK = SETTINGS?.mark ?? '%MARK%';

/** The marketplace's share of each sale, and the publisher's, in percent: '15' and '85'. */
export const COMMISSION = String(SETTINGS?.commissionPercent ?? '%COMMISSION%');
export const EARNED = String(SETTINGS?.earnedPercent ?? '%EARNED%');

function read(): DocumentSettings | undefined {
  const text = globalThis.document?.getElementById('settings')?.textContent;
  return text ? (JSON.parse(text) as DocumentSettings) : undefined;
}
