import { hourOfWeek } from '#domain/targeting/hour-of-week.ts';
import { VISITOR, type Device } from '#domain/targeting/limits.ts';
import type { Facts } from '#domain/targeting/matches.ts';
import type { Request } from '#server/platform/http/raw-answer.ts';
import type { ClientAddress } from '../traffic/client-address.ts';
import type { Browser } from '../traffic/traffic.ts';
import type { Countries, Place } from './countries.ts';
import type http from 'node:http';
import type { UserAgent } from '../traffic/user-agent.ts';

const MAX_TOPICS = 20;

type Visit = {
  request: Request;
  browser: Browser;
  /** '' without an Origin header, 'null' for a frame without an origin. */
  origin: string;
  nowMs: number;
};
type Lookups = { addressOf: ClientAddress['addressOf'] } & Pick<Countries, 'placeOf'>;

export type FactsOf = (visit: Visit) => Facts;

export function createFactsOf(addressOf: ClientAddress['addressOf'], { placeOf }: Countries): FactsOf {
  const lookups = { addressOf, placeOf };
  return (visit) => new VisitorFacts(lookups, visit);
}

/**
 * The facts of a request that limits are about. Each is found when it is first needed, and forgotten with the request.
 * docs/decisions/103-targeting.md says who can forge which.
 */
class VisitorFacts implements Facts {
  readonly #lookups: Lookups;
  readonly #visit: Visit;
  #place: Place | undefined;
  #language: string | null | undefined;
  #device: Facts['device'] | undefined;
  #page: Page | undefined;

  constructor(lookups: Lookups, visit: Visit) {
    this.#lookups = lookups;
    this.#visit = visit;
  }

  get country(): string | null {
    return this.#placeNow().country;
  }

  get region(): string | null {
    return this.#placeNow().region;
  }

  get language(): string | null {
    const { headers } = this.#visit.request;
    if (this.#language === undefined) this.#language = preferredLanguage(headers['accept-language'] ?? '');
    return this.#language;
  }

  get device(): Facts['device'] {
    const { browser, request } = this.#visit;
    if (this.#device === undefined) this.#device = deviceOf(browser.userAgent, request.headers);
    return this.#device;
  }

  get path(): string | null {
    return this.#pageNow().path;
  }

  get topics(): readonly string[] {
    return this.#pageNow().topics;
  }

  hourOfWeek(timezone: string): number | null {
    const clock = timezone === VISITOR ? this.#pageNow().timezone : timezone;
    return clock === null ? null : hourOfWeek(clock, this.#visit.nowMs);
  }

  #placeNow(): Place {
    const { addressOf, placeOf } = this.#lookups;
    return (this.#place ??= placeOf(addressOf(this.#visit.request)));
  }

  #pageNow(): Page {
    const { request, origin } = this.#visit;
    // The document of a frame states its own path, not that of the page around it.
    return (this.#page ??= readPage(request, origin === 'null'));
  }
}

type Page = { path: string | null; topics: readonly string[]; timezone: string | null };

/** What the page says about itself: `p`, `t` and `tz` of the query, or the path that the browser names in `Referer`. */
function readPage({ url = '', headers }: Request, isFrame: boolean): Page {
  const queryAt = url.indexOf('?');
  const query = new URLSearchParams(queryAt < 0 ? '' : url.slice(queryAt + 1));
  const stated = isFrame ? null : query.get('p');
  const topics = isFrame ? '' : (query.get('t') ?? '');
  return {
    path: stated === null ? pathOfReferer(headers.referer) : pathOf(stated),
    topics: topics
      .split(',', MAX_TOPICS)
      .map((topic) => topic.trim().toLowerCase())
      .filter((topic) => topic !== ''),
    timezone: query.get('tz'),
  };
}

/** A path as it is in an address, without query and fragment. */
function pathOf(stated: string): string | null {
  return stated.startsWith('/') ? (URL.parse(`https://path.invalid${stated}`)?.pathname ?? null) : null;
}

/** Browsers name only the site, with the path '/', to another site. So '/' says nothing. */
function pathOfReferer(referer: string | undefined): string | null {
  const path = referer === undefined ? null : (URL.parse(referer)?.pathname ?? null);
  return path === '/' ? null : path;
}

/**
 * The class of a device; null for televisions and the like. Client hints go first, because a browser that asks for the
 * page of a desktop changes its User-Agent only. Safari on an iPad names a Mac, so it is a desktop.
 */
export function deviceOf({ device }: UserAgent, headers: http.IncomingHttpHeaders): Device | null {
  if (headers['sec-ch-ua-mobile'] === '?1') return 'phone';
  if (device !== null && headers['sec-ch-ua-platform'] === '"Android"') return 'tablet';
  return device;
}

const MAX_LENGTH = 512;

/** The language that an `Accept-Language` header prefers, without its country: 'de-AT,en;q=0.8' -> 'de'. Null: none. */
export function preferredLanguage(header: string): string | null {
  let best: string | null = null;
  let bestQuality = 0;
  for (const part of header.slice(0, MAX_LENGTH).split(',')) {
    const [, language, quality = '1'] =
      /^\s*([a-z]{2,3})(?:[-_][^;]*)?\s*(?:;\s*q=([\d.]+))?\s*$/i.exec(part) ?? [];
    if (language === undefined || !(Number(quality) > bestQuality)) continue;
    best = language.toLowerCase();
    bestQuality = Number(quality);
    if (bestQuality >= 1) break;
  }
  return best;
}
