/** Zone types and the sizes they fill in; custom leaves the size to the publisher (specification, section 5). */
export const ZONE_TYPES = ['banner', 'rectangle', 'skyscraper', 'custom'] as const;
export type ZoneType = (typeof ZONE_TYPES)[number];

export const ZONE_SIZES: Record<Exclude<ZoneType, 'custom'>, { width: number; height: number }> = {
  banner: { width: 728, height: 90 },
  rectangle: { width: 300, height: 250 },
  skyscraper: { width: 160, height: 600 },
};

export const MAX_ZONE_PIXELS = 5000;

/** Zones have no description of their own (OP-061). */
export function describeZone(zone: { zoneType: string; width: number; height: number }): string {
  return `${zone.zoneType}, ${zone.width}x${zone.height}`;
}

/**
 * What a publisher pastes (see tag/README.md). The size is reserved before the script arrives, so the page does
 * not move.
 */
export function embedSnippet(
  zone: { publicId: string; width: number; height: number },
  deliveryUrl: string,
): string {
  const { publicId, width, height } = zone;
  return [
    `<ad-zone zone="${publicId}" w="${width}" h="${height}" style="display:inline-block;width:${width}px;height:${height}px;max-width:100%"></ad-zone>`,
    `<script async crossorigin src="${deliveryUrl}/api/serve/zone/${publicId}"></script>`,
  ].join('\n');
}
