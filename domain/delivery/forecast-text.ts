import { counted, shortPercentText } from '../format.ts';
import { once } from '../once.ts';
import type { Basis, Forecast, ViewRange } from './forecast.ts';
import type { Measured } from './forecast-fields.ts';

/** The basis of an ad zone's forecast, as the end of a sentence. */
const ZONE_BASES: Record<Basis, string> = {
  zone: 'measured in this zone',
  site: 'estimated from other ad zones on this website',
  market: 'estimated from similar websites',
  declared: 'estimated from the publisher’s own figure',
};

/** The same for the forecast of a website's ad zones. */
const SITE_BASES: Record<Basis, string> = {
  ...ZONE_BASES,
  zone: 'measured on this website',
  site: 'estimated from its measured ad zones',
};

/** Such as '40–90 views a day, measured in this zone'. */
export function zoneForecastText(forecast: Forecast): string {
  return isUnknown(forecast)
    ? 'No traffic figures yet'
    : `${viewsText(forecast.viewsPerDay)} a day, ${zoneBasisText(forecast)}`;
}

/** Such as 'measured in this zone'. */
export function zoneBasisText({ basis }: Forecast): string {
  return ZONE_BASES[basis];
}

/** Such as '40–90 views a day per ad zone, measured on this website'. */
export function siteForecastText(forecast: Forecast): string {
  return isUnknown(forecast)
    ? 'No traffic figures yet'
    : `${viewsText(forecast.viewsPerDay)} a day per ad zone, ${SITE_BASES[forecast.basis]}`;
}

/** Whether the zone has neither measurements nor declared visitors. `firstForecast` then returns its minimum. */
export function isUnknown({ basis, viewsPerDay }: Forecast): boolean {
  return basis === 'declared' && viewsPerDay.likely <= 1;
}

/** Such as '40–90 views'. An estimate is not more precise than two digits. */
export function viewsText({ low, high }: Pick<ViewRange, 'low' | 'high'>): string {
  const [from, to] = [twoDigits(low), twoDigits(high)];
  return from === to ? `${from} ${to === '1' ? 'view' : 'views'}` : `${from}–${to} views`;
}

/** The other measurements, beside views and CTR: 'Measured over 28 days: 57% viewable, 2% invalid'. */
export function qualityText({ days, viewability, invalidShare }: Measured): string {
  const parts = [
    viewability !== null && `${shortPercentText(viewability)} viewable`,
    invalidShare !== null && `${shortPercentText(invalidShare)} invalid`,
  ].filter((part) => part !== false);
  const span = `Measured over ${counted(days, 'day')}`;
  return parts.length === 0 ? span : `${span}: ${parts.join(', ')}`;
}

/** Such as 'Measured over 28 days: 64 views a day, 57% viewable, 1.5% CTR, 2% invalid traffic'. */
export function measuredText(measured: Measured | null): string {
  if (!measured) return 'Not measured yet';
  const { days, viewsPerDay, viewability, clickRate, invalidShare } = measured;
  const parts = [
    `${counted(viewsPerDay, 'view')} a day`,
    viewability !== null && `${shortPercentText(viewability)} viewable`,
    clickRate !== null && `${shortPercentText(clickRate)} CTR`,
    invalidShare !== null && `${shortPercentText(invalidShare)} invalid traffic`,
  ];
  return `Measured over ${counted(days, 'day')}: ${parts.filter((part) => part !== false).join(', ')}`;
}

// The interface is in English. [OP-100]
const rounded = once(() => new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 }));

export function twoDigits(views: number): string {
  return rounded().format(Math.round(views));
}
