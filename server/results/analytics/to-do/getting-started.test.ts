import { expect, it } from 'vitest';
import { useServer } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeProduct, makeWebsite, makeZone, pay } from '#server/testing/story.ts';

const server = useServer();

it('the first steps are done one after the other, each for the user who did it', async () => {
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  const done = async (client = seller) => {
    const { body } = await client.get('/api/getting-started');
    return Object.keys(body).filter((step) => body[step] === true);
  };
  expect(await done()).toEqual([]);
  await seller.patch('/api/user/settings', { businessName: 'The Daily' });
  expect(await done()).toEqual(['profile']);
  const website = await makeWebsite(seller);
  const zone = await makeZone(seller, website);
  expect(await done()).toEqual(['profile', 'website']);
  const product = await makeProduct(seller, zone);
  await server.owner
    .updateTable('websites')
    .set({ verifiedAt: new Date() })
    .where('id', '=', website.id)
    .execute();
  await server.owner
    .updateTable('adZones')
    .set({ tagSeenAt: new Date() })
    .where('id', '=', zone.id)
    .execute();
  expect(await done()).toEqual(['profile', 'website', 'price', 'verified', 'tagSeen']);

  const ad = await makeAd(buyer, product);
  expect(await done(buyer)).toEqual(['submitted']);
  await approve(seller, ad);
  expect(await done()).not.toContain('sold');
  await pay(buyer, ad);
  expect(await done(buyer)).toEqual(['submitted', 'paid']);
  expect(await done()).toContain('sold');
});
