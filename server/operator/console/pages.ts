import type { FastifyInstance } from 'fastify';
import type { Context } from '#server/platform/context.ts';
import { registerDecisionPages } from './decision-pages.ts';
import { registerConsolePages } from './document.ts';
import { registerConsoleFiles } from './files.ts';
import { registerInvitationPages } from './invitation-pages.ts';

/**
 * Registers the console's addresses and files, and the two pages that people open from its mails: a decision about them, and
 * an invitation. [OPER-03]
 */
export function registerConsole(app: FastifyInstance, ctx: Context): void {
  registerConsoleFiles(app, ctx);
  registerConsolePages(app, ctx);
  registerDecisionPages(app, ctx);
  registerInvitationPages(app, ctx);
}
