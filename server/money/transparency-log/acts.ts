/** Acts of operators as leaves of the transparency log. */
import { sql } from 'kysely';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { leafHash } from './merkle.ts';

/** One act with everything that its leaf says about it. */
export type LoggedAct = {
  id: number;
  publicId: string;
  actedAt: Date;
  operatorId: number | null;
  act: string;
  subject: string;
  subjectId: number;
  subjectName: string;
  affectedId: number | null;
  reason: string;
  keyHash: Buffer | null;
  salt: Buffer;
};

const ACT = sql`o.id, o.public_id as "publicId", o.acted_at as "actedAt", o.operator_id as "operatorId", o.act, o.subject,
  o.subject_id as "subjectId", o.subject_name as "subjectName", o.affected_id as "affectedId", o.reason,
  o.key_hash as "keyHash", o.salt`;

/** The text of a leaf: one line of JSON, whose field order is part of the format. The salt keeps it from being guessed. */
export function actText(book: PaymentBook, { actedAt, keyHash, salt, ...act }: LoggedAct): string {
  const { id, publicId, act: kind, operatorId, subject, subjectId, subjectName, affectedId, reason } = act;
  return JSON.stringify({
    book,
    act: kind,
    id,
    publicId,
    actedAt: actedAt.toISOString(),
    operatorId,
    subject,
    subjectId,
    subjectName,
    affectedId,
    reason,
    keyHash: keyHash?.toString('hex') ?? null,
    salt: salt.toString('hex'),
  });
}

/** Notes a new act for the log. `appendActs` adds it at the end of the same transaction. */
export async function noteAct(tx: Tx, actId: number): Promise<void> {
  await tx.insertInto('operatorActsUnlogged').values({ actId }).execute();
}

/** Takes the oldest acts that are no leaf yet. */
export async function takeUnloggedActs(tx: Tx, limit: number): Promise<LoggedAct[]> {
  const { rows } = await sql<LoggedAct>`
    with taken as (
      delete from operator_acts_unlogged
        where act_id in (select act_id from operator_acts_unlogged order by act_id limit ${limit})
        returning act_id)
    select ${ACT} from taken join operator_acts o on o.id = taken.act_id order by o.id`.execute(tx);
  return rows;
}

export async function insertActLeaves(
  tx: Tx,
  book: PaymentBook,
  size: number,
  acts: readonly LoggedAct[],
): Promise<void> {
  await sql`
    insert into ledger_leaves (book, index, act_id)
      select ${book}, ${size}::bigint + at - 1, act_id
        from unnest(${acts.map(({ id }) => id)}::integer[]) with ordinality as leaf (act_id, at)`.execute(tx);
}

export type ActDifference = {
  /** `act_missing`: the log has a leaf of the act, and the trail has no such act. */
  kind: 'act_changed' | 'act_missing' | 'act_not_logged';
  ref: string;
  since: Date;
};

/** Compares the audit trail with its leaves. Finds acts that were changed, deleted or inserted by SQL. [OPER-20] */
export async function checkActs(tx: Tx): Promise<ActDifference[]> {
  const { rows } = await sql<{ [Field in keyof LoggedAct]: LoggedAct[Field] | null } & Leaf>`
    select coalesce(l.act_id, o.id) as "actId", l.book, n.hash, ${ACT}
      from operator_acts o
      full join (select * from ledger_leaves where act_id is not null) l on l.act_id = o.id
      left join ledger_nodes n on n.book = l.book and n.level = 0 and n.index = l.index
      where not exists (select from operator_acts_unlogged u where u.act_id = o.id)
      order by 1`.execute(tx);
  return rows.flatMap(({ actId, book, hash, ...act }) => {
    const difference = (kind: ActDifference['kind']): ActDifference[] => [
      { kind, ref: `act ${actId}`, since: act.actedAt ?? new Date(0) },
    ];
    if (!isWhole(act)) return difference('act_missing');
    if (book === null) return difference('act_not_logged');
    return hash?.equals(leafHash(actText(book, act))) ? [] : difference('act_changed');
  });
}

type Leaf = { actId: number; book: PaymentBook | null; hash: Buffer | null };

function isWhole(act: { [Field in keyof LoggedAct]: LoggedAct[Field] | null }): act is LoggedAct {
  return act.id !== null;
}
