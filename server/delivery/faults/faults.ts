/** The faults of a publisher's websites, and the publisher's answers to them. */
import type { listFaults, Fault, setFaultExpected } from '#domain/delivery/faults-contract.ts';
import { faultText } from '#domain/delivery/fault-causes.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { faultsOfPublisher, setExpected, type WebsiteFaultRow } from './store.ts';

export async function faults({ db }: Context, who: Caller): Promise<Reply<typeof listFaults>> {
  return (await faultsOfPublisher(db, who.id)).map(faultReply);
}

/** The publisher says that a fault is expected, or takes that back. Both may be repeated. */
export async function expectFault(
  { db, now }: Context,
  who: Caller,
  { params: { id }, body: { isExpected } }: Parsed<typeof setFaultExpected>,
): Promise<Reply<typeof setFaultExpected>> {
  const row = await setExpected(db, { id, userId: who.id, at: isExpected ? now() : null });
  if (!row) throw notFound('There is no such fault now. It may be over. Please reload the page.');
  return faultReply(row);
}

function faultReply(row: WebsiteFaultRow): Fault {
  const { title, cause, next, evidence } = faultText('publisher', row);
  return {
    id: row.id,
    websitePublicId: row.websitePublicId,
    websiteName: row.websiteName,
    kind: row.kind,
    cause: row.cause,
    title,
    evidence,
    text: cause,
    next,
    beganAt: row.beganAt.toISOString(),
    expectedAt: row.expectedAt?.toISOString() ?? null,
  };
}
