/** The pages that the operator writes: their versions, and which of them everybody can read. */
import type { Act } from '#domain/operator/acts.ts';
import { PAGE_KEYS, type PageKey, TO_FILL_IN } from '#domain/pages.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { readSettings } from '#server/platform/database/settings.ts';
import { conflict, notFound } from '#server/platform/http/errors.ts';
import { starterText } from '#server/platform/pages/starters.ts';
import { type Operator, perform, record } from '../act.ts';
import {
  deletePublished,
  findText,
  insertVersion,
  lockPages,
  selectPages,
  selectVersions,
  upsertPublished,
} from './store.ts';

export type PageState = {
  key: PageKey;
  /** The newest version; 0 if nothing was written yet. */
  version: number;
  savedAt: Date | null;
  /** The version that everybody can read; null if the page is not published. */
  publishedVersion: number | null;
  publishedAt: Date | null;
};
export type PageText = PageState & {
  /** The shown version, and its text; '' if nothing was written yet. */
  shown: number;
  text: string;
  versions: Awaited<ReturnType<typeof selectVersions>>;
};
export type ChangedPage = { key: PageKey; version: number };

/** All pages that the marketplace can have. */
export async function listPages({ db }: Context): Promise<PageState[]> {
  const rows = new Map((await selectPages(db)).map((row) => [row.key, row]));
  return PAGE_KEYS.map((key) => {
    const { version = 0, savedAt = null, publishedVersion = null, publishedAt = null } = rows.get(key) ?? {};
    return { key, version, savedAt, publishedVersion, publishedAt };
  });
}

/** A page with the text of its newest version, or of another one. Throws 404 if it does not have that one. */
export async function showPage(ctx: Context, key: PageKey, version?: number): Promise<PageText> {
  const state = (await listPages(ctx)).find((page) => page.key === key)!;
  const shown = version ?? state.version;
  const text = shown === 0 ? '' : await findText(ctx.db, key, shown);
  if (text === undefined) throw notFound('This page has no such version.');
  return { ...state, shown, text, versions: await selectVersions(ctx.db, key) };
}

type Change = {
  key: PageKey;
  reason: string;
  /** The newest version when the operator's page was opened; undefined for a command. */
  version?: string | undefined;
};

/**
 * Saves a text as a new version, which nobody else can read yet. Throws 409 if another one was saved since `version`.
 */
export async function savePage(
  ctx: Context,
  operator: Operator,
  change: Change & { text: string },
): Promise<ChangedPage> {
  return await changePage(ctx, operator, async (tx) => await saveNow(ctx, tx, operator, change));
}

/** Saves a text and publishes it. Throws 409 as `savePage` does. */
export async function setPage(
  ctx: Context,
  operator: Operator,
  change: Change & { text: string },
): Promise<ChangedPage> {
  return await changePage(ctx, operator, async (tx) => {
    refuseUnfinished(change.text);
    const saved = await saveNow(ctx, tx, operator, change);
    return await publishNow(ctx, tx, operator, { ...saved, reason: change.reason });
  });
}

/**
 * Publishes the newest version. Throws 409 if there is none, if it is published already, or if another one was saved
 * since `version`.
 */
export async function publishPage(ctx: Context, operator: Operator, change: Change): Promise<ChangedPage> {
  return await changePage(ctx, operator, async (tx) => {
    const newest = await requireNewest(tx, change);
    if (newest.version === 0) throw conflict(`Nothing was written for the page ${change.key} yet.`);
    refuseUnfinished((await findText(tx, change.key, newest.version)) ?? '');
    if (newest.version === newest.publishedVersion)
      throw conflict(`Version ${newest.version} of the page ${change.key} is published already.`);
    return await publishNow(ctx, tx, operator, { ...change, version: newest.version });
  });
}

/** Takes a page off the site. Its versions stay. Throws 409 if it is not published. */
export async function removePage(ctx: Context, operator: Operator, change: Change): Promise<ChangedPage> {
  return await changePage(ctx, operator, async (tx) => {
    const { version, publishedVersion } = await requireNewest(tx, change);
    if (!(await deletePublished(tx, change.key))) throw conflict(`The page ${change.key} is not published.`);
    await note(ctx, tx, operator, { act: 'remove-page', ...change, about: `Version ${publishedVersion}.` });
    return { key: change.key, version };
  });
}

/** Saves a starter text for each page that has no version yet, and publishes none. */
export async function writeStarters(
  ctx: Context,
  operator: Operator,
  { reason }: { reason: string },
): Promise<{ keys: PageKey[] }> {
  return await changePage(ctx, operator, async (tx) => {
    const written = new Set((await selectPages(tx)).map(({ key }) => key));
    const keys = PAGE_KEYS.filter((key) => !written.has(key));
    for (const key of keys)
      await saveNow(ctx, tx, operator, { key, text: starterText(ctx.config, key), reason });
    return { keys };
  });
}

/** Throws 409 for a text that marks what is missing. Nobody should read a starter text as if it were a promise. */
function refuseUnfinished(text: string): void {
  const [mark, ...more] = text.match(TO_FILL_IN) ?? [];
  if (mark === undefined) return;
  const others = more.length === 0 ? '' : `, and ${more.length} more`;
  throw conflict(
    `The text still marks what must be filled in: ${mark}${others}. Save it, and publish it when nothing is marked.`,
  );
}

/** One change after another. */
async function changePage<T>(ctx: Context, operator: Operator, work: (tx: Tx) => Promise<T>): Promise<T> {
  const changed = await perform(ctx, operator, async (tx) => {
    await lockPages(tx);
    return await work(tx);
  });
  await readSettings(ctx.db, ctx.config);
  return changed;
}

async function requireNewest(tx: Tx, { key, version }: Pick<Change, 'key' | 'version'>) {
  const row = (await selectPages(tx)).find((page) => page.key === key);
  const newest = { version: row?.version ?? 0, publishedVersion: row?.publishedVersion ?? null };
  if (version !== undefined && version !== String(newest.version))
    throw conflict(
      `Version ${newest.version} was saved while this page was open. Compare it with your text below, then send again.`,
    );
  return newest;
}

async function saveNow(
  ctx: Context,
  tx: Tx,
  operator: Operator,
  { text, ...change }: Change & { text: string },
): Promise<ChangedPage> {
  const { key } = change;
  const version = (await requireNewest(tx, change)).version + 1;
  await insertVersion(tx, { key, version, text, savedAt: ctx.now(), savedBy: operator.id });
  await note(ctx, tx, operator, { act: 'save-page', ...change, about: `Version ${version}.` });
  return { key, version };
}

async function publishNow(
  ctx: Context,
  tx: Tx,
  operator: Operator,
  { key, version, reason }: ChangedPage & { reason: string },
): Promise<ChangedPage> {
  await upsertPublished(tx, key, { version, publishedAt: ctx.now() });
  await note(ctx, tx, operator, { act: 'publish-page', key, reason, about: `Version ${version}.` });
  return { key, version };
}

async function note(
  ctx: Context,
  tx: Tx,
  operator: Operator,
  { act, key, reason, about }: { act: Act; key: PageKey; reason: string; about: string },
): Promise<void> {
  await record(ctx, tx, operator, {
    act,
    subject: 'page',
    subjectId: 0,
    subjectName: key,
    affectedId: null,
    reason: `${about} ${reason}`.trim(),
  });
}
