/**
 * The product's expectations of every payment provider. Each adapter has a test file that runs this suite on it. The
 * rehearsal plays what happens outside of our server: the card form, the bank and the passing of time.
 */
import { afterAll, beforeAll } from 'vitest';
import { describeBalance } from './balance.ts';
import { describeDisputes } from './disputes.ts';
import { describeIntents } from './intents.ts';
import { describePayees } from './payees.ts';
import { describeRefunds } from './refunds.ts';
import { describeSavedCards } from './saved-cards.ts';
import { type Rehearsal, ProviderSuite } from './suite.ts';
import { describeTransfers } from './transfers.ts';

export function describeProvider(name: string, start: () => Promise<Rehearsal>): void {
  const suite = new ProviderSuite();
  beforeAll(async () => {
    suite.play = await start();
  });
  afterAll(async () => await suite.play.close());

  describeIntents(name, suite);
  describeSavedCards(name, suite);
  describeRefunds(name, suite);
  describeDisputes(name, suite);
  describeBalance(name, suite);
  describePayees(name, suite);
  describeTransfers(name, suite);
}
