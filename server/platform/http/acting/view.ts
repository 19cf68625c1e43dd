/** An operator who looks at the product as another person (docs/decisions/140-view-as.md). [OPER-200] */
import { holds, type OperatorRole, type Right } from '#domain/operator/rights.ts';
import { MINUTE_MS } from '#domain/time.ts';
import type { Caller } from '../../context.ts';

/** By the wall clock, from the act. */
export const VIEW_MS = 15 * MINUTE_MS;

/** The right that an operator needs to begin a view, and to keep it. */
export const VIEW_RIGHT: Right = 'support';

/** What a route declares about a view. A GET is open to one by default, and everything else is refused. */
export type InView = {
  /**
   * A view can't read it: it hands out a key, a link or a file that is worth something after the view, or asks for a
   * confirmation.
   */
  notInView?: true;
  /** A view may make the call, although it is no GET, because the call ends it. */
  endsView?: true;
};

export type View = {
  personId: number;
  role: Caller['role'];
  suspendedReason: string | null;
  until: Date;
};

/** What a query of the session reads of the person. `viewedId` is null if there is no view, or no such person any more. */
export type ViewRow = {
  operatorRole: OperatorRole | null;
  suspendedReason: string | null;
  viewedId: number | null;
  viewedRole: Caller['role'];
  viewedSuspendedReason: string | null;
  viewingUntil: Date | null;
};

/** Null as well if its time is over, or if the operator may no longer look. The session is then the operator's own again. */
export function readView(row: ViewRow, now: Date): View | null {
  const { operatorRole, suspendedReason, viewedId, viewingUntil: until } = row;
  if (viewedId === null || until === null || until <= now) return null;
  if (operatorRole === null || !holds(operatorRole, VIEW_RIGHT) || suspendedReason !== null) return null;
  return { personId: viewedId, role: row.viewedRole, suspendedReason: row.viewedSuspendedReason, until };
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

const CHANGES_NOTHING = 'You look at this account as its operator and can’t change anything.';
const NOT_SHOWN =
  'You look at this account as its operator, and this isn’t shown to you. Stop looking, and open it in the console.';
const NO_CONSOLE =
  'You look at an account of somebody else. Stop looking to use the console: the button is above every page of the marketplace.';

/** What the route of a call declares. Undefined for an address that no route has. */
type Declared = (InView & { access: string }) | undefined;

/** Why a view can't make the call; null if it can. */
export function refusalInView(method: string, declared: Declared): string | null {
  if (declared?.endsView) return null;
  if (!READING.has(method)) return CHANGES_NOTHING;
  if (declared?.access === 'operator') return NO_CONSOLE;
  return declared?.notInView ? NOT_SHOWN : null;
}
