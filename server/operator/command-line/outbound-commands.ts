/** The command `openslot outbound status`. Its counterpart `outbound release` is an act. */
import { readOutbound } from '#server/platform/outbound/hold.ts';
import { at, type Command } from '../acts/command.ts';
import { waitingText } from '../outbound.ts';

export const OUTBOUND_COMMANDS: Readonly<Record<string, Command>> = {
  'outbound status': {
    usage: '',
    summary: 'Show whether everything outgoing is on hold after a restore, and what waits',
    run: async ({ ctx }) => {
      const outbound = await readOutbound(ctx.db);
      const { since, waiting } = outbound;
      return {
        json: outbound,
        lines: [
          since === null
            ? 'Nothing is on hold.'
            : `Everything outgoing has been on hold since ${at(since)}, when a backup was restored. Release it: openslot outbound release --reason TEXT`,
          `Waiting: ${waitingText(waiting)}.`,
        ],
      };
    },
  },
};
