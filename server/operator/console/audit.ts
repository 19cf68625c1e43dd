/** The audit trail. [OPER-04] */
import { MAX_ID } from '#domain/fields.ts';
import { actorText, actWords, SUBJECTS } from '#domain/operator/acts.ts';
import { listAudit } from '#domain/operator/console/audit-contract.ts';
import { encodeCursor } from '#server/platform/http/cursor.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { readableActor } from '../people/timeline.ts';
import { auditTrail, type TrailRow } from '../people/trail.ts';
import { pathOf } from './cases.ts';

/** The page about the subject of an act; null if there is none. */
export function subjectPath({ subject, subjectId, subjectName }: TrailRow): string | null {
  const kind = SUBJECTS.find((each) => each === subject);
  if (kind) return pathOf(kind, subjectId);
  switch (subject) {
    case 'document':
      return `/operator/documents/${subjectName}`;
    case 'setting':
      return `/operator/settings#${subjectName}`;
    case 'page':
      return `/operator/pages`;
    case 'tax':
      return '/operator/tax';
    case 'bank_file':
      return '/operator/bank';
    case 'mail':
      return '/operator/mail';
    case 'job':
      return '/operator/jobs';
    case 'invitation':
      return '/operator/operators';
    case 'announcement':
      return '/operator/announcement';
    case 'fault':
      return '/operator/faults';
    default:
      return null;
  }
}

export const auditRoutes: Route[] = [
  route(listAudit, { access: 'operator' }, async (ctx, _, { query: { from, cursor, limit } }) => {
    const start = cursor ?? (from === undefined ? undefined : encodeCursor(Math.min(from + 1, MAX_ID)));
    const { items, next } = await auditTrail(ctx, { cursor: start, limit });
    return {
      items: items.map((act) => ({
        id: act.id,
        at: act.actedAt.toISOString(),
        text: actWords(act),
        by: readableActor(actorText(act)),
        byId: act.operatorId,
        reason: act.reason,
        path: subjectPath(act),
        answer:
          act.appealBody === null ? null : { path: `/operator/appeals/${act.id}`, outcome: act.outcome },
      })),
      next,
    };
  }),
];
