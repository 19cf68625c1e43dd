import type { Selectable } from 'kysely';
import { expectTypeOf, it } from 'vitest';
import type { CURRENCIES } from '#domain/money.ts';
import type { Role } from '#domain/accounts/roles.ts';
import type { AdStatus } from '#domain/ads/status.ts';
import type { AdType } from '#domain/ads/types.ts';
import type { RemovedFor, VariantStatus } from '#domain/ads/variants.ts';
import type { EventKind, Reason } from '#domain/delivery/reasons.ts';
import type { VoteKind } from '#domain/delivery/votes.ts';
import type { PricingModel } from '#domain/inventory/pricing.ts';
import type { ZoneType } from '#domain/inventory/zones.ts';
import type { IMAGE_TYPES, VIDEO_TYPE } from '#domain/media/limits.ts';
import type { ReportReason } from '#domain/transparency/report-reasons.ts';
import type { PaymentBook } from '../settings/config.ts';
import type { DB } from './tables.ts';

type Column<Table extends keyof DB, Name extends keyof Selectable<DB[Table]>> = Selectable<DB[Table]>[Name];

// The compiler runs this test: `npm run tool types` fails if the two lists differ.
it('a column with a list of allowed values allows exactly the values of the domain', () => {
  expectTypeOf<Column<'users', 'role'>>().toEqualTypeOf<Role | null>();
  expectTypeOf<Column<'userSettings', 'currency'>>().toEqualTypeOf<(typeof CURRENCIES)[number]>();
  expectTypeOf<Column<'adZones', 'zoneType'>>().toEqualTypeOf<ZoneType>();
  expectTypeOf<Column<'adZoneProducts', 'adType'>>().toEqualTypeOf<AdType>();
  expectTypeOf<Column<'adZoneProducts', 'pricingModel'>>().toEqualTypeOf<PricingModel>();
  expectTypeOf<Column<'uploads', 'contentType'>>().toEqualTypeOf<
    (typeof IMAGE_TYPES)[number] | typeof VIDEO_TYPE | null
  >();
  expectTypeOf<Column<'ads', 'adType'>>().toEqualTypeOf<AdType>();
  expectTypeOf<Column<'ads', 'status'>>().toEqualTypeOf<AdStatus>();
  expectTypeOf<Column<'adVariants', 'status'>>().toEqualTypeOf<VariantStatus>();
  expectTypeOf<Column<'adVariants', 'removedFor'>>().toEqualTypeOf<RemovedFor | null>();
  expectTypeOf<Column<'ads', 'pricingModel'>>().toEqualTypeOf<PricingModel>();
  expectTypeOf<Column<'payments', 'book'>>().toEqualTypeOf<PaymentBook>();
  expectTypeOf<Column<'ledgerAccounts', 'book'>>().toEqualTypeOf<PaymentBook>();
  expectTypeOf<Column<'adEvents', 'kind'>>().toEqualTypeOf<EventKind>();
  expectTypeOf<Column<'adEvents', 'reason'>>().toEqualTypeOf<Reason | null>();
  expectTypeOf<Column<'deliveryHourly', 'kind'>>().toEqualTypeOf<
    EventKind | VoteKind | 'decision' | 'excluded'
  >();
  expectTypeOf<Column<'deliveryHourly', 'reason'>>().toEqualTypeOf<Reason | ''>();
  expectTypeOf<Column<'adReports', 'reason'>>().toEqualTypeOf<ReportReason>();
});
