import type { Tx } from './database.ts';

/** A text that every page shows above its content, until `until`. */
export type Announcement = { text: string; until: Date | null };

/** The announcement that nobody has ended; null if there is none. Its time may be over. */
export async function storedAnnouncement(tx: Tx): Promise<Announcement | null> {
  const row = await tx
    .selectFrom('announcements')
    .select(['text', 'until'])
    .where('endedAt', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/** The text that pages show at this time. */
export function announced(announcement: Announcement | null, now: Date): string | null {
  if (announcement === null) return null;
  return announcement.until === null || announcement.until > now ? announcement.text : null;
}
