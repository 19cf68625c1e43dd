import { useEffect, useState } from 'react';
import type { AdType } from '#domain/ads/types.ts';
import type { Targeting } from '#domain/targeting/limits.ts';
import { addEntries, parseShortlist, shortlistText, type Entry } from '#domain/plans/shortlist.ts';
import { useDraftKey } from '#web/ui/forms/drafts.ts';

/** The text of the ad as typed. `imageUrl` is the thumbnail of a video. */
export type Creative = Record<'title' | 'description' | 'targetUrl' | 'imageUrl' | 'videoUrl', string>;

export type Shortlist = {
  entries: readonly Entry[];
  /** Null: the type that most of the shortlist sells. */
  adType: AdType | null;
  /** The paths of the images by shape (shapeOf in rows.ts). */
  images: Readonly<Record<string, string>>;
  creative: Creative;
  /** Where and to whom the ads of the plan are shown; null: everybody. */
  targeting: Targeting | null;
  name: string;
  /** Sent with the plan, so that a repeated submission makes no second one. */
  requestId: string;
};

/**
 * The plan that the user is building. It is kept in this browser, so that it survives a reload, a search for more
 * websites and a new session. Each user has their own. `added` are ad zones that the address names.
 */
export function useShortlist(added: readonly Entry[] = NONE) {
  const key = useDraftKey()('plan');
  const [list, setList] = useState<Shortlist>(() => {
    const before = stored(key);
    return { ...before, entries: addEntries(before.entries, added) };
  });
  useEffect(() => store(key, list), [key, list]);

  /** Forgets the plan after it was submitted. The page is left with it, so no effect runs any more. */
  function clear() {
    setList(EMPTY());
    localStorage.removeItem(key);
  }

  return { list, change: (fields: Partial<Shortlist>) => setList({ ...list, ...fields }), clear };
}

const NONE: readonly Entry[] = [];

const EMPTY = (): Shortlist => ({
  entries: [],
  adType: null,
  images: {},
  creative: { title: '', description: '', targetUrl: '', imageUrl: '', videoUrl: '' },
  targeting: null,
  name: '',
  requestId: newUuid(),
});

function stored(key: string): Shortlist {
  try {
    const { zones, ...rest } = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Shortlist> & {
      zones?: string;
    };
    return { ...EMPTY(), ...rest, entries: parseShortlist(zones ?? null) };
  } catch {
    return EMPTY();
  }
}

function store(key: string, { entries, ...rest }: Shortlist): void {
  try {
    localStorage.setItem(key, JSON.stringify({ ...rest, zones: shortlistText(entries) }));
  } catch {
    // The storage is full. The page still works, and its address holds the ad zones.
  }
}

/** `crypto.randomUUID` exists only on pages that were loaded over HTTPS. */
export function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  // Version 4 and variant 1 (RFC 9562, 5.4).
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
