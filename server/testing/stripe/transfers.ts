/** The balances of the stand-in for Stripe: transfers to connected accounts, and the payouts of those to their banks. */
import { metadataOf, type Operations, Refused, type StripeAccount, type StripeObject } from './account.ts';

/** A movement of a connected account's balance: a transfer that arrived, or a payout that the bank sent back. */
type Movement = { source: string; amount: number; payout: string | null };

export function openTransfers(account: StripeAccount) {
  const { all, add, get, newId, move, pageOf, seconds, tell } = account;
  const movements = new Map<string, Movement[]>();
  const movementsOf = (payeeId: string): Movement[] => {
    if (!movements.has(payeeId)) movements.set(payeeId, []);
    return movements.get(payeeId) as Movement[];
  };
  const balanceOf = (payeeId: string): Movement[] =>
    movementsOf(payeeId).filter(({ payout }) => payout === null);

  /** Pays a connected account's whole balance out to its bank. Returns the payout's id. */
  function payBank(payeeId: string): string {
    const taken = balanceOf(payeeId);
    const payout = add({
      id: newId('po'),
      object: 'payout',
      account: payeeId,
      amount: taken.reduce((sum, { amount }) => sum + amount, 0),
      automatic: true,
      status: 'paid',
      failure_message: null as string | null,
      created: seconds(),
    });
    for (const movement of taken) movement.payout = payout.id;
    tell('payout.paid', payout, payeeId);
    return payout.id;
  }

  /** The bank sends the last payout of a connected account back. */
  function failBank(payeeId: string): void {
    const payout = all('payout').find((each) => each['account'] === payeeId) as StripeObject;
    Object.assign(payout, { status: 'failed', failure_message: 'The bank account has been closed.' });
    movementsOf(payeeId).push({ source: payout.id, amount: Number(payout['amount']), payout: null });
    tell('payout.failed', payout, payeeId);
  }

  const operations: Operations = {
    'POST /v1/transfers': (given) => {
      const charge = given['source_transaction'];
      const source = charge === undefined ? null : get(charge, 'charge');
      const payee = get(given['destination'], 'v2.core.account');
      const amount = Number(given['amount']);
      const sent = all('transfer')
        .filter(({ source_transaction: of }) => of === source?.id)
        .reduce((sum, { amount: one }) => sum + Number(one), 0);
      if (transfersOf(payee) !== 'active') {
        throw refused(
          'Your destination account needs to have at least one of the following capabilities enabled: transfers',
          'insufficient_capabilities_for_transfer',
        );
      }
      if (source && sent + amount > Number(source['amount']))
        throw refused('Sum of transfers cannot exceed the source charge amount.');
      const id = newId('tr');
      const made = add({
        id,
        object: 'transfer',
        amount,
        amount_reversed: 0,
        currency: given['currency'],
        destination: payee.id,
        source_transaction: source?.id ?? null,
        transfer_group: given['transfer_group'] ?? null,
        metadata: metadataOf(given),
        created: seconds(),
        balance_transaction: move('transfer', -amount, 0, id).id,
        reversals: { object: 'list', data: [], has_more: false, url: `/v1/transfers/${id}/reversals` },
      });
      // The connected account has a payment of its own, whose fee is long known.
      const payment = add({
        id: newId('py'),
        object: 'charge',
        amount,
        source_transfer: id,
        balance_transaction: newId('txn'),
      });
      movementsOf(payee.id).push({ source: payment.id, amount, payout: null });
      tell('transfer.created', made);
      return made;
    },
    'GET /v1/transfers': (given) =>
      pageOf(
        all('transfer').filter(({ transfer_group: group }) => group === given['transfer_group']),
        given,
        '/v1/transfers',
      ),
    'GET /v1/transfers/{id}': (_, [id]) => get(id, 'transfer'),

    'POST /v1/transfers/{id}/reversals': (given, [id]) => {
      const transfer = get(id, 'transfer') as StripeObject & { reversals: { data: StripeObject[] } };
      const amount = Number(given['amount']);
      const reversed = Number(transfer['amount_reversed']) + amount;
      if (reversed > Number(transfer['amount']))
        throw refused('Reversal amount is greater than the unreversed amount of the transfer.');
      const balance = balanceOf(String(transfer['destination']));
      if (balance.reduce((sum, each) => sum + each.amount, 0) < amount)
        throw refused('The connected account does not have sufficient funds.', 'balance_insufficient');
      let left = amount;
      for (const movement of balance) {
        const taken = Math.min(left, movement.amount);
        movement.amount -= taken;
        left -= taken;
      }
      const reversalId = newId('trr');
      const made: StripeObject = {
        id: reversalId,
        object: 'transfer_reversal',
        amount,
        transfer: transfer.id,
        metadata: metadataOf(given),
        created: seconds(),
        balance_transaction: move('transfer_refund', amount, 0, reversalId).id,
      };
      transfer['amount_reversed'] = reversed;
      transfer.reversals.data.unshift(made);
      tell('transfer.reversed', transfer);
      return made;
    },

    'GET /v1/payouts': (given, _, payeeId) =>
      pageOf(
        all('payout').filter((payout) => payout['account'] === payeeId),
        given,
        '/v1/payouts',
      ),
    'GET /v1/balance_transactions': (given, _, payeeId) =>
      pageOf(
        payeeId === undefined ? all('balance_transaction') : takenBy(payeeId, given['payout']),
        given,
        '/v1/balance_transactions',
      ),
  };

  /** The balance transactions of a connected account that one of its payouts took. */
  function takenBy(payeeId: string, payoutId: unknown): StripeObject[] {
    return movementsOf(payeeId)
      .filter(({ payout }) => payout === payoutId)
      .map(({ source }) => ({
        id: `txn_of_${source}`,
        object: 'balance_transaction',
        type: source.startsWith('py') ? 'payment' : 'payout_failure',
        source,
      }));
  }

  return { operations, payBank, failBank };
}

function refused(message: string, code?: string): Refused {
  return new Refused(400, { type: 'invalid_request_error', message, ...(code !== undefined && { code }) });
}

function transfersOf(payee: StripeObject): string {
  const { recipient } = payee['configuration'] as {
    recipient: { capabilities: { stripe_balance: { stripe_transfers: { status: string } } } };
  };
  return recipient.capabilities.stripe_balance.stripe_transfers.status;
}
