/** Zone types. Each has a fixed size, except custom, whose size the publisher chooses. [VAL-44] */
export const ZONE_TYPES = ['banner', 'rectangle', 'skyscraper', 'custom'] as const;
export type ZoneType = (typeof ZONE_TYPES)[number];

export const ZONE_SIZES: Record<Exclude<ZoneType, 'custom'>, { width: number; height: number }> = {
  banner: { width: 728, height: 90 },
  rectangle: { width: 300, height: 250 },
  skyscraper: { width: 160, height: 600 },
};

export const MAX_ZONE_PIXELS = 5000;

/** The name that the form suggests. Publishers with several zones of a type give them names of their own. */
export function suggestedZoneName(type: ZoneType): string {
  return type[0]?.toUpperCase() + type.slice(1);
}

/** A description made of type and size, because zones have no description field. [OP-061] */
export function describeZone(zone: { zoneType: string; width: number; height: number }): string {
  return `${zone.zoneType}, ${zone.width}x${zone.height}`;
}
