/** The numbers of our accounts in the charts of DATEV. */
import type { AccountKind } from './ledger.ts';

/**
 * The accounts of a file for DATEV: those of the ledger, and those of the sales, which the ledger does not have because it
 * books the shares of a sale. `sales_passed_on` takes the net sales out of the result again.
 */
export type ChartAccount =
  | AccountKind
  | 'transit'
  | 'earlier_results'
  | 'sales'
  | 'sales_oss'
  | 'sales_reverse_charge'
  | 'sales_not_taxed'
  | 'sales_passed_on';

/** `text` is the setting. `name` is that of DATEV, empty for an own chart. All accounts have `digits` digits. */
export type Chart = {
  text: string;
  name: '03' | '04' | '';
  digits: number;
  accounts: Readonly<Record<ChartAccount, string>>;
};

/** Each account in SKR03 and in SKR04, chosen so that DATEV computes no tax by itself. The guide has an adviser confirm them. */
const NUMBERS: Record<ChartAccount, readonly [skr03: string, skr04: string]> = {
  provider_clearing: ['1361', '1461'],
  provider_balance: ['1362', '1462'],
  bank: ['1200', '1800'],
  dispute_receivable: ['1501', '1301'],
  publisher_receivable: ['1502', '1302'],
  deferred_publisher: ['1710', '3250'],
  deferred_commission: ['1719', '3280'],
  tax_deferred: ['1792', '3630'],
  publisher_payable: ['1701', '3501'],
  refund_payable: ['1702', '3502'],
  suspense: ['1703', '3503'],
  tax_payable: ['1789', '3840'],
  input_tax: ['1576', '1406'],
  cancel_fees: ['8600', '4830'],
  commission: ['8510', '4560'],
  waived_earnings: ['2709', '4837'],
  processing_fees: ['4970', '6855'],
  dispute_fees: ['4971', '6856'],
  dispute_losses: ['2309', '6969'],
  goodwill: ['2300', '6300'],
  bad_debt: ['2400', '6930'],
  fx: ['2150', '6880'],
  transit: ['1590', '1370'],
  earlier_results: ['0860', '2970'],
  sales: ['8200', '4200'],
  sales_oss: ['8331', '4331'],
  sales_reverse_charge: ['8336', '4336'],
  sales_not_taxed: ['8338', '4338'],
  sales_passed_on: ['8700', '4700'],
};

const ACCOUNTS = Object.keys(NUMBERS) as ChartAccount[];

/**
 * Reads a chart: SKR03 or SKR04, after it accounts with other numbers, as in 'SKR04, bank=1810'. 'own' names the number of
 * every account; without one for `input_tax`, that of `tax_payable`. Throws RangeError with a message that begins with 'must'. [BOOK-203]
 */
export function chartIn(text: string): Chart {
  const [base = '', ...pairs] = text.split(',').map((part) => part.trim());
  const column = ['SKR03', 'SKR04'].indexOf(base);
  if (column < 0 && base !== 'own') throw new RangeError('must begin with SKR03, SKR04 or own');
  const accounts = new Map<ChartAccount, string>(
    column < 0 ? [] : ACCOUNTS.map((account) => [account, NUMBERS[account][column] as string]),
  );
  const named = new Set<string>();
  for (const pair of pairs) {
    const [name = '', number = ''] = pair.split('=').map((part) => part.trim());
    const account = ACCOUNTS.find((each) => each === name);
    if (account === undefined) throw new RangeError(`must name accounts of the list instead of “${name}”`);
    if (!/^\d{4,8}$/.test(number))
      throw new RangeError(`must give “${name}” a number of 4 to 8 digits, as in ${name}=1810`);
    if (named.has(name)) throw new RangeError(`must name “${name}” only once`);
    named.add(name);
    accounts.set(account, number);
  }
  // An own chart from before there was input tax has it on the account of the tax owed.
  const taxPayable = accounts.get('tax_payable');
  if (taxPayable !== undefined && !accounts.has('input_tax')) accounts.set('input_tax', taxPayable);
  const missing = ACCOUNTS.filter((account) => !accounts.has(account));
  if (missing.length > 0) throw new RangeError(`must also name ${missing.join(', ')}`);
  const [digits = 0, ...others] = new Set([...accounts.values()].map(({ length }) => length));
  if (others.length > 0) throw new RangeError('must have numbers of one length');
  return {
    text: [base, ...pairs].join(', '),
    name: (['03', '04'] as const)[column] ?? '',
    digits,
    accounts: Object.fromEntries(accounts) as Chart['accounts'],
  };
}

/** DATEV's tax keys of sales in Germany, by the rate in thousandths of a percent. */
const GERMAN_KEYS: ReadonlyMap<number, string> = new Map([
  [19_000, '3'],
  [7000, '2'],
]);

/** The key by which DATEV takes the tax out of a sale; null for a tax without a key. */
export const taxKeyOf = ({ country, rate }: { country: string; rate: number }): string | null =>
  country === 'DE' ? (GERMAN_KEYS.get(rate) ?? null) : null;
