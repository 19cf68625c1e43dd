/** The commands `openslot audit` and `openslot money audit`. */
import { type Act, actorText, actWords, MONEY_ACTS } from '#domain/operator/acts.ts';
import { at, type Command, type Input, listed, type Outcome } from '../acts/command.ts';
import { auditTrail, type TrailRow } from '../people/trail.ts';

export const AUDIT_COMMANDS: Readonly<Record<string, Command>> = {
  audit: {
    usage: '[--cursor CURSOR]',
    summary: 'Show the audit trail of all operators',
    run: async (input) => await trailOf(input),
  },
  'money audit': {
    usage: '[--cursor CURSOR]',
    summary: 'Show the acts about money in the audit trail',
    run: async (input) => await trailOf(input, MONEY_ACTS),
  },
};

async function trailOf({ ctx, options: { cursor } }: Input, acts?: readonly Act[]): Promise<Outcome> {
  const page = await auditTrail(ctx, { cursor, acts });
  const items = page.items.map(({ keyHash: _secret, ...act }) => act);
  return listed({ ...page, items }, trailLine, 'Nothing yet.');
}

const trailLine = (act: Omit<TrailRow, 'keyHash'>) =>
  `${at(act.actedAt)}  ${actorText(act)}  ${actWords(act)}: ${act.reason}`;
