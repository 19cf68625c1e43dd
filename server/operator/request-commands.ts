/** The commands `openslot requests …`. */
import { at, type Command, done, numberIn, reasonOf } from './command.ts';
import { confirmRequest, declineRequest, openRequests } from './requests.ts';
import { requestWords } from './request-words.ts';

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
  'requests confirm': {
    usage: 'NUMBER',
    summary: 'Do what an operator has requested',
    run: async (input) => {
      const request = await confirmRequest(input.ctx, input.operator, numberIn(input.args[0]));
      return done(input, { id: request.id }, `Done: ${requestWords(request, input.ctx.config.currency)}.`);
    },
  },
  'requests decline': {
    usage: 'NUMBER --reason TEXT',
    summary: 'Refuse what an operator has requested',
    run: async (input) => {
      const id = numberIn(input.args[0]);
      await declineRequest(input.ctx, input.operator, { id, ...reasonOf(input) });
      return done(input, { id }, `Declined request ${id}.`);
    },
  },
};
