/** Members of an account, made without a browser. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { MemberRole } from '../../domain/accounts/members.ts';
import type { Client } from '../../server/testing/client.ts';
import { mailTo } from '../../server/testing/mail/mail.ts';
import type { TestServer } from '../../server/testing/server.ts';

/** The path of the link in the latest invitation of this address. */
export async function linkTo({ ctx }: TestServer, email: string): Promise<string> {
  const mail = (await mailTo(ctx, email)).findLast(({ kind }) => kind === 'member-invitation');
  return /\/join\?token=[\w-]{22}/.exec(mail?.text ?? '')?.[0] ?? '';
}

/** Makes the person a member of the owner's account. Returns the member's id. */
export async function addMember(
  server: TestServer,
  owner: Client,
  person: Client,
  role: MemberRole,
): Promise<number> {
  const { body } = await owner.post('/api/account/members', { email: person.user.email, role });
  const token = (await linkTo(server, person.user.email)).split('=')[1];
  expect((await person.post('/api/account/join', { token })).status).toBe(200);
  return body.id as number;
}

/** The bar that says for whom somebody acts. */
export const barOf = (page: Page) => page.getByRole('region', { name: 'For whom you act' });
