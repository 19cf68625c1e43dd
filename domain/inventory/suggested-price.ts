import { isUnknown, viewsText } from '../delivery/forecast-text.ts';
import type { Forecast } from '../delivery/forecast.ts';
import { decimalOf } from '../money.ts';

/** Our own estimate of the price that small websites can ask for 1,000 views of a text ad. */
const CENTS_PER_THOUSAND_VIEWS = 500;
/** For a zone without any traffic figures. */
const UNKNOWN_CENTS = 500;
const LEAST_CENTS = 100;
/** The price of a day has no cents but 50, so that it looks like a price. */
const STEP_CENTS = 50;

/** The price that the pricing step proposes for a text ad of one day, with the reason for it. */
export function suggestedDayPrice(forecast: Forecast): { price: string; reason: string } {
  if (isUnknown(forecast)) {
    return {
      price: decimalOf(UNKNOWN_CENTS),
      reason: 'A price to start with. You can change it at any time.',
    };
  }
  const { likely } = forecast.viewsPerDay;
  const cents = Math.round((likely * CENTS_PER_THOUSAND_VIEWS) / 1000 / STEP_CENTS) * STEP_CENTS;
  return {
    price: decimalOf(Math.max(LEAST_CENTS, cents)),
    reason: `Suggested for ${viewsText({ low: likely, high: likely })} a day. You can change it at any time.`,
  };
}
