import { describe, expect, it } from 'vitest';
import { createProduct, createWebsite, createZone, listWebsites } from './contract.ts';

const message = (
  endpoint: { body?: { safeParse: (value: unknown) => { error?: { issues: { message: string }[] } } } },
  body: unknown,
) => endpoint.body?.safeParse(body).error?.issues[0]?.message;

describe('a website', () => {
  const site = { name: 'The Daily Slot', url: 'https://daily.example', category: 'Technology' };

  // Proves VAL-39, ENT-14, VAL-38
  it('has default values', () => {
    expect(createWebsite.body?.parse(site)).toMatchObject({ monthlyVisitors: 0, isActive: true });
    expect(createWebsite.body?.parse({ ...site, description: null })).toMatchObject({ description: null });
  });

  // Proves VAL-35, OP-057, OP-076
  it('must have a name, a URL and a category', () => {
    expect(message(createWebsite, { ...site, name: '  ' })).toBe('Website name is required');
    expect(message(createWebsite, { ...site, name: undefined })).toBe('Website name is required');
    expect(message(createWebsite, { ...site, url: '' })).toBe('Please enter a valid URL');
    expect(message(createWebsite, { ...site, url: 'javascript:alert(1)' })).toBe('Please enter a valid URL');
    expect(message(createWebsite, { ...site, category: undefined })).toBe('Please choose a category');
    expect(message(createWebsite, { ...site, category: ' ' })).toBe('Please choose a category');
  });

  // Proves VAL-39
  it.each([1.5, -1, 'abc', 2_147_483_648])('cannot have %j monthly visitors', (monthlyVisitors) => {
    expect(createWebsite.body?.safeParse({ ...site, monthlyVisitors }).success).toBe(false);
  });

  // Proves MKT-02, MKT-03, OP-080
  it('can be searched only with known filters', () => {
    expect(listWebsites.query?.parse({ search: ' a ', category: 'Food', traffic: 'low' })).toEqual({
      search: 'a',
      category: 'Food',
      traffic: 'low',
    });
    expect(listWebsites.query?.safeParse({ category: 'x'.repeat(41) }).success).toBe(false);
    expect(listWebsites.query?.safeParse({ traffic: 'huge' }).success).toBe(false);
    expect(listWebsites.query?.safeParse({ search: 'x'.repeat(201) }).success).toBe(false);
  });
});

describe('a zone', () => {
  const zone = { websiteId: 1, name: 'Sidebar', width: 300, height: 250, zoneType: 'rectangle' };

  // Proves ENT-18, OP-073
  it('is active by default and may have another size than its type', () => {
    expect(createZone.body?.parse(zone)).toMatchObject({ isActive: true });
    expect(createZone.body?.safeParse({ ...zone, width: 333 }).success).toBe(true);
  });

  // Proves VAL-40
  it('must have a name, a size and a type', () => {
    expect(message(createZone, { ...zone, name: '' })).toBe('Ad zone name is required');
    expect(message(createZone, { ...zone, width: undefined })).toBe('Width is required');
    expect(message(createZone, { ...zone, height: undefined })).toBe('Height is required');
    expect(message(createZone, { ...zone, zoneType: undefined })).toBe('Please choose a zone type');
    expect(message(createZone, { ...zone, zoneType: 'square' })).toBe('Please choose a zone type');
  });

  // Proves ENT-18, OP-073
  it.each([0, -1, 1.5, 5001, 'abc', null])('cannot be %j pixels wide', (width) => {
    expect(createZone.body?.safeParse({ ...zone, width }).success).toBe(false);
  });
});

describe('a pricing option', () => {
  const option = { adZoneId: 1, adType: 'text', price: '19.99', pricingModel: 'per_day' };
  const parsed = (fields: object) => createProduct.body?.parse({ ...option, ...fields });

  // Proves ENT-25
  it('keeps only the quantity that belongs to its pricing model', () => {
    const all = { duration: 7, impressions: 1000, clicks: 50 };
    expect(parsed(all)).toMatchObject({ duration: 7, impressions: null, clicks: null });
    expect(parsed({ ...all, pricingModel: 'per_impression' })).toMatchObject({
      duration: null,
      impressions: 1000,
      clicks: null,
    });
    expect(parsed({ ...all, pricingModel: 'per_click' })).toMatchObject({
      duration: null,
      impressions: null,
      clicks: 50,
    });
  });

  // Proves GEN-13
  it('costs per day, for one day, by default', () => {
    expect(parsed({ pricingModel: undefined })).toMatchObject({ pricingModel: 'per_day', duration: 1 });
  });

  // Proves OP-099
  it('must have the quantity of a quota', () => {
    expect(message(createProduct, { ...option, pricingModel: 'per_impression' })).toBe(
      'Impressions are required',
    );
    expect(message(createProduct, { ...option, pricingModel: 'per_click', clicks: 0 })).toBe(
      'Clicks must be at least 1',
    );
  });

  // Proves ENT-23
  it.each(['99999999.99', '0.01', 5, 19.99, ' 3.5 '])('can cost %j', (price) => {
    expect(parsed({ price })).toMatchObject({ price: String(price).trim() });
  });

  // Proves ENT-23, OP-099, API-53
  it.each([0, '0', '0.00', -1, '-5', '100000000', '1.234', 'abc', '', '1e3', Number.NaN, Infinity, null])(
    'cannot cost %j',
    (price) => {
      expect(createProduct.body?.safeParse({ ...option, price }).success).toBe(false);
    },
  );

  // Proves GEN-14, GEN-13
  it('must have one of the three ad types and pricing models', () => {
    expect(createProduct.body?.safeParse({ ...option, adType: 'audio' }).success).toBe(false);
    expect(createProduct.body?.safeParse({ ...option, pricingModel: 'per_week' }).success).toBe(false);
    for (const adType of ['text', 'image', 'video']) expect(parsed({ adType })).toMatchObject({ adType });
  });
});
