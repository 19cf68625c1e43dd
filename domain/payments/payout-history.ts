/** The state of a payout, with the text that its publisher reads. Amounts are cents. [PAYO-07] */
import { decimalOf } from '../money.ts';
import type { PayoutStatus } from './payout-contract.ts';

/** One transfer of a payout, with its state at the publisher's bank. */
export type TransferState = {
  state: 'trying' | 'sent' | 'refused';
  amountCents: number;
  reversedCents: number;
  bankStatus: 'pending' | 'paid' | 'failed' | null;
  /** Why the bank sent it back, in the provider's words. */
  bankMessage: string | null;
  /** The provider's code for its refusal or failure. */
  error: string | null;
  /** The payout leaves by bank transfer. What the bank returns is available again at once. */
  isByBank: boolean;
};

export type PayoutState = { amountCents: number; status: PayoutStatus; message: string | null };

/** The reason and the next step if the account cannot receive money. */
const MEND_ACCOUNT =
  'Your payout account can’t receive money at the moment. Open your payout details and complete what is missing.';
const REFUSED = 'The card provider refused this payout. If the next one fails too, write to us.';

/** `accountCode` is the provider's code for an account that cannot receive transfers. */
export function payoutState(
  plannedCents: number,
  transfers: readonly TransferState[],
  accountCode: string,
): PayoutState {
  const sum = (of: readonly TransferState[], cents: (each: TransferState) => number) =>
    of.reduce((total, each) => total + cents(each), 0);
  if (transfers.some(({ isByBank }) => isByBank)) return bankTransferState(plannedCents, transfers);
  const sent = transfers.filter(({ state }) => state !== 'refused');
  const refused = transfers.filter(({ state }) => state === 'refused');
  const why = refused.some(({ error }) => error === accountCode) ? MEND_ACCOUNT : REFUSED;
  if (sent.length === 0) {
    return {
      amountCents: plannedCents,
      status: 'failed',
      message: `${why} The money is available again.`,
    };
  }
  const amountCents = sum(sent, (each) => each.amountCents);
  const reversedCents = sum(sent, (each) => each.reversedCents);
  if (reversedCents === amountCents) {
    return {
      amountCents,
      status: 'reversed',
      message: 'It was taken back, because these earnings went back to an advertiser.',
    };
  }
  const left = sent.filter((each) => each.amountCents > each.reversedCents);
  const failed = left.find(({ bankStatus }) => bankStatus === 'failed');
  const messages = [
    ...(failed ? [bankText(failed)] : []),
    ...(refused.length > 0
      ? [
          `${decimalOf(sum(refused, (each) => each.amountCents))} couldn’t be sent and is available again. ${why}`,
        ]
      : []),
    ...(reversedCents > 0
      ? [
          `${decimalOf(reversedCents)} of it was taken back, because these earnings went back to an advertiser.`,
        ]
      : []),
  ];
  const isPaid = left.every(({ bankStatus }) => bankStatus === 'paid');
  return {
    amountCents,
    status: failed ? 'failed' : isPaid ? 'paid' : 'sent',
    message: messages.length > 0 ? messages.join(' ') : null,
  };
}

/** A bank transfer pays or returns all parts of a payout together. */
function bankTransferState(amountCents: number, transfers: readonly TransferState[]): PayoutState {
  const has = (is: (each: TransferState) => boolean) => transfers.some(is);
  const returned = transfers.find(({ bankStatus }) => bankStatus === 'failed');
  const why = (text: string | null | undefined) => (text ? `: ${text.replace(/[.!]?$/, '.')}` : '.');
  const next = 'Check your bank details and save them again. The money is available again.';
  if (returned)
    return {
      amountCents,
      status: 'failed',
      message: `The bank sent this payout back${why(returned.bankMessage)} ${next}`,
    };
  if (has(({ state }) => state === 'refused'))
    return {
      amountCents,
      status: 'failed',
      message: `This payout wasn’t made${why(transfers[0]?.error)} ${next}`,
    };
  return {
    amountCents,
    status: has(({ bankStatus }) => bankStatus !== 'paid') ? 'sent' : 'paid',
    message: null,
  };
}

const bankText = ({ bankMessage }: TransferState): string =>
  `Your bank sent this payout back${bankMessage === null ? '.' : `: ${bankMessage.replace(/[.!]?$/, '.')}`} Update your bank details. The money goes out again with your account’s next payout.`;
