import { describe, expect, it } from 'vitest';
import { type BoughtAd, MIN_ADS, priceTrials } from './price-trials.ts';

const ad = (advertiserId: number, mostPaid: number, earnedCents = 1000): BoughtAd => ({
  advertiserId,
  mostPaid,
  earnedCents,
});

describe('price trials', () => {
  it('count an ad as surely bought if its advertiser has paid as much, and give the range of the earnings', () => {
    const bought = [ad(1, 1), ad(1, 1.1), ad(2, 1.2, 3000), ad(3, 1.5), ad(3, 4), ad(4, 1.05)];
    expect(priceTrials('per_impression', bought)).toEqual({
      model: 'per_impression',
      ads: 6,
      earnedCents: 8000,
      trials: [
        { percent: 10, fewest: 4, leastCents: 6600, mostCents: 8800 },
        { percent: 20, fewest: 3, leastCents: 6000, mostCents: 9600 },
        { percent: 50, fewest: 2, leastCents: 3000, mostCents: 12_000 },
      ],
    });
  });

  it.each<[string, BoughtAd[]]>([
    ['no ads', []],
    ['four ads of four advertisers', [1, 2, 3, 4].map((each) => ad(each, 2))],
    ['five ads of two advertisers', [1, 1, 1, 2, 2].map((each) => ad(each, 2))],
  ])('give no range of %s', (_what, bought) => {
    const { ads, trials } = priceTrials('per_click', bought);
    expect({ ads, trials }).toEqual({ ads: bought.length, trials: [] });
  });

  it(`give a range of ${MIN_ADS} ads of three advertisers`, () => {
    expect(priceTrials('per_click', [ad(1, 1), ad(1, 1), ad(1, 1), ad(2, 1), ad(3, 1)]).trials).toHaveLength(
      3,
    );
  });
});
