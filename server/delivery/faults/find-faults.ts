/** Finds faults, and ends those that are over (domain/delivery/faults.ts). */
import { causeForWebsite, causeOf, type FaultCause, type FaultFacts } from '#domain/delivery/fault-causes.ts';
import {
  type Dominance,
  dominanceOf,
  FAULT_OF,
  FAULT_SHARE,
  type FaultKind,
  hourToJudge,
  isUsual,
  MIN_REPORTS,
  PRIVATE_SHARE,
  showsEnd,
  withoutForged,
} from '#domain/delivery/faults.ts';
import type { Context } from '#server/platform/context.ts';
import { endedLately, endFault, endPastFaults, noteFault, type OpenFault, openFaults } from './store.ts';
import {
  factsSince,
  hasRequestsSince,
  type ScopeFacts,
  type ScopeSum,
  sumsAfter,
  sumsOfDaysBefore,
  sumsSince,
} from './store-sums.ts';
import { tellFaults } from './tell.ts';

type Suspect = { websiteId: number | null; dominance: Dominance; isOneSite: boolean };

/**
 * The job: compares the reports of the hour, opens the faults that are new, ends those that are over, and mails publishers.
 * Several servers may do it at the same time.
 */
export async function findFaults(ctx: Context): Promise<void> {
  const now = ctx.now();
  const hour = hourToJudge(now);
  const suspects = suspectsOf(await sumsSince(ctx.db, hour), await factsSince(ctx.db, hour));
  const open = await openFaults(ctx.db);
  const causes = new Map<FaultKind, FaultCause>();
  const seen = new Set<string>();
  // The installation comes first, because its cause is that of the websites with the same fault.
  for (const suspect of suspects.sums) {
    const { websiteId, dominance, isOneSite } = suspect;
    const { kind } = dominance;
    if (!open.some((fault) => isSame(fault, suspect)) && !(await isNew(ctx, suspect, hour))) continue;
    const own = causeOf(kind, {
      isInstallation: websiteId === null,
      isOneSite,
      facts: factsOf(suspects.facts, websiteId, kind),
    });
    if (own === null) continue;
    if (websiteId === null) causes.set(kind, own);
    const cause = websiteId === null ? own : causeForWebsite(own, causes.get(kind));
    seen.add(keyOf(websiteId, kind));
    await noteFault(ctx.db, { websiteId, cause, ...dominance }, now);
  }
  for (const fault of open.filter(({ websiteId, kind }) => !seen.has(keyOf(websiteId, kind))))
    if (await isOver(ctx, fault)) await endFault(ctx.db, fault, now);
  await endPastFaults(ctx.db, now);
  await tellFaults(ctx);
}

/** The scopes in which one kind of fault dominates. */
function suspectsOf(rows: readonly ScopeSum[], facts: readonly ScopeFacts[]) {
  const byWebsite = Map.groupBy(rows, ({ websiteId }) => websiteId);
  const sums: Suspect[] = [];
  const ofInstallation = byWebsite.get(null) ?? [];
  const dominance = dominanceOf(ofInstallation) ?? privateDominance(ofInstallation, facts);
  if (dominance !== null)
    sums.push({ websiteId: null, dominance, isOneSite: isOfOneSite(ofInstallation, dominance) });
  for (const [websiteId, of] of byWebsite) {
    const own = websiteId === null ? null : dominanceOf(of);
    if (own !== null) sums.push({ websiteId, dominance: own, isOneSite: true });
  }
  return { sums, facts };
}

/** Visitors without an address of their own are a fault of the installation at a smaller share, too. */
function privateDominance(rows: readonly ScopeSum[], facts: readonly ScopeFacts[]): Dominance | null {
  const total = withoutForged(rows).reduce((sum, { isRequest, n }) => sum + (isRequest ? 0 : n), 0);
  const refused = Math.min(total, factsOf(facts, null, 'limits').privateAddress);
  return refused >= MIN_REPORTS && refused > total * PRIVATE_SHARE
    ? { kind: 'limits', counted: 'reports', total, refused }
    : null;
}

function isOfOneSite(rows: readonly ScopeSum[], { kind, counted, refused }: Dominance): boolean {
  const most = rows
    .filter(({ isRequest, reason }) => isRequest === (counted === 'requests') && isOf(kind, reason))
    .reduce((sum, { ofOneSite }) => sum + ofOneSite, 0);
  return most > refused * FAULT_SHARE;
}

const isOf = (kind: FaultKind, reason: ScopeSum['reason']): boolean =>
  reason !== '' && FAULT_OF[reason] === kind;

function factsOf(facts: readonly ScopeFacts[], websiteId: number | null, kind: FaultKind): FaultFacts {
  const none: FaultFacts = { n: 0, privateAddress: 0, sameNetwork: 0, imaPlayer: 0, strippedHeaders: 0 };
  return facts
    .filter((row) => isOf(kind, row.reason) && (websiteId === null || row.websiteId === websiteId))
    .reduce(
      (sum, row) => ({
        n: sum.n + row.n,
        privateAddress: sum.privateAddress + row.privateAddress,
        sameNetwork: sum.sameNetwork + row.sameNetwork,
        imaPlayer: sum.imaPlayer + row.imaPlayer,
        strippedHeaders: sum.strippedHeaders + row.strippedHeaders,
      }),
      none,
    );
}

/** Whether the reason was not as dominant before. A fault that ended lately is new when it comes back. */
async function isNew(
  { db, now }: Context,
  { websiteId, dominance: { kind } }: Suspect,
  hour: Date,
): Promise<boolean> {
  if (!isUsual(kind, await sumsOfDaysBefore(db, websiteId, hour))) return true;
  return await endedLately(db, { websiteId, kind }, now());
}

async function isOver({ db }: Context, { websiteId, kind, seenAt }: OpenFault): Promise<boolean> {
  if (kind === 'silent') return await hasRequestsSince(db, websiteId, seenAt);
  return showsEnd(kind, await sumsAfter(db, websiteId, seenAt));
}

const keyOf = (websiteId: number | null, kind: FaultKind): string => `${websiteId} ${kind}`;

const isSame = (fault: OpenFault, { websiteId, dominance: { kind } }: Suspect): boolean =>
  keyOf(fault.websiteId, fault.kind) === keyOf(websiteId, kind);
