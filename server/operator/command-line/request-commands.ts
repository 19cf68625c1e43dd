/** The command `openslot requests list`. */
import { at, type Command } from '../acts/command.ts';
import { openRequests } from '../requests/requests.ts';
import { requestWords } from '../requests/request-words.ts';

export const REQUEST_COMMANDS: Readonly<Record<string, Command>> = {
  'requests list': {
    usage: '',
    summary: 'List what operators ask a second operator to confirm',
    run: async ({ ctx }) => {
      const list = await openRequests(ctx);
      const lines = list.map(
        (request) =>
          `${request.id}  ${requestWords(request, ctx.config.currency)}  by ${request.askedBy}, expires ${at(request.expiresAt)}: ${request.reason}`,
      );
      return { json: list, lines: lines.length === 0 ? ['No request waits.'] : lines };
    },
  },
};
