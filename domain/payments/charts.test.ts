import { describe, expect, it } from 'vitest';
import { chartIn, taxKeyOf } from './charts.ts';

describe('a chart of DATEV', () => {
  // Proves BOOK-203
  it('is SKR03 or SKR04, with the numbers that the adviser changes, or an own one', () => {
    expect(chartIn('SKR03')).toMatchObject({
      name: '03',
      digits: 4,
      accounts: { bank: '1200', sales: '8200' },
    });
    const other = chartIn('SKR04 , bank = 1810');
    expect(other).toMatchObject({ name: '04', accounts: { bank: '1810', sales: '4200' } });
    expect(other.text).toBe('SKR04, bank = 1810');
    const all = Object.keys(other.accounts).map((account, at) => `${account}=${10_000 + at}`);
    const own = chartIn(['own', ...all].join(','));
    expect(own).toMatchObject({ name: '', digits: 5 });
    expect(own.accounts.bank).toBe(all.find((each) => each.startsWith('bank='))?.slice(5));
    for (const base of ['SKR03', 'SKR04']) {
      const numbers = Object.values(chartIn(base).accounts);
      expect(new Set(numbers).size).toBe(numbers.length);
    }
  });

  it.each([
    ['another chart', 'SKR49', 'must begin with'],
    ['an unknown account', 'SKR03, till=1000', '“till”'],
    ['a name without a number', 'SKR03, bank', '“bank”'],
    ['a number with letters', 'SKR03, bank=12AB', '“bank”'],
    ['an account twice', 'SKR03, bank=1210, bank=1220', 'only once'],
    ['numbers of two lengths', 'SKR03, bank=12100', 'one length'],
    ['an own chart without all accounts', 'own, bank=1200', 'must also name'],
  ])('is refused with %s', (_case, text, says) => {
    expect(() => chartIn(text)).toThrow(says);
  });

  it('has keys for the rates of Germany alone', () => {
    expect(taxKeyOf({ country: 'DE', rate: 19_000 })).toBe('3');
    expect(taxKeyOf({ country: 'DE', rate: 7000 })).toBe('2');
    expect(taxKeyOf({ country: 'DE', rate: 16_000 })).toBeNull();
    expect(taxKeyOf({ country: 'FR', rate: 19_000 })).toBeNull();
  });
});
