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
  // The districts. Each has rooms of its own below.
  // The districts. Each has rooms of its own below.
  server: [
    // Needed by a server of any kind: the database, HTTP, files, mail, jobs, the card provider.
    ['platform'],
    // The mails to people.
    ['notify'],
    // Chooses ads and counts what happened to them.
    ['delivery'],
    // An ad from its submission over its review to its end.
    ['ads'],
    // Charges, refunds, payouts, disputes, and the ledger with its documents.
    ['money'],
    // Ad zones and websites, what everybody sees of them, and media plans. Backups and figures save and watch all of the above.
    ['market', 'operations'],
    // Figures for publishers and advertisers.
    ['results'],
    // Accounts and members, and everything that ends or leaves with an account.
    ['people'],
    // Decides about things of every district: acts, console and command line.
    ['operator'],
    // Puts all of it together.
    ['app'],
    ['main.ts'],
    // Tools for tests. The product never imports them.
    ['testing'],
  ],
  // The jobs of all districts, the sample data; the lists of the calls, pages and files of all rooms.
  'server/app': [
    ['jobs', 'sample'],
    ['marketplace.ts', 'server-context.ts'],
    ['app.ts', 'command-context.ts'],
    ['command-line.ts'],
    ['openslot.ts'],
  ],
  'server/platform': [
    // The colors, and what the operator may put in their place.
    ['brand', 'extensions.ts', 'net', 'seal.ts'],
    // Documents as PDF.
    ['print', 'settings'],
    // The decoding of files from strangers, in processes of their own.
    ['decoding', 'log'],
    ['database'],
    // Holds, mail, DNS and calls to other services.
    ['outbound'],
    // Where files are, and the card provider.
    ['files', 'provider'],
    ['context.ts'],
    // Work that takes minutes runs one at a time, in a process of its own.
    ['http', 'jobs'],
    // Uploads and the library. The pages that the operator writes.
    ['media', 'pages'],
  ],
  'server/platform/database': [['*'], ['embedded', 'servers']],
  'server/platform/http': [['acting'], ['*'], ['page'], ['browser', 'limits', 'web-app'], ['fastify']],
  'server/delivery': [
    ['tokens', 'invalid-traffic'],
    ['event-log'],
    ['traffic', 'forecast'],
    ['snapshot'],
    ['agents', 'audience', 'clicks', 'faults', 'position', 'targeting', 'zone-watch'],
    ['decision'],
    ['explain', 'formats'],
    // The two paths that use everything below: the ad request and the event.
    ['*'],
  ],
  'server/delivery/snapshot': [['*'], ['changes']],
  // The days of ads per day: which ones are booked, and their end, pauses and silent days. The rules and the clock of a review.
  // Second creatives, whose review uses that of ads.
  'server/ads': [
    ['booking', 'review-rules'],
    ['clock'],
    ['*'],
    ['life', 'submit'],
    ['variants', 'routes.ts'],
  ],
  'server/money': [
    ['ledger', 'provider-requests', 'tax-ids'],
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
  'server/money/refunds': [['*'], ['cancelling']],
  'server/market': [
    ['inventory', 'transparency'],
    ['catalogue', 'plans'],
  ],
  'server/market/inventory': [
    ['admission', 'categories', 'my-zones', 'ownership', 'page-views'],
    ['*'],
    ['websites'],
    ['routes.ts'],
  ],
  // The archive knows the places of backups; the metrics watch both.
  'server/operations': [['backup', 'updates', 'weekly-check'], ['archive'], ['metrics']],
  'server/results': [['analytics'], ['campaign-mails', 'report-links']],
  // Members are invited to accounts; `access` ends every way into an account; `privacy` deletes and exports a person's data.
  'server/people': [['accounts'], ['members'], ['access'], ['privacy']],
  // The rows of a person; their proofs; mailed codes and links; the sign-in and the settings.
  'server/people/accounts': [['record'], ['keys'], ['email'], ['*']],
  // Use cases, those of the settings, the register of acts, the pages, and the commands, which print the overview of the pages.
  'server/operator': [
    ['files'],
    ['*', 'overview'],
    ['announcements', 'decisions', 'documents', 'faults', 'pages'],
    ['money', 'people', 'settings'],
    ['requests', 'rehearsal'],
    ['invitations'],
    ['acts'],
    ['console'],
    ['command-line'],
  ],
  web: [
    ['ui'],
    ['http'],
    // Limits of ads and exclusions of ad zones, which have the same fields and words.
    ['targeting'],
    ['accounts', 'ads', 'analytics', 'delivery', 'inventory', 'media', 'payments'],
    ['plans'],
    ['pages'],
    // The operator's console, with a frame of its own.
    ['operator'],
    ['app'],
    ['styles'],
    ['*'],
    // Tools for component tests. The product never imports them.
    ['testing'],
  ],
  'web/ui': [['format'], ['*'], ['brand', 'chart', 'forms']],
  'web/accounts': [['*'], ['settings', 'sign-in']],
  // What its pages share; the pages by the job that they are for; their list; the frame around them.
  'web/operator': [
    ['parts'],
    ['cases', 'moderation', 'money', 'settings', 'system', 'today'],
    ['console-pages.ts'],
    ['frame'],
    ['console.tsx'],
  ],
  'web/inventory': [['*'], ['marketplace', 'my-zones', 'placement'], ['zone-page']],
};

/** More folders than this, besides `main.ts`, are too many to find a thing by its name in server/. */
export const MAX_DISTRICTS = 12;

/** More files than this are too many to take in at a glance, in each folder of server/. */
export const MAX_FILES = 25;

/** Landed migrations can neither move nor be joined, so their folder grows. */
export const GROWING = 'server/platform/database/migrations';

/** A file answers a question that somebody asks. So many files of server/, besides tests, may have fewer lines than `of`. */
export const MAX_SMALL_FILES = { of: 25, files: 40 };

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
