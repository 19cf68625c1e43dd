import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { listTransactions } from '#domain/analytics/contract.ts';
import { answer } from '#web/testing/answers.ts';
import { press, seeToast } from '#web/testing/look.ts';
import { person } from '#web/testing/people.ts';
import { answerSellerDashboard } from '#web/testing/screens.ts';
import { openPage } from '#web/testing/screen.tsx';

// Proves TXN-01
it('Download CSV says that there are no transactions, also to the keyboard', async () => {
  answerSellerDashboard();
  answer(listTransactions, []);
  await openPage('/transactions', { as: person('seller') });
  const download = page.getByRole('button', { name: 'Download CSV' });
  await expect.element(download).toHaveAttribute('aria-disabled', 'true');
  await expect.element(download).toHaveAttribute('aria-description', 'There’s nothing to download yet');
  await press(download);
  await seeToast('There’s nothing to download yet');
});
