/**
 * Says which folder may import which. oxlint.config.ts generates the import rules from this list and from the folders on
 * the disk. A folder that is not listed stops the linter, so that none can be forgotten.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * A house is a folder whose rooms are on floors, the lowest first. A room may import only from lower floors, so rooms on
 * the same floor never import each other. A room is a subfolder, a file, or '*': all other files directly in the house.
 */
export const HOUSES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  server: [
    // The colors, and what the operator may put in their place.
    ['brand'],
    // Documents as PDF.
    ['print'],
    // `extensions.ts` is the only file that imports an extension. Settings have rows of it.
    ['config-error.ts', 'extensions.ts', 'net', 'release.ts', 'request-id.ts', 'server-name.ts'],
    ['settings'],
    ['config.ts', 'log.ts', 'request-log.ts'],
    // The decoding of files from strangers, in processes of their own.
    ['db', 'decoding', 'session-secret.ts'],
    ['outbound'],
    ['adapters'],
    ['context.ts'],
    ['http'],
    ['notifications'],
    // Tax numbers of accounts and payments, as VIES knows them. The pages that the operator writes.
    ['tax-ids', 'pages'],
    ['media'],
    ['delivery'],
    ['ads'],
    ['accounts', 'invalid-traffic', 'inventory', 'payments', 'transparency'],
    // Invites people to accounts, and lets a session act for one.
    ['members'],
    // Its figures are the money of payments.
    ['analytics'],
    // Submits ads together, and sums up their money.
    ['plans'],
    // Runs what takes minutes one at a time, in a process of its own.
    ['long-work'],
    // Saves all of the above, and checks the books of what it restores.
    ['backup'],
    // Archives old events, in the places that backups know. Checks all books every week.
    ['archive', 'weekly-check'],
    // `catalogue` shows what the domains offer to everybody, `report-links` shows an advertiser's figures to whom they choose,
    // `campaign-mails` sends them to the advertiser, and `metrics` watches the domains.
    ['campaign-mails', 'catalogue', 'metrics', 'report-links'],
    // Ends every way into an account, of every domain.
    ['access'],
    // Decides about things of every domain, and shows the figures of `metrics`.
    ['operator'],
    // Deletes and exports a person's data of every domain.
    ['privacy'],
    // The rehearsal tools of an operator, in development only.
    ['jobs', 'rehearsal', 'sample'],
    // The lists of the calls, pages and files of all rooms.
    ['marketplace.ts', 'server-context.ts'],
    ['app.ts', 'command-context.ts'],
    ['command-line.ts'],
    ['main.ts', 'openslot.ts'],
    // Tools for tests. The product never imports them.
    ['testing'],
  ],
  'server/delivery': [
    ['tokens'],
    ['event-log'],
    ['traffic', 'forecast'],
    ['snapshot'],
    ['faults', 'placement', 'targeting', 'zone-watch'],
    ['decision'],
    ['explain', 'formats'],
    // The two paths that use everything below: the ad request and the event.
    ['*'],
  ],
  // What all pages of the server look like.
  'server/http': [['acting'], ['*'], ['limits', 'page'], ['web-app'], ['fastify']],
  'server/inventory': [['categories', 'my-zones', 'page-views', 'review'], ['*']],
  // The days of ads per day: which ones are booked, and their end, pauses and silent days. The rules and the clock of a review.
  // Second creatives, whose review uses that of ads.
  'server/ads': [['booking', 'review'], ['clock'], ['*'], ['variants']],
  // Use cases, those of the settings, the register of acts, the pages, and the commands, which print the overview of the pages.
  'server/operator': [
    ['files'],
    ['*', 'overview'],
    ['announcements', 'faults', 'invitations', 'pages', 'settings'],
    ['acts'],
    ['console'],
    ['command-line'],
  ],
  'server/payments': [
    ['ledger'],
    ['provider'],
    ['payees', 'transparency-log'],
    ['documents'],
    ['refunds'],
    ['checkout', 'payouts'],
    ['closing', 'consents', 'disputes', 'sandbox'],
    ['events'],
    // The books of the operator use everything below.
    ['books'],
    // The routes of all rooms.
    ['*'],
  ],
  web: [
    ['ui'],
    ['http'],
    // Limits of ads and exclusions of ad zones, which have the same fields and words.
    ['targeting'],
    ['accounts', 'ads', 'analytics', 'delivery', 'inventory', 'media', 'payments'],
    ['plans'],
    ['pages'],
    ['app'],
    ['styles'],
    ['*'],
    // Tools for component tests. The product never imports them.
    ['testing'],
  ],
  'web/ui': [['format'], ['*'], ['brand', 'chart', 'forms']],
  'web/accounts': [['*'], ['settings', 'sign-in']],
  'web/inventory': [['*'], ['marketplace', 'my-zones', 'placement']],
};

/** More loose files than this are too many to take in at a glance. Tests do not count. */
export const MAX_LOOSE_FILES = 25;

/** The folders of the server that have more, with the reason. */
export const CROWDED: Readonly<Record<string, string>> = {
  'server/accounts': 'Rooms would import each other: each way into an account uses several of the others.',
};

/** Returns `folder` and all folders below it, as paths from `root` with '/'. */
export function foldersOf(root: string, folder: string): string[] {
  const below = readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true });
  const folders = below.filter((entry) => entry.isDirectory());
  const paths = folders.map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
  return [folder, ...paths.map((each) => each.replaceAll(path.sep, '/')).toSorted()];
}

/** The files of `glob` may not have an import specifier that matches the pattern `refused`. */
export type Wall = { glob: string; refused: string; message: string };

/** Returns a wall for each folder and each named file. Throws if a folder with code is on no floor. */
export function wallsOf(root: string): Wall[] {
  return ['server', 'web'].flatMap((tree) =>
    foldersOf(root, tree).flatMap((folder) =>
      roomsAround(root, folder).flatMap(({ glob, refused }) =>
        refused.length === 0
          ? []
          : [
              {
                glob,
                refused: refused.map(({ pattern }) => pattern).join('|'),
                message: `A room may import only from lower floors (scripts/rooms.ts). These files may not import: ${refused.map(({ name }) => name).join(', ')}.`,
              },
            ],
      ),
    ),
  );
}

type Refused = { name: string; pattern: string };

/** Groups the files of one folder by the imports that the houses around it refuse them. */
function roomsAround(root: string, folder: string): { glob: string; refused: Refused[] }[] {
  const houses = Object.keys(HOUSES).filter((house) => folder === house || folder.startsWith(`${house}/`));
  const outer = houses
    .filter((house) => house !== folder)
    .flatMap((house) => refusedFrom(folder, house, roomOf(root, house, folder)));
  const own = HOUSES[folder];
  if (own && !own.flat().includes('*')) refuseUnlistedFiles(root, folder, own.flat());
  if (!own) return [{ glob: `${folder}/*.{ts,tsx}`, refused: outer }];
  return own.flat().flatMap((room) => {
    if (room !== '*' && !room.includes('.')) return [];
    const glob = `${folder}/${room === '*' ? '*.{ts,tsx}' : room}`;
    return [{ glob, refused: [...outer, ...refusedFrom(folder, folder, room)] }];
  });
}

function roomOf(root: string, house: string, folder: string): string {
  const room = folder.slice(house.length + 1).split('/')[0] ?? '';
  const isListed = HOUSES[house]?.flat().includes(room);
  if (!isListed && hasCode(root, `${house}/${room}`))
    throw new Error(`${house}/${room} is on no floor: add it to scripts/rooms.ts`);
  return room;
}

function refuseUnlistedFiles(root: string, house: string, rooms: readonly string[]): void {
  const files = readdirSync(path.join(root, house)).filter((file) => /(?<!\.test)\.tsx?$/.test(file));
  const unlisted = files.find((file) => !rooms.includes(file));
  if (unlisted) throw new Error(`${house}/${unlisted} is on no floor: add it to scripts/rooms.ts`);
}

function hasCode(root: string, folder: string): boolean {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).some((file) =>
    /\.tsx?$/.test(file),
  );
}

/** Returns the rooms of `house` that a file in `folder`, a part of `room`, may not import: its own floor and all above. */
function refusedFrom(folder: string, house: string, room: string): Refused[] {
  const floors = HOUSES[house] ?? [];
  const floor = floors.findIndex((rooms) => rooms.includes(room));
  if (floor < 0) return [];
  return floors
    .slice(floor)
    .flat()
    .filter((other) => other !== room)
    .map((other) => ({ name: `${house}/${other}`, pattern: specifiersOf(folder, house, other) }));
}

/** Returns a pattern that matches every way to write an import of `room` in a file of `folder`. */
function specifiersOf(folder: string, house: string, room: string): string {
  const relative = path.posix.relative(folder, house) || '.';
  const end = room === '*' ? '[^/]+$' : room.includes('.') ? `${literal(room)}$` : `${literal(room)}/`;
  return `^(?:#${literal(house)}|${literal(relative)})/${end}`;
}

function literal(text: string): string {
  return text.replaceAll('.', '\\.');
}
