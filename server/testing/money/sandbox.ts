import { isSandbox, type SandboxProvider } from '#server/platform/provider/sandbox/payments.ts';
import type { TestServer } from '../server.ts';

/** The provider of a test server that runs in the sandbox, with its plays. */
export function sandboxOf({ ctx }: Pick<TestServer, 'ctx'>): SandboxProvider {
  if (!isSandbox(ctx.payments)) throw new Error('This test server does not run in the sandbox');
  return ctx.payments;
}
