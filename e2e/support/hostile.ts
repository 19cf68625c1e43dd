/** Malicious markup, right-to-left scripts and unbreakable words, as people may enter them, and the harm that they do. */
import type { Page } from 'playwright-core';
import { findHarm } from '../../web/testing/findings.ts';
import type { Role } from '#domain/accounts/roles.ts';
import type { Client } from '../../server/testing/client.ts';
import type { TestServer } from '../../server/testing/server.ts';
import type { Words } from './world.ts';

/** Unicode marks that reverse the reading direction and are never closed. */
const TURN = '\u{202e}\u{2067}\u{200f}';
const MARKUP = `</p></script><img src=x onerror="window.harmed=1"><script>window.harmed=1</script>`;
const EMOJI = '👩‍👩‍👧‍👦🏳️‍🌈🇺🇳👍🏿';

/** Texts that begin from right to left, most with a word that is too long for any line. */
export const OTHER_SCRIPT: Words = {
  name: `مقهى "الصباح" (٢٠٢٦)! ${EMOJI} ${'W'.repeat(120)}`,
  title: `קפה טרי, Fresh coffee: 100% (חדש)! ${TURN}${'M'.repeat(50)}`,
  text: `${MARKUP} ${TURN} قهوة طازجة كل صباح، إلى بابك. ${'x'.repeat(300)}`,
  reason: `${TURN}${MARKUP} لا، شكرا! ${'<b>'.repeat(100)}`,
};
/** Signs in a new user whose names and settings are hostile, too. */
export async function signInHostile(server: TestServer, role: Role): Promise<Client> {
  const client = await server.signIn(role, { firstName: `${TURN}<b>נועה</b>`, lastName: 'W'.repeat(90) });
  const answer = await client.patch('/api/user/settings', {
    businessName: `${OTHER_SCRIPT.name}${TURN}`,
    taxId: 'W'.repeat(50),
    description: `${MARKUP} ${'x'.repeat(480)}قهوة${TURN}`,
  });
  if (answer.status !== 200) throw new Error(answer.text);
  return client;
}

/** Markup of a text that became a part of the page, and right-to-left texts that reverse their neighbors. */
export async function harm(page: Page): Promise<string[]> {
  return await page.evaluate(findHarm);
}
