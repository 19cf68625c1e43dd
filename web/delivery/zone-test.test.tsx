import { describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { LOOKING_MS } from '#domain/delivery/zone-watch.ts';
import {
  watchZone,
  zoneWatch,
  type WatchedRequest,
  type ZoneWatch,
} from '#domain/delivery/zone-watch-contract.ts';
import { answer, offline, type Trouble } from '#web/testing/answers.ts';
import { saying, see } from '#web/testing/look.ts';
import { makeWebsite, makeZone } from '#web/testing/market.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { nothingWatched } from '#web/testing/screens.ts';
import { render } from '#web/testing/screen.tsx';
import { ZoneTest } from './zone-test.tsx';

const steps = () => page.getByRole('list', { name: 'Test progress' });
const ownPage = () => page.getByRole('region', { name: 'On your website' });
const now = () => new Date().toISOString();

const request = (members: Partial<WatchedRequest>): WatchedRequest =>
  sample(zoneWatch.shape.requests.element, { id: '1', at: now(), ...members });

/** Shows the test of an ad zone. `says` replaces what the server has seen. */
function openTest(first: Partial<ZoneWatch> = {}, isActive = true) {
  let reply: ZoneWatch | Trouble = { ...nothingWatched, ...first };
  const calls = answer(watchZone, () => reply);
  render(<ZoneTest zone={makeZone({ isActive })} site={makeWebsite()} />, { as: person('seller') });
  return {
    calls,
    says: (next: Partial<ZoneWatch> | Trouble) =>
      (reply = 'trouble' in next ? next : { ...nothingWatched, ...next }),
  };
}

describe('the test of an ad zone', () => {
  it('follows a request on the test page to the viewable impression', async () => {
    const server = openTest();
    await see(steps().getByText('Waiting for the tag to request an ad…'));
    await see(page.getByText('Test: nothing is billed'));
    const requested = request({ isTest: true, ad: { title: 'Fresh beans' } });
    server.says({ requests: [requested] });
    await see(saying('Selected: Fresh beans', steps()));
    server.says({ requests: [{ ...requested, view: { afterMs: 1200, reason: null } }] });
    await see(saying('Viewable after 1.2 s. On your website, it would be counted.', steps()));
    await page.getByRole('button', { name: 'Test again' }).click();
    await see(steps().getByText('Waiting for the tag to request an ad…'));
  });

  it('says when a zone is unknown, has no ads or is paused', async () => {
    const server = openTest({ requests: [request({ isTest: true })] }, false);
    await see(page.getByText('This ad zone is paused'));
    await see(saying('No paid ad can be shown right now', steps()));
    await see(ownPage().getByText('No ad requests yet.'));
    const link = ownPage().getByRole('link', { name: /^Open gazette\.example/ });
    await expect.element(link).toHaveAttribute('href', 'https://gazette.example/');
    await expect.element(link).toHaveAttribute('target', '_blank');
    server.says({ unknown: { at: now(), asked: 'not-a-zone' } });
    await see(saying('One of your pages requests an ad zone that doesn’t exist', ownPage()));
    await see(saying('It requested ‘not-a-zone’.', ownPage()));
    server.says({ requests: [request({ origin: 'https://gazette.example' })] });
    await see(saying('No paid ad could be shown, so nothing is measured.', ownPage()));
  });

  it('shows a sample ad on the test page and on the own page, each apart, and links to it', async () => {
    const shown = request({ isTest: true, isSample: true });
    const server = openTest({ sampleEnding: '#openslot=s1.x', requests: [shown] });
    await see(saying('No paid ad can be shown right now, so you see a sample ad', steps()));
    await see(saying('Waiting for a viewable impression.', steps()));
    const link = ownPage().getByRole('link', { name: 'Open with a sample ad' });
    await expect.element(link).toHaveAttribute('href', 'https://gazette.example/#openslot=s1.x');
    await see(saying('it works in this browser for 10 minutes', ownPage()));
    await see(ownPage().getByText('No ad requests yet.'));
    const own = request({ id: '2', isTest: true, isSample: true, origin: 'https://gazette.example' });
    server.says({ requests: [own, shown] });
    const row = ownPage().getByRole('listitem').filter({ hasText: 'Sample ad' });
    await see(saying('Shown to you only.', row));
    await see(saying('not billed', row));
    server.says({ requests: [{ ...own, view: { afterMs: 1200, reason: null } }, shown] });
    await see(saying('Viewable after 1.2 s. A real ad would be counted.', row));
  });

  it('says that the pages of another website are not counted', async () => {
    openTest({
      requests: [
        request({ origin: 'https://elsewhere.example', ad: { title: 'Fresh beans' }, reason: 'wrong_site' }),
      ],
    });
    const foreign = ownPage().getByRole('listitem').filter({ hasText: 'https://elsewhere.example' });
    await see(saying('Its views and clicks won’t be counted. Other website: ', foreign));
    await see(saying('not billed', foreign));
  });

  it('says when the server does not answer, until it does', async () => {
    const server = openTest();
    await see(ownPage());
    server.says(offline);
    await see(saying('Connection lost.'));
    server.says({});
    await expect.element(saying('Connection lost.')).not.toBeInTheDocument();
  });

  it('pauses after ten minutes and continues when the publisher asks for it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    const { calls } = openTest();
    const over = page.getByText('Test paused');
    await expect.poll(() => calls.length).toBeGreaterThan(0);
    vi.advanceTimersByTime(LOOKING_MS);
    await see(over);
    /** How many calls come in five seconds. */
    const pollsLater = async () => {
      const before = calls.length;
      vi.advanceTimersByTime(5000);
      await new Promise(requestAnimationFrame);
      return calls.length - before;
    };
    // A last call may be on its way.
    await expect.poll(pollsLater).toBe(0);
    const polls = calls.length;
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect.element(over).not.toBeInTheDocument();
    await expect
      .poll(() => {
        vi.advanceTimersByTime(1000);
        return calls.length;
      })
      .toBeGreaterThan(polls + 1);
  });
});
