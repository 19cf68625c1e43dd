import type { ReactNode } from 'react';
import type { StyledZone } from '#domain/delivery/ad-style.ts';
import type { FaultCause } from '#domain/delivery/fault-causes.ts';
import type { AdZone, HouseAd, Website } from '#domain/inventory/contract.ts';

export const ZONE_TABS = ['booking', 'look', 'visitors', 'house-ad', 'code'] as const;
export type ZoneTab = (typeof ZONE_TABS)[number];

/** The address of an ad zone's own page. */
export const zoneHref = ({ publicId }: Pick<AdZone, 'publicId'>, tab: ZoneTab = 'booking'): string =>
  `/ad-zones/${publicId}${tab === 'booking' ? '' : `?tab=${tab}`}`;

/** Renders a preview of a text ad in a zone: one that an advertiser books, the publisher's own, or 'Advertise here'. */
export type DrawAd = (zone: StyledZone, ad: HouseAd, content: 'ad' | 'house' | 'open') => ReactNode;

/** The publisher's two diagnostics for an ad zone. */
export type Diagnosis = 'test' | 'showing';

export type ZoneFigures = { impressions: number; amount: string };

/** The parts of other rooms that the page of the ad zones uses. */
export type ZoneParts = {
  drawAd: DrawAd;
  /** Renders the dialog of a diagnosis. */
  renderDiagnosis: (diagnosis: Diagnosis, zone: AdZone, website: Website, onClose: () => void) => ReactNode;
  /** Views and earnings of a zone in the last 30 days; undefined until they are known. */
  figuresOf: (zonePublicId: string) => ZoneFigures | undefined;
  /** Renders with the causes of the website's open faults that the publisher does not expect. */
  renderWithFaults: (website: Website, render: (causes: readonly FaultCause[]) => ReactNode) => ReactNode;
  /** Renders the live wait for the tag's first ad request, which calls `onSeen`. */
  renderTagWatch: (zone: AdZone, website: Website, onSeen: () => void) => ReactNode;
};

/** Further parts of the page of one ad zone, from the room of the figures. */
export type ZonePageParts = ZoneParts & {
  renderAboutPrices: (zone: AdZone) => ReactNode;
  renderAboutVisitors: (zone: AdZone, website: Website) => ReactNode;
};
