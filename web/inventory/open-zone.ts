import { calls } from '#domain/calls.ts';
import { adSpaceAddress } from '#domain/inventory/wizard-address.ts';
import { read, readAll } from '#web/http/query.ts';
import { queryClient } from '#web/http/query-client.ts';
import { RequestError } from '#web/http/request-error.ts';

/** The number of websites to search for an open ad zone. */
const WEBSITES = 48;

/** Returns the wizard's address for an open zone of this size on the website with most views, or null without one. */
export async function openZoneAddress({ width, height }: { width: number; height: number }) {
  try {
    const websites = await queryClient.fetchQuery(
      read(calls.listWebsites, { query: { sort: 'views', limit: WEBSITES } }),
    );
    const website = websites.find(({ sizes }) =>
      sizes.some((size) => size.width === width && size.height === height),
    );
    if (!website) return null;
    const zones = await queryClient.fetchQuery(
      readAll(calls.listZones, { params: { ref: website.publicId } }),
    );
    const zone = zones.find(
      (each) => each.isActive && each.offers.length > 0 && each.width === width && each.height === height,
    );
    if (!zone) return null;
    const sold = zone.offers.map(({ adType }) => adType);
    return adSpaceAddress(website.publicId, zone.publicId, sold);
  } catch (error) {
    if (error instanceof RequestError) return null;
    throw error;
  }
}
