/** An operator for tests: an account with operator rights and a second factor. */
import { addOperator } from '#server/operator/requests/requests.ts';
import { readSettings } from '#server/platform/database/settings.ts';
import type { MarketplaceSetting } from '#server/platform/settings/marketplace.ts';
import type { Answer, Client } from './client.ts';
import { appCode, turnOnSecondFactor } from './accounts/second-factor.ts';
import { PASSWORD, type TestServer } from './server.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };

/** Sends a form of the server's own pages. */
export async function sendForm(
  client: Client,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return await client.send('POST', path, new URLSearchParams(fields).toString(), { ...FORM, ...headers });
}

/** Does an act of the console, named by its address there: '/operator/people/7/suspend'. */
export async function sendAct(
  client: Client,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return await client.send('POST', `/api${path}`, fields, headers);
}

/** A new session for a person whose sessions were ended, opened with the password and, where it is on, a code. */
export async function signInAgain(client: Client, code?: string): Promise<void> {
  const { email } = client.user;
  const answer = await client.post('/api/auth/login', { email, password: PASSWORD, code });
  if (answer.status !== 200) throw new Error(`The sign-in answered ${answer.status}: ${answer.text}`);
}

export type TestOperator = { client: Client; secret: string };

/** An operator who is signed in to the console. Dangerous acts still need `confirmOperator`. */
export async function makeOperator(server: TestServer): Promise<TestOperator> {
  const client = await server.signIn('both');
  await addOperator(
    server.ctx,
    { id: null },
    { email: client.user.email, role: 'owner', reason: 'For a test' },
  );
  await signInAgain(client);
  const { secret } = await turnOnSecondFactor(client, server.clock.now());
  return { client, secret };
}

/** Signs in with a code, because sessions of operators are short. Each code works once, so the clock moves. */
export async function reopenConsole(server: TestServer, operator: TestOperator): Promise<void> {
  await signInAgain(operator.client, nextCode(server, operator));
}

/** Gives a fresh code, which allows dangerous acts for 15 minutes. Signs in first if the session has ended. */
export async function confirmOperator(server: TestServer, operator: TestOperator): Promise<void> {
  const { client } = operator;
  if ((await client.get('/api/auth/user')).status === 401) await reopenConsole(server, operator);
  const code = nextCode(server, operator);
  const answer = await client.post('/api/operator/confirm', { code });
  if (answer.status !== 200) throw new Error(`Confirming answered ${answer.status}: ${answer.text}`);
}

function nextCode(server: TestServer, { secret }: TestOperator): string {
  server.clock.advance(30_000);
  return appCode(secret, server.clock.now());
}

/**
 * Puts settings of the marketplace in force, as its environment would. What a test writes into the config itself is gone
 * within a second, because every server reads its settings again.
 */
export async function putInForce(
  { ctx }: Pick<TestServer, 'ctx'>,
  texts: Partial<Record<MarketplaceSetting, string>>,
): Promise<void> {
  Object.assign(ctx.config.environment, texts);
  await readSettings(ctx.db, ctx.config);
}
