/** A person whose application stays open from test to test, because a walk to a screen takes a third of a load. */
import type { Page } from 'playwright-core';
import { afterEach, beforeAll } from 'vitest';
import type { Role } from '#domain/accounts/roles.ts';
import type { Client } from '../../server/testing/client.ts';
import { assertNoErrors, enterAs } from './people.ts';
import type { Person } from './person.ts';
import { walkToScreen } from './screens.ts';
import type { Suite } from './use-fixture.ts';

export type Resident = Person & {
  client: Client;
  /** Walks to this address. Data that the application reads only once may be older than this test. */
  open: (path: string) => Promise<void>;
  /** Signs another user in on the same computer. Their screens have to be loaded, by `page.goto`. */
  become: (client: Client) => Promise<void>;
};

/**
 * Opens a browser for a person who stays for all tests of the file. After each test, their page has no routes, listeners
 * and toasts of the test, and no draft of a form. The page must not throw.
 */
export function useResident(suite: Suite, role: Role): Resident {
  const resident = {
    open: async (path) => {
      await closeToasts(resident.page);
      await walkToScreen(resident.page, path);
    },
    become: async (client) => {
      const [name = '', value = ''] = client.cookie.split(/=(.*)/s);
      await resident.context.addCookies([{ name, value, url: suite.fixture.server.url }]);
      resident.client = client;
    },
  } as Resident;
  beforeAll(async () => {
    Object.assign(resident, await enterAs(suite.fixture, role));
  });
  afterEach(async () => {
    assertNoErrors(resident);
    const { page } = resident;
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    for (const event of ['request', 'response', 'framenavigated']) page.removeAllListeners(event);
    await closeToasts(page);
    // The empty page of a person who has opened nothing has no storage.
    await page.evaluate(() => location.protocol !== 'about:' && sessionStorage.clear());
  });
  return resident;
}

/** A toast stays when the page changes, so that the screen would have to be loaded. */
async function closeToasts(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const toasts = document.querySelectorAll('[data-variant]');
    for (const toast of toasts) toast.querySelector<HTMLElement>('[aria-label=Close]')?.click();
    return toasts.length === 0;
  });
}
