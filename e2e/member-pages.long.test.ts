/** The pages that the members of an account can use, by role. */
import { expect, it } from 'vitest';
import { MEMBER_ROLE_NAMES, MEMBER_ROLES, type MemberRole } from '../domain/accounts/members.ts';
import { makeLiveAd } from '../server/testing/story.ts';
import { addMember, barOf } from './support/members.ts';
import { afterPendingRequests, pathOf } from './support/people.ts';
import { walkToScreen } from './support/screens.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

/** The pages that each role can use, besides those that all can. The pages of other roles ask for nothing. */
const PAGES: Record<MemberRole, readonly string[]> = {
  owner: ['/dashboard', '/ad-zones', '/plans', '/billing', '/earnings', '/settings?tab=members'],
  editor: ['/dashboard', '/ad-zones', '/marketplace', '/plans', '/create-ad', '/plans/new'],
  billing: ['/billing', '/earnings', '/settings'],
  read: ['/dashboard', '/ad-zones', '/marketplace', '/plans'],
};
const EVERYBODY = ['/transactions', '/accounts', '/'];

it('no role gets a refusal on a page of theirs', async () => {
  const owner = await suite.client('both');
  const { ad } = await makeLiveAd(owner, owner);
  const { page, client: person } = await suite.enter('both', { width: 1280 });
  const id = await addMember(suite.fixture.server, owner, person, 'owner');
  await person.post('/api/account/switch', { account: owner.user.id });
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(`${pathOf(page)}: ${new URL(response.url()).pathname}`);
  });
  for (const role of MEMBER_ROLES) {
    await owner.patch(`/api/account/members/${id}`, { role });
    const campaign = role === 'billing' ? [] : [`/campaigns/${ad.publicId}`];
    const money = role === 'owner' || role === 'billing' ? [`/checkout/${ad.publicId}`] : [];
    await page.goto('/');
    for (const path of [...PAGES[role], ...campaign, ...money, ...EVERYBODY]) {
      await walkToScreen(page, path);
      await barOf(page).getByText(`as ${MEMBER_ROLE_NAMES[role]}`).waitFor();
      await afterPendingRequests(page);
      const closed = page.getByText('Your role doesn’t let you use this page');
      expect([role, path, await closed.count()]).toEqual([role, path, 0]);
    }
  }
  expect(refused).toEqual([]);
});
