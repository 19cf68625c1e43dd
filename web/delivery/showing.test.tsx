import { describe, expect, it, vi } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import {
  adShowing,
  getAdShowing,
  getZoneShowing,
  zoneShowing,
  type AdShowing,
  type ZoneAd,
  type ZoneShowing,
} from '#domain/delivery/showing-contract.ts';
import { answer, broken, offline, type Trouble } from '#web/testing/answers.ts';
import { choose, itemsOf, press, saying, see, wordsOf } from '#web/testing/look.ts';
import { makeAd, makeWebsite, makeZone, uuid } from '#web/testing/market.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import {
  answerAdZones,
  answerBuyerDashboard,
  answerCampaign,
  answerSellerDashboard,
} from '#web/testing/screens.ts';
import { openPage } from '#web/testing/screen.tsx';

const now = () => new Date().toISOString();
const lately = { chosen: 0, views: 0, clicks: 0, filtered: [] };
const requests = { total: 0, filtered: [] };

/** An ad that is alone in an ad zone which no page has requested. */
const ofAd = (members: Partial<AdShowing> = {}): AdShowing =>
  sample(adShowing, {
    share: 1,
    checkedAt: now(),
    others: { ads: 0, share: 0 },
    requests,
    lately,
    ...members,
    rule: members.rule ?? null,
  });

const live = makeAd({
  title: 'On air',
  status: 'active',
  startDate: new Date(Date.now() - 86_400_000).toISOString(),
  endDate: new Date(Date.now() + 86_400_000).toISOString(),
});
const row = (title: string) =>
  page.getByRole('table', { name: 'My Campaigns' }).getByRole('row').filter({ hasText: title });
const menu = (title: string) => row(title).getByRole('button', { name: /^More for/ });

/** Lets the interval of five seconds pass until the answer shows this. */
async function refreshUntil(shown: Locator): Promise<void> {
  await expect
    .poll(() => {
      vi.advanceTimersByTime(5000);
      return shown.elements().length;
    })
    .toBeGreaterThan(0);
}
const stopClock = () =>
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });

describe('why an ad is not showing', () => {
  const dialog = () => page.getByRole('dialog', { name: 'Why is my ad not showing?' });

  /** Opens the explanation from the row of the campaign. `says` replaces what the server answers. */
  async function open(first: AdShowing | Trouble) {
    let reply = first;
    answerCampaign(live);
    answerBuyerDashboard([
      live,
      makeAd({ id: 32, publicId: uuid(32), title: 'To be paid', status: 'approved' }),
    ]);
    answer(getAdShowing, () => reply);
    await openPage('/dashboard', { as: person('buyer') });
    await choose('Not showing?', row('On air'));
    await see(dialog());
    return { says: (next: AdShowing | Trouble) => (reply = next) };
  }

  it('is explained from the row of an active campaign, and the explanation updates by itself', async () => {
    const server = await open(ofAd());
    await see(
      saying('It’s the only paid ad in this ad zone, so it’s served for every ad request.', dialog()),
    );
    await see(dialog().getByText('This website doesn’t show the ad zone yet'));
    await see(saying('The website has never requested an ad for this zone.', dialog()));
    stopClock();
    server.says(ofAd({ tagSeenAt: now() }));
    await refreshUntil(saying('The website last requested an ad just now', dialog()));
    expect(dialog().getByText('This website doesn’t show the ad zone yet').elements()).toEqual([]);
    server.says(ofAd({ rule: 'zone_paused', share: 0 }));
    await refreshUntil(dialog().getByText('The publisher paused this ad zone'));
    server.says(ofAd());
    await refreshUntil(dialog().getByText('Your ad can be shown'));
    vi.useRealTimers();
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog()).not.toBeInTheDocument();
    await expect.element(menu('On air')).toHaveFocus();
    // Only an active ad should be showing.
    expect(await itemsOf(row('To be paid'))).not.toContain('Not showing?');
  });

  it('says when it cannot be loaded or updated, and keeps showing the last answer', async () => {
    const server = await open(broken);
    await see(saying('Could not load the delivery status', dialog()));
    server.says(ofAd());
    await dialog().getByRole('button', { name: 'Try again' }).click();
    await see(dialog().getByText('Your ad can be shown'));
    stopClock();
    server.says(offline);
    await refreshUntil(dialog().getByText('Connection lost. Showing the last result.'));
    await see(dialog().getByText('Your ad can be shown'));
  });

  it('is explained on the campaign’s page, with its share beside other ads', async () => {
    answerCampaign(live);
    answerBuyerDashboard([live]);
    answer(getAdShowing, ofAd({ share: 0.5, others: { ads: 1, share: 0.5 } }));
    await openPage('/dashboard', { as: person('buyer') });
    await row('On air').getByRole('link', { name: 'On air' }).click();
    await page.getByRole('button', { name: 'Not showing?' }).click();
    await see(saying('It gets about 50% of this zone’s ad requests.', dialog()));
    expect(wordsOf(dialog())).toContain('Your ad 50% One other ad 50%');
  });

  it('says that a campaign has not started yet', async () => {
    await open(ofAd({ rule: 'not_started', share: 0 }));
    await see(dialog().getByText('Your campaign has not started yet'));
  });
});

describe('why a zone does not show an ad', () => {
  const dialog = () => page.getByRole('dialog', { name: 'Why is an ad not showing?' });
  const ofZone = (members: Partial<ZoneShowing> = {}): ZoneShowing =>
    sample(zoneShowing, {
      checkedAt: now(),
      requests,
      houseShare: 1,
      adCount: members.ads?.length ?? 0,
      ...members,
      rule: members.rule ?? null,
    });
  const zoneAd = (id: number, title: string, status: ZoneAd['status'], rule: ZoneAd['rule']): ZoneAd => ({
    id,
    publicId: uuid(id),
    title,
    adType: 'text',
    imageUrl: null,
    pricingModel: 'per_day',
    status,
    lately,
    rule,
    share: rule === null ? 1 : 0,
  });

  it('is explained from the zone, with the ads that are shown and why the others are not', async () => {
    let reply = ofZone();
    answerAdZones({ websites: [makeWebsite()], zones: [makeZone({ name: 'Margin' })] });
    answer(getZoneShowing, () => reply);
    await openPage('/ad-zones', { as: person('seller') });
    await press(page.getByRole('button', { name: 'More for Margin' }));
    await press(page.getByRole('menuitem', { name: 'What’s showing?' }));
    await see(dialog().getByText('Your website has never requested an ad for this zone'));
    await see(saying('No ads are booked yet, so this zone shows your own ad or ‘Advertise here’.', dialog()));
    await expect.poll(() => wordsOf(dialog())).toContain('Your own ad or ‘Advertise here’ 100%');

    stopClock();
    reply = ofZone({
      houseShare: 0,
      ads: [
        zoneAd(31, 'On air', 'active', null),
        zoneAd(32, 'To be paid', 'approved', 'unpaid'),
        zoneAd(33, 'New here', 'pending', 'pending'),
        zoneAd(34, 'Too loud', 'rejected', 'rejected'),
        zoneAd(35, 'On holiday', 'active', 'advertiser_paused'),
        { ...zoneAd(36, 'By views', 'active', 'advertiser_paused'), pricingModel: 'per_impression' },
      ],
    });
    const shown = dialog().getByRole('region', { name: 'Shown now' });
    await refreshUntil(shown.getByText('On air'));
    const line = shown.getByRole('listitem').filter({ hasText: 'On air' });
    expect(wordsOf(line)).toContain('On air Can be shown Share: 100%');
    const kept = dialog().getByRole('region', { name: 'Not shown' }).getByRole('listitem');
    expect(kept.all().map(wordsOf)).toEqual([
      'To be paid Approved, but not paid for. It goes live when the advertiser pays.',
      'New here Waiting for your approval. Review it on your dashboard.',
      'Too loud You rejected it. The advertiser can edit and resubmit it.',
      'On holiday The advertiser has paused it. You go on earning.',
      'By views The advertiser has paused it. What they bought waits.',
    ]);
    reply = ofZone({ rule: 'zone_paused' });
    await refreshUntil(dialog().getByText('The ad zone is paused'));
  });

  it('is explained from the dashboard, for the zone that the publisher chooses', async () => {
    answerSellerDashboard();
    answerAdZones({
      websites: [
        makeWebsite({ name: 'Nothing yet' }),
        makeWebsite({ id: 2, publicId: uuid(2), name: 'Quiet Corner' }),
      ],
      zones: [makeZone({ websiteId: 2, name: 'Margin' })],
    });
    const calls = answer(getZoneShowing, ofZone({ rule: 'zone_paused' }));
    await openPage('/dashboard', { as: person('seller') });
    const card = page.getByRole('region', { name: 'What your zones show' });
    await press(card.getByRole('button', { name: 'Why is an ad not showing?' }));
    // The dialog opens with the first website, which has no zone.
    await dialog().getByLabelText('Website').selectOptions('Quiet Corner');
    await dialog().getByLabelText('Ad zone').selectOptions('Margin');
    await see(saying('Resume it in its settings.', dialog()).first());
    expect(calls[0]?.params.ref).toEqual({ publicId: uuid(11) });
  });
});
