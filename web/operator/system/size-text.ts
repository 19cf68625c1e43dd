const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** '1.2 GB', by powers of 1000 as disks are sold. */
export function sizeText(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(1, bytes)) / 3), UNITS.length - 1);
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${UNITS[power]}`;
}
