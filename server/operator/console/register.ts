import type { FastifyInstance } from 'fastify';
import type { Context } from '#server/platform/context.ts';
import { registerDecisionPages } from './decision-pages.ts';
import { registerInvitationPages } from './invitation-pages.ts';
import { registerOperatorPages } from './pages.ts';

/** Registers the console, and the two pages that people open from its mails: a decision about them, and an invitation. */
export function registerConsole(app: FastifyInstance, ctx: Context): void {
  registerOperatorPages(app, ctx);
  registerDecisionPages(app, ctx);
  registerInvitationPages(app, ctx);
}
