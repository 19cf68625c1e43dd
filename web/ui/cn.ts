import { clsx, type ClassValue } from 'clsx';

/**
 * Joins class names. `className` on our components is for placement (margin, width, grid area); looks are chosen by
 * `variant` props, so no conflict resolution between utilities is needed.
 */
export function cn(...values: ClassValue[]): string {
  return clsx(values);
}
