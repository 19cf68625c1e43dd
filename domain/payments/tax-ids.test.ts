import { describe, expect, it } from 'vitest';
import { isInVies, readEuTaxId, readTaxId, taxIdPrefix } from './tax-ids.ts';

// Proves OWNS-122
describe('a tax number', () => {
  it.each([
    ['DE', 'de 123.456-789', '123456789'],
    ['DE', '123456789', '123456789'],
    ['AT', 'ATU12345678', 'U12345678'],
    ['GR', 'EL123456789', '123456789'],
    ['GR', 'GR 123456789', '123456789'],
    ['FR', 'FR12345678901', '12345678901'],
    ['FR', 'FR123456789', 'FR123456789'],
    ['NL', 'NL 1234.56.789.B01', '123456789B01'],
    ['CH', 'CHE-123.456.789 MWST', 'E123456789MWST'],
    ['GB', 'GB 123 4567 89', '123456789'],
    ['NO', 'NO 123 456 789 MVA', '123456789MVA'],
  ])('of %s is read from %s', (country, text, number) => {
    expect(readTaxId(country, text)).toEqual({ country, number });
  });

  it.each([
    ['DE', 'DE 99'],
    ['DE', 'FR12345678901'],
    ['IT', 'IT1234567890'],
    ['CH', 'CHE-123'],
    ['GB', ''],
    ['NO', '12345678A'],
  ])('of %s is not read from %s', (country, text) => {
    expect(readTaxId(country, text)).toBeNull();
  });

  it('of another country has any form', () => {
    expect(readTaxId('US', 'anything')).toBeUndefined();
    expect(readTaxId('constructor', 'anything')).toBeUndefined();
  });

  it('is in VIES if its country is in the EU', () => {
    expect(['DE', 'GR', 'GB', 'CH', 'NO', 'US'].map(isInVies)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(['DE', 'GR'].map(taxIdPrefix)).toEqual(['DE', 'EL']);
    expect(readEuTaxId(' el123456789')).toEqual({ country: 'GR', number: '123456789' });
    expect(['DE811', 'GB123456789', '123456789', ''].map(readEuTaxId)).toEqual([null, null, null, null]);
  });
});
