/**
 * The calls of the API for the browser: methods and paths without schemas, so that pages load without zod. The build of
 * the web application runs this module and keeps only its data (vite.config.ts). Forms import the contracts. Every page
 * loads this file, so the calls of a part that loads on demand are in a file of their own (…-calls.ts).
 */
import * as accounts from './accounts/contract.ts';
import * as members from './accounts/members-contract.ts';
import * as view from './accounts/view-contract.ts';
import * as passkeys from './accounts/passkeys-contract.ts';
import * as booking from './ads/booking-contract.ts';
import * as blocks from './ads/block-contract.ts';
import * as ads from './ads/contract.ts';
import * as pauses from './ads/pause-contract.ts';
import * as trust from './ads/trust-contract.ts';
import * as variants from './ads/variants-contract.ts';
import * as waiting from './ads/waiting-contract.ts';
import * as analytics from './analytics/contract.ts';
import * as gettingStarted from './analytics/getting-started-contract.ts';
import * as conversions from './delivery/conversions-contract.ts';
import * as conversionKeys from './delivery/conversion-key-contract.ts';
import * as landings from './delivery/landings-contract.ts';
import * as showing from './delivery/showing-contract.ts';
import * as zoneWatch from './delivery/zone-watch-contract.ts';
import { callsOf } from './endpoint.ts';
import * as inventory from './inventory/contract.ts';
import * as myZones from './inventory/my-zones-contract.ts';
import * as marketplace from './marketplace-contract.ts';
import * as media from './media/contract.ts';
import * as operator from './operator/contract.ts';
import * as consents from './payments/consent-contract.ts';
import * as payments from './payments/contract.ts';
import * as documents from './payments/document-contract.ts';
import * as ledger from './payments/ledger-contract.ts';
import * as payouts from './payments/payout-contract.ts';
import * as prices from './payments/price-contract.ts';
import * as refunds from './payments/refund-contract.ts';
import * as statements from './payments/statement-contract.ts';
import * as plans from './plans/contract.ts';

export const calls = callsOf({
  ...accounts,
  ...passkeys,
  ...members,
  ...view,
  ...ads,
  ...pauses,
  ...booking,
  ...blocks,
  ...trust,
  ...variants,
  ...waiting,
  ...analytics,
  ...gettingStarted,
  ...conversions,
  ...conversionKeys,
  ...landings,
  ...showing,
  ...zoneWatch,
  ...inventory,
  ...myZones,
  ...marketplace,
  ...media,
  ...operator,
  ...payments,
  ...consents,
  ...documents,
  ...ledger,
  ...prices,
  ...payouts,
  ...refunds,
  ...statements,
  ...plans,
});
